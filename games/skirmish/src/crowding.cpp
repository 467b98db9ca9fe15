#include <algorithm>
#include <cstddef>
#include <vector>

#include "arena.h"

namespace maniple::skirmish {
namespace {

/// All units around one cell, team by team and row by row.
void gather(const Arena& arena, std::int32_t row, std::int32_t column, Neighbours& neighbours) {
    neighbours.clear();
    for (const UnitGrid& grid : arena.grids) {
        if (grid.size() == 0) continue;
        const GridBounds& bounds = grid.bounds();
        const std::int32_t low = std::max(column - 1, 0);
        const std::int32_t high = std::min(column + 1, bounds.x_num - 1);
        const std::int32_t last = std::min(row + 1, bounds.y_num - 1);
        for (std::int32_t r = std::max(row - 1, 0); r <= last; ++r) {
            const UnitGrid::Span span = grid.slots(r, low, high);
            neighbours.add(grid.x().data() + span.begin, grid.y().data() + span.begin,
                           grid.arrived_task().data() + span.begin, span.end - span.begin);
        }
    }
    neighbours.pad();
}

/// On one spot there is no direction to push: the UIDs decide who goes which way.
Flat part_from(const Arena& arena, const CrowdQuery& query, std::int32_t uid) {
    Flat push;
    for (const UnitGrid& grid : arena.grids) {
        grid.for_near(query.x, query.y, kSamePlaceCm, [&](std::uint32_t slot) {
            const float off_x = query.x - grid.x()[slot];
            const float off_y = query.y - grid.y()[slot];
            const bool same = off_x * off_x + off_y * off_y < kSamePlaceCm * kSamePlaceCm;
            if (same && grid.uid()[slot] != uid) {
                push.x += uid < grid.uid()[slot] ? -4.0F : 4.0F;
                push.y += (uid & 1) != 0 ? 2.0F : -2.0F;
            }
            return true;
        });
    }
    return push;
}

/// The memory of one block: what the units of a cell ask together.
struct Gathering {
    Neighbours neighbours;
    std::vector<CrowdQuery> queries;
    std::vector<Crowd> crowds;
};

/// How many slots ahead strides are fetched: they lie in the order of rows.
constexpr std::size_t kFetchSlots = 24;

/// Answers the units of one cell, the slots [begin, end).
void feel_cell(Arena& arena, const UnitGrid& grid, std::size_t begin, std::size_t end,
               Gathering& gathering) {
    gathering.queries.clear();
    gathering.crowds.resize(end - begin);
    for (std::size_t slot = begin; slot < end; ++slot) {
        const Stride& stride = arena.strides[grid.at(slot).rank];
        gathering.queries.push_back(
            {grid.x()[slot], grid.y()[slot], stride.heading, stride.move_task});
    }
    feel_crowd(gathering.neighbours, gathering.queries, gathering.crowds);
    for (std::size_t slot = begin; slot < end; ++slot) {
        const Crowd& crowd = gathering.crowds[slot - begin];
        Stride& stride = arena.strides[grid.at(slot).rank];
        stride.push = crowd.push;
        stride.in_the_way = crowd.in_the_way;
        stride.touches_arrived = crowd.touches_arrived;
        if (crowd.same_place < 2) continue;
        const Flat away = part_from(arena, gathering.queries[slot - begin], grid.uid()[slot]);
        stride.push = {stride.push.x + away.x, stride.push.y + away.y};
    }
}

/// Answers the units of the cells that begin in the slots [begin, end).
void feel_block(Arena& arena, const UnitGrid& grid, std::size_t begin, std::size_t end) {
    const auto x_num = static_cast<std::uint32_t>(grid.bounds().x_num);
    Gathering gathering;
    std::size_t i = begin;
    while (i < end && i > 0 && grid.at(i).cell == grid.at(i - 1).cell) ++i;
    while (i < end) {
        const std::uint32_t cell = grid.at(i).cell;
        std::size_t stop = i + 1;
        while (stop < grid.size() && grid.at(stop).cell == cell) ++stop;
        for (std::size_t slot = i + kFetchSlots; slot < std::min(stop + kFetchSlots, grid.size());
             ++slot) {
            __builtin_prefetch(&arena.strides[grid.at(slot).rank], 1);
        }
        gather(arena, static_cast<std::int32_t>(cell / x_num),
               static_cast<std::int32_t>(cell % x_num), gathering.neighbours);
        feel_cell(arena, grid, i, stop, gathering);
        i = stop;
    }
}

}  // namespace

void feel_crowds(core::Executor& executor, Arena& arena) {
    for (const UnitGrid& grid : arena.grids) {
        core::for_blocks(
            executor, grid.size(), kBlockRows,
            [&](std::size_t begin, std::size_t end) { feel_block(arena, grid, begin, end); });
    }
}

}  // namespace maniple::skirmish
