#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/net/link_quality.h"

/// How a server and its clients reach each other: datagrams that may be lost, and a stream a
/// client. Two kinds with one face: sockets, and memory inside one process.
namespace maniple::net {

/// What a link brought in.
struct LinkEvent {
    enum class Kind : std::uint8_t {
        kConnected,  ///< Both ways of the client stand.
        kDatagram,
        kStream,
        kLost,  ///< The stream ended; nothing follows from this client.
    };
    Kind kind = Kind::kDatagram;
    std::uint32_t client = 0;  ///< Number the client greeted with; on its own side too.
    core::Bytes bytes;         ///< kDatagram, kStream.
};

/// Bytes of both ways together, without the headers of IP, UDP and TCP.
struct Traffic {
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;
};

/// A server's links to all its clients. One thread.
class ServerLinks {
  public:
    virtual ~ServerLinks() = default;
    /// What has arrived, in order for each client; waits up to `wait_ms` for something.
    [[nodiscard]] virtual std::vector<LinkEvent> poll(int wait_ms) = 0;
    /// Sending to a client that is not connected does nothing.
    virtual void send_datagram(std::uint32_t client, core::ByteSpan bytes) = 0;
    virtual void send_stream(std::uint32_t client, core::ByteSpan bytes) = 0;
    /// Ends both ways, with what the system has not taken yet; no event follows.
    virtual void drop(std::uint32_t client) = 0;
    /// Stream bytes that wait for the system to take them.
    [[nodiscard]] virtual std::size_t unsent_bytes(std::uint32_t client) const = 0;
};

/// A client's links to its server. One thread.
class ClientLinks {
  public:
    virtual ~ClientLinks() = default;
    [[nodiscard]] virtual std::vector<LinkEvent> poll(int wait_ms) = 0;
    virtual void send_datagram(core::ByteSpan bytes) = 0;
    virtual void send_stream(core::ByteSpan bytes) = 0;
    [[nodiscard]] virtual std::size_t unsent_bytes() const = 0;
    [[nodiscard]] virtual Traffic traffic() const = 0;
};

struct LinkPorts {
    std::uint16_t udp = 0;
    std::uint16_t tcp = 0;
};

/// ENet for datagrams and TCP for streams, on loopback. A client opens both with its number: ENet's
/// connect data, and the first four bytes of the stream (u32, little-endian).
class SocketServer {
  public:
    /// Port 0 picks a free one. Clients are numbered 1 to `clients_max`; a number is one client's
    /// until it is gone. @return kPortInUse or kIo.
    [[nodiscard]] static Result<std::unique_ptr<SocketServer>> listen(LinkPorts ports,
                                                                      std::uint32_t clients_max);
    virtual ~SocketServer() = default;
    [[nodiscard]] virtual LinkPorts ports() const = 0;
    [[nodiscard]] virtual ServerLinks& links() = 0;
};
/// Starts to connect to a server on loopback; kConnected follows. @return kIo.
[[nodiscard]] Result<std::unique_ptr<ClientLinks>> connect_links(LinkPorts server,
                                                                 std::uint32_t client);

/// The same inside one process, with each client's own link quality. All of it in one thread.
class MemoryNetwork {
  public:
    MemoryNetwork();
    ~MemoryNetwork();
    MemoryNetwork(const MemoryNetwork&) = delete;
    MemoryNetwork& operator=(const MemoryNetwork&) = delete;

    [[nodiscard]] ServerLinks& server();
    /// A new client, or a number again whose client is gone. The network outlives it.
    [[nodiscard]] std::unique_ptr<ClientLinks> connect(std::uint32_t client,
                                                       const LinkQuality& quality);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace maniple::net
