#include <map>
#include <memory>

#include "maniple/core/executor.h"
#include "maniple/net/links.h"

#include "battle_run.h"
#include "client_host.h"
#include "interrupt.h"
#include "progress.h"
#include "server_host.h"

namespace maniple::cli {
namespace {

struct Client {
    std::unique_ptr<net::ClientLinks> links;
    HashTraceWriter trace;
    std::unique_ptr<ClientHost> host;
    bool playing = true;
};

}  // namespace

BattleRun run_battle_in_process(BattleSetup& setup, const BattleFiles& files) {
    const BattleOptions& options = setup.options;
    BattleRun run;
    auto server_trace = HashTraceWriter::create(files.trace);
    if (!server_trace) {
        run.errors.push_back(describe(server_trace.error(), files.trace));
        return run;
    }
    const auto executor = core::make_executor(options.threads);
    net::MemoryNetwork network;
    ServerHost server(setup, network.server(), *executor, *server_trace, files.replay);
    std::map<std::int32_t, std::unique_ptr<Client>> clients;
    const auto start = [&](std::int32_t index) {
        auto trace = HashTraceWriter::create(files.client_trace(index));
        if (!trace) {
            run.errors.push_back(describe(trace.error(), files.client_trace(index)));
            server.stop();
            return;
        }
        const auto link = options.links.find(index);
        const net::LinkQuality quality =
            link == options.links.end() ? net::LinkQuality{} : link->second;
        auto client = std::make_unique<Client>(
            Client{network.connect(static_cast<std::uint32_t>(index), quality), std::move(*trace),
                   nullptr});
        client->host = std::make_unique<ClientHost>(setup, net::ClientIndex{index}, *client->links,
                                                    *executor, client->trace);
        clients[index] = std::move(client);
    };
    for (std::int32_t i = 1; i <= options.clients; ++i) {
        if (!options.joins_late(i)) start(i);
    }
    ProgressBar progress("tick", options.ticks);
    bool serving = true;
    bool someone_plays = true;
    sim::Tick shown = 0;
    while (serving || someone_plays) {
        if (interrupted()) server.stop();
        if (serving) serving = server.pump(server.tick() == shown ? 1 : 0);
        shown = server.tick();
        progress.show(shown);
        const bool late_due = options.late_join && shown >= *options.late_join;
        if (late_due && !clients.contains(options.clients)) start(options.clients);
        someone_plays = false;
        for (auto& [index, client] : clients) {
            if (client->playing) client->playing = client->host->pump(0);
            someone_plays |= client->playing;
        }
    }
    run.server = server.outcome();
    for (auto& [index, client] : clients) {
        run.clients.push_back(client->host->outcome());
    }
    return run;
}

}  // namespace maniple::cli
