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
        places.push_back({x, y, i, i % 5 == 4 ? -1 : i % 2});
    }
    return places;
}

class Grid : public testing::Test {
  protected:
    void SetUp() override {
        const GridBounds bounds = GridBounds::around(0, 0, kFieldCm, kFieldCm, 100);
        for (int team = 0; team < 2; ++team) grids_[team].build(bounds, places_, team);
    }
    static float square(const Place& place, float x, float y) {
        return (place.x - x) * (place.x - x) + (place.y - y) * (place.y - y);
    }

    std::vector<Place> places_ = drawn_places(400);
    UnitGrid grids_[2];
};

TEST_F(Grid, EveryUnitOfATeamHasOneSlotInCellOrder) {
    for (int team = 0; team < 2; ++team) {
        const UnitGrid& grid = grids_[team];
        std::set<std::uint32_t> ranks;
        for (std::size_t slot = 0; slot < grid.size(); ++slot) {
            const std::uint32_t rank = grid.at(slot).rank;
            ASSERT_LT(rank, places_.size());
            EXPECT_EQ(places_[rank].team, team);
            EXPECT_EQ(grid.uid()[slot], places_[rank].uid);
            EXPECT_EQ(grid.x()[slot], places_[rank].x);
            EXPECT_EQ(grid.y()[slot], places_[rank].y);
            ranks.insert(rank);
        }
        const auto is_member = [&](const Place& place) { return place.team == team; };
        EXPECT_EQ(ranks.size(), static_cast<std::size_t>(
                                    std::count_if(places_.begin(), places_.end(), is_member)));
        for (std::size_t slot = 1; slot < grid.size(); ++slot) {
            EXPECT_LE(grid.at(slot - 1).cell, grid.at(slot).cell);
        }
    }
}

TEST_F(Grid, NearestIsTheMinimumOfAllInReach) {
    for (const float reach : {90.0F, 400.0F, 1500.0F}) {
        for (const Place& from : places_) {
            const UnitGrid& enemies = grids_[from.uid % 2];
            std::int32_t want = -1;
            float best = reach * reach;
            for (const Place& place : places_) {
                if (place.team != from.uid % 2) continue;
                const float off = square(place, from.x, from.y);
                if (off < best || (off == best && want < 0)) {
                    best = off;
                    want = place.uid;
                }
            }
            EXPECT_EQ(enemies.nearest(from.x, from.y, reach), want);
        }
    }
}

TEST_F(Grid, NearMapNeverMissesAUnitInReach) {
    NearMap near;
    near.build(grids_[0], 5, 300);
    for (int i = 0; i < 3600; ++i) {
        const auto x = static_cast<float>(i % 60 * 100 + 50);
        const auto y = static_cast<float>(i / 60 * 100 + 50);
        if (near.may_reach(x, y)) continue;
        EXPECT_EQ(grids_[0].nearest(x, y, 300), -1);
    }
    UnitGrid empty;
    empty.build(grids_[0].bounds(), {}, 0);
    near.build(empty, 5, 300);
    EXPECT_FALSE(near.may_reach(3000, 3000));
    EXPECT_EQ(empty.nearest(3000, 3000, 300), -1);
}

}  // namespace
}  // namespace maniple::skirmish
