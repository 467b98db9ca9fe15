#include "unit_grid.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <set>

#include "maniple/core/random.h"

#include "unit_index.h"

namespace maniple::skirmish {
namespace {

constexpr float kFieldCm = 6000;

std::vector<Place> drawn_places(int count) {
    std::vector<Place> places;
    for (int i = 0; i < count; ++i) {
        const std::uint64_t random = core::site_random(3, 0, i, 1);
        const auto x = static_cast<float>(random % 6000);
        const auto y = static_cast<float>(random / 6000 % 6000);
        places.push_back(
            {.x = x, .y = y, .uid = i, .team = static_cast<std::int8_t>(i % 5 == 4 ? -1 : i % 2)});
    }
    return places;
}

class Grid : public testing::Test {
  protected:
    void SetUp() override {
        grid_.build(executor_, GridBounds::around(0, 0, kFieldCm, kFieldCm, 100), places_);
    }
    static float square(const Place& place, float x, float y) {
        return (place.x - x) * (place.x - x) + (place.y - y) * (place.y - y);
    }

    core::SerialExecutor executor_;
    std::vector<Place> places_ = drawn_places(400);
    UnitGrid grid_;
};

TEST_F(Grid, EveryUnitHasOneSlotInTheOrderOfTeamsAndCells) {
    std::set<std::uint32_t> ranks;
    for (std::size_t slot = 0; slot < grid_.size(); ++slot) {
        const std::uint32_t rank = grid_.at(slot).rank;
        ASSERT_LT(rank, places_.size());
        EXPECT_EQ(grid_.uid()[slot], places_[rank].uid);
        EXPECT_EQ(grid_.x()[slot], places_[rank].x);
        EXPECT_EQ(grid_.y()[slot], places_[rank].y);
        ranks.insert(rank);
        if (slot == 0) continue;
        const UnitGrid::Slot& before = grid_.at(slot - 1);
        EXPECT_LE(places_[before.rank].team, places_[rank].team);
        EXPECT_LE(before.cell, grid_.at(slot).cell);
        if (before.cell == grid_.at(slot).cell) {
            EXPECT_LT(before.rank, rank);
        }
    }
    const auto takes_part = [](const Place& place) { return place.team >= 0; };
    EXPECT_EQ(ranks.size(),
              static_cast<std::size_t>(std::count_if(places_.begin(), places_.end(), takes_part)));
}

TEST_F(Grid, SlotsOfARowAreTheTeamsUnitsOfThoseCells) {
    for (std::int32_t team = 0; team < kTeamCount; ++team) {
        std::size_t seen = 0;
        for (std::int32_t row = 0; row < grid_.bounds().y_num; ++row) {
            const UnitGrid::Span span = grid_.slots(team, row, 10, 19);
            for (std::uint32_t slot = span.begin; slot < span.end; ++slot, ++seen) {
                EXPECT_EQ(places_[grid_.at(slot).rank].team, team);
                EXPECT_EQ(grid_.bounds().row(grid_.y()[slot]), row);
                EXPECT_GE(grid_.x()[slot], 1000);
                EXPECT_LT(grid_.x()[slot], 2000);
            }
        }
        const auto is_there = [&](const Place& place) {
            return place.team == team && place.x >= 1000 && place.x < 2000;
        };
        EXPECT_EQ(seen, static_cast<std::size_t>(
                            std::count_if(places_.begin(), places_.end(), is_there)));
    }
}

TEST_F(Grid, NearestIsTheMinimumOfAllInReach) {
    for (const float reach : {90.0F, 400.0F, 1500.0F}) {
        for (const Place& from : places_) {
            const std::int32_t team = from.uid % 2;
            std::int32_t want = -1;
            float best = reach * reach;
            for (const Place& place : places_) {
                if (place.team != team) continue;
                const float off = square(place, from.x, from.y);
                if (off < best || (off == best && want < 0)) {
                    best = off;
                    want = place.uid;
                }
            }
            EXPECT_EQ(grid_.nearest(team, from.x, from.y, reach), want);
        }
    }
}

TEST_F(Grid, NearMapNeverMissesAUnitInReach) {
    NearMap near;
    near.build(grid_, 0, 5, 300);
    for (int i = 0; i < 3600; ++i) {
        const auto x = static_cast<float>(i % 60 * 100 + 50);
        const auto y = static_cast<float>(i / 60 * 100 + 50);
        if (near.may_reach(x, y)) continue;
        EXPECT_EQ(grid_.nearest(0, x, y, 300), -1);
    }
    UnitGrid empty;
    empty.build(executor_, grid_.bounds(), {});
    near.build(empty, 0, 5, 300);
    EXPECT_FALSE(near.may_reach(3000, 3000));
    EXPECT_EQ(empty.nearest(0, 3000, 3000, 300), -1);
}

/// Two crowds and a straggler, each at another end of the lattice.
std::vector<Place> places_far_apart() {
    constexpr float kEdge = 2'097'000;
    std::vector<Place> places = drawn_places(300);
    for (Place& place : places) {
        const float side = place.uid % 3 == 0 ? -kEdge : kEdge - kFieldCm;
        place.x += side;
        place.y += side;
    }
    places.push_back({.x = -kEdge, .y = kEdge, .uid = 300, .team = 1});
    return places;
}

TEST(WideGrid, UnitsOfFarEndsTakeBoundedMemoryAndKeepTheirOrder) {
    const std::vector<Place> places = places_far_apart();
    core::SerialExecutor executor;
    Box box;
    for (const Place& place : places) box.add({place.x, place.y, place.x, place.y});
    UnitGrid grid;
    grid.build(executor, box.grid(kGridCellCm), places);
    const GridBounds& bounds = grid.bounds();
    EXPECT_GT(std::int64_t{bounds.x_num} * bounds.y_num, std::int64_t{1} << 30);
    EXPECT_LT(grid.starts_count(), std::size_t{5} << 20);
    for (std::size_t slot = 1; slot < grid.size(); ++slot) {
        const UnitGrid::Slot& before = grid.at(slot - 1);
        ASSERT_LE(before.cell, grid.at(slot).cell);
        if (before.cell == grid.at(slot).cell) {
            ASSERT_LT(before.rank, grid.at(slot).rank);
        }
    }
    std::array<NearMap, kTeamCount> near;
    for (std::int32_t team = 0; team < kTeamCount; ++team) {
        near[static_cast<std::size_t>(team)].build(grid, team, kTileCells, kSightCm);
    }
    for (const Place& from : places) {
        for (std::int32_t team = 0; team < kTeamCount; ++team) {
            std::int32_t want = -1;
            float best = kSightCm * kSightCm;
            for (const Place& place : places) {
                const float off_x = place.x - from.x;
                const float off_y = place.y - from.y;
                const float square = off_x * off_x + off_y * off_y;
                if (place.team != team || square > best) continue;
                if (square < best || want < 0) want = place.uid;
                best = square;
            }
            const bool may = near[static_cast<std::size_t>(team)].may_reach(from.x, from.y);
            EXPECT_TRUE(may || want < 0);
            EXPECT_EQ(grid.nearest(team, from.x, from.y, kSightCm), want);
        }
    }
}

TEST(WideGrid, SlotsOfCellsAreThoseOfAComparisonOfAllUnits) {
    const std::vector<Place> places = places_far_apart();
    core::SerialExecutor executor;
    Box box;
    for (const Place& place : places) box.add({place.x, place.y, place.x, place.y});
    UnitGrid grid;
    grid.build(executor, box.grid(kGridCellCm), places);
    const GridBounds& bounds = grid.bounds();
    for (const Place& from : places) {
        const std::int32_t column = bounds.column(from.x);
        const std::int32_t row = bounds.row(from.y);
        const std::int32_t low = std::max(column - 1, 0);
        const std::int32_t high = std::min(column + 1, bounds.x_num - 1);
        for (std::int32_t team = 0; team < kTeamCount; ++team) {
            const UnitGrid::Span span = grid.slots(team, row, low, high);
            const auto is_there = [&](const Place& place) {
                const std::int32_t at = bounds.column(place.x);
                return place.team == team && bounds.row(place.y) == row && at >= low && at <= high;
            };
            ASSERT_EQ(span.end - span.begin, std::count_if(places.begin(), places.end(), is_there));
            for (std::uint32_t slot = span.begin; slot < span.end; ++slot) {
                ASSERT_TRUE(is_there(places[grid.at(slot).rank]));
            }
        }
    }
}

}  // namespace
}  // namespace maniple::skirmish
