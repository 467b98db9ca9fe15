#include "maniple/net/stream_socket.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "socket.h"

namespace maniple::net {
namespace {

constexpr std::size_t kReceiveBytes = 256 * 1024;
constexpr std::size_t kCompactBytes = 1024 * 1024;
constexpr int kBacklog = 64;

}  // namespace

Descriptor::~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
}
Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
}

Result<StreamConnection> StreamConnection::connect(std::uint16_t port) {
    auto socket = open_socket(SOCK_STREAM);
    if (!socket) return refuse(socket.error());
    const sockaddr_in address = loopback_address(port);
    const auto* raw = reinterpret_cast<const sockaddr*>(&address);
    if (::connect(socket->get(), raw, sizeof(address)) != 0 && errno != EINPROGRESS) {
        return refuse(ErrorCode::kIo, std::string("connect: ") + std::strerror(errno));
    }
    send_at_once(socket->get());
    return StreamConnection(std::move(*socket));
}

void StreamConnection::send(core::ByteSpan bytes) {
    queue_.insert(queue_.end(), bytes.begin(), bytes.end());
    // A lost peer is reported by the next flush() or receive().
    static_cast<void>(flush());
}

Result<void> StreamConnection::flush() {
    while (sent_ < queue_.size()) {
        const ssize_t done = ::send(socket_.get(), queue_.data() + sent_, queue_.size() - sent_,
                                    MSG_NOSIGNAL | MSG_DONTWAIT);
        if (done > 0) {
            sent_ += static_cast<std::size_t>(done);
        } else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOTCONN) {
            break;
        } else if (errno != EINTR) {
            return refuse(ErrorCode::kPeerLost, std::string("send: ") + std::strerror(errno));
        }
    }
    if (sent_ == queue_.size() || sent_ > kCompactBytes) {
        queue_.erase(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(sent_));
        sent_ = 0;
    }
    return {};
}

Result<core::Bytes> StreamConnection::receive() {
    core::Bytes bytes(kReceiveBytes);
    ssize_t got = 0;
    do {
        got = ::recv(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT);
    } while (got < 0 && errno == EINTR);
    if (got == 0) return refuse(ErrorCode::kPeerLost, "the other side closed the stream");
    if (got < 0) {
        if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOTCONN) return core::Bytes{};
        return refuse(ErrorCode::kPeerLost, std::string("receive: ") + std::strerror(errno));
    }
    bytes.resize(static_cast<std::size_t>(got));
    return bytes;
}

Result<StreamServer> StreamServer::listen(std::uint16_t port) {
    auto socket = open_socket(SOCK_STREAM);
    if (!socket) return refuse(socket.error());
    const int on = 1;
    ::setsockopt(socket->get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
    if (auto bound = bind_loopback(*socket, port); !bound) return refuse(bound.error());
    if (::listen(socket->get(), kBacklog) != 0) {
        return refuse(errno == EADDRINUSE ? ErrorCode::kPortInUse : ErrorCode::kIo,
                      "tcp port " + std::to_string(port) + ": " + std::strerror(errno));
    }
    return StreamServer(std::move(*socket));
}

std::uint16_t StreamServer::port() const { return bound_port(socket_); }

std::optional<StreamConnection> StreamServer::accept() {
    const int fd = ::accept4(socket_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd < 0) return std::nullopt;
    send_at_once(fd);
    return StreamConnection(Descriptor(fd));
}

void wait_readable(std::span<const int> descriptors, int wait_ms) {
    std::vector<pollfd> waits;
    for (const int fd : descriptors) waits.push_back({fd, POLLIN, 0});
    ::poll(waits.data(), waits.size(), wait_ms);
}

}  // namespace maniple::net
