#include "crowd.h"

#include <algorithm>
#include <array>
#include <bit>
#include <gtest/gtest.h>
#include <vector>

#include "maniple/core/random.h"

namespace maniple::skirmish {
namespace {

float draw(int i, std::uint32_t site, float reach) {
    const std::uint64_t random = core::site_random(7, 0, i, site);
    return (static_cast<float>(random % 20'001) / 10'000.0F - 1.0F) * reach;
}

void expect_same_bits(float a, float b) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(a), std::bit_cast<std::uint32_t>(b));
}

/// Units drawn around (40,000, 70,000), every third arrived, some on one spot.
struct Drawn {
    std::vector<float> x, y;
    std::vector<std::int32_t> task;

    explicit Drawn(int count) {
        for (int i = 0; i < count; ++i) {
            const int spot = i % 11 == 10 ? i - 1 : i;
            x.push_back(40'000.0F + draw(spot, 1, 150.0F));
            y.push_back(70'000.0F + draw(spot, 2, 150.0F));
            task.push_back(i % 3 == 0 ? 5 : 0);
        }
    }
    [[nodiscard]] Neighbours run(std::size_t begin, std::size_t end) const {
        return {std::span(x).subspan(begin, end - begin),
                std::span(y).subspan(begin, end - begin),
                {},
                std::span(task).subspan(begin, end - begin)};
    }
    /// Of the first units; the others are far away.
    [[nodiscard]] CrowdQueries queries() const {
        CrowdQueries queries;
        queries.x.fill(1e18F);
        queries.y.fill(1e18F);
        for (std::size_t i = 0; i < std::min(kCrowdLanes, x.size()); ++i) {
            queries.x[i] = x[i];
            queries.y[i] = y[i];
            queries.heading_x[i] = 0.6F;
            queries.heading_y[i] = -0.8F;
            queries.move_task[i] = i % 2 == 0 ? 5 : -1;
        }
        return queries;
    }
};

void expect_same_crowds(const Crowds& want, const Crowds& got) {
    for (std::size_t i = 0; i < kCrowdLanes; ++i) {
        expect_same_bits(want.push_x[i], got.push_x[i]);
        expect_same_bits(want.push_y[i], got.push_y[i]);
        expect_same_bits(want.in_the_way[i], got.in_the_way[i]);
        EXPECT_EQ(want.same_place[i], got.same_place[i]);
        EXPECT_EQ(want.touches_arrived[i], got.touches_arrived[i]);
    }
}

TEST(Crowd, VectorsGiveTheBitsOfTheReference) {
    for (const int count : {1, 7, 8, 9, 16, 33, 100}) {
        const Drawn drawn(count);
        const std::size_t half = drawn.x.size() / 2;
        const std::array runs{drawn.run(0, half), Neighbours{}, drawn.run(half, drawn.x.size())};
        Crowds want;
        Crowds got;
        feel_crowd_reference(runs, drawn.queries(), want);
        feel_crowd(runs, drawn.queries(), got);
        expect_same_crowds(want, got);
    }
}

TEST(Crowd, UnitsOutOfReachChangeNoBit) {
    Drawn drawn(20);
    Crowds without;
    Crowds with;
    feel_crowd(std::array{drawn.run(0, 20)}, drawn.queries(), without);
    Drawn scattered = drawn;
    for (std::size_t i = 0; i < 20; ++i) {  // one far unit after every near one
        const auto at = static_cast<std::ptrdiff_t>(2 * i + 1);
        scattered.x.insert(scattered.x.begin() + at, 50'000.0F + static_cast<float>(i));
        scattered.y.insert(scattered.y.begin() + at, 70'000.0F);
        scattered.task.insert(scattered.task.begin() + at, 5);
    }
    feel_crowd(std::array{scattered.run(0, 17), scattered.run(17, 40)}, drawn.queries(), with);
    expect_same_crowds(without, with);
}

TEST(Crowd, HeightsCountAsDistance) {
    Drawn drawn(40);
    std::vector<float> z;
    for (int i = 0; i < 40; ++i) z.push_back(draw(i, 3, 60.0F));
    CrowdQueries queries = drawn.queries();
    std::copy_n(z.begin(), kCrowdLanes, queries.z.begin());
    Neighbours run = drawn.run(0, 40);
    Crowds flat;
    feel_crowd(std::array{run}, queries, flat);
    run.z = z;
    Crowds want;
    Crowds got;
    feel_crowd_reference(std::array{run}, queries, want);
    feel_crowd(std::array{run}, queries, got);
    expect_same_crowds(want, got);
    EXPECT_NE(flat.push_x, got.push_x);
}

TEST(Crowd, AFloorBelowIsOutOfReach) {
    const std::array<float, 2> at{0, 30};
    const std::array<float, 2> heights{0, 300};
    const std::array<std::int32_t, 2> tasks{0, 9};
    CrowdQueries queries;
    queries.move_task[0] = 9;
    Crowds crowds;
    feel_crowd(std::array{Neighbours{at, at, heights, tasks}}, queries, crowds);
    EXPECT_EQ(crowds.push_x[0], 0.0F);
    EXPECT_EQ(crowds.same_place[0], 1);
    EXPECT_EQ(crowds.touches_arrived[0], 0);
}

/// The first of them.
struct Crowd {
    Flat push;
    float in_the_way;
    std::int32_t same_place;
    bool touches_arrived;
};

/// The crowd of a unit at the origin that walks along X past one other.
Crowd beside(float x, float y, std::int32_t arrived_task) {
    const std::array<float, 2> xs{0, x};
    const std::array<float, 2> ys{0, y};
    const std::array<std::int32_t, 2> tasks{0, arrived_task};
    CrowdQueries queries;
    queries.heading_x[0] = 1;
    queries.move_task[0] = 9;
    Crowds crowds;
    feel_crowd(std::array{Neighbours{xs, ys, {}, tasks}}, queries, crowds);
    return {{crowds.push_x[0], crowds.push_y[0]},
            crowds.in_the_way[0],
            crowds.same_place[0],
            crowds.touches_arrived[0] != 0};
}

TEST(Crowd, PushesApartWithinReachOnly) {
    EXPECT_EQ(beside(60, 0, 0).push.x, -5.0F);
    EXPECT_EQ(beside(0, -60, 0).push.y, 5.0F);
    EXPECT_EQ(beside(79, 0, 0).push.x, -0.25F);
    EXPECT_EQ(beside(80, 0, 0).push.x, 0.0F);
}

TEST(Crowd, OnlyWhoStandsAheadIsInTheWay) {
    EXPECT_EQ(beside(60, 0, 0).in_the_way, 1.0F);
    EXPECT_EQ(beside(-60, 0, 0).in_the_way, 0.0F);
    EXPECT_EQ(beside(0, 60, 0).in_the_way, 0.0F);
}

TEST(Crowd, TouchesTheArrivedOfItsOwnTask) {
    EXPECT_TRUE(beside(100, 0, 9).touches_arrived);
    EXPECT_FALSE(beside(101, 0, 9).touches_arrived);
    EXPECT_FALSE(beside(100, 0, 8).touches_arrived);
}

TEST(Crowd, CountsWhoStandsOnTheSpotAndDoesNotPushThere) {
    const Crowd crowd = beside(0.5F, 0, 0);
    EXPECT_EQ(crowd.same_place, 2);
    EXPECT_EQ(crowd.push.x, 0.0F);
    EXPECT_EQ(beside(2, 0, 0).same_place, 1);
}

}  // namespace
}  // namespace maniple::skirmish
