#include "maniple/nav/environment_query.h"

#include <algorithm>

#include "maniple/core/quantise.h"

namespace maniple::nav {
namespace {

/// Cells between two reports of progress; a fixed number, so that blocks never depend on threads.
constexpr std::size_t kReportCells = 65'536;
constexpr std::size_t kBlockCells = 1'024;

}  // namespace

EnvironmentQuery::EnvironmentQuery(const GridGeometry& geometry, const FieldSetup& setup,
                                   std::int32_t max_walkable_centideg)
    : geometry_(geometry),
      setup_(setup),
      slope_tested_(max_walkable_centideg < 9000),
      normal_z_min_(core::cos_centideg(max_walkable_centideg)) {}

// implements: GRID-029, GRID-030, GRID-032, GRID-033
CellGround EnvironmentQuery::query(GridCoord cell, const WorldQuery& world) const {
    std::optional<SurfaceHit> hit;
    if (setup_.trace_ground) {
        const Segment line = ground_line(cell);
        hit = world.trace_line(line.from, line.to, setup_.ground_mask);
    }
    const Probe probe = after_ground(cell, hit);
    if (!probe.obstacle_open) return probe.ground;
    return after_obstacle(
        probe,
        world.sweep_sphere(probe.centre, probe.centre, obstacle_radius_cm(), setup_.obstacle_mask)
            .has_value());
}

// implements: ASY-006
void EnvironmentQuery::query_async(GridCoord cell, AsyncWorldQuery& world,
                                   std::function<void(const CellGround&)> done) const {
    const auto sweep = [query = *this, &world](const Probe& probe, auto finish) {
        if (!probe.obstacle_open) return finish(probe.ground);
        world.sweep_sphere(probe.centre, probe.centre, query.obstacle_radius_cm(),
                           query.setup_.obstacle_mask,
                           [probe, finish](const std::optional<SurfaceHit>& hit) {
                               finish(after_obstacle(probe, hit.has_value()));
                           });
    };
    if (!setup_.trace_ground) return sweep(after_ground(cell, {}), std::move(done));
    const Segment line = ground_line(cell);
    world.trace_line(
        line.from, line.to, setup_.ground_mask,
        [query = *this, cell, sweep, done = std::move(done)](const std::optional<SurfaceHit>& hit) {
            sweep(query.after_ground(cell, hit), done);
        });
}

// implements: O-GRID-19
EnvironmentQuery::Segment EnvironmentQuery::ground_line(GridCoord cell) const {
    const Vec2d at = geometry_.cell_centre(cell);
    const double bottom = geometry_.origin().z;
    return {{at.x, at.y, bottom + setup_.size_cm.z}, {at.x, at.y, bottom}};
}

// implements: GRID-030, GRID-031, GRID-033, GRID-034, O-GRID-10, O-GRID-20, O-GRID-34, O-GRID-35
EnvironmentQuery::Probe EnvironmentQuery::after_ground(GridCoord cell,
                                                       const std::optional<SurfaceHit>& hit) const {
    const Vec2d at = geometry_.cell_centre(cell);
    const double bottom = geometry_.origin().z;
    Probe probe;
    if (setup_.trace_ground && !hit) return probe;
    probe.centre = {at.x, at.y, hit ? hit->point.z : bottom + setup_.size_cm.z / 2};
    probe.ground.z_cm = core::quant_cm(probe.centre.z, bottom);
    if (hit) {
        probe.ground.normal = {core::quant_normal_axis(hit->normal.x),
                               core::quant_normal_axis(hit->normal.y),
                               core::quant_normal_axis(hit->normal.z)};
        if (slope_tested_ && static_cast<double>(hit->normal.z) < normal_z_min_) {
            probe.ground.type = CellType::kObstacle;
            return probe;
        }
    }
    probe.ground.cost = static_cast<std::uint8_t>(setup_.initial_cost);
    probe.ground.type =
        probe.ground.cost == kImpassableCost ? CellType::kObstacle : CellType::kGround;
    probe.obstacle_open = setup_.trace_obstacles;
    return probe;
}

CellGround EnvironmentQuery::after_obstacle(const Probe& probe, bool hit) {
    CellGround ground = probe.ground;
    if (hit) {
        ground.type = CellType::kObstacle;
        ground.cost = kImpassableCost;
    }
    return ground;
}

void set_cell(GridSubstrate& ground, CellIndex cell, const CellGround& value) {
    ground.cost[cell] = value.cost;
    ground.type[cell] = static_cast<std::uint8_t>(value.type);
    ground.z_cm[cell] = value.z_cm;
    ground.normal[cell] = value.normal;
}

// implements: GRID-022
Result<GridSubstrate> build_ground(const FieldSetup& setup, std::int32_t max_walkable_centideg,
                                   const WorldQuery& world, core::Executor& executor,
                                   const Progress& progress) {
    const Result<FieldSetup> inside = clamped(setup);
    if (!inside) return refuse(inside.error());
    const Result<GridGeometry> geometry = grid_of(*inside);
    if (!geometry) return refuse(geometry.error());
    const EnvironmentQuery environment(*geometry, *inside, max_walkable_centideg);
    const std::size_t cells = geometry->cell_count();
    GridSubstrate ground;
    ground.geometry = *geometry;
    ground.cost.resize(cells);
    ground.type.resize(cells);
    ground.z_cm.resize(cells);
    ground.normal.resize(cells);
    for (std::size_t first = 0; first < cells; first += kReportCells) {
        const std::size_t count = std::min(kReportCells, cells - first);
        core::for_blocks(executor, count, kBlockCells, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = first + begin; i < first + end; ++i) {
                const auto cell = static_cast<CellIndex>(i);
                set_cell(ground, cell, environment.query(geometry->coord(cell), world));
            }
        });
        if (progress && !progress(first + count, cells)) {
            return refuse(ErrorCode::kCancelled, "the build was stopped");
        }
    }
    return ground;
}

}  // namespace maniple::nav
