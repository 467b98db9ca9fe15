#pragma once

#include <boost/describe.hpp>
#include <climits>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/sim/world.h"
#include "maniple/substrate/checked_stream.h"

#include "level_ground.h"

/// A small game on a field: walkers that tasks send along layers, and walls that commands build.
namespace maniple::ground {

inline constexpr const char* kField = "ground";
inline constexpr std::int32_t kSide = 20;

struct Walker {
    double x = 0, y = 0;
};
BOOST_DESCRIBE_STRUCT(Walker, (), (x, y))
struct Wall {
    std::int32_t cell = 0;
};
BOOST_DESCRIBE_STRUCT(Wall, (), (cell))
/// Local to a peer: no network tag, no UID.
struct Sparks {
    std::vector<double> heights;
};
struct Orders {
    std::int32_t given = 0;
};
BOOST_DESCRIBE_STRUCT(Orders, (), (given))

inline constexpr std::uint32_t kMarch = sim::kFirstGameCommand;
inline constexpr std::uint32_t kBuild = sim::kFirstGameCommand + 1;

/// What the tests see of a game's callbacks, and what they hook into them.
struct Witness {
    int ended = 0;  ///< Tasks whose end ran.
    std::function<void(sim::World&, sim::TaskRecord&)> rebuilding;
    std::function<void(sim::World&, Orders&)> recovered;
    sim::DerivedHandle<Sparks> sparks;
};

inline void acquire(sim::World& world, sim::TaskRecord& task) {
    task.layer_handle = world.find_field(kField)->get_or_acquire_layer(task.goals).id;
}

inline Result<void> march(sim::World& world, const sim::Command& command) {
    const auto* x = command.param<std::int64_t>("x");
    if (x == nullptr) return refuse(ErrorCode::kBadValue, "nowhere to march to");
    const sim::Uid uid = world.spawn(*world.definition().find_template("walker"));
    if (!uid.valid()) return {};
    *world.fragment<Walker>(uid) = {100.0 * (uid.value % kSide), 1800};
    const double goal_x = 100.0 * static_cast<double>(*x);
    acquire(world, world.create_task("march", {uid.value}, {{goal_x, 100, 0}}));
    auto& orders = world.edit_variables<Orders>("orders");
    if (orders.given < INT32_MAX) ++orders.given;
    return {};
}

inline Result<void> build(sim::World& world, const sim::Command&) {
    const sim::Uid uid = world.spawn(*world.definition().find_template("wall"));
    if (uid.valid()) world.fragment<Wall>(uid)->cell = uid.value;
    return {};
}

inline void tick_march(sim::World& world, sim::TaskRecord& task) {
    const nav::FlowField& field = *world.find_field(kField);
    const nav::Layer* layer = field.find_layer({task.layer_handle});
    for (const std::int32_t uid : task.agent_uids) {
        Walker* walker = world.fragment<Walker>({uid});
        if (walker == nullptr) continue;
        const nav::NavigationAnswer way = field.query_layer(layer, {walker->x, walker->y}, 0);
        walker->x += 10.0 * static_cast<double>(way.direction.x);
        walker->y += 10.0 * static_cast<double>(way.direction.y);
        if (way.dist == 0) task.state = sim::TaskState::kDone;
    }
}

inline std::shared_ptr<const sim::GameDefinition> make_game(
    const std::shared_ptr<Witness>& witness = std::make_shared<Witness>()) {
    auto game = std::make_shared<sim::GameDefinition>("ground");
    game->add_fragment<Walker>("Walker");
    game->add_fragment<Wall>("Wall");
    sim::TemplateBuilder(*game, "walker").with(Walker{}).add();
    sim::TemplateBuilder(*game, "wall", sim::EntityType::kObstacle).with(Wall{}).add();
    game->add_field(kField);
    game->add_command({kMarch, "march", march});
    game->add_command({kBuild, "build", build});
    game->add_task_type({"march", sim::TaskKind::kMoveTo, tick_march,
                         [witness](sim::World& world, sim::TaskRecord& task) {
                             acquire(world, task);
                             if (witness->rebuilding) witness->rebuilding(world, task);
                         },
                         [witness](sim::World& world, sim::TaskRecord& task) {
                             world.find_field(kField)->release_layer({task.layer_handle});
                             ++witness->ended;
                         }});
    game->add_variables<Orders>("orders", {}, [witness](sim::World& world, Orders& orders) {
        if (witness->recovered) witness->recovered(world, orders);
    });
    witness->sparks = game->add_derived<Sparks>();
    game->seal();
    return game;
}

inline substrate::CheckedStream start_stream() { return tests::level_ground(kSide); }

}  // namespace maniple::ground
