#include "maniple/net/link_quality.h"

#include "maniple/core/random.h"

namespace maniple::net {
namespace {

constexpr std::int32_t kSiteLoss = 0;
constexpr std::int32_t kSiteDelay = 1;

std::uint64_t draw(const LinkQuality& quality, Way way, Medium medium, std::int32_t number,
                   std::int32_t site) {
    const auto lane = static_cast<std::uint32_t>(medium) * 2 + static_cast<std::uint32_t>(way);
    return core::site_random(quality.seed, number, site, lane);
}

}  // namespace

std::int64_t link_delay_us(const LinkQuality& quality, Way way, Medium medium,
                           std::int32_t number) {
    const std::uint64_t jitter = std::uint64_t{quality.jitter_ms} * 1000 + 1;
    return std::int64_t{quality.latency_ms} * 1000 +
           static_cast<std::int64_t>(draw(quality, way, medium, number, kSiteDelay) % jitter);
}

bool link_loses(const LinkQuality& quality, Way way, std::int32_t number) {
    constexpr std::uint64_t kScale = 1'000'000;
    const auto part = static_cast<std::uint64_t>(quality.loss_percent * kScale / 100);
    return draw(quality, way, Medium::kDatagram, number, kSiteLoss) % kScale < part;
}

}  // namespace maniple::net
