#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "maniple/core/result.h"
#include "maniple/net/link_quality.h"
#include "maniple/net/lockstep_server.h"
#include "maniple/net/wire.h"
#include "maniple/sim/registry.h"
#include "maniple/substrate/stream_dispatcher.h"

#include "battle_ground.h"

namespace maniple::cli {

/// The server stays at most this far ahead of the slowest live client (O-NET-15).
inline constexpr sim::Tick kPaceLeadTicks = 20;

/// One field of one unit flipped on a client, after the systems of a tick and before its hash.
struct CorruptionOrder {
    std::int32_t client = 0;
    sim::Tick tick = 0;
};

struct BattleOptions {
    GroundOptions ground;
    std::int32_t units = 10'000;
    std::int32_t ticks = 1200;
    std::int32_t clients = 3;
    /// Tick the last client joins at; nullopt when it plays from the start.
    std::optional<sim::Tick> late_join;
    std::map<std::int32_t, net::LinkQuality> links;  ///< By client; the others have a direct link.
    std::vector<CorruptionOrder> corruptions;
    std::int32_t edit_map_every = 200;
    std::int32_t modify_every = 0;
    substrate::DispatchMode dispatch = substrate::DispatchMode::kAuto;
    std::int32_t seed = 1;
    int threads = 1;
    bool realtime = false;
    bool in_process = false;
    std::string replay;
    std::string hash_trace;
    std::string report;
    bool json = false;

    [[nodiscard]] bool joins_late(std::int32_t client) const {
        return late_join && client == clients;
    }
};

/// What all peers of a battle know before tick 1.
struct BattleSetup {
    BattleOptions options;
    BattleGround ground;  ///< The server plays its script; clients read the plan.
    std::shared_ptr<const sim::GameDefinition> definition;
    net::MatchIdentity identity;
};

/// Loads or bakes the map and makes the plan. @return as prepare_ground.
[[nodiscard]] FileResult<BattleSetup> prepare_battle(const BattleOptions& options);

/// The commands of `tick` that one client sends: plan command i of a team belongs to client
/// 1 + (i mod clients) (O-NET-14).
[[nodiscard]] std::vector<net::PlanCommand> share_of(const BattleSetup& setup, sim::Tick tick,
                                                     net::ClientIndex client);

/// How long before its tick a client sends its share: the pace's lead, or with --realtime an input
/// delay that covers the round trip of the slowest link (O-NET-14).
[[nodiscard]] sim::Tick plan_lead_ticks(const BattleOptions& options);

/// A world at tick 0 on the battle's map.
[[nodiscard]] Result<std::unique_ptr<sim::World>> make_start_world(
    const BattleSetup& setup, core::Executor& executor, core::Background* background = nullptr);

}  // namespace maniple::cli
