#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "maniple/nav/mesh_field.h"
#include "maniple/nav/mesh_walk.h"
#include "maniple/sim/world.h"
#include "maniple/skirmish/mesh_skirmish.h"
#include "maniple/substrate/played_mesh.h"

#include "arena.h"

namespace maniple::skirmish {

/// What the systems need to know of one task.
struct MeshTaskView {
    const nav::MeshLayer* layer = nullptr;
    float arrival_cm = 0;  ///< A crowd that stands this near to the goal has arrived.
};

/// The derived state of a tick on a navmesh: the grid battle's arena without its field, and where
/// the units stand on the mesh.
struct MeshArena {
    Arena arena;
    const nav::MeshField* field = nullptr;
    const nav::MeshReplica* mesh = nullptr;   ///< Null on a stream of a grid: nobody moves.
    std::vector<nav::PolygonIndex> polygons;  ///< By rank; kNoPolygon for who stands on none.
    TaskViews<MeshTaskView> tasks;

    [[nodiscard]] MeshTaskView task_of(const Order& order) const { return view_of(tasks, order); }
};

using AllFootings = std::array<std::span<Footing>, kGroupCount>;
[[nodiscard]] inline AllFootings all_footings(sim::World& world) {
    AllFootings all;
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        all[group] = world.column<Footing>(template_of(group));
    }
    return all;
}
[[nodiscard]] inline nav::MeshField& mesh_field(sim::World& world) {
    return world.find_navmesh(kFieldName)->field();
}
/// Whether a layer has a way from a polygon.
[[nodiscard]] inline bool leads_on(const nav::MeshLayer& layer, nav::PolygonIndex polygon) {
    return layer.solved && polygon != nav::kNoPolygon && layer.solution.covered(polygon);
}
[[nodiscard]] inline Vec3d location_of(const Position& at, const Footing& footing) {
    const Vec2d cm = at.cm();
    return {cm.x, cm.y, footing.z};
}
/// Moves a unit, whatever is there. Heights lie on the positions' lattice too.
inline void put(Vec3d location, Position& at, Footing& footing) {
    at = Position::nearest({location.x, location.y});
    footing.z = std::floor(location.z * Position::kStepsPerCm + 0.5) / Position::kStepsPerCm;
}
/// Puts a unit on a place of the mesh.
inline void stand(const nav::MeshPlace& place, Position& at, Footing& footing) {
    put(place.location, at, footing);
    footing.slot = place.polygon.slot;
    footing.polygon = place.polygon.polygon;
}
/// Where a unit that stands on no ground is to go: the nearest place within a fall's reach.
[[nodiscard]] std::optional<nav::MeshPlace> nearest_ground(const nav::MeshReplica& mesh, Vec3d from,
                                                           nav::MeshContext& context);

/// The systems that differ from the grid battle's.
void index_on_mesh(sim::SystemContext& context, MeshArena& arena);
void mind_the_floors(sim::SystemContext& context, MeshArena& arena);
void steer_on_mesh(sim::SystemContext& context, MeshArena& arena);

/// place_unit with the height.
void place_on_mesh(sim::World& world, sim::Uid uid, const sim::SpawnRequest& request,
                   const Vec3d& location);
void register_mesh_commands(sim::GameDefinition& definition);
void register_mesh_tasks(sim::GameDefinition& definition, sim::DerivedHandle<MeshArena> arena);

}  // namespace maniple::skirmish
