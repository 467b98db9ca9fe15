#include <algorithm>
#include <array>
#include <cstddef>

#include "arena.h"
#include "crowd.h"

namespace maniple::skirmish {
namespace {

/// How far apart the cells of units that ask together may lie.
constexpr std::int32_t kBatchColumns = 8;
/// Slots of one parallel block.
constexpr std::size_t kBlockSlots = 1024;
/// How many slots ahead strides are fetched: they lie in the order of rows.
constexpr std::size_t kFetchSlots = 24;
constexpr float kFarAway = 1e18F;

/// Neighbouring units of one team in one row of cells.
struct Batch {
    std::size_t begin = 0, end = 0;  ///< Slots.
    std::int32_t row = 0;
    std::int32_t low = 0, high = 0;  ///< Columns.
};

Batch batch_at(const UnitGrid& grid, std::size_t begin, std::size_t end) {
    const auto width = static_cast<std::uint32_t>(grid.bounds().x_num);
    const std::uint32_t first = grid.at(begin).cell;
    const std::uint32_t row = first / width;
    const std::uint32_t limit =
        std::min(first + static_cast<std::uint32_t>(kBatchColumns), (row + 1) * width);
    const std::size_t last = std::min(begin + kCrowdLanes, end);
    std::size_t stop = begin + 1;
    while (stop < last && grid.at(stop).cell < limit) ++stop;
    const auto column = [&](std::size_t slot) {
        return static_cast<std::int32_t>(grid.at(slot).cell - row * width);
    };
    return {begin, stop, static_cast<std::int32_t>(row) % grid.bounds().y_num, column(begin),
            column(stop - 1)};
}

using Runs = std::array<Neighbours, 3 * kTeamCount>;

/// All units around the batch, team by team and row by row. @return how many runs they are.
std::size_t find_neighbours(const UnitGrid& grid, const Batch& batch, Runs& runs) {
    const GridBounds& bounds = grid.bounds();
    const std::int32_t low = std::max(batch.low - 1, 0);
    const std::int32_t high = std::min(batch.high + 1, bounds.x_num - 1);
    const std::int32_t last = std::min(batch.row + 1, bounds.y_num - 1);
    std::size_t next = 0;
    for (std::int32_t team = 0; team < static_cast<std::int32_t>(kTeamCount); ++team) {
        for (std::int32_t row = std::max(batch.row - 1, 0); row <= last; ++row) {
            const UnitGrid::Span span = grid.slots(team, row, low, high);
            const std::size_t count = span.end - span.begin;
            if (count == 0) continue;
            runs[next++] = {std::span(grid.x()).subspan(span.begin, count),
                            std::span(grid.y()).subspan(span.begin, count),
                            grid.z().empty() ? std::span<const float>()
                                             : std::span(grid.z()).subspan(span.begin, count),
                            std::span(grid.arrived_task()).subspan(span.begin, count)};
        }
    }
    return next;
}

CrowdQueries ask(const Arena& arena, const Batch& batch) {
    CrowdQueries queries;
    queries.x.fill(kFarAway);
    queries.y.fill(kFarAway);
    for (std::size_t slot = batch.begin; slot < batch.end; ++slot) {
        const std::size_t i = slot - batch.begin;
        const Stride& stride = arena.strides[arena.grid.at(slot).rank];
        queries.x[i] = arena.grid.x()[slot];
        queries.y[i] = arena.grid.y()[slot];
        if (!arena.grid.z().empty()) queries.z[i] = arena.grid.z()[slot];
        queries.heading_x[i] = stride.heading.x;
        queries.heading_y[i] = stride.heading.y;
        queries.move_task[i] = stride.move_task;
    }
    return queries;
}

/// On one spot there is no direction to push: the UIDs decide who goes which way.
Flat part(const UnitGrid& grid, std::size_t own_slot) {
    const float x = grid.x()[own_slot];
    const float y = grid.y()[own_slot];
    const std::int32_t uid = grid.uid()[own_slot];
    Flat push;
    const auto away_from = [&](std::uint32_t slot) {
        const float off_x = x - grid.x()[slot];
        const float off_y = y - grid.y()[slot];
        const float off_z = grid.z().empty() ? 0 : grid.z()[own_slot] - grid.z()[slot];
        const float square = off_x * off_x + off_y * off_y + off_z * off_z;
        const bool same = square < kSamePlaceCm * kSamePlaceCm;
        if (same && grid.uid()[slot] != uid) {
            push.x += uid < grid.uid()[slot] ? -4.0F : 4.0F;
            push.y += (uid & 1) != 0 ? 2.0F : -2.0F;
        }
        return true;
    };
    for (std::int32_t team = 0; team < static_cast<std::int32_t>(kTeamCount); ++team) {
        grid.for_near(team, x, y, kSamePlaceCm, away_from);
    }
    return push;
}

void answer(Arena& arena, const Batch& batch, const Crowds& crowds) {
    for (std::size_t slot = batch.begin; slot < batch.end; ++slot) {
        const std::size_t i = slot - batch.begin;
        Stride& stride = arena.strides[arena.grid.at(slot).rank];
        stride.push = {crowds.push_x[i], crowds.push_y[i]};
        stride.in_the_way = crowds.in_the_way[i];
        stride.touches_arrived = crowds.touches_arrived[i] != 0;
        if (crowds.same_place[i] < 2) continue;
        const Flat away = part(arena.grid, slot);
        stride.push = {stride.push.x + away.x, stride.push.y + away.y};
    }
}

void feel_block(Arena& arena, std::size_t begin, std::size_t end) {
    Crowds crowds;
    Runs runs;
    for (std::size_t slot = begin; slot < end;) {
        const Batch batch = batch_at(arena.grid, slot, end);
        const std::size_t fetched = std::min(batch.end + kFetchSlots, arena.grid.size());
        for (std::size_t next = batch.begin + kFetchSlots; next < fetched; ++next) {
            __builtin_prefetch(&arena.strides[arena.grid.at(next).rank], 1);
        }
        const std::size_t run_count = find_neighbours(arena.grid, batch, runs);
        feel_crowd({runs.data(), run_count}, ask(arena, batch), crowds);
        answer(arena, batch, crowds);
        slot = batch.end;
    }
}

}  // namespace

void feel_crowds(core::Executor& executor, Arena& arena) {
    static_assert(kGridCellCm > kTouchCm && kGridCellCm > kApartCm);
    core::for_blocks(executor, arena.grid.size(), kBlockSlots,
                     [&](std::size_t begin, std::size_t end) { feel_block(arena, begin, end); });
}

}  // namespace maniple::skirmish
