#include "maniple/skirmish/skirmish.h"

#include <string>

#include "arena.h"
#include "value_checks.h"

namespace maniple::skirmish {
namespace {

void add_systems(sim::GameDefinition& definition, sim::DerivedHandle<Arena> handle) {
    const auto add = [&](std::string name, void (*run)(sim::SystemContext&, Arena&)) {
        definition.add_system({std::move(name), [handle, run](sim::SystemContext& context) {
                                   run(context, context.world.derived(handle));
                               }});
    };
    add("index_units", index_units);
    add("choose_targets", choose_targets);
    add("steer_units", steer_units);
    add("fight", fight);
    definition.add_system({"live_and_die", live_and_die});
}

void add_grid_rules(sim::GameDefinition& definition) {
    const sim::DerivedHandle<Arena> arena = definition.add_derived<Arena>();
    register_commands(definition);
    register_tasks(definition, arena);
    add_systems(definition, arena);
    definition.add_field(std::string(kFieldName));
}

}  // namespace

// implements: SNAP-048
std::shared_ptr<const sim::GameDefinition> define_game(std::string_view game_id,
                                                       void (*add_rules)(sim::GameDefinition&),
                                                       const Extension& extension) {
    auto definition = std::make_shared<sim::GameDefinition>(std::string(game_id));
    definition->add_fragment<Position>("Position");
    definition->add_fragment<Motion>("Motion");
    definition->add_fragment<Unit>("Unit", check_unit);
    definition->add_fragment<Order>("Order", check_order);
    definition->add_fragment<Target>("Target");
    definition->add_fragment<Wall>("Wall");
    definition->add_shared_fragment<Kit>("Kit", check_kit);
    if (extension.fragments) extension.fragments(*definition);
    for (std::size_t i = 0; i < kGroupCount; ++i) {
        sim::TemplateBuilder unit(*definition, std::string(kTemplateKeys[i]));
        unit.with(Position{})
            .with(Motion{})
            .with(Unit{.health = kUnitKinds[i].health, .phase_ticks = kAppearTicks})
            .with(Order{})
            .with(Target{})
            .with(Kit{})
            .tags(sim::kTagAppearing)
            .place(place_unit)
            .check_spawn(check_spawn);
        if (extension.units) extension.units(unit);
        unit.add();
    }
    sim::TemplateBuilder(*definition, std::string(kWallKey), sim::EntityType::kObstacle)
        .with(Wall{})
        .add();
    definition->add_variables<Tactics>(std::string(kTacticsKey), {}, {}, check_tactics);
    add_rules(*definition);
    definition->seal();
    return definition;
}

std::shared_ptr<const sim::GameDefinition> define_skirmish(const Extension& extension) {
    return define_game(kGameId, add_grid_rules, extension);
}

std::shared_ptr<const sim::GameDefinition> make_skirmish() {
    static const std::shared_ptr<const sim::GameDefinition> kDefinition = define_skirmish();
    return kDefinition;
}

}  // namespace maniple::skirmish
