#include "maniple/skirmish/battle.h"

#include <string>
#include <utility>

#include "maniple/skirmish/skirmish.h"
#include "maniple/substrate/grid_export.h"

#include "ground_edits.h"
#include "modifier_orders.h"
#include "way_meter.h"

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
      seed_(options.seed),
      edit_map_every_(options.edit_map_every),
      modify_every_(options.modify_every) {}

// implements: NET-001, NET-007
std::vector<sim::Command> BattleScript::server_commands_at(sim::Tick tick) {
    std::vector<sim::Command> commands;
    if (modify_every_ > 0 && tick % modify_every_ == 0) {
        commands = modifier_commands_at(tick, tick / modify_every_, edits_,
                                        authoring_.field().geometry(), seed_);
    }
    if (edit_map_every_ == 0 || tick % edit_map_every_ != 0) return commands;
    const auto edit = edits_.apply_next(authoring_.field());
    if (auto dispatch = authoring_.rebuild(tick)) {
        commands.push_back(rebuild_command(tick, std::move(*dispatch)));
    }
    if (edit) commands.push_back(wall_command(tick, edit->raises, edit->wall));
    return commands;
}

// implements: O-NET-04, O-SNAP-10
Result<core::Bytes> BattleScript::stream_at(std::string_view field, sim::Tick tick) const {
    return stream_of(authoring_.history(), field, tick);
}

std::shared_ptr<const sim::GameDefinition> BattleScript::definition() const {
    return make_skirmish();
}

std::unique_ptr<WayMeter> BattleScript::make_way_meter() const { return grid_way_meter(); }

LocalBattle::LocalBattle(std::unique_ptr<CommandScript> script, std::int32_t seed,
                         core::Executor& executor, core::Background* background)
    : script_(std::move(script)),
      world_(script_->definition(), sim::MatchConfig{.seed = seed}, executor, core::null_log(),
             background),
      statistics_(script_->make_way_meter()) {}

Result<std::unique_ptr<LocalBattle>> LocalBattle::make(const terrain::GridMap& map,
                                                       const BattleOptions& options,
                                                       core::Executor& executor) {
    Result<BattleScript> script = BattleScript::make(map, options);
    if (!script) return refuse(std::move(script.error()));
    return make(std::make_unique<BattleScript>(std::move(*script)), map.stream.bytes(),
                options.seed, executor);
}

Result<std::unique_ptr<LocalBattle>> LocalBattle::make(std::unique_ptr<CommandScript> script,
                                                       core::ByteSpan start, std::int32_t seed,
                                                       core::Executor& executor,
                                                       core::Background* background) {
    std::unique_ptr<LocalBattle> battle(
        new LocalBattle(std::move(script), seed, executor, background));
    const Result<void> imported = battle->world_.import_substrate(kFieldName, start);
    if (!imported) return refuse(imported.error());
    return battle;
}

Result<std::uint64_t> LocalBattle::step() {
    last_commands_ = script_->commands_for_tick(world_.tick() + 1);
    for (const sim::Command& command : last_commands_) {
        const Result<void> queued = world_.queue(command);
        if (!queued) return refuse(queued.error());
    }
    Result<std::uint64_t> hash = world_.step();
    if (hash) statistics_.observe(world_);
    return hash;
}

}  // namespace maniple::skirmish
