#include "mesh_arena.h"
#include "unit_index.h"

namespace maniple::skirmish {
namespace {

/// Where a unit is looked for on a mesh that it does not stand on yet: under its feet, then around.
constexpr Vec3d kFootExtents{30, 30, 100};
constexpr Vec3d kFallExtents{1000, 1000, 2000};
constexpr float kCrowdSideCm = 80;  ///< Of the place of a unit that waits at a goal.
constexpr float kArrivalCm = 300;

/// The polygon a unit stands on. Polygons are of one version of the mesh: on another one it is put
/// down where it is, or stands on no ground if a wall has risen there.
// implements: O-SYNC-13
nav::PolygonIndex find_feet(const MeshArena& arena, Position& at, Footing& footing,
                            nav::MeshContext& context) {
    if (arena.mesh == nullptr) return nav::kNoPolygon;
    const std::uint32_t version = arena.field->substrate_version();
    if (footing.version != version || footing.polygon < 0) {
        const Vec3d location = location_of(at, footing);
        footing = {-1, -1, version, footing.z};
        const auto place = nav::project_to_mesh(*arena.mesh, location, kFootExtents, &context);
        if (place) stand(*place, at, footing);
    }
    return arena.mesh->graph().index({footing.slot, footing.polygon});
}

Box place_rows(const UnitRows& rows, std::span<Footing> footings, MeshArena& mesh_arena,
               std::size_t first, std::size_t begin, std::size_t end) {
    nav::MeshContext context;
    Box box;
    for (std::size_t row = begin; row < end; ++row) {
        Place& place = mesh_arena.arena.places[first + row];
        place = {};
        if (!is_fighting(rows.tags[row])) continue;
        const nav::PolygonIndex polygon =
            find_feet(mesh_arena, rows.positions[row], footings[row], context);
        mesh_arena.polygons[first + row] = polygon;
        place = place_of(rows, row);
        place.z = static_cast<float>(footings[row].z);
        box.add({place.x, place.y, place.x, place.y});
        place.on_ground = polygon != nav::kNoPolygon;
    }
    return box;
}

}  // namespace

std::optional<nav::MeshPlace> nearest_ground(const nav::MeshReplica& mesh, Vec3d from,
                                             nav::MeshContext& context) {
    return nav::project_to_mesh(mesh, from, kFallExtents, &context);
}

void index_on_mesh(sim::SystemContext& context, MeshArena& mesh_arena) {
    mesh_arena.field = &mesh_field(context.world);
    mesh_arena.mesh = mesh_arena.field->active_mesh();
    view_tasks(context.world, mesh_arena.tasks, [&](const sim::TaskRecord& task, double side) {
        return MeshTaskView{mesh_arena.field->find_layer({task.layer_handle}),
                            static_cast<float>(side) * kCrowdSideCm + kArrivalCm};
    });
    const AllRows all = all_rows(context.world);
    const AllFootings footings = all_footings(context.world);
    mesh_arena.arena.heights = Heights::kDiffer;
    resize_closely(mesh_arena.polygons, number_ranks(all, mesh_arena.arena));
    index_places(context.executor, all, mesh_arena.arena,
                 [&](std::size_t group, std::size_t begin, std::size_t end) {
                     return place_rows(all[group], footings[group], mesh_arena,
                                       mesh_arena.arena.first_rank[group], begin, end);
                 });
}

}  // namespace maniple::skirmish
