#include "crowd.h"

#include <bit>
#include <gtest/gtest.h>

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

/// `count` units drawn around (40,000, 70,000), every third arrived, some on one spot.
std::vector<CrowdQuery> queries_into(Neighbours& neighbours, int count) {
    std::vector<float> x, y;
    std::vector<std::int32_t> task;
    std::vector<CrowdQuery> queries;
    for (int i = 0; i < count; ++i) {
        const int spot = i % 11 == 10 ? i - 1 : i;
        x.push_back(40'000.0F + draw(spot, 1, 150.0F));
        y.push_back(70'000.0F + draw(spot, 2, 150.0F));
        task.push_back(i % 3 == 0 ? 5 : 0);
        queries.push_back({x.back(), y.back(), {0.6F, -0.8F}, i % 2 == 0 ? 5 : -1});
    }
    x.resize(x.size() + kCrowdLanes);
    y.resize(x.size());
    task.resize(x.size());
    const auto half = static_cast<std::size_t>(count / 2);
    neighbours.add(x.data(), y.data(), task.data(), half);
    neighbours.add(x.data() + half, y.data() + half, task.data() + half,
                   static_cast<std::size_t>(count) - half);
    neighbours.pad();
    return queries;
}

TEST(Crowd, VectorsGiveTheBitsOfTheReference) {
    for (const int count : {1, 7, 8, 9, 16, 33, 100}) {
        Neighbours neighbours;
        const std::vector<CrowdQuery> queries = queries_into(neighbours, count);
        std::vector<Crowd> want(queries.size());
        std::vector<Crowd> got(queries.size());
        feel_crowd_reference(neighbours, queries, want);
        feel_crowd(neighbours, queries, got);
        for (std::size_t i = 0; i < queries.size(); ++i) {
            expect_same_bits(want[i].push.x, got[i].push.x);
            expect_same_bits(want[i].push.y, got[i].push.y);
            expect_same_bits(want[i].in_the_way, got[i].in_the_way);
            EXPECT_EQ(want[i].same_place, got[i].same_place);
            EXPECT_EQ(want[i].touches_arrived, got[i].touches_arrived);
        }
    }
}

/// The crowd of a unit at the origin that walks along X past one other.
Crowd beside(float x, float y, std::int32_t arrived_task) {
    Neighbours neighbours;
    const std::array<float, 2 + kCrowdLanes> xs{0, x};
    const std::array<float, 2 + kCrowdLanes> ys{0, y};
    const std::array<std::int32_t, 2 + kCrowdLanes> tasks{0, arrived_task};
    neighbours.add(xs.data(), ys.data(), tasks.data(), 2);
    neighbours.pad();
    const CrowdQuery query{0, 0, {1, 0}, 9};
    Crowd crowd;
    feel_crowd(neighbours, {&query, 1}, {&crowd, 1});
    return crowd;
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
