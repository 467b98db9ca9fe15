#include <cmath>

#include "mesh_arena.h"
#include "task_rules.h"

namespace maniple::skirmish {
namespace {

constexpr double kChaseTileCm = 1600;

/// 0 for what no mesh reaches.
std::int32_t tile_of(double cm) {
    const double tile = std::floor(cm / kChaseTileCm);
    return std::abs(tile) <= 1e9 ? static_cast<std::int32_t>(tile) : 0;
}

/// The navmesh that both teams fight on.
struct MeshGround {
    using Derived = MeshArena;
    static Arena& arena(MeshArena& derived) { return derived.arena; }

    explicit MeshGround(sim::World& world)
        : field(mesh_field(world)), rows(all_rows(world)), footings(all_footings(world)) {}

    [[nodiscard]] bool is_lost(const nav::MeshLayer& layer, sim::EntityRow at) const {
        const nav::MeshReplica* mesh = field.active_mesh();
        const Footing& footing = footings[at.group][at.row];
        // Who stands on no ground finds some first.
        if (mesh == nullptr || footing.polygon < 0) return false;
        return !leads_on(layer, mesh->graph().index({footing.slot, footing.polygon}));
    }

    [[nodiscard]] std::vector<Quarry> quarries(std::int32_t team) const {
        std::vector<Quarry> found;
        for (std::size_t group = 0; group < kGroupCount; ++group) {
            const UnitRows& units = rows[group];
            for (std::size_t row = 0; row < units.size(); ++row) {
                if (units.units[row].team == team || !is_fighting(units.tags[row])) continue;
                const Footing& footing = footings[group][row];
                if (footing.polygon < 0) continue;
                const Vec3d at = location_of(units.positions[row], footing);
                found.push_back({tile_of(at.x), tile_of(at.y), units.uids[row].value, at});
            }
        }
        return found;
    }

    nav::MeshField& field;
    AllRows rows;
    AllFootings footings;
};

}  // namespace

void register_mesh_tasks(sim::GameDefinition& definition, sim::DerivedHandle<MeshArena> arena) {
    register_tasks_on<MeshGround>(definition, arena);
}

}  // namespace maniple::skirmish
