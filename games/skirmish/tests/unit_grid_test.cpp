#include "unit_grid.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <set>

#include "maniple/core/random.h"

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

}  // namespace
}  // namespace maniple::skirmish
