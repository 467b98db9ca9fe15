#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"

namespace maniple::net {

/// A file descriptor that is closed with its owner.
class Descriptor {
  public:
    Descriptor() = default;
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor();
    Descriptor(Descriptor&& other) noexcept : fd_(other.fd_) { other.fd_ = -1; }
    Descriptor& operator=(Descriptor&& other) noexcept;
    [[nodiscard]] int get() const { return fd_; }

  private:
    int fd_ = -1;
};

/// One non-blocking TCP connection. Whole messages are the session's business.
class StreamConnection {
  public:
    /// Starts to connect to 127.0.0.1:`port`; bytes sent before it stands wait. @return kIo.
    [[nodiscard]] static Result<StreamConnection> connect(std::uint16_t port);
    explicit StreamConnection(Descriptor socket) : socket_(std::move(socket)) {}

    /// Queues the bytes and sends what the socket takes now.
    void send(core::ByteSpan bytes);
    /// Sends more of the queue. @return kPeerLost when the connection is gone.
    [[nodiscard]] Result<void> flush();
    /// What has arrived, at most 256 KiB at once; empty when there is nothing.
    /// @return kPeerLost when the other side closed and everything was read.
    [[nodiscard]] Result<core::Bytes> receive();
    [[nodiscard]] std::size_t queued_bytes() const { return queue_.size() - sent_; }
    [[nodiscard]] int descriptor() const { return socket_.get(); }

  private:
    Descriptor socket_;
    core::Bytes queue_;
    std::size_t sent_ = 0;
};

/// Accepts connections on 127.0.0.1.
class StreamServer {
  public:
    /// Port 0 picks a free one. @return kPortInUse or kIo.
    [[nodiscard]] static Result<StreamServer> listen(std::uint16_t port);
    [[nodiscard]] std::uint16_t port() const;
    [[nodiscard]] std::optional<StreamConnection> accept();
    [[nodiscard]] int descriptor() const { return socket_.get(); }

  private:
    explicit StreamServer(Descriptor socket) : socket_(std::move(socket)) {}
    Descriptor socket_;
};

/// Waits until one of the descriptors can be read, or `wait_ms` have passed.
void wait_readable(std::span<const int> descriptors, int wait_ms);

}  // namespace maniple::net
