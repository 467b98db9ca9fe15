#pragma once

#include <array>
#include <boost/describe.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/sim/world.h"

/// A small game of unusual components: arrays, names, nested structs, shared fragments, tags,
/// batched spawns, task variables and lockstep variables of every category.
namespace maniple::odd {

/// a + b modulo 2^32: the state may come from anywhere.
inline std::int32_t wrapping_sum(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

enum class Mood : std::int16_t { kCalm = -1, kKeen = 7 };

struct Joint {
    float bend = 0.25F;
    std::array<std::int8_t, 3> pins{1, 2, 3};
};
BOOST_DESCRIBE_STRUCT(Joint, (), (bend, pins))

struct Limbs {
    std::array<Joint, 2> joints;
    std::uint16_t strain = 0;
    bool is_bent = false;
    double reach = 1.5;
    Mood mood = Mood::kCalm;
};
BOOST_DESCRIBE_STRUCT(Limbs, (), (joints, strain, is_bent, reach, mood))

struct Title {
    sim::Name rank;
    std::uint8_t grade = 1;
    std::array<sim::Name, 2> honours;
};
BOOST_DESCRIBE_STRUCT(Title, (), (rank, grade, honours))

/// Shared by all who carry the same.
struct Kit {
    float range = 10;
    std::uint8_t kind = 1;
    sim::Name maker;
    std::array<std::int64_t, 2> serial{};
};
BOOST_DESCRIBE_STRUCT(Kit, (), (range, kind, maker, serial))

/// Only in builds that have one fragment more.
struct Extra {
    std::int32_t weight = 5;
};
BOOST_DESCRIBE_STRUCT(Extra, (), (weight))

struct Frozen {};
struct Veteran {};

struct Rally {
    double x = 0;
    float spread = 1;
};
BOOST_DESCRIBE_STRUCT(Rally, (), (x, spread))

struct PlanBase {
    std::int32_t wave = 0;
};
BOOST_DESCRIBE_STRUCT(PlanBase, (), (wave))

struct Plan : PlanBase {
    static constexpr std::array<std::string_view, 1> kTransient{"cache"};
    float heat = 0;
    bool alarm = false;
    Mood mood = Mood::kKeen;
    Rally rally;
    sim::Name leader;
    std::string chant = "ho";
    std::vector<std::int32_t> marks{3, 1};
    std::vector<float> heats{0.5F};
    std::vector<bool> switches{true, false};
    std::vector<std::string> lines{"a", ""};
    std::vector<sim::Name> guests;
    std::vector<Rally> points{Rally{}};
    std::int32_t cache = 0;              ///< Transient.
    std::int32_t doubled = 0;            ///< Derived from `wave`; recomputed after a restore.
    const void* host = nullptr;          ///< Cannot be synced.
    std::vector<std::vector<int>> nest;  ///< Cannot be synced.
};
BOOST_DESCRIBE_STRUCT(Plan, (PlanBase),
                      (heat, alarm, mood, rally, leader, chant, marks, heats, switches, lines,
                       guests, points, cache, doubled, host, nest))

struct Silent {
    const void* host = nullptr;
};
BOOST_DESCRIBE_STRUCT(Silent, (), (host))

struct Haul {
    float force = 0.5F;
    bool is_hard = false;
    std::int32_t left = 40;
};
BOOST_DESCRIBE_STRUCT(Haul, (), (force, is_hard, left))

inline constexpr std::uint32_t kMuster = sim::kFirstGameCommand;
inline constexpr std::uint32_t kSpeak = sim::kFirstGameCommand + 1;
inline constexpr std::uint32_t kHaul = sim::kFirstGameCommand + 2;
inline constexpr std::uint32_t kRefit = sim::kFirstGameCommand + 3;

/// A batched spawn of `count` walkers over six substeps.
inline Result<void> muster(sim::World& world, const sim::Command& command) {
    sim::SpawnRequest request;
    request.template_key = command.target;
    const auto* count = command.param<std::int64_t>("count");
    request.quantity = count == nullptr ? 0 : static_cast<std::int32_t>(*count);
    for (int i = 0; i < 12; ++i) request.locations.push_back({i * 1.25, -0.0, 3});
    request.substeps = 6;
    request.first_tick_pending = command.param<bool>("late") != nullptr;
    request.team = 2;
    request.initial_rotation = sim::InitialRotation::kCustom;
    request.custom_rotation.yaw = 90;
    request.issuer_slot = command.issuer_slot;
    return world.request_spawn(std::move(request));
}

inline Result<void> speak(sim::World& world, const sim::Command& command) {
    const auto* text = command.param<std::string>("text");
    if (text == nullptr) return refuse(ErrorCode::kBadValue, "nothing to say");
    const Result<sim::Name> name = world.definition().names().intern(*text);
    if (!name) return refuse(name.error());
    Plan& plan = world.edit_variables<Plan>("plan");
    plan.chant += *text;
    plan.leader = *name;
    plan.guests.push_back(*name);
    plan.lines.push_back(*text);
    plan.wave = wrapping_sum(plan.wave, 1);
    plan.doubled = wrapping_sum(plan.wave, plan.wave);
    plan.alarm = !plan.alarm;
    return {};
}

inline Result<void> haul(sim::World& world, const sim::Command& command) {
    const auto* agents = command.param<sim::Int32List>("agents");
    if (agents == nullptr) return refuse(ErrorCode::kBadValue, "nobody hauls");
    sim::TaskRecord& task = world.create_task("odd.haul", *agents, {{1.5, -0.0, 3.0}});
    task.goal_hash = -77;
    sim::set_task_variables(task, Haul{});
    return {};
}

inline Result<void> refit(sim::World& world, const sim::Command& command) {
    const auto* agents = command.param<sim::Int32List>("agents");
    const auto* range = command.param<double>("range");
    if (agents == nullptr || range == nullptr) return refuse(ErrorCode::kBadValue, "no refit");
    for (const std::int32_t uid : *agents) {
        world.set_shared(sim::Uid{uid}, Kit{static_cast<float>(*range), 9, {}, {1, -1}});
    }
    return {};
}

/// Reads the plan's variables; freezes, thaws, kills and spawns through the queue.
inline void live(sim::SystemContext& context) {
    sim::World& world = context.world;
    const auto& plan = world.variables<Plan>("plan");
    const sim::TemplateId id = *world.definition().find_template("odd.walker");
    const sim::EntityGroup& group = world.group(id);
    const auto limbs = world.column<Limbs>(id);
    const auto kits = world.shared<Kit>(id);
    for (std::size_t row = 0; row < limbs.size(); ++row) {
        limbs[row].strain =
            static_cast<std::uint16_t>(wrapping_sum(limbs[row].strain + 1, plan.wave));
        limbs[row].reach += static_cast<double>(kits[row].range) * 0.125 + plan.rally.x;
        limbs[row].joints[1].bend = -limbs[row].joints[1].bend;
        const sim::Uid uid = group.uids[row];
        const std::int64_t beat = (std::int64_t{uid.value} + context.tick) % 37;
        if (beat == 0) world.queue_tag<Frozen>(uid, true);
        if (beat == 9) world.queue_tag<Frozen>(uid, false);
        if (beat == 5 && world.has_tag<Frozen>(uid)) world.queue_destroy(uid);
        if (beat != 20 || plan.alarm || group.size() > 60) continue;
        world.queue_spawn(id, uid, [](sim::World& w, sim::Uid child) {
            w.fragment<Limbs>(child)->reach = w.agent_stream().next_fraction();
        });
    }
}

inline void tick_haul(sim::World& world, sim::TaskRecord& task) {
    auto variables = sim::task_variables<Haul>(task);
    variables.force = -variables.force * 0.75F + world.hash_grid_stream().next_fraction();
    variables.is_hard = variables.force > 0.5F;
    Plan& plan = world.edit_variables<Plan>("plan");
    plan.heat += variables.force;
    plan.heats.push_back(variables.force);
    if (plan.heats.size() > 8) plan.heats.erase(plan.heats.begin());
    plan.cache = 12345;
    variables.left = wrapping_sum(variables.left, -1);
    if (variables.left <= 0) task.state = sim::TaskState::kDone;
    if (variables.left == 30) {
        sim::SpawnRequest more;
        more.template_key = "odd.walker";
        more.locations = {{7, 7, 7}};
        more.quantity = 2;
        static_cast<void>(world.request_spawn(std::move(more)));
    }
    sim::set_task_variables(task, variables);
}

inline void place_walker(sim::World& world, sim::Uid uid, const sim::SpawnRequest& request,
                         const Vec3d& location) {
    Limbs& limbs = *world.fragment<Limbs>(uid);
    limbs.reach = location.x;
    limbs.mood = request.team == 2 ? Mood::kKeen : Mood::kCalm;
    limbs.joints[0].bend = request.custom_rotation.yaw;
    world.fragment<sim::Controller>(uid)->owning_player_slot =
        uid.value % 5 == 0 ? uid.value / 5 : -1;
    if (uid.value % 3 == 0) world.queue_tag<Veteran>(uid, true);
}

/// How builds of the game differ.
struct Build {
    bool with_extra = false;
    bool with_title = true;
    bool with_frozen_first = true;
    std::function<void(sim::World&)> recovered;
};

inline std::shared_ptr<const sim::GameDefinition> make_game(const Build& build = {}) {
    auto game = std::make_shared<sim::GameDefinition>("odd");
    game->add_fragment<Limbs>("Limbs");
    if (build.with_extra) game->add_fragment<Extra>("Extra");
    if (build.with_title) game->add_fragment<Title>("Title");
    game->add_fragment<sim::Controller>("Controller");
    game->add_shared_fragment<Kit>("Kit");
    if (build.with_frozen_first) game->add_tag<Frozen>("Frozen");
    game->add_tag<Veteran>("Veteran");
    if (!build.with_frozen_first) game->add_tag<Frozen>("Frozen");
    const auto name = [&](const char* text) { return *game->names().intern(text); };
    sim::TemplateBuilder walker(*game, "odd.walker");
    walker.with(Limbs{}).with(sim::Controller{}).with(Kit{10, 1, name("forge"), {}});
    if (build.with_extra) walker.with(Extra{});
    if (build.with_title) walker.with(Title{name("esquire"), 1, {name("𝄞"), {}}});
    walker.place(place_walker).tagged<Frozen>().add();
    sim::TemplateBuilder post(*game, "odd.post", sim::EntityType::kObstacle);
    post.with(Limbs{}).with(Kit{}).tags(sim::kTagAppearing).add();
    game->add_command({kMuster, "muster", muster});
    game->add_command({kSpeak, "speak", speak});
    game->add_command({kHaul, "haul", haul});
    game->add_command({kRefit, "refit", refit});
    game->add_system({"live", live});
    game->add_task_type(
        {"odd.haul", sim::TaskKind::kOther, tick_haul, {}, {}, sim::variables_layout<Haul>()});
    game->add_variables<Plan>("plan", Plan{},
                              [recovered = build.recovered](sim::World& world, Plan& plan) {
                                  plan.doubled = wrapping_sum(plan.wave, plan.wave);
                                  if (recovered) recovered(world);
                              });
    game->add_variables<Silent>("silent");
    game->seal();
    return game;
}

inline sim::Command make_command(std::uint32_t type, sim::Tick tick, std::int64_t sequence,
                                 std::string target = "") {
    sim::Command command;
    command.type = type;
    command.tick = tick;
    command.server_exec_sequence = sequence;
    command.target = std::move(target);
    return command;
}

/// The commands that come before `tick_max`, a function of the tick alone.
inline std::vector<sim::Command> plan_commands(sim::Tick tick_max) {
    std::vector<sim::Command> commands;
    std::int64_t sequence = 0;
    const auto add = [&](sim::Command command) { commands.push_back(std::move(command)); };
    for (sim::Tick tick = 1; tick <= tick_max; ++tick) {
        if (tick % 25 == 1) {
            add(make_command(kMuster, tick, ++sequence, "odd.walker"));
            commands.back().set("count", std::int64_t{17});
            if (tick % 50 == 1) commands.back().set("late", true);
        }
        if (tick % 40 == 2) {
            add(make_command(kMuster, tick, ++sequence, "odd.post"));
            commands.back().set("count", std::int64_t{4});
        }
        if (tick % 12 == 3) {
            add(make_command(kSpeak, tick, ++sequence));
            commands.back().set("text", std::string(tick % 24 == 3 ? "hé 𝄞" : "go"));
        }
        if (tick % 20 == 4) {
            add(make_command(kHaul, tick, ++sequence));
            commands.back().set("agents", sim::Int32List{0, 1, tick});
        }
        if (tick % 9 == 5) {
            add(make_command(kRefit, tick, ++sequence));
            commands.back().set("agents", sim::Int32List{2, tick % 40, tick % 17});
            commands.back().set("range", 1.0 + tick % 4);
        }
    }
    return commands;
}

inline std::unique_ptr<sim::World> make_world(std::shared_ptr<const sim::GameDefinition> game,
                                              core::Executor& executor, sim::Tick ticks) {
    auto world = std::make_unique<sim::World>(std::move(game), sim::MatchConfig{77, 20}, executor);
    for (sim::Command& command : plan_commands(400)) static_cast<void>(world->queue(command));
    for (sim::Tick tick = 0; tick < ticks; ++tick) static_cast<void>(world->step());
    return world;
}

}  // namespace maniple::odd
