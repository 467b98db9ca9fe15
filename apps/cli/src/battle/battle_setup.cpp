#include "battle_setup.h"

#include <algorithm>
#include <utility>

#include "maniple/skirmish/skirmish.h"

namespace maniple::cli {
namespace {

net::MatchIdentity identity_of(const sim::World& world, std::uint64_t map_digest) {
    net::MatchIdentity identity{
        world.definition().registry_digest(), map_digest, world.config().tick_rate_hz, {}};
    for (const sim::FieldFingerprint& field : world.field_fingerprints()) {
        identity.fields.push_back({field.name, field.config_digest});
    }
    return identity;
}

}  // namespace

FileResult<BattleSetup> prepare_battle(const BattleOptions& options) {
    // The peers' processes branch off this one, which no thread of a pool outlives.
    core::SerialExecutor serial;
    auto ground = prepare_ground(options.ground,
                                 {options.units, options.seed, options.edit_map_every,
                                  options.modify_every, options.dispatch},
                                 serial);
    if (!ground) return tl::unexpected(std::move(ground.error()));
    auto definition = ground->script->definition();
    BattleSetup setup{options, std::move(*ground), std::move(definition), {}};
    const auto world = make_start_world(setup, serial);
    if (!world) return tl::unexpected(FileError{world.error(), options.ground.map});
    setup.identity = identity_of(**world, setup.ground.digest);
    return setup;
}

// implements: O-NET-14
std::vector<net::PlanCommand> share_of(const BattleSetup& setup, sim::Tick tick,
                                       net::ClientIndex client) {
    std::vector<net::PlanCommand> share;
    std::uint32_t order = 0;
    for (std::int32_t team = 0; team < skirmish::kTeamCount; ++team) {
        std::int32_t i = 0;
        for (sim::Command& command : setup.ground.script->plan_commands_at(team, tick)) {
            if (1 + i++ % setup.options.clients == client.value) {
                share.push_back({order, std::move(command)});
            }
            ++order;
        }
    }
    return share;
}

sim::Tick plan_lead_ticks(const BattleOptions& options) {
    if (!options.realtime) return kPaceLeadTicks;
    constexpr std::uint32_t kTickMs = 1000 / sim::kDefaultTickRateHz;
    constexpr sim::Tick kDelayTicksMin = 4;
    std::uint32_t round_trip_ms = 0;
    for (const auto& [client, link] : options.links) {
        round_trip_ms = std::max(round_trip_ms, 2 * (link.latency_ms + link.jitter_ms));
    }
    const auto covering = static_cast<sim::Tick>((round_trip_ms + kTickMs - 1) / kTickMs + 2);
    return std::clamp(covering, kDelayTicksMin, kPaceLeadTicks);
}

Result<std::unique_ptr<sim::World>> make_start_world(const BattleSetup& setup,
                                                     core::Executor& executor,
                                                     core::Background* background) {
    auto world =
        std::make_unique<sim::World>(setup.definition, sim::MatchConfig{.seed = setup.options.seed},
                                     executor, core::null_log(), background);
    const Result<void> imported = world->import_substrate(skirmish::kFieldName, setup.ground.start);
    if (!imported) return refuse(imported.error());
    return world;
}

}  // namespace maniple::cli
