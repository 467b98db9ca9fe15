#include "maniple/terrain/map_ground.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "maniple/core/quantise.h"
#include "maniple/substrate/grid_export.h"
#include "maniple/terrain/grid_map.h"
#include "maniple/terrain/grid_world.h"
#include "maniple/terrain/height_map_world.h"
#include "maniple/terrain/mesh_world.h"

namespace maniple::terrain {
namespace {

constexpr std::int32_t kCellSizeDefaultCm = 100;
constexpr std::int32_t kMaxWalkableDefaultCentideg = 4500;

std::int32_t max_walkable(const GridRequest& request) {
    return request.max_walkable_centideg.value_or(kMaxWalkableDefaultCentideg);
}

/// The field that covers the bounds: pivot and yaw as asked for, whole cells, every height.
nav::FieldSetup covering_setup(const WorldBounds& bounds, const GridRequest& request,
                               std::int32_t cell_size_cm) {
    nav::FieldSetup setup;
    setup.location_cm = request.origin_cm.value_or(Vec3d{(bounds.low.x + bounds.high.x) / 2,
                                                         (bounds.low.y + bounds.high.y) / 2,
                                                         std::floor(bounds.low.z)});
    setup.yaw_degrees = request.yaw_degrees.value_or(0);
    setup.cell_size_cm = cell_size_cm;
    setup.trace_ground = true;
    setup.trace_obstacles = true;
    const std::int32_t yaw = core::yaw_to_centideg(setup.yaw_degrees);
    double half_x = 0;
    double half_y = 0;
    for (const double x : {bounds.low.x, bounds.high.x}) {
        for (const double y : {bounds.low.y, bounds.high.y}) {
            const Vec2d p{x - setup.location_cm.x, y - setup.location_cm.y};
            const double c = core::cos_centideg(yaw);
            const double s = core::sin_centideg(yaw);
            half_x = std::max(half_x, std::abs(p.x * c + p.y * s));
            half_y = std::max(half_y, std::abs(-p.x * s + p.y * c));
        }
    }
    // A cell that would hold less than this share of the map is rounding, not map.
    constexpr double kSliver = 1e-6;
    const double cell = cell_size_cm;
    setup.size_cm = {std::ceil(2 * half_x / cell - kSliver) * cell,
                     std::ceil(2 * half_y / cell - kSliver) * cell,
                     std::max(bounds.high.z - setup.location_cm.z, 0.0) + 1};
    return setup;
}

Result<nav::GridSubstrate> ask_grid_map(const GridMap& map, const GridRequest& request,
                                        core::Executor& executor, const nav::Progress& progress) {
    const substrate::CheckedView stream = map.stream.view();
    const bool is_own_grid = !request.cell_size_cm && !request.yaw_degrees && !request.origin_cm &&
                             !request.max_walkable_centideg;
    nav::GridSubstrate own = substrate::read_grid_stream(stream);
    if (is_own_grid) return own;
    const GridWorld world(stream);
    const nav::FieldSetup setup = covering_setup(
        world.bounds(), request, request.cell_size_cm.value_or(stream.grid().cell_size_cm));
    auto ground = nav::build_ground(setup, max_walkable(request), world, executor, progress);
    if (!ground) return ground;
    const nav::GridGeometry& grid = ground->geometry;
    for (nav::CellIndex cell = 0; cell < grid.cell_count(); ++cell) {
        if (static_cast<nav::CellType>(ground->type[cell]) != nav::CellType::kGround) continue;
        ground->cost[cell] = world.ground_cost(grid.cell_centre(grid.coord(cell))).value_or(1);
    }
    const Vec3d from = own.geometry.origin();
    const Vec3d to = grid.origin();
    for (const auto& goal : own.goals_cm) {
        ground->goals_cm.push_back({core::quant_cm(core::dequant_cm(goal[0], from.x), to.x),
                                    core::quant_cm(core::dequant_cm(goal[1], from.y), to.y),
                                    core::quant_cm(core::dequant_cm(goal[2], from.z), to.z)});
    }
    return ground;
}

Result<nav::GridSubstrate> ask_height_map(core::ByteSpan bytes, const GridRequest& request,
                                          core::Executor& executor, const nav::Progress& progress) {
    HeightScale scale = request.height;
    scale.spacing_cm = request.cell_size_cm.value_or(kCellSizeDefaultCm);
    auto map = read_png_height_map(bytes, scale);
    if (!map) return refuse(std::move(map.error()));
    const HeightMapWorld world(std::move(*map));
    return nav::build_ground(covering_setup(world.bounds(), request, scale.spacing_cm),
                             max_walkable(request), world, executor, progress);
}

Result<nav::GridSubstrate> ask_mesh(core::ByteSpan bytes, const GridRequest& request,
                                    core::Executor& executor, const nav::Progress& progress) {
    auto mesh = read_obj_mesh(bytes, request.unit_cm);
    if (!mesh) return refuse(std::move(mesh.error()));
    const MeshWorld world(std::move(*mesh), max_walkable(request));
    const nav::FieldSetup setup =
        covering_setup(world.bounds(), request, request.cell_size_cm.value_or(kCellSizeDefaultCm));
    return nav::build_ground(setup, max_walkable(request), world, executor, progress);
}

}  // namespace

Result<nav::GridSubstrate> read_map_ground(std::string_view name, core::Bytes bytes,
                                           const GridRequest& request, core::Executor& executor,
                                           const nav::Progress& progress) {
    if (!is_builtin_map(name) && name.ends_with(".png")) {
        return ask_height_map(bytes, request, executor, progress);
    }
    if (!is_builtin_map(name) && name.ends_with(".obj")) {
        return ask_mesh(bytes, request, executor, progress);
    }
    const auto map = read_map(name, std::move(bytes));
    if (!map) return refuse(map.error());
    return ask_grid_map(*map, request, executor, progress);
}

}  // namespace maniple::terrain
