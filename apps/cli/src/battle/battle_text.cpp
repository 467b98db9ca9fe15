#include "battle_text.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <numeric>

#include "maniple/core/hash.h"

namespace maniple::cli {
namespace {

using nlohmann::json;

json per_client_desyncs(const ServerOutcome& server, std::int32_t client) {
    json list = json::array();
    for (const DesyncRecord& desync : server.desyncs) {
        if (desync.client != client) continue;
        const auto text = [](const std::string& s) { return s.empty() ? json() : json(s); };
        list.push_back({{"tick", desync.tick},
                        {"fragment", text(desync.fragment)},
                        {"uid", desync.uid < 0 ? json() : json(desync.uid)},
                        {"field", text(desync.field)},
                        {"server_value", desync.server_value},
                        {"client_value", desync.client_value},
                        {"detected_after_ticks", desync.detected_after_ticks},
                        {"repaired_at_tick",
                         desync.repaired_at_tick < 0 ? json() : json(desync.repaired_at_tick)}});
    }
    return list;
}

double battle_seconds(const ClientOutcome& client) {
    const double ticks = std::max(1, client.final_tick - client.joined_at_tick);
    return ticks / sim::kDefaultTickRateHz;
}

json client_json(const ClientOutcome& client, const ServerOutcome& server) {
    json ratio;
    for (const CatchUp& catch_up : server.catch_ups) {
        if (catch_up.client == client.index) ratio = catch_up.ratio;
    }
    const double seconds = battle_seconds(client);
    return {{"index", client.index},
            {"name", client.name},
            {"pid", client.pid},
            {"joined_at_tick", client.joined_at_tick},
            {"join_ms", client.join_ms},
            {"catch_up_ratio", ratio},
            {"final_tick", client.final_tick},
            {"final_hash", core::hex16(client.final_hash)},
            {"bytes_in_per_s", static_cast<double>(client.bytes_in) / seconds},
            {"bytes_out_per_s", static_cast<double>(client.bytes_out) / seconds},
            {"command_latency_ms", client.command_latency_ms},
            {"tick_ms", client.tick_ms},
            {"desyncs", per_client_desyncs(server, client.index)}};
}

json replay_json(const BattleSetup& setup, const ServerOutcome& server,
                 const Judgement& judgement) {
    const std::string& file = setup.options.replay;
    return {{"file", file.empty() ? json() : json(file)},
            {"bytes", judgement.replay_bytes},
            {"steps", server.replay_steps},
            {"keyframes", server.replay_keyframes},
            {"verified", judgement.replay.ok() && judgement.replay.ticks == server.ticks},
            {"verified_ticks", judgement.replay.ticks},
            {"first_hash", core::hex16(judgement.replay.first_hash)},
            {"last_hash", core::hex16(judgement.replay.last_hash)}};
}

std::int32_t sum(const std::vector<std::int32_t>& values) {
    return std::accumulate(values.begin(), values.end(), 0);
}

std::string describe_desync(const DesyncRecord& desync) {
    std::string what = desync.fragment.empty() ? "unnamed" : desync.fragment;
    if (!desync.field.empty()) {
        what += fmt::format(".{} of unit {}: server {}, client {}", desync.field, desync.uid,
                            desync.server_value.dump(), desync.client_value.dump());
    }
    const std::string repair =
        desync.repaired_at_tick < 0
            ? "not repaired"
            : fmt::format("repaired by the snapshot of tick {}", desync.repaired_at_tick);
    return fmt::format("client {} at tick {}: {}; found {} ticks later, {}", desync.client,
                       desync.tick, what, desync.detected_after_ticks, repair);
}

void append_teams(const BattleSetup& setup, const ServerOutcome& server, std::string& text) {
    auto add = std::back_inserter(text);
    fmt::format_to(add, "{}: {} units, {} ticks ({:.0f} s of battle), seed {}\n\n",
                   setup.options.ground.map, sum(server.spawned), server.ticks,
                   double(server.ticks) / sim::kDefaultTickRateHz, setup.options.seed);
    fmt::format_to(add, "{:<10}{:>9}{:>9}{:>9}\n", "team", "spawned", "alive", "lost");
    for (std::size_t team = 0; team < server.spawned.size(); ++team) {
        fmt::format_to(add, "{:<10}{:>9}{:>9}{:>9}\n", team, server.spawned[team],
                       server.alive[team], server.spawned[team] - server.alive[team]);
    }
}

std::string describe_replay(const battle_file::VerifyReport& replay) {
    if (replay.mismatch) return fmt::format("another hash from tick {} on", replay.mismatch->tick);
    return replay.error ? "every hash equal as far as the file goes" : "every hash equal";
}

}  // namespace

json battle_json(const BattleSetup& setup, const BattleRun& run, const Judgement& judgement) {
    const BattleOptions& options = setup.options;
    const ServerOutcome server = run.server.value_or(ServerOutcome{});
    std::vector<std::int32_t> lost;
    for (std::size_t team = 0; team < server.spawned.size(); ++team) {
        lost.push_back(server.spawned[team] - server.alive[team]);
    }
    json clients = json::array();
    for (const ClientOutcome& client : run.clients) clients.push_back(client_json(client, server));
    return {
        {"map", options.ground.map},
        {"mode", options.ground.mode},
        {"seed", options.seed},
        {"ticks", server.ticks},
        {"units_spawned", sum(server.spawned)},
        {"units_alive", sum(server.alive)},
        {"units_stuck", server.units_stuck},
        {"moves", {{"judged", server.moves_judged}, {"half_way_in_time", server.half_way_in_time}}},
        {"lost", lost},
        {"final_hash", core::hex16(server.final_hash)},
        {"tick_rate_hz", sim::kDefaultTickRateHz},
        {"server",
         {{"pid", server.pid},
          {"tick_ms", server.tick_ms},
          {"snapshot",
           {{"bytes", server.snapshot_bytes},
            {"packed_bytes", server.snapshot_packed_bytes},
            {"capture_ms", server.snapshot_capture_ms}}}}},
        {"clients", clients},
        {"substrate", {{"full", server.full_streams}, {"delta", server.delta_streams}}},
        {"rebuild", server.rebuild},
        {"replay", replay_json(setup, server, judgement)},
        {"failures", judgement.failures}};
}

std::string battle_table(const BattleSetup& setup, const BattleRun& run,
                         const Judgement& judgement) {
    const ServerOutcome server = run.server.value_or(ServerOutcome{});
    std::string text;
    auto add = std::back_inserter(text);
    if (!run.server)
        fmt::format_to(add, "{}: the server gave no result\n", setup.options.ground.map);
    if (run.server) append_teams(setup, *run.server, text);
    fmt::format_to(add, "\n{:<10}{:>8}{:>8}{:>8}  {:<18}{:>22}{:>16}{:>12}\n", "peer", "pid",
                   "joined", "tick", "hash", "tick ms p50/p95/max", "kB/s in/out", "latency p95");
    const auto times = [](const Percentiles& p) {
        return fmt::format("{:.2f}/{:.2f}/{:.1f}", p.p50, p.p95, p.max);
    };
    if (run.server) {
        fmt::format_to(add, "{:<10}{:>8}{:>8}{:>8}  {:<18}{:>22}\n", "server", server.pid, 0,
                       server.ticks, core::hex16(server.final_hash), times(server.tick_ms));
    }
    for (const ClientOutcome& client : run.clients) {
        const double seconds = battle_seconds(client);
        const std::string rates =
            fmt::format("{:.1f}/{:.1f}", static_cast<double>(client.bytes_in) / seconds / 1000,
                        static_cast<double>(client.bytes_out) / seconds / 1000);
        fmt::format_to(add, "{:<10}{:>8}{:>8}{:>8}  {:<18}{:>22}{:>16}{:>9.0f} ms\n",
                       fmt::format("client {}", client.index), client.pid, client.joined_at_tick,
                       client.final_tick, core::hex16(client.final_hash), times(client.tick_ms),
                       rates, client.command_latency_ms.p95);
    }
    text += "\n";
    for (const DesyncRecord& desync : server.desyncs) {
        fmt::format_to(add, "desync     {}\n", describe_desync(desync));
    }
    if (server.snapshot_bytes > 0) {
        fmt::format_to(add, "snapshot   {:.2f} MB packed to {:.1f} kB, captured in {:.2f} ms\n",
                       double(server.snapshot_bytes) / 1e6,
                       double(server.snapshot_packed_bytes) / 1e3, server.snapshot_capture_ms);
    }
    fmt::format_to(add, "substrate  {} full streams ({:.2f} MB), {} deltas ({:.2f} MB)\n",
                   server.full_streams.count, double(server.full_streams.bytes) / 1e6,
                   server.delta_streams.count, double(server.delta_streams.bytes) / 1e6);
    fmt::format_to(add, "rebuilds   {}\n", describe_rebuilds(server.rebuild));
    fmt::format_to(add, "replay     {:.2f} MB, {} steps, {} keyframes; {} ticks re-simulated, {}\n",
                   double(judgement.replay_bytes) / 1e6, server.replay_steps,
                   server.replay_keyframes, judgement.replay.ticks,
                   describe_replay(judgement.replay));
    if (judgement.failures.empty()) {
        fmt::format_to(add, "result     every peer holds {}\n", core::hex16(server.final_hash));
    }
    for (const std::string& failure : judgement.failures) {
        fmt::format_to(add, "FAILED     {}\n", failure);
    }
    return text;
}

}  // namespace maniple::cli
