#pragma once

#include <array>
#include <boost/describe.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/sim/registry.h"
#include "maniple/sim/world.h"
#include "maniple/snapshot/snapshot.h"

/// A small game with every kind of state a snapshot carries.
namespace maniple::toy {

struct Point {
    double x = 0;
    double y = 0;
};
BOOST_DESCRIBE_STRUCT(Point, (), (x, y))

struct Body {
    Point at;
    float heading = 0.5F;
    bool moving = true;
    std::array<std::int16_t, 3> slots{1, -2, 3};
};
BOOST_DESCRIBE_STRUCT(Body, (), (at, heading, moving, slots))

struct Health {
    std::int32_t points = 100;
    std::uint8_t armour = 7;
};
BOOST_DESCRIBE_STRUCT(Health, (), (points, armour))

/// Health as another build might have it.
struct WideHealth {
    std::int64_t points = 100;
    std::uint8_t armour = 7;
};
BOOST_DESCRIBE_STRUCT(WideHealth, (), (points, armour))

struct Marked {};
BOOST_DESCRIBE_STRUCT(Marked, (), ())

inline constexpr std::uint32_t kSpawn = sim::kFirstGameCommand;
inline constexpr std::uint32_t kDestroyLast = sim::kFirstGameCommand + 1;
inline constexpr std::uint32_t kOrder = sim::kFirstGameCommand + 2;

inline Result<void> spawn(sim::World& world, const sim::Command& command) {
    const Result<sim::TemplateId> id = world.definition().find_template(command.target);
    if (!id) return refuse(id.error());
    const auto* count = command.param<std::int64_t>("count");
    for (std::int64_t i = 0; count != nullptr && i < *count; ++i) {
        const sim::Uid uid = world.spawn(*id);
        if (Body* body = world.fragment<Body>(uid)) {
            body->at = {world.agent_stream().next_fraction() * 100.0, uid.value * 2.5};
        }
    }
    return {};
}

/// Destroys the `count` newest entities of a template.
inline Result<void> destroy_last(sim::World& world, const sim::Command& command) {
    const Result<sim::TemplateId> id = world.definition().find_template(command.target);
    if (!id) return refuse(id.error());
    const auto* count = command.param<std::int64_t>("count");
    const std::vector<sim::Uid> uids = world.group(*id).uids;
    for (std::size_t i = 0; count != nullptr && i < uids.size(); ++i) {
        if (static_cast<std::int64_t>(uids.size() - i) <= *count) world.queue_destroy(uids[i]);
    }
    return {};
}

inline Result<void> order(sim::World& world, const sim::Command& command) {
    const auto* agents = command.param<sim::Int32List>("agents");
    if (agents == nullptr) return refuse(ErrorCode::kBadValue, "an order without agents");
    sim::TaskRecord& task = world.create_task("toy.push", *agents, {{1.5, -0.0, 3.0}});
    task.goal_hash = -77;
    task.variables = {1, 2, 3};
    return {};
}

inline void move(sim::SystemContext& context) {
    for (const char* key : {"toy.runner", "toy.statue"}) {
        const sim::TemplateId id = *context.world.definition().find_template(key);
        for (Body& body : context.world.column<Body>(id)) {
            if (!body.moving) continue;
            body.at.x += body.heading;
            body.slots[0] = static_cast<std::int16_t>((body.slots[0] + 1) % 1000);
        }
    }
}

/// Every tick: its agents lose a point of health and a draw turns the first of them.
inline void push(sim::World& world, sim::TaskRecord& task) {
    for (const std::int32_t uid : task.agent_uids) {
        if (Health* health = world.fragment<Health>({uid})) --health->points;
    }
    if (task.agent_uids.empty()) return;
    if (Body* body = world.fragment<Body>({task.agent_uids.front()})) {
        body->heading = world.hash_grid_stream().next_fraction();
        body->moving = body->heading > 0.1F;
    }
}

inline std::shared_ptr<const sim::GameDefinition> make_game(const std::string& health = "Health",
                                                            bool with_statue = true) {
    auto game = std::make_shared<sim::GameDefinition>("toy");
    game->add_fragment<Body>("Body");
    game->add_fragment<Health>(health);
    game->add_fragment<Marked>("Marked");
    sim::TemplateBuilder(*game, "toy.runner").with(Body{}).with(Health{}).with(Marked{}).add();
    if (with_statue) {
        sim::TemplateBuilder(*game, "toy.statue", sim::EntityType::kObstacle)
            .with(Body{{0, 0}, -0.0F, false, {}})
            .tags(sim::kTagAppearing)
            .add();
    }
    game->add_command({kSpawn, "spawn", spawn});
    game->add_command({kDestroyLast, "destroy_last", destroy_last});
    game->add_command({kOrder, "order", order});
    game->add_system({"move", move});
    game->add_task_type({"toy.push", sim::TaskKind::kMoveTo, push, {}, {}});
    game->seal();
    return game;
}

inline sim::Command make_command(std::uint32_t type, sim::Tick tick, std::int64_t sequence,
                                 std::string target) {
    sim::Command command;
    command.type = type;
    command.tick = tick;
    command.server_exec_sequence = sequence;
    command.target = std::move(target);
    return command;
}

inline sim::Command make_spawn(sim::Tick tick, std::int64_t sequence, std::int64_t count,
                               std::string target = "toy.runner") {
    sim::Command command = make_command(kSpawn, tick, sequence, std::move(target));
    command.set("count", count);
    return command;
}

/// A world at tick 5: UIDs 0 to 12 minted, 10 to 12 destroyed, one task running.
inline std::unique_ptr<sim::World> make_world(std::shared_ptr<const sim::GameDefinition> game,
                                              core::Executor& executor) {
    auto world = std::make_unique<sim::World>(std::move(game), sim::MatchConfig{42, 20}, executor);
    sim::Command destroy = make_command(kDestroyLast, 3, 4, "toy.runner");
    destroy.set("count", std::int64_t{3});
    sim::Command push_order = make_command(kOrder, 2, 3, "");
    push_order.set("agents", sim::Int32List{0, 1, 5, 11});
    for (sim::Command& command :
         std::vector<sim::Command>{make_spawn(1, 1, 5), make_spawn(1, 2, 2, "toy.statue"),
                                   push_order, make_spawn(2, 5, 6), destroy}) {
        static_cast<void>(world->queue(std::move(command)));
    }
    for (int i = 0; i < 5; ++i) static_cast<void>(world->step());
    return world;
}

}  // namespace maniple::toy
