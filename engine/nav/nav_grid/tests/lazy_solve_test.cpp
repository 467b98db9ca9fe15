#include "maniple/nav/lazy_solve.h"

#include <gtest/gtest.h>
#include <random>

#include "maniple/nav/flow_field.h"

#include "random_ground.h"

namespace maniple::nav {
namespace {

/// A ground of a few tiles with walls, costs and holes, open enough for sweeps.
GridSubstrate wide_ground(std::mt19937& random) {
    const auto below = [&](std::uint32_t bound) {
        return static_cast<std::int32_t>(random() % bound);
    };
    GridSubstrate ground = open_ground(65 + below(200), 65 + below(200));
    const GridGeometry& g = ground.geometry;
    const bool varied = below(2) == 0;
    for (CellIndex cell = 0; varied && cell < g.cell_count(); ++cell) {
        ground.cost[cell] = static_cast<std::uint8_t>(below(20));
    }
    for (int wall = 0; wall < 12; ++wall) {
        GridCoord at{below(static_cast<std::uint32_t>(g.x_num())),
                     below(static_cast<std::uint32_t>(g.y_num()))};
        const bool across = below(2) == 0;
        for (std::int32_t length = below(90); length > 0 && g.contains(at); --length) {
            block(ground, at);
            ++(across ? at.x : at.y);
        }
    }
    return ground;
}

void expect_settled(const GridGeometry& geometry, const Layer& lazy, const FieldSolution& full,
                    CellIndex cell) {
    EXPECT_EQ(lazy.solution.dist[cell], full.dist[cell]) << cell;
    EXPECT_EQ(lazy.solution.direction[cell], full.direction[cell]) << cell;
    EXPECT_EQ(lazy.goal_label(geometry, cell), full.known_goal[cell]) << cell;
}

// proves: O-GRID-36
TEST(LazySolve, SettledCellsAreThoseOfTheWholeSolveAndTheOthersUnreached) {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const GridSubstrate ground = wide_ground(random);
        const auto cells = static_cast<std::uint32_t>(ground.geometry.cell_count());
        const auto any_cell = [&] { return static_cast<CellIndex>(random() % cells); };
        FieldConfig config;
        if (seed % 3 == 0) config.distance_limit = 2'147'483'647;
        if (seed % 7 == 0) config.distance_limit = 40;
        if (seed % 10 == 0) config.style = Style::kDiagonalFirst;
        if (seed % 11 == 0) config.straight_first = true;
        std::vector<CellIndex> goals;
        for (unsigned i = 0; i <= seed % 4; ++i) goals.push_back(any_cell());
        MoveMap moves;
        moves.build(ground, config);
        const SolverGround solved{ground, ground.cost, moves};
        SolverScratch scratch;
        FieldSolution full;
        solve_field(solved, config, goals, scratch, full);
        LazySolve lazy;
        Layer layer;
        FieldSolution& solution = layer.solution;
        for (int again = 0; again < 2; ++again) {
            lazy.begin(solved, config, solution);
            for (CellIndex cell = 0; cell < cells; ++cell) {
                ASSERT_EQ(solution.dist[cell], config.distance_limit);
            }
            for (int question = 0; question < 5; ++question) {
                std::vector<CellIndex> needed;
                for (int i = 0; i < 3; ++i) needed.push_back(any_cell());
                lazy.settle(solved, config, goals, needed, scratch, solution);
                for (const CellIndex cell : needed)
                    expect_settled(ground.geometry, layer, full, cell);
                for (CellIndex cell = 0; cell < cells; ++cell) {
                    if (solution.dist[cell] != config.distance_limit) {
                        expect_settled(ground.geometry, layer, full, cell);
                    }
                }
            }
        }
        std::vector<CellIndex> all(cells);
        for (CellIndex cell = 0; cell < cells; ++cell) all[cell] = cell;
        lazy.settle(solved, config, goals, all, scratch, solution);
        EXPECT_TRUE(lazy.complete());
        EXPECT_EQ(solution.dist, full.dist);
        EXPECT_EQ(solution.direction, full.direction);
        for (const CellIndex cell : all) expect_settled(ground.geometry, layer, full, cell);
    }
}

#if defined(MANIPLE_NAV_SIMD)
// proves: O-GRID-36
TEST(LazySolve, StopsNearTheGoalAndGoesOnForFartherCells) {
    const GridSubstrate ground = open_ground(512, 512);
    const FieldConfig config;
    MoveMap moves;
    moves.build(ground, config);
    const SolverGround solved{ground, ground.cost, moves};
    SolverScratch scratch;
    LazySolve lazy;
    FieldSolution solution;
    lazy.begin(solved, config, solution);
    const CellIndex goals[] = {ground.geometry.index({0, 0})};
    const auto settled = [&] {
        std::size_t count = 0;
        for (CellIndex cell = 0; cell < ground.geometry.cell_count(); ++cell) {
            count += solution.dist[cell] != config.distance_limit ? 1 : 0;
        }
        return count;
    };
    lazy.settle(solved, config, goals, {ground.geometry.index({9, 5})}, scratch, solution);
    EXPECT_EQ(solution.dist[ground.geometry.index({9, 5})], 9U);
    const std::size_t near = settled();
    EXPECT_LT(near, 512U * 512 / 16);
    EXPECT_FALSE(lazy.complete());
    lazy.settle(solved, config, goals, {ground.geometry.index({3, 3})}, scratch, solution);
    EXPECT_EQ(settled(), near) << "settled before";
    lazy.settle(solved, config, goals, {ground.geometry.index({200, 9})}, scratch, solution);
    EXPECT_EQ(solution.dist[ground.geometry.index({200, 9})], 200U);
    EXPECT_GT(settled(), near);
    EXPECT_FALSE(lazy.complete());
}
#endif

// proves: O-GRID-36
TEST(LazyLayers, AnswerServedAgentsAsSolvedOnesDoThroughEdits) {
    for (unsigned seed = 1; seed <= 10; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        const GridSubstrate ground = wide_ground(random);
        const GridGeometry& g = ground.geometry;
        FlowField eager("ground", {});
        FlowField lazy("ground", {});
        lazy.set_lazy_layers(true);
        const auto place = [&] {
            const auto cell = static_cast<CellIndex>(random() % g.cell_count());
            return g.cell_centre(g.coord(cell)) + Vec2d{33, -20};
        };
        const Vec2d goal = place();
        for (FlowField* field : {&eager, &lazy}) {
            field->set_substrate(ground);
            ASSERT_EQ(field->get_or_acquire_layer({{goal.x, goal.y, 0}}).id, 1);
        }
        for (int tick = 0; tick < 8; ++tick) {
            if (tick % 3 == 2) {
                const GridCoord at = g.coord(static_cast<CellIndex>(random() % g.cell_count()));
                for (FlowField* field : {&eager, &lazy}) {
                    field->set_cells(at, {at.x + 7, at.y + 7}, CellType::kObstacle, 255);
                    field->commit_edits();
                }
            }
            const std::vector<Vec2d> agents{place(), place()};
            for (const double radius : {0.0, 250.0}) {
                lazy.serve_layer({1}, agents, radius);
                for (const Vec2d& agent : agents) {
                    const auto a = eager.query_layer(eager.find_layer({1}), agent, radius);
                    const auto b = lazy.query_layer(lazy.find_layer({1}), agent, radius);
                    EXPECT_EQ(a.valid, b.valid);
                    EXPECT_EQ(a.direction, b.direction);
                    EXPECT_EQ(a.dist, b.dist);
                    EXPECT_EQ(a.goal, b.goal);
                    EXPECT_EQ(a.sampled_cells_hash, b.sampled_cells_hash);
                }
            }
        }
        lazy.serve_layer({77}, {{Vec2d{}}}, 0);  // A layer that is gone.
    }
}

}  // namespace
}  // namespace maniple::nav
