#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "maniple/sim/ids.h"

#include "percentile.h"
#include "rebuild_times.h"

/// What the peers of a battle found, each for itself: plain data that travels as JSON from their
/// processes to the one that reports.
namespace maniple::cli {

struct ClientOutcome {
    std::int32_t index = 0;
    std::string name;
    std::int32_t pid = 0;
    sim::Tick joined_at_tick = 0;
    double join_ms = 0;  ///< From the first connect to the first own tick.
    sim::Tick final_tick = 0;
    std::uint64_t final_hash = 0;
    std::uint64_t bytes_in = 0;
    std::uint64_t bytes_out = 0;
    Percentiles command_latency_ms;  ///< From sending a share to executing it.
    Percentiles tick_ms;
    std::string error;  ///< Why it ended early; empty after a whole battle.
};

struct DesyncRecord {
    std::int32_t client = 0;
    sim::Tick tick = 0;
    std::string fragment;  ///< Empty while it is not named.
    std::int32_t uid = -1;
    std::string field;
    nlohmann::json server_value;
    nlohmann::json client_value;
    std::int32_t detected_after_ticks = 0;
    sim::Tick repaired_at_tick = -1;  ///< Of the repairing snapshot, once the client agreed again.
};

struct CatchUp {
    std::int32_t client = 0;
    double ratio = 0;  ///< Own ticks for each tick of the server meanwhile.
};

/// Places of the living units of a tick: x, y and team, one after another; cells of a grid, world
/// cm on a navmesh.
struct MapView {
    sim::Tick tick = 0;
    std::vector<std::int32_t> units;
};

struct StreamCount {
    std::int32_t count = 0;
    std::uint64_t bytes = 0;
};

struct ServerOutcome {
    std::int32_t pid = 0;
    sim::Tick ticks = 0;
    std::uint64_t final_hash = 0;
    bool stopped = false;  ///< Ended early on request.
    std::string error;     ///< Why the battle failed; empty after a whole one.
    std::vector<std::int32_t> lost_clients;
    std::vector<std::int32_t> spawned;  ///< Per team.
    std::vector<std::int32_t> alive;
    std::int32_t units_stuck = 0;
    std::int32_t moves_judged = 0;
    std::int32_t half_way_in_time = 0;
    Percentiles tick_ms;
    std::vector<double> tick_times_ms;  ///< Of every tick.
    std::uint64_t snapshot_bytes = 0;   ///< Of the last snapshot sent, unpacked and packed.
    std::uint64_t snapshot_packed_bytes = 0;
    double snapshot_capture_ms = 0;
    std::vector<DesyncRecord> desyncs;
    std::vector<CatchUp> catch_ups;
    StreamCount full_streams;
    StreamCount delta_streams;
    RebuildFigures rebuild;
    std::uint64_t replay_bytes = 0;
    std::uint64_t replay_steps = 0;
    std::uint32_t replay_keyframes = 0;
    std::vector<MapView> views;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ClientOutcome, index, name, pid, joined_at_tick, join_ms,
                                   final_tick, final_hash, bytes_in, bytes_out, command_latency_ms,
                                   tick_ms, error)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DesyncRecord, client, tick, fragment, uid, field, server_value,
                                   client_value, detected_after_ticks, repaired_at_tick)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(CatchUp, client, ratio)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MapView, tick, units)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(StreamCount, count, bytes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ServerOutcome, pid, ticks, final_hash, stopped, error,
                                   lost_clients, spawned, alive, units_stuck, moves_judged,
                                   half_way_in_time, tick_ms, tick_times_ms, snapshot_bytes,
                                   snapshot_packed_bytes, snapshot_capture_ms, desyncs, catch_ups,
                                   full_streams, delta_streams, rebuild, replay_bytes, replay_steps,
                                   replay_keyframes, views)

}  // namespace maniple::cli
