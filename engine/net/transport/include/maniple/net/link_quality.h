#pragma once

#include <cstddef>
#include <cstdint>

namespace maniple::net {

/// What a link does to traffic, each way.
struct LinkQuality {
    std::uint32_t latency_ms = 0;
    std::uint32_t jitter_ms = 0;  ///< Added to the latency, 0 to this much, for each packet.
    double loss_percent = 0;      ///< Datagrams only; a stream would send again, so it is delayed.
    std::uint64_t seed = 1;
};

/// Direction of a link.
enum class Way : std::uint8_t { kToServer = 0, kToClient = 1 };
enum class Medium : std::uint8_t { kDatagram = 0, kStream = 1 };

/// Delay of packet `number` of a way, in microseconds; equal for equal seeds.
[[nodiscard]] std::int64_t link_delay_us(const LinkQuality& quality, Way way, Medium medium,
                                         std::int32_t number);
/// Whether datagram `number` of a way is lost; equal for equal seeds.
[[nodiscard]] bool link_loses(const LinkQuality& quality, Way way, std::int32_t number);

}  // namespace maniple::net
