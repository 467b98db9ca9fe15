#pragma once

#include <cstdint>
#include <memory>

#include "maniple/core/result.h"
#include "maniple/net/link_quality.h"

namespace maniple::net {

struct LinkCounts {
    std::uint64_t forwarded = 0;  ///< Datagrams.
    std::uint64_t dropped = 0;
    std::uint64_t stream_bytes = 0;
};

/// Stands between a client and a server on loopback: the client speaks to the relay's ports, one
/// UDP and one TCP connection. Datagrams may overtake each other, streams keep their order. Which
/// packet of a direction is lost depends on the seed and its number only.
class LinkRelay {
  public:
    /// @return kIo when no port is free.
    [[nodiscard]] static Result<LinkRelay> open(std::uint16_t server_udp, std::uint16_t server_tcp,
                                                const LinkQuality& quality);
    ~LinkRelay();
    LinkRelay(LinkRelay&&) noexcept;
    LinkRelay& operator=(LinkRelay&&) noexcept;

    [[nodiscard]] std::uint16_t udp_port() const;
    [[nodiscard]] std::uint16_t tcp_port() const;
    /// Takes in what has arrived and lets out what is due; waits up to `wait_ms` for either.
    void run(int wait_ms);
    [[nodiscard]] LinkCounts counts() const;

  private:
    struct Impl;
    explicit LinkRelay(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace maniple::net
