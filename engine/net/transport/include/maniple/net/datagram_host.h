#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"

namespace maniple::net {

/// Number of a peer of one DatagramHost; reused after the peer is gone.
struct PeerId {
    std::uint32_t value = 0;
    friend constexpr auto operator<=>(const PeerId&, const PeerId&) = default;
};

struct DatagramEvent {
    enum class Kind : std::uint8_t { kConnected, kReceived, kDisconnected };
    Kind kind = Kind::kReceived;
    PeerId peer;
    std::uint32_t greeting = 0;  ///< kConnected on the server: what the client connected with.
    core::Bytes bytes;           ///< kReceived.
};

/// Datagrams over ENet: every send is unreliable and unsequenced; what is lost or overtaken is the
/// session's business. Loopback and IPv4. One thread.
class DatagramHost {
  public:
    /// Binds `port` on 127.0.0.1, 0 picks a free one. @return kPortInUse or kIo.
    [[nodiscard]] static Result<DatagramHost> listen(std::uint16_t port, std::size_t peers_max);
    /// Starts to connect to 127.0.0.1:`port`; kConnected follows. `greeting` reaches the server.
    [[nodiscard]] static Result<DatagramHost> connect(std::uint16_t port, std::uint32_t greeting);
    ~DatagramHost();
    DatagramHost(DatagramHost&&) noexcept;
    DatagramHost& operator=(DatagramHost&&) noexcept;

    [[nodiscard]] std::uint16_t port() const;
    /// The next event; waits up to `wait_ms` for one. Bytes over 1200 are dropped.
    [[nodiscard]] std::optional<DatagramEvent> poll(std::uint32_t wait_ms);
    /// Sends at the next poll() or flush(); to a peer that is gone it does nothing.
    void send(PeerId peer, core::ByteSpan bytes);
    void flush();
    void disconnect(PeerId peer);
    /// The socket, to wait for.
    [[nodiscard]] int descriptor() const;
    /// Bytes of all datagrams with ENet's own headers, modulo 2^32.
    [[nodiscard]] std::uint64_t bytes_sent() const;
    [[nodiscard]] std::uint64_t bytes_received() const;

  private:
    struct Impl;
    explicit DatagramHost(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace maniple::net
