#include "move_kernels.h"

#include <algorithm>
#include <utility>

#include "maniple/nav/grid_types.h"

#include "byte_lanes.h"

// Plain loops over bytes, which compilers turn into vectors: with Highway once for each target.
#if defined(MANIPLE_NAV_SIMD)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "move_kernels.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace maniple::nav::HWY_NAMESPACE {
#else
namespace maniple::nav::plain {
#endif

// implements: O-GRID-25, O-GRID-26
void step_bytes(const std::uint8_t* type, const std::uint8_t* cost, std::size_t cells,
                bool walls_closed, std::uint8_t* open, std::uint8_t* passed) {
    constexpr auto kEmpty = static_cast<std::uint8_t>(CellType::kEmpty);
    constexpr auto kObstacle = static_cast<std::uint8_t>(CellType::kObstacle);
    const std::uint8_t closed = walls_closed ? 0xFF : 0;
    for (std::size_t i = 0; i < cells; ++i) {
        const std::uint8_t typed = type[i] == kObstacle ? 0xFF : 0;
        const std::uint8_t priced = cost[i] == kImpassableCost ? 0xFF : 0;
        const std::uint8_t filled = type[i] == kEmpty ? 0 : 0xFF;
        const auto wall = static_cast<std::uint8_t>(typed | priced);
        passed[i] = static_cast<std::uint8_t>(~wall);
        open[i] = static_cast<std::uint8_t>(filled & ~(wall & closed));
    }
}

// implements: GRID-037, GRID-038, O-GRID-09
void moves(StepBytes west, StepBytes here, StepBytes east, std::size_t cells, std::uint8_t* out) {
    const std::uint8_t* const south_open = here.open - 1;
    const std::uint8_t* const north_open = here.open + 1;
    for (std::size_t y = 0; y < cells; ++y) {
        const unsigned to_north = here.passed[y + 1];
        const unsigned to_south = (here.passed - 1)[y];
        const unsigned steps = (east.open[y] & 0x01U) | (north_open[y] & 0x02U) |
                               (west.open[y] & 0x04U) | (south_open[y] & 0x08U) |
                               (east.open[y + 1] & east.passed[y] & to_north & 0x10U) |
                               (west.open[y + 1] & west.passed[y] & to_north & 0x20U) |
                               ((west.open - 1)[y] & west.passed[y] & to_south & 0x40U) |
                               ((east.open - 1)[y] & east.passed[y] & to_south & 0x80U);
        out[y] = static_cast<std::uint8_t>(steps & here.open[y]);
    }
}

bool level(const std::int32_t* z, std::size_t cells, std::int32_t z_cm) {
    std::int32_t differing = 0;
    for (std::size_t i = 0; i < cells; ++i) differing |= z[i] ^ z_cm;
    return differing == 0;
}

MoveCounts counts(const std::uint8_t* moves, std::size_t cells) {
    MoveCounts counts;
    std::uint64_t with_move = 0;
    std::uint64_t narrow = 0;
    const auto add = [&](std::uint64_t word) {
        const std::uint64_t some = lanes_not_0(word);
        with_move += some;
        narrow += some & ~lanes_of_255(word);
    };
    const auto sum_up = [&] {
        counts.with_move += sum_of_lanes(std::exchange(with_move, 0));
        counts.narrow += sum_of_lanes(std::exchange(narrow, 0));
    };
    const std::size_t words = cells / 8;
    for (std::size_t w = 0; w < words; sum_up()) {
        const std::size_t end = std::min(words, w + kLaneSumsMax);
        for (; w < end; ++w) add(load_bytes(moves + 8 * w, 8));
    }
    add(load_bytes(moves + 8 * words, cells % 8));
    sum_up();
    return counts;
}

#if defined(MANIPLE_NAV_SIMD)
}  // namespace maniple::nav::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#else
}  // namespace maniple::nav::plain
#define HWY_ONCE 1
#define HWY_EXPORT(name) static_assert(true)
#define HWY_DYNAMIC_DISPATCH(name) plain::name
#endif

#if HWY_ONCE
namespace maniple::nav {

HWY_EXPORT(step_bytes);
HWY_EXPORT(moves);
HWY_EXPORT(level);
HWY_EXPORT(counts);

void write_step_bytes(const std::uint8_t* type, const std::uint8_t* cost, std::size_t cells,
                      bool walls_closed, std::uint8_t* open, std::uint8_t* passed) {
    HWY_DYNAMIC_DISPATCH(step_bytes)(type, cost, cells, walls_closed, open, passed);
}
void write_moves(StepBytes west, StepBytes here, StepBytes east, std::size_t cells,
                 std::uint8_t* out) {
    HWY_DYNAMIC_DISPATCH(moves)(west, here, east, cells, out);
}
bool are_level(const std::int32_t* z, std::size_t cells, std::int32_t z_cm) {
    return HWY_DYNAMIC_DISPATCH(level)(z, cells, z_cm);
}
MoveCounts count_moves(const std::uint8_t* moves, std::size_t cells) {
    return HWY_DYNAMIC_DISPATCH(counts)(moves, cells);
}

}  // namespace maniple::nav
#endif
