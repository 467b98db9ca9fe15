// Lookups against the requirements' own wording, cell by cell, on random fields.
#include <gtest/gtest.h>
#include <limits>

#include "maniple/nav/flow_field.h"
#include "maniple/nav/sample_hash.h"

#include "random_ground.h"

namespace maniple::nav {
namespace {

Vec3f expected_direction(const FlowField& field, const Layer& layer, CellIndex cell) {
    const std::uint8_t code = layer.solution.direction[cell];
    if (code == kNoDirection) return {};
    const GridGeometry& g = field.geometry();
    const GridCoord at = g.coord(cell);
    GridCoord to = at;
    if (code == kStraightToGoal) {
        to = g.coord(layer.goal_cells[layer.goal_label(g, cell)]);
    } else {
        to = {at.x + kNeighbours[code].x, at.y + kNeighbours[code].y};
    }
    const Vec2d way = g.offset({to.x - at.x, to.y - at.y});
    const std::vector<std::int32_t>& z = field.substrate().z_cm;
    const double rise = static_cast<double>(z[g.index(to)]) - z[cell];
    const double length = std::sqrt(way.x * way.x + way.y * way.y + rise * rise);
    if (length == 0) return {};
    return {static_cast<float>(way.x / length), static_cast<float>(way.y / length),
            static_cast<float>(rise / length)};
}

std::uint32_t fnv1a(const std::vector<CellIndex>& cells) {
    std::uint32_t hash = 2166136261U;
    for (const CellIndex cell : cells) {
        for (int shift = 0; shift < 32; shift += 8)
            hash = (hash ^ (cell >> shift & 255)) * 16777619U;
    }
    return cells.empty() ? 0 : hash;
}

/// Every cell of the grid is asked whether it counts and lies in the circle.
NavigationAnswer expected_average(const FlowField& field, const Layer& layer, Vec2d location,
                                  double radius, bool by_type) {
    const GridGeometry& g = field.geometry();
    Vec2d sum;
    double weights = 0;
    double nearest_squared = 0;
    CellIndex nearest = kNoCell;
    std::vector<CellIndex> sampled;
    for (CellIndex cell = 0; cell < g.cell_count(); ++cell) {
        const bool counts = by_type ? field.substrate().type[cell] == 1 : layer.reached(cell);
        if (!counts || field.current_cost(cell) == kImpassableCost) continue;
        const Vec2d away = g.cell_centre(g.coord(cell)) - location;
        const double squared = dot(away, away);
        if (squared > radius * radius) continue;
        const Vec3f dir = expected_direction(field, layer, cell);
        const double weight = 1.0 / (1.0 + std::sqrt(squared) / radius);
        sum = sum + Vec2d{dir.x, dir.y} * weight;
        weights += weight;
        sampled.push_back(cell);
        if (nearest == kNoCell || squared < nearest_squared) {
            nearest = cell;
            nearest_squared = squared;
        }
    }
    NavigationAnswer answer;
    if (nearest == kNoCell) return answer;
    const Vec2d mean = core::safe_normal({sum.x / weights, sum.y / weights});
    answer.valid = true;
    answer.direction = {static_cast<float>(mean.x), static_cast<float>(mean.y), 0};
    answer.dist = layer.solution.dist[nearest];
    if (layer.reached(nearest))
        answer.goal = layer.goals[layer.goal_label(field.geometry(), nearest)];
    answer.sampled_cells_hash = fnv1a(sampled);
    return answer;
}

void expect_equal(const NavigationAnswer& answer, const NavigationAnswer& expected) {
    EXPECT_EQ(answer.valid, expected.valid);
    EXPECT_EQ(answer.direction, expected.direction);
    EXPECT_EQ(answer.dist, expected.dist);
    EXPECT_EQ(answer.goal, expected.goal);
    EXPECT_EQ(answer.sampled_cells_hash, expected.sampled_cells_hash);
}

/// Ground somewhere in the world at any yaw, some of it level, with goals anywhere.
FlowField random_field(std::mt19937& random) {
    const auto below = [&](std::uint32_t bound) {
        return static_cast<std::int32_t>(random() % bound);
    };
    GridSubstrate ground = random_ground(random, 30);
    const GridGeometry& flat = ground.geometry;
    const std::int32_t yaw = below(3) == 0 ? below(36'000) - 18'000 : 0;
    const std::int32_t far = below(3) == 0 ? 1'900'000'000 : 1000;
    ground.geometry = GridGeometry(far, -far, 17, yaw, flat.x_num(), flat.y_num(), 1 + below(200));
    for (std::int32_t i = 0; i < 1 + below(3); ++i) {
        ground.goals_cm.push_back({below(2000) - 1000, below(2000) - 1000, 0});
    }
    FieldConfig config;
    config.straight_first = below(3) == 0;
    config.distance_limit = below(2) == 0 ? 65'535U : 2'147'483'647U;
    FlowField field("random", config);
    field.set_substrate(std::move(ground));
    return field;
}

// proves: GRID-050, GRID-051, GRID-052, LAY-014, LAY-015, O-GRID-16, O-GRID-17, O-GRID-33
TEST(Queries, AgreeWithTheRequirementsCellByCell) {
    for (std::uint32_t seed = 1; seed <= 150; ++seed) {
        SCOPED_TRACE("seed " + std::to_string(seed));
        std::mt19937 random(seed);
        FlowField field = random_field(random);
        const GridGeometry& g = field.geometry();
        const Layer& layer = field.default_layer();
        for (int i = 0; i < 20; ++i) {
            const auto part = [&](double range) {
                return (static_cast<double>(random() % 100'001) / 100'000 - 0.5) * range;
            };
            const double span = 1.2 * (g.x_num() + g.y_num()) * g.cell_size_cm();
            Vec2d at = Vec2d{g.origin().x, g.origin().y} + Vec2d{part(span), part(span)};
            if (i % 5 == 0) at = g.cell_centre({i % g.x_num(), i % g.y_num()});
            const double radius = g.cell_size_cm() * (i % 2 == 0 ? 1 + i % 7 : 0.3 * (i + 1));
            expect_equal(field.query_layer(&layer, at, radius),
                         expected_average(field, layer, at, radius, false));
            const NavigationAnswer average = expected_average(field, layer, at, radius, true);
            if (average.valid) expect_equal(field.query(at, radius), average);
            const CellIndex cell = g.index(g.world_to_grid(at).coord);
            const NavigationAnswer single = field.query(at, 0);
            EXPECT_EQ(single.direction, expected_direction(field, layer, cell));
            EXPECT_EQ(single.sampled_cells_hash, fnv1a({cell}));
            EXPECT_EQ(single.dist, layer.solution.dist[cell]);
        }
    }
}

// proves: GRID-024, O-GRID-17, O-GEN-08
TEST(Queries, FarPlacesAndVastRadiiAnswerAsTheRequirementsSay) {
    std::mt19937 random(5);
    FlowField field = random_field(random);
    const Layer& layer = field.default_layer();
    for (const double far : {1e7, 1e10, 1e15, 1e18, 1e160, 1.7e308}) {
        for (const double radius : {1.0, 300.0, 1e9, 1e16, 1e170}) {
            for (const Vec2d at : {Vec2d{far, 0}, Vec2d{-far, far}, Vec2d{3, -far}}) {
                expect_equal(field.query_layer(&layer, at, radius),
                             expected_average(field, layer, at, radius, false));
            }
        }
    }
    EXPECT_FALSE(field.query({0, 0}, std::numeric_limits<double>::infinity()).valid);
    EXPECT_FALSE(field.query({0, 0}, -std::numeric_limits<double>::infinity()).valid);
    EXPECT_FALSE(field.query({std::numeric_limits<double>::quiet_NaN(), 0}, 0).valid);
    EXPECT_FALSE(field.query({std::numeric_limits<double>::quiet_NaN(), 0}, 300).valid);
}

// proves: GRID-052, O-GRID-16
TEST(SampledCells, AreHashedByAllFourBytesOfTheirIndex) {
    for (const CellIndex cell : {0U, 1U, 0x00FFFFFFU, 0x01000000U, 0x03FFFFFFU, 0xFFFFFFFFU}) {
        SampleHash hash;
        hash.add(cell);
        hash.add(7);
        EXPECT_EQ(hash.value(), fnv1a({cell, 7}));
    }
}

}  // namespace
}  // namespace maniple::nav
