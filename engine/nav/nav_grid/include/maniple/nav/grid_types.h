#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "maniple/core/math.h"

namespace maniple::nav {

struct GridCoord {
    std::int32_t x = 0;
    std::int32_t y = 0;
    friend bool operator==(const GridCoord&, const GridCoord&) = default;
};
/// X · yNum + Y (GRID-007).
using CellIndex = std::uint32_t;
inline constexpr CellIndex kNoCell = ~CellIndex{0};

// implements: GRID-002, O-GRID-03
/// Values of the type byte on the wire (O-GRID-03).
enum class CellType : std::uint8_t { kEmpty = 0, kGround = 1, kObstacle = 2 };
inline constexpr std::uint8_t kImpassableCost = 255;

// implements: GRID-001
/// What a field's ground is made of: cells (FlowField) or polygons (MeshField).
enum class GenerationMode : std::uint8_t { kGrid = 0, kNavMesh = 1 };

/// Neighbour order of the direction pass; phase 1 takes diagonals only with kAdjacentFirst
/// (GRID-036, O-GRID-07).
enum class Style : std::uint8_t { kAdjacentFirst = 0, kDiagonalFirst = 1 };
/// kCells: every step costs the entered cell's cost (GRID-040). kOctile: 5 or 7 times it
/// (O-GRID-29).
enum class Metric : std::uint8_t { kCells = 0, kOctile = 1 };

/// A direction as stored: a neighbour 0…7 (E, N, W, S, NE, NW, SW, SE; north is +Y), straight to
/// the goal, none, or what a modifier said (Layer::modified).
enum DirectionCode : std::uint8_t { kStraightToGoal = 8, kNoDirection = 9, kModified = 10 };
inline constexpr std::array<GridCoord, 8> kNeighbours{
    {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 1}, {-1, 1}, {-1, -1}, {1, -1}}};

/// What an area costs in one field, instead of the navmesh's own cost (NAVM-032).
struct AreaCostOverride {
    std::uint8_t area = 0;  ///< 0 … 63.
    float cost = 1;         ///< Clamped to the bounds below.
};
inline constexpr float kAreaCostOverrideMin = 0.1F;
inline constexpr float kAreaCostOverrideMax = 255;

/// What shapes a field's flood and is not on the wire; peers compare its digest (O-SYNC-39).
struct FieldConfig {
    std::int32_t max_walkable_centideg = 4500;  ///< ≥ 9000 disables the slope test.
    Style style = Style::kAdjacentFirst;
    bool straight_first = false;
    bool ignore_internal_obstacles = true;
    std::uint32_t distance_limit = 65'535;  ///< Also the value of an unreached cell.
    Metric metric = Metric::kCells;
    bool use_area_costs = false;
    double max_area_cost_multiplier = 10.0;
    std::vector<AreaCostOverride> area_cost_overrides;  ///< The last for an area counts.
    Vec3d path_stop_search_cm{500, 500, 500};

    /// The defaults of a metric: octile distances, in fifths, have the widest limit (O-GRID-29).
    [[nodiscard]] static FieldConfig of(Metric metric) {
        FieldConfig config;
        config.metric = metric;
        if (metric == Metric::kOctile) config.distance_limit = 2'147'483'647;
        return config;
    }
    [[nodiscard]] std::uint64_t digest() const;
};

}  // namespace maniple::nav
