#include "maniple/skirmish/mesh_skirmish.h"

#include <cmath>
#include <string>

#include "mesh_arena.h"
#include "value_checks.h"

namespace maniple::skirmish {
namespace {

void add_systems(sim::GameDefinition& definition, sim::DerivedHandle<MeshArena> handle) {
    const auto add = [&](std::string name, auto run) {
        definition.add_system({std::move(name), [handle, run](sim::SystemContext& context) {
                                   run(context, context.world.derived(handle));
                               }});
    };
    add("index_on_mesh", index_on_mesh);
    add("choose_targets", [](sim::SystemContext& context, MeshArena& arena) {
        choose_targets(context, arena.arena);
    });
    add("mind_the_floors", mind_the_floors);
    add("steer_on_mesh", steer_on_mesh);
    add("fight",
        [](sim::SystemContext& context, MeshArena& arena) { fight(context, arena.arena); });
    definition.add_system({"live_and_die", live_and_die});
}

/// Slot and polygon are looked up in the mesh, which knows its own.
const char* check_footing(const Footing& footing) {
    return std::abs(footing.z) <= kHeightCmMax ? nullptr : "z";
}

void add_mesh_rules(sim::GameDefinition& definition) {
    const sim::DerivedHandle<MeshArena> arena = definition.add_derived<MeshArena>();
    register_mesh_commands(definition);
    register_mesh_tasks(definition, arena);
    add_systems(definition, arena);
    definition.add_field(std::string(kFieldName), [](const std::string& name) {
        return std::make_unique<substrate::PlayedMesh>(name, nav::FieldConfig{});
    });
}

}  // namespace

std::shared_ptr<const sim::GameDefinition> make_mesh_skirmish() {
    static const std::shared_ptr<const sim::GameDefinition> kDefinition = define_game(
        kMeshGameId, add_mesh_rules,
        {[](sim::GameDefinition& definition) {
             definition.add_fragment<Footing>("Footing", check_footing);
         },
         [](sim::TemplateBuilder& unit) { unit.with(Footing{}).place(place_on_mesh); }});
    return kDefinition;
}

}  // namespace maniple::skirmish
