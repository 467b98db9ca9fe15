#pragma once

#include <arpa/inet.h>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <unistd.h>

#include "maniple/net/stream_socket.h"

/// What the sockets of this layer share. Loopback IPv4 only.
namespace maniple::net {

inline sockaddr_in loopback_address(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

/// A non-blocking socket that child processes do not inherit.
inline Result<Descriptor> open_socket(int type) {
    const int fd = ::socket(AF_INET, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0) return refuse(ErrorCode::kIo, std::string("socket: ") + std::strerror(errno));
    return Descriptor(fd);
}

inline Result<void> bind_loopback(const Descriptor& socket, std::uint16_t port) {
    const sockaddr_in address = loopback_address(port);
    const auto* raw = reinterpret_cast<const sockaddr*>(&address);
    if (::bind(socket.get(), raw, sizeof(address)) == 0) return {};
    return refuse(errno == EADDRINUSE ? ErrorCode::kPortInUse : ErrorCode::kIo,
                  "port " + std::to_string(port) + ": " + std::strerror(errno));
}

inline std::uint16_t bound_port(const Descriptor& socket) {
    sockaddr_in address{};
    socklen_t size = sizeof(address);
    auto* raw = reinterpret_cast<sockaddr*>(&address);
    return ::getsockname(socket.get(), raw, &size) == 0 ? ntohs(address.sin_port) : 0;
}

/// Small messages must not wait for the acknowledgement of earlier ones.
inline void send_at_once(int fd) {
    const int on = 1;
    ::setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

}  // namespace maniple::net
