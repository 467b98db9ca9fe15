#include "maniple/nav/grid_path.h"

#include <gtest/gtest.h>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "plain_ground.h"

namespace maniple::nav {
namespace {

/// `#` obstacle, ` ` no ground, digits cost, `.` cost 1; the first row is y = 0, columns are x.
GridSubstrate ground_of(const std::vector<std::string>& rows) {
    GridSubstrate ground = plain_ground(static_cast<std::int32_t>(rows[0].size()),
                                        static_cast<std::int32_t>(rows.size()));
    for (std::int32_t y = 0; y < ground.geometry.y_num(); ++y) {
        for (std::int32_t x = 0; x < ground.geometry.x_num(); ++x) {
            const char c = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
            const CellIndex cell = ground.geometry.index({x, y});
            if (c == '#' || c == ' ') {
                ground.type[cell] = c == '#' ? 2 : 0;
                ground.cost[cell] = kImpassableCost;
            } else if (c != '.') {
                ground.cost[cell] = static_cast<std::uint8_t>(c - '0');
            }
        }
    }
    return ground;
}

struct Grid : FlowField {
    Grid(GridSubstrate ground, FieldConfig config) : FlowField("ground", config) {
        set_substrate(std::move(ground));
    }
    explicit Grid(const std::vector<std::string>& rows, FieldConfig config = {})
        : Grid(ground_of(rows), config) {}
};

Vec3d at(const FlowField& field, std::int32_t x, std::int32_t y) {
    return field.world_location(field.geometry().index({x, y}));
}

struct Found {
    bool found = false;
    std::vector<Vec3d> path;
};
Found astar(const FlowField& field, Vec3d start, Vec3d goal) {
    PathContext context;
    Found f;
    f.path = {{1, 2, 3}};
    f.found = find_path_astar(field, start, goal, context, f.path);
    return f;
}
Found optimal(const FlowField& field, Vec3d start, Vec3d goal) {
    PathContext context;
    Found f;
    f.path = {{1, 2, 3}};
    f.found = find_path_optimal(field, start, goal, context, f.path);
    return f;
}

// proves: PATH-005, PATH-013
TEST(GridPath, WithoutGroundOrWithoutAWayThereIsNoPath) {
    EXPECT_FALSE(astar(FlowField("empty", {}), {0, 0, 0}, {1, 0, 0}).found);
    const Grid field({"..#.."});
    const Found none = astar(field, at(field, 0, 0), at(field, 4, 0));
    EXPECT_FALSE(none.found);
    EXPECT_TRUE(none.path.empty());
    EXPECT_FALSE(optimal(field, at(field, 0, 0), at(field, 4, 0)).found);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(astar(field, {nan, 0, 0}, at(field, 1, 0)).found);
    EXPECT_FALSE(optimal(field, at(field, 0, 0), {0, 0, 1 / 0.0}).found);
}

// proves: PATH-007, O-PATH-15
TEST(GridPath, InOneCellIsTheTwoEnds) {
    const Grid field({"..."});
    const Vec3d start{-20, 10, 7};
    const Vec3d goal{30, -40, 9};
    EXPECT_EQ(astar(field, start, goal).path, (std::vector<Vec3d>{start, goal}));
    EXPECT_EQ(optimal(field, start, goal).path, (std::vector<Vec3d>{start, goal}));
}

// proves: PATH-012, O-PATH-13
TEST(GridPath, RunsOverCellCentresToTheTrueGoalAtThePointBeforesHeight) {
    GridSubstrate ground = plain_ground(4, 1);
    ground.z_cm = {0, 10, 20, 30};
    FlowField field("ground", {});
    field.set_substrate(std::move(ground));
    const Vec3d start{-160, 20, 5};
    const Found far = astar(field, start, {170, -30, 99});
    EXPECT_EQ(far.path, (std::vector<Vec3d>{start, {-50, 0, 10}, {50, 0, 20}, {170, -30, 20}}));
    const Found next = astar(field, start, {-50, -30, 99});
    EXPECT_EQ(next.path, (std::vector<Vec3d>{start, {-50, -30, 5}}));
}

// proves: PATH-006, O-PATH-04
TEST(GridPath, OffTheGridStartsAtTheClampedCellOrTheGroundNearIt) {
    const Grid open({"....."});
    const Found from_outside = astar(open, {-9e9, 0, 0}, at(open, 2, 0));
    ASSERT_TRUE(from_outside.found);
    EXPECT_EQ(from_outside.path,
              (std::vector<Vec3d>{{-9e9, 0, 0}, at(open, 1, 0), at(open, 2, 0)}));

    const Grid walled({"##..."});
    EXPECT_EQ(astar(walled, {-9e9, 0, 0}, at(walled, 4, 0)).path,
              (std::vector<Vec3d>{{-9e9, 0, 0}, at(walled, 3, 0), at(walled, 4, 0)}));
    FieldConfig near;
    near.path_stop_search_cm = {199, 199, 199};
    const Grid out_of_reach({"##..."}, near);
    EXPECT_FALSE(astar(out_of_reach, {-9e9, 0, 0}, at(out_of_reach, 4, 0)).found);
}

// proves: PATH-009
TEST(GridPath, AnEndInsideAnObstacleIsAnEmergencyAndCostsFiveACell) {
    const Grid field({"#######.",  //
                      "#######.",  //
                      "........"});
    const Found round = astar(field, at(field, 3, 0), at(field, 7, 0));
    EXPECT_EQ(round.path, (std::vector<Vec3d>{at(field, 3, 0), at(field, 3, 1), at(field, 4, 2),
                                              at(field, 5, 2), at(field, 6, 2), at(field, 7, 1),
                                              at(field, 7, 0)}))
        << "one obstacle at 5 and open ground cost 10.8, three obstacles in the row 16";
    const Found out = astar(field, at(field, 0, 0), at(field, 0, 2));
    ASSERT_TRUE(out.found);
    EXPECT_EQ(out.path[1], at(field, 0, 1));
    EXPECT_TRUE(astar(field, at(field, 0, 2), at(field, 1, 0)).found) << "the goal's obstacle too";
    EXPECT_FALSE(optimal(field, at(field, 0, 0), at(field, 0, 2)).found);

    const Grid corner({"##",  //
                       "#."});
    EXPECT_EQ(astar(corner, at(corner, 0, 0), at(corner, 1, 1)).path.size(), 2U)
        << "obstacles do not block diagonals then";
}

// proves: PATH-010
TEST(GridPath, StraightFirstJoinsTheEndsThatSeeEachOther) {
    FieldConfig straight;
    straight.straight_first = true;
    const Grid open({".....", ".....", "....."}, straight);
    EXPECT_EQ(astar(open, at(open, 0, 0), at(open, 4, 2)).path.size(), 2U);
    const Grid walled({".....", "..#..", "....."}, straight);
    EXPECT_EQ(astar(walled, at(walled, 0, 0), at(walled, 4, 0)).path.size(), 2U);
    EXPECT_GT(astar(walled, at(walled, 0, 0), at(walled, 4, 2)).path.size(), 2U);
    EXPECT_GT(astar(Grid({"....."}), {-200, 0, 0}, {200, 0, 0}).path.size(), 2U);
    EXPECT_EQ(astar(Grid({"#...."}, straight), {-200, 0, 0}, {200, 0, 0}).path.size(), 5U)
        << "not in an emergency";
}

// proves: PATH-008
TEST(GridPath, AUsedContextChangesNothing) {
    std::mt19937 random(7);
    PathContext used;
    for (int round = 0; round < 40; ++round) {
        std::vector<std::string> rows(4 + random() % 9, std::string(4 + random() % 9, '.'));
        for (std::string& row : rows) {
            for (char& c : row) c = ".....123##"[random() % 10];
        }
        const Grid field(rows);
        for (int query = 0; query < 5; ++query) {
            const auto cell = [&] {
                return static_cast<CellIndex>(random() % field.geometry().cell_count());
            };
            const Vec3d start = field.world_location(cell());
            const Vec3d goal = field.world_location(cell());
            std::vector<Vec3d> path;
            const bool found = find_path_astar(field, start, goal, used, path);
            const Found fresh = astar(field, start, goal);
            EXPECT_EQ(found, fresh.found);
            EXPECT_EQ(path, fresh.path);
            find_path_optimal(field, goal, start, used, path);
            EXPECT_EQ(path, optimal(field, goal, start).path);
        }
    }
}

/// The documented search as its sentences say it, with a list instead of a heap.
Found slow_astar(const FlowField& field, CellIndex start, CellIndex goal) {
    const GridGeometry& g = field.geometry();
    const GridSubstrate& ground = field.substrate();
    const auto wall = [&](CellIndex c) { return ground.type[c] == 2 || ground.cost[c] == 255; };
    const bool emergency = wall(start) || wall(goal);
    std::map<CellIndex, double> best{{start, 0}};
    std::map<CellIndex, CellIndex> parent;
    const auto h = [&](CellIndex c) {
        const GridCoord a = g.coord(c), b = g.coord(goal);
        return (emergency ? 2.0 : 1.0) * (std::abs(a.x - b.x) + std::abs(a.y - b.y));
    };
    std::vector<std::tuple<double, double, CellIndex>> open{{h(start), h(start), start}};
    const bool diagonals_first = field.config().style == Style::kDiagonalFirst;
    while (!open.empty()) {
        const auto first = std::min_element(open.begin(), open.end());
        const CellIndex cell = std::get<2>(*first);
        open.erase(first);
        if (cell == goal) break;
        for (int i = 0; i < 8; ++i) {
            const auto n = static_cast<std::size_t>(diagonals_first ? (i + 4) % 8 : i);
            const GridCoord c = g.coord(cell), d = kNeighbours[n];
            const GridCoord to{c.x + d.x, c.y + d.y};
            if (!g.contains(to)) continue;
            const CellIndex next = g.index(to);
            if (!emergency) {
                if (wall(next) || ground.type[next] == 0) continue;
                if (n >= 4 && (wall(g.index({to.x, c.y})) || wall(g.index({c.x, to.y})))) continue;
                const double run = n >= 4 ? 100 * core::kSqrt2 : 100;
                if (std::abs(ground.z_cm[next] - ground.z_cm[cell]) > run) continue;
            }
            const double reached =
                best[cell] + (n >= 4 ? core::kSqrt2 : 1.0) * (wall(next) ? 5.0 : ground.cost[next]);
            if (best.contains(next) && reached >= best[next]) continue;
            std::erase_if(open, [&](const auto& o) { return std::get<2>(o) == next; });
            best[next] = reached;
            parent[next] = cell;
            open.push_back({reached + h(next), h(next), next});
        }
    }
    Found f;
    if (!parent.contains(goal)) return f;
    f.found = true;
    f.path.push_back(field.world_location(goal));
    for (CellIndex c = parent[goal]; c != start; c = parent[c]) {
        f.path.insert(f.path.begin(), field.world_location(c));
    }
    f.path.insert(f.path.begin(), field.world_location(start));
    f.path.back().z = f.path[f.path.size() - 2].z;
    return f;
}

Grid random_field(std::mt19937& random) {
    GridSubstrate ground = plain_ground(2 + static_cast<std::int32_t>(random() % 14),
                                        2 + static_cast<std::int32_t>(random() % 14));
    const bool hilly = random() % 2 == 0;
    for (CellIndex cell = 0; cell < ground.geometry.cell_count(); ++cell) {
        ground.cost[cell] = static_cast<std::uint8_t>(1 + random() % 6);
        if (hilly) ground.z_cm[cell] = static_cast<std::int32_t>(random() % 160);
        const auto kind = random() % 12;
        if (kind < 3) ground.type[cell] = 2;
        if (kind == 4) ground.type[cell] = 0;
        if (kind < 5 && kind != 2) ground.cost[cell] = kImpassableCost;
    }
    FieldConfig config;
    config.style = random() % 2 == 0 ? Style::kAdjacentFirst : Style::kDiagonalFirst;
    config.ignore_internal_obstacles = random() % 3 != 0;
    return Grid(std::move(ground), config);
}

// proves: PATH-011, O-PATH-01, O-PATH-02, O-PATH-03
TEST(GridPath, AgreesPointForPointWithTheSentencesOnRandomMaps) {
    int found = 0;
    for (std::uint32_t seed = 1; seed <= 400; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const Grid field = random_field(random);
        const auto start = static_cast<CellIndex>(random() % field.geometry().cell_count());
        const auto goal = static_cast<CellIndex>(random() % field.geometry().cell_count());
        if (start == goal) continue;
        const Found fast = astar(field, field.world_location(start), field.world_location(goal));
        const Found slow = slow_astar(field, start, goal);
        ASSERT_EQ(fast.found, slow.found);
        ASSERT_EQ(fast.path, slow.path);
        found += fast.found ? 1 : 0;
    }
    EXPECT_GT(found, 100);
}

/// Octile lengths from `start` by relaxing until nothing changes, in cells; −1 unreached.
std::vector<double> octile_lengths(const FlowField& field, CellIndex start) {
    std::vector<double> length(field.geometry().cell_count(), -1);
    length[start] = 0;
    const auto offset = [&](std::size_t n) {
        return static_cast<CellIndex>(kNeighbours[n].x * field.geometry().y_num() +
                                      kNeighbours[n].y);
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (CellIndex cell = 0; cell < length.size(); ++cell) {
            if (length[cell] < 0) continue;
            for (std::size_t n = 0; n < 8; ++n) {
                if ((field.moves()[cell] >> n & 1) == 0) continue;
                const CellIndex to = cell + offset(n);
                if (field.blocks(to)) continue;
                const double next = length[cell] + (n < 4 ? 1 : core::kSqrt2);
                if (length[to] >= 0 && next >= length[to] - 1e-9) continue;
                length[to] = next;
                changed = true;
            }
        }
    }
    return length;
}

// proves: O-PATH-01
TEST(OptimalPath, IsAsShortAsCanBeAndItsStepsAreAllowed) {
    int found = 0;
    for (std::uint32_t seed = 1; seed <= 300; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        const Grid field = random_field(random);
        const GridGeometry& g = field.geometry();
        const auto start = static_cast<CellIndex>(random() % g.cell_count());
        if (field.blocks(start) || field.substrate().type[start] == 0) continue;
        const std::vector<double> lengths = octile_lengths(field, start);
        for (CellIndex goal = 0; goal < g.cell_count(); ++goal) {
            if (goal == start) continue;
            const Found way =
                optimal(field, field.world_location(start), field.world_location(goal));
            ASSERT_EQ(way.found, lengths[goal] >= 0 && !field.blocks(goal)) << goal;
            if (!way.found) continue;
            ++found;
            std::vector<Vec3d> flat = way.path;
            for (Vec3d& point : flat) point.z = 0;
            ASSERT_NEAR(path_length_cm(flat) / 100, lengths[goal], 1e-6);
            CellIndex before = start;
            for (std::size_t i = 1; i < flat.size(); ++i) {
                const GridCoord c = g.world_to_grid({flat[i].x, flat[i].y}).coord;
                const GridCoord from = g.coord(before);
                std::size_t n = 0;
                while (!(kNeighbours[n] == GridCoord{c.x - from.x, c.y - from.y})) ++n;
                ASSERT_NE(field.moves()[before] >> n & 1, 0);
                before = g.index(c);
            }
        }
    }
    EXPECT_GT(found, 1000);
}

TEST(OptimalPath, LooksAtLengthAlone) {
    const Grid field({"...",  //
                      ".9.",  //
                      "..."});
    EXPECT_EQ(optimal(field, at(field, 0, 1), at(field, 2, 1)).path.size(), 3U);
    EXPECT_EQ(astar(field, at(field, 0, 1), at(field, 2, 1)).path.size(), 3U);
    EXPECT_EQ(astar(field, at(field, 0, 1), at(field, 2, 1)).path[1].y, -100)
        << "round the dear cell, by the lower index";
}

TEST(OptimalPath, ComponentsAnswerForTheUnreachable) {
    const Grid field({"..#.."});
    EXPECT_FALSE(may_connect(field, 0, 4));
    EXPECT_TRUE(may_connect(field, 0, 1));
    EXPECT_TRUE(may_connect(field, 0, 2)) << "an obstacle has no label to answer by";
}

// proves: PATH-004
TEST(PathEnds, AreCellsThatNoObstacleTakes) {
    const Grid field({".#. ."});
    EXPECT_TRUE(has_valid_ends(field, at(field, 0, 0), at(field, 4, 0))) << "no search is made";
    EXPECT_FALSE(has_valid_ends(field, at(field, 1, 0), at(field, 4, 0)));
    EXPECT_FALSE(has_valid_ends(field, at(field, 0, 0), at(field, 3, 0))) << "cost 255";
    EXPECT_FALSE(has_valid_ends(field, at(field, 0, 0), {9e9, 0, 0})) << "off the grid";
    EXPECT_FALSE(has_valid_ends(FlowField("empty", {}), {0, 0, 0}, {0, 0, 0}));
}

}  // namespace
}  // namespace maniple::nav
