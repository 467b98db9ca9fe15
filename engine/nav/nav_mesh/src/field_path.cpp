#include "maniple/nav/field_path.h"

#include "maniple/nav/mesh_path.h"

namespace maniple::nav {

// implements: PATH-001, PATH-036, NAVM-024
bool find_path(const FieldGrounds& field, Vec3d start, Vec3d goal, PathContext& context,
               std::vector<Vec3d>& path) {
    const MeshField& mesh = field.mesh;
    if (field.mode() == GenerationMode::kGrid) {
        return find_path_astar(field.grid, start, goal, context, path);
    }
    if (mesh.synced()) {
        return find_path_replica(mesh.active_mesh(), mesh.config(), start, goal, nullptr, path);
    }
    return find_path_navmesh(mesh.active_mesh(), mesh.config(), start, goal, path);
}

// implements: PATH-002, PATH-003, PATH-004, PATH-036
bool is_reachable(const FieldGrounds& field, Vec3d start, Vec3d goal) {
    const MeshField& mesh = field.mesh;
    if (field.mode() == GenerationMode::kGrid) return has_valid_ends(field.grid, start, goal);
    if (mesh.synced()) return is_reachable_replica(mesh.active_mesh(), mesh.config(), start, goal);
    return is_reachable_navmesh(mesh.active_mesh(), start, goal);
}

}  // namespace maniple::nav
