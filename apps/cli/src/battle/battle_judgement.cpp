#include "battle_judgement.h"

#include <algorithm>
#include <fmt/core.h>
#include <map>

#include "maniple/battle_file/world_simulator.h"
#include "maniple/core/executor.h"
#include "maniple/core/hash.h"

#include "file_io.h"
#include "hash_trace.h"

namespace maniple::cli {
namespace {

using Trace = std::map<sim::Tick, std::uint64_t>;

ClientAgreement compare_traces(std::int32_t client, const Trace& server, const Trace& own) {
    ClientAgreement result{client, {}};
    for (const auto& [tick, hash] : server) {
        const auto at = own.find(tick);
        const Agreement agreement = at == own.end()      ? Agreement::kAbsent
                                    : at->second == hash ? Agreement::kEqual
                                                         : Agreement::kDiffers;
        if (result.stretches.empty() || result.stretches.back().agreement != agreement) {
            result.stretches.push_back({tick, tick, agreement});
        }
        result.stretches.back().last = tick;
    }
    return result;
}

void judge_client(const ClientOutcome& client, const ServerOutcome& server,
                  const ClientAgreement& agreement, std::vector<std::string>& failures) {
    if (client.final_tick != server.ticks || client.final_hash != server.final_hash) {
        failures.push_back(
            fmt::format("client {} ended at tick {} with hash {}, the server at {} with {}",
                        client.index, client.final_tick, core::hex16(client.final_hash),
                        server.ticks, core::hex16(server.final_hash)));
    }
    for (const AgreementStretch& stretch : agreement.stretches) {
        if (stretch.agreement != Agreement::kDiffers) continue;
        // One repair may end where the next corruption begins.
        sim::Tick tick = stretch.first;
        const auto explains = [&](const DesyncRecord& desync) {
            return desync.client == client.index && desync.tick <= tick &&
                   tick <= desync.repaired_at_tick;
        };
        while (tick <= stretch.last &&
               std::any_of(server.desyncs.begin(), server.desyncs.end(), explains)) {
            ++tick;
        }
        if (tick <= stretch.last) {
            failures.push_back(fmt::format("client {} differs from tick {} to {}", client.index,
                                           stretch.first, stretch.last));
        }
    }
}

/// Whether the order explains the desync, and the desync answers the order. An order for a tick
/// before its client could join waits for the client's first own tick; one between a corruption and
/// its repair adds to a state that is thrown away.
bool belongs_to(const DesyncRecord& desync, const CorruptionOrder& order,
                const std::vector<ClientOutcome>& clients) {
    if (desync.client != order.client) return false;
    const auto client = std::find_if(clients.begin(), clients.end(), [&](const auto& outcome) {
        return outcome.index == order.client;
    });
    const sim::Tick first_own = client == clients.end() ? 0 : client->joined_at_tick + 1;
    const sim::Tick tick = std::max(order.tick, first_own);
    return desync.tick == tick || (desync.tick < tick && tick <= desync.repaired_at_tick);
}

void judge_corruptions(const BattleOptions& options, const ServerOutcome& server,
                       const std::vector<ClientOutcome>& clients,
                       std::vector<std::string>& failures) {
    for (const CorruptionOrder& order : options.corruptions) {
        if (order.tick > server.ticks) continue;  // ended early on request
        if (std::none_of(server.desyncs.begin(), server.desyncs.end(),
                         [&](const auto& desync) { return belongs_to(desync, order, clients); })) {
            failures.push_back(fmt::format("the corruption of client {} at tick {} was not found",
                                           order.client, order.tick));
        }
    }
    for (const DesyncRecord& desync : server.desyncs) {
        if (desync.fragment.empty()) {
            failures.push_back(fmt::format("the desync of client {} at tick {} was not named",
                                           desync.client, desync.tick));
        }
        if (desync.repaired_at_tick < 0) {
            failures.push_back(fmt::format("the desync of client {} at tick {} was not repaired",
                                           desync.client, desync.tick));
        }
        if (std::none_of(options.corruptions.begin(), options.corruptions.end(),
                         [&](const auto& order) { return belongs_to(desync, order, clients); })) {
            failures.push_back(fmt::format("client {} lost its way at tick {} by itself",
                                           desync.client, desync.tick));
        }
    }
}

void judge_replay(const BattleSetup& setup, const BattleFiles& files, Judgement& judgement) {
    const auto refused = [&](const Error& error) {
        judgement.failures.push_back("replay " + describe(error, files.replay));
    };
    const auto bytes = read_file(files.replay);
    if (!bytes) return refused(bytes.error());
    judgement.replay_bytes = bytes->size();
    const auto reader = battle_file::BattleReader::open(*bytes);
    if (!reader) return refused(reader.error());
    const auto executor = core::make_executor(std::max(2, setup.options.threads));
    judgement.replay = battle_file::verify_battle(
        *reader, battle_file::simulate_worlds(setup.definition), *executor);
    if (judgement.replay.error) return refused(*judgement.replay.error);
    if (judgement.replay.mismatch) {
        judgement.failures.push_back(fmt::format("the replay differs from tick {} on: {}",
                                                 judgement.replay.mismatch->tick,
                                                 judgement.replay.mismatch->message));
    }
}

}  // namespace

Judgement judge_battle(const BattleSetup& setup, const BattleFiles& files, const BattleRun& run) {
    Judgement judgement;
    judgement.failures = run.errors;
    if (run.server && !run.server->error.empty()) judgement.failures.push_back(run.server->error);
    judge_replay(setup, files, judgement);
    const auto server_trace = read_hash_trace(files.trace);
    if (!server_trace) judgement.failures.push_back(server_trace.error().message);
    for (const ClientOutcome& client : run.clients) {
        const auto own = read_hash_trace(files.client_trace(client.index));
        if (!own) judgement.failures.push_back(own.error().message);
        if (!own || !server_trace) continue;
        judgement.agreement.push_back(compare_traces(client.index, *server_trace, *own));
        // When the server gave up, or is gone, its clients' states say nothing.
        if (!run.server || !run.server->error.empty()) continue;
        if (!client.error.empty()) {
            judgement.failures.push_back(fmt::format("client {}: {}", client.index, client.error));
        }
        judge_client(client, *run.server, judgement.agreement.back(), judgement.failures);
    }
    if (!run.server) return judgement;
    if (run.server->error.empty()) {
        judge_corruptions(setup.options, *run.server, run.clients, judgement.failures);
        const auto clients = static_cast<std::size_t>(setup.options.clients);
        if (run.clients.size() != clients && !run.server->stopped) {
            judgement.failures.push_back(
                fmt::format("{} of {} clients ended the battle", run.clients.size(), clients));
        }
        if (server_trace && server_trace->size() != static_cast<std::size_t>(run.server->ticks)) {
            judgement.failures.push_back(fmt::format("the server's trace holds {} of {} ticks",
                                                     server_trace->size(), run.server->ticks));
        }
        if (judgement.replay.ticks != run.server->ticks) {
            judgement.failures.push_back(fmt::format("the replay has {} of {} ticks",
                                                     judgement.replay.ticks, run.server->ticks));
        }
    }
    return judgement;
}

}  // namespace maniple::cli
