#include "maniple/skirmish/battle.h"

#include <string>
#include <utility>

#include "maniple/skirmish/skirmish.h"
#include "maniple/substrate/grid_export.h"

namespace maniple::skirmish {

Result<BattleScript> BattleScript::make(const terrain::GridMap& map, const BattleOptions& options) {
    Result<MapFacts> facts = MapFacts::of(map.stream.view());
    if (!facts) return refuse(std::move(facts.error()));
    Result<CommandPlan> plan = CommandPlan::make(*facts, options.units, options.seed);
    if (!plan) return refuse(std::move(plan.error()));
    return BattleScript(map, *facts, std::move(*plan), options);
}

BattleScript::BattleScript(const terrain::GridMap& map, const MapFacts& facts, CommandPlan plan,
                           const BattleOptions& options)
    : plan_(std::move(plan)),
      edits_(facts, plan_, options.seed),
      authoring_(std::string(kFieldName), nav::FieldConfig{}, map.stream,
                 {.mode = options.dispatch}),
      edit_map_every_(options.edit_map_every) {}

namespace {

sim::Command rebuild_command(sim::Tick tick, substrate::Dispatch dispatch) {
    sim::Command command;
    command.type = sim::kCommandRebuildFlowField;
    command.tick = tick;
    command.target = kFieldName;
    command.set(std::string(sim::kParamVersion), std::int64_t{dispatch.version});
    command.byte_payload = std::move(dispatch.payload);
    return command;
}

sim::Command wall_command(sim::Tick tick, const MapEdits::Edit& edit) {
    sim::Command command;
    command.type = edit.raises ? kCommandRaiseWall : kCommandRazeWall;
    command.tick = tick;
    command.set("low_x", std::int64_t{edit.wall.low_x});
    command.set("low_y", std::int64_t{edit.wall.low_y});
    command.set("high_x", std::int64_t{edit.wall.high_x});
    command.set("high_y", std::int64_t{edit.wall.high_y});
    return command;
}

}  // namespace

// implements: NET-001, NET-007
std::vector<sim::Command> BattleScript::server_commands_at(sim::Tick tick) {
    std::vector<sim::Command> commands;
    if (edit_map_every_ == 0 || tick % edit_map_every_ != 0) return commands;
    const auto edit = edits_.apply_next(authoring_.field());
    if (auto dispatch = authoring_.rebuild(tick)) {
        commands.push_back(rebuild_command(tick, std::move(*dispatch)));
    }
    if (edit) commands.push_back(wall_command(tick, *edit));
    return commands;
}

// implements: O-NET-04, O-SNAP-10
Result<substrate::CheckedStream> BattleScript::stream_at(std::string_view field,
                                                         sim::Tick tick) const {
    if (field != kFieldName) {
        return refuse(ErrorCode::kUnknownName, "no field is named '" + std::string(field) + "'");
    }
    return authoring_.history().at(tick);
}

std::vector<sim::Command> BattleScript::commands_for_tick(sim::Tick tick) {
    std::vector<sim::Command> commands = server_commands_at(tick);
    for (std::int32_t team = 0; team < kTeamCount; ++team) {
        for (sim::Command& command : plan_.commands_at(team, tick)) {
            commands.push_back(std::move(command));
        }
    }
    for (sim::Command& command : commands) command.server_exec_sequence = next_sequence_++;
    return commands;
}

LocalBattle::LocalBattle(BattleScript script, const BattleOptions& options,
                         core::Executor& executor)
    : script_(std::move(script)),
      world_(make_skirmish(), sim::MatchConfig{.seed = options.seed}, executor) {}

Result<std::unique_ptr<LocalBattle>> LocalBattle::make(const terrain::GridMap& map,
                                                       const BattleOptions& options,
                                                       core::Executor& executor) {
    Result<BattleScript> script = BattleScript::make(map, options);
    if (!script) return refuse(std::move(script.error()));
    std::unique_ptr<LocalBattle> battle(new LocalBattle(std::move(*script), options, executor));
    const Result<void> imported = battle->world_.import_substrate(kFieldName, map.stream.bytes());
    if (!imported) return refuse(imported.error());
    return battle;
}

Result<std::uint64_t> LocalBattle::step() {
    last_commands_ = script_.commands_for_tick(world_.tick() + 1);
    for (const sim::Command& command : last_commands_) {
        const Result<void> queued = world_.queue(command);
        if (!queued) return refuse(queued.error());
    }
    Result<std::uint64_t> hash = world_.step();
    if (hash) statistics_.observe(world_);
    return hash;
}

}  // namespace maniple::skirmish
