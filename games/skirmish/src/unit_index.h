#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "arena.h"
#include "resize_closely.h"

/// How the first system of every ground finds out who stands where.
namespace maniple::skirmish {

inline constexpr std::int32_t kTileCells = 5;

/// The rectangle of the places of one block; empty while low > high.
struct Box {
    float low_x = std::numeric_limits<float>::max();
    float low_y = std::numeric_limits<float>::max();
    float high_x = std::numeric_limits<float>::lowest();
    float high_y = std::numeric_limits<float>::lowest();

    void add(const Box& other) {
        low_x = std::min(low_x, other.low_x);
        low_y = std::min(low_y, other.low_y);
        high_x = std::max(high_x, other.high_x);
        high_y = std::max(high_y, other.high_y);
    }
    /// The smallest grid over it; one cell while it is empty.
    [[nodiscard]] GridBounds grid(float cell_cm) const {
        if (low_x > high_x) return {};
        return GridBounds::around(low_x, low_y, high_x, high_y, cell_cm);
    }
};

/// A fighting unit as its neighbours see it, on ground.
[[nodiscard]] inline Place place_of(const UnitRows& rows, std::size_t row) {
    const Vec2d at = rows.positions[row].cm();
    const Order& order = rows.orders[row];
    const bool stands = order.kind == OrderKind::kMoveTo && order.state == OrderState::kArrived;
    return {.x = static_cast<float>(at.x),
            .y = static_cast<float>(at.y),
            .uid = rows.uids[row].value,
            .arrived_task = stands ? order.task_id : 0,
            .team = rows.units[row].team};
}

/// Numbers the rows of all groups and makes room for them. @return how many there are.
inline std::size_t number_ranks(const AllRows& all, Arena& arena) {
    std::size_t ranks = 0;
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        arena.first_rank[group] = ranks;
        ranks += all[group].size();
    }
    resize_closely(arena.places, ranks);
    resize_closely(arena.aims, ranks);
    resize_closely(arena.strides, ranks);
    return ranks;
}

/// Fills the arena's places by place_rows(group, begin, end), which returns the box of those of a
/// block of rows, in parallel; then the grid over them.
template <class PlaceRows>
void index_places(core::Executor& executor, const AllRows& all, Arena& arena,
                  const PlaceRows& place_rows) {
    Box box;
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const std::size_t count = all[group].size();
        std::vector<Box> boxes(count / kBlockRows + 1);
        core::for_blocks(executor, count, kBlockRows, [&](std::size_t begin, std::size_t end) {
            boxes[begin / kBlockRows] = place_rows(group, begin, end);
        });
        for (const Box& part : boxes) box.add(part);
    }
    arena.grid.build(executor, box.grid(kGridCellCm), arena.places, arena.heights);
    executor.run(kTeamCount, [&](std::size_t team) {
        arena.near[team].build(arena.grid, static_cast<std::int32_t>(team), kTileCells, kSightCm);
    });
}

}  // namespace maniple::skirmish
