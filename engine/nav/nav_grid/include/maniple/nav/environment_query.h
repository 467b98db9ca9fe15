#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>

#include "maniple/core/executor.h"
#include "maniple/core/result.h"
#include "maniple/nav/field_setup.h"
#include "maniple/nav/grid_substrate.h"
#include "maniple/nav/grid_types.h"
#include "maniple/nav/world_query.h"

namespace maniple::nav {

/// What the world says of one cell, quantised as stored and sent (O-GRID-35).
struct CellGround {
    CellType type = CellType::kEmpty;
    std::uint8_t cost = kImpassableCost;
    std::int32_t z_cm = 0;  ///< Relative to the grid's origin.
    std::array<std::int8_t, 3> normal{0, 0, 127};
    friend bool operator==(const CellGround&, const CellGround&) = default;
};

/// Asks the world about single cells (GRID-029 … 034). Its steps are separate, so that an
/// asynchronous world can answer each when it is ready and the rules stay the same (ASY-006).
class EnvironmentQuery {
  public:
    /// Copies what it needs. `setup` is clamped and `geometry` its grid.
    EnvironmentQuery(const GridGeometry& geometry, const FieldSetup& setup,
                     std::int32_t max_walkable_centideg);

    /// One cell of the grid, synchronously.
    [[nodiscard]] CellGround query(GridCoord cell, const WorldQuery& world) const;

    /// The same of a world that answers later: `done` is called once, when all answers are there.
    void query_async(GridCoord cell, AsyncWorldQuery& world,
                     std::function<void(const CellGround&)> done) const;

    struct Segment {
        Vec3d from;
        Vec3d to;
    };
    /// A cell between its two traces.
    struct Probe {
        CellGround ground;
        Vec3d centre;                ///< Where the obstacle sphere stands.
        bool obstacle_open = false;  ///< The obstacle trace is still to be done.
    };
    [[nodiscard]] const FieldSetup& setup() const { return setup_; }
    /// From the volume's top to its bottom through the cell's centre (O-GRID-19).
    [[nodiscard]] Segment ground_line(GridCoord cell) const;
    /// After the ground trace; without `trace_ground`, with no hit, the cell at its default height.
    [[nodiscard]] Probe after_ground(GridCoord cell, const std::optional<SurfaceHit>& hit) const;
    /// The obstacle sphere's radius.
    [[nodiscard]] double obstacle_radius_cm() const { return geometry_.cell_size_cm() / 2.0; }
    /// After the obstacle trace of an open probe.
    [[nodiscard]] static CellGround after_obstacle(const Probe& probe, bool hit);

  private:
    GridGeometry geometry_;
    FieldSetup setup_;
    bool slope_tested_;
    double normal_z_min_;
};

/// How far a long build has come, on the calling thread. Returning false stops it.
using Progress = std::function<bool(std::size_t cells_done, std::size_t cells_total)>;

/// The ground of a whole grid, cell by cell from the world, without goals (GRID-022). The result
/// does not depend on the executor; `progress` may be empty.
/// @return ground, the refusals of clamped() and grid_of(), or kCancelled.
[[nodiscard]] Result<GridSubstrate> build_ground(const FieldSetup& setup,
                                                 std::int32_t max_walkable_centideg,
                                                 const WorldQuery& world, core::Executor& executor,
                                                 const Progress& progress);

/// Writes one cell's columns.
void set_cell(GridSubstrate& ground, CellIndex cell, const CellGround& value);

}  // namespace maniple::nav
