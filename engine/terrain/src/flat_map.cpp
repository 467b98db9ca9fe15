#include "flat_map.h"

#include <array>
#include <cstring>
#include <utility>

namespace maniple::terrain {
namespace {

using Record = std::array<std::uint8_t, substrate::kCellRecordBytes>;

/// Cost, type, height 0, normal (0, 0, 127).
constexpr Record record_of(Surface surface) {
    switch (surface) {
        case Surface::kGround: return {kGroundCost, 1, 0, 0, 0, 0, 0, 0, 127};
        case Surface::kSlow: return {kSlowCost, 1, 0, 0, 0, 0, 0, 0, 127};
        case Surface::kObstacle: break;
    }
    return {255, 2, 0, 0, 0, 0, 0, 0, 127};
}

/// Half the distance between the centres of the first and the last of `cells` cells.
constexpr std::int32_t middle_cm(std::int32_t cells) {
    static_assert(kCellSizeCm % 2 == 0, "an odd cell size would need a rounding rule");
    return (cells - 1) * (kCellSizeCm / 2);
}

}  // namespace

GridMap make_flat_map(std::string name, const SurfaceGrid& surfaces) {
    const substrate::SubstrateIdentity identity{middle_cm(surfaces.width()),
                                                middle_cm(surfaces.height()), 0, 0};
    const substrate::GridShape shape{surfaces.width(), surfaces.height(), kCellSizeCm};
    const auto write_records = [&](std::uint8_t* out) {
        for (const Surface surface : surfaces.cells()) {
            const Record record = record_of(surface);
            std::memcpy(out, record.data(), record.size());
            out += record.size();
        }
    };
    return {std::move(name), substrate::CheckedStream::write(identity, {}, shape, write_records)};
}

}  // namespace maniple::terrain
