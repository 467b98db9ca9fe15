#include "maniple/skirmish/skirmish.h"

#include <string>

#include "arena.h"

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

std::shared_ptr<const sim::GameDefinition> define() {
    auto definition = std::make_shared<sim::GameDefinition>(std::string(kGameId));
    definition->add_fragment<Position>("Position");
    definition->add_fragment<Motion>("Motion");
    definition->add_fragment<Unit>("Unit");
    definition->add_fragment<Order>("Order");
    definition->add_fragment<Target>("Target");
    for (std::size_t i = 0; i < kGroupCount; ++i) {
        sim::TemplateBuilder(*definition, std::string(kTemplateKeys[i]))
            .with(Position{})
            .with(Motion{})
            .with(Unit{.health = kUnitKinds[i].health, .phase_ticks = kAppearTicks})
            .with(Order{})
            .with(Target{})
            .tags(sim::kTagAppearing)
            .add();
    }
    const sim::DerivedHandle<Arena> arena = definition->add_derived<Arena>();
    register_commands(*definition);
    register_tasks(*definition, arena);
    add_systems(*definition, arena);
    definition->add_field(std::string(kFieldName));
    definition->seal();
    return definition;
}

}  // namespace

std::shared_ptr<const sim::GameDefinition> make_skirmish() {
    static const std::shared_ptr<const sim::GameDefinition> kDefinition = define();
    return kDefinition;
}

}  // namespace maniple::skirmish
