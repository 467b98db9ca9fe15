#include <algorithm>
#include <map>
#include <memory>

#include "maniple/core/executor.h"
#include "maniple/net/clock.h"
#include "maniple/net/link_relay.h"
#include "maniple/net/links.h"

#include "battle_run.h"
#include "client_host.h"
#include "exit_status.h"
#include "interrupt.h"
#include "peer_process.h"
#include "progress.h"
#include "server_host.h"

namespace maniple::cli {
namespace {

constexpr int kStartWaitMs = 10'000;
/// What is left of a battle gets this long to end after one of its processes died.
constexpr std::int64_t kEndWaitMs = 7000;
/// The same for a server that was asked to end and waits for its clients first.
constexpr std::int64_t kAskedEndWaitMs = 8000;
/// A server that reports nothing for this long hangs.
constexpr std::int64_t kSilentServerMs = 60'000;
constexpr std::int64_t kReportMs = 50;
/// A client asked to end waits this long for the server to end the battle first.
constexpr std::int64_t kLeaveGraceMs = 1500;

nlohmann::json to_json(net::LinkPorts ports) { return {{"udp", ports.udp}, {"tcp", ports.tcp}}; }
net::LinkPorts ports_of(const nlohmann::json& message) {
    return {message.at("udp").get<std::uint16_t>(), message.at("tcp").get<std::uint16_t>()};
}

int serve(BattleSetup& setup, const BattleFiles& files, const Reporter& reporter) {
    const auto clients = static_cast<std::uint32_t>(setup.options.clients);
    auto sockets = net::SocketServer::listen({}, clients);
    if (!sockets) {
        reporter.send({{"error", sockets.error().message}});
        return kCheckFailed;
    }
    auto trace = HashTraceWriter::create(files.trace);
    if (!trace) {
        reporter.send({{"error", describe(trace.error(), files.trace)}});
        return kCheckFailed;
    }
    reporter.send({{"ports", to_json((*sockets)->ports())}});
    const auto executor = core::make_executor(setup.options.threads);
    ServerHost host(setup, (*sockets)->links(), *executor, *trace, files.replay);
    std::int64_t reported_ms = 0;
    sim::Tick reported = 0;
    while (host.pump(1)) {
        if (interrupted()) host.stop();
        const std::int64_t now_ms = net::monotonic_ms();
        const bool join_due = setup.options.late_join && host.tick() == *setup.options.late_join;
        if (now_ms - reported_ms >= kReportMs || (join_due && host.tick() > reported)) {
            reporter.send({{"tick", host.tick()}});
            reported_ms = now_ms;
            reported = host.tick();
        }
    }
    reporter.send({{"server", host.outcome()}});
    return host.outcome().error.empty() ? kDone : kCheckFailed;
}

int play(const BattleSetup& setup, const BattleFiles& files, net::ClientIndex index,
         net::LinkPorts server, const Reporter& reporter) {
    auto trace = HashTraceWriter::create(files.client_trace(index.value));
    if (!trace) {
        reporter.send({{"error", describe(trace.error(), files.client_trace(index.value))}});
        return kCheckFailed;
    }
    auto links = net::connect_links(server, static_cast<std::uint32_t>(index.value));
    if (!links) {
        reporter.send({{"error", links.error().message}});
        return kCheckFailed;
    }
    const auto executor = core::make_executor(setup.options.threads);
    ClientHost host(setup, index, **links, *executor, *trace);
    std::int64_t asked_ms = 0;
    while (host.pump(1)) {
        if (!interrupted()) continue;
        if (asked_ms == 0) asked_ms = net::monotonic_ms();
        if (net::monotonic_ms() - asked_ms > kLeaveGraceMs) host.leave();
    }
    reporter.send({{"client", host.outcome()}});
    return host.outcome().error.empty() ? kDone : kCheckFailed;
}

int relay(const net::LinkQuality& quality, net::LinkPorts server, const Reporter& reporter) {
    auto link = net::LinkRelay::open(server.udp, server.tcp, quality);
    if (!link) {
        reporter.send({{"error", link.error().message}});
        return kCheckFailed;
    }
    reporter.send({{"ports", to_json({link->udp_port(), link->tcp_port()})}});
    while (!interrupted()) link->run(5);
    return kDone;
}

/// Starts the peers of one battle, follows them, and sees to it that all of them end.
class Supervisor {
  public:
    Supervisor(BattleSetup& setup, const BattleFiles& files)
        : setup_(setup), files_(files), progress_("tick", setup.options.ticks) {}

    BattleRun run() {
        if (start_all()) follow();
        std::sort(run_.clients.begin(), run_.clients.end(),
                  [](const auto& a, const auto& b) { return a.index < b.index; });
        return std::move(run_);
    }

  private:
    struct Peer {
        PeerProcess process;
        bool reported = false;  ///< Its outcome is here, or its death was noted.
        bool relay = false;
    };

    bool start(std::string name, bool is_relay, const std::function<int(const Reporter&)>& body) {
        auto process = PeerProcess::start(std::move(name), body);
        if (!process) {
            run_.errors.push_back(process.error().message);
            return false;
        }
        peers_.push_back({std::move(*process), false, is_relay});
        return true;
    }
    /// The ports the peer started last says it listens on.
    bool await_ports(net::LinkPorts& ports) {
        auto message = peers_.back().process.wait_message(kStartWaitMs);
        const bool good = message && message->contains("ports");
        if (good) {
            ports = ports_of(message->at("ports"));
        } else {
            run_.errors.push_back(message ? message->value("error", "no ports")
                                          : message.error().message);
        }
        return good;
    }
    bool start_all() {
        const bool serving = start("server", false, [this](const Reporter& reporter) {
            return serve(setup_, files_, reporter);
        });
        if (!serving || !await_ports(server_ports_)) return false;
        for (const auto& link : setup_.options.links) {
            const bool linked = start("link " + std::to_string(link.first), true,
                                      [this, &link](const Reporter& reporter) {
                                          return relay(link.second, server_ports_, reporter);
                                      });
            if (!linked || !await_ports(link_ports_[link.first])) return false;
        }
        for (std::int32_t i = 1; i <= setup_.options.clients; ++i) {
            if (!setup_.options.joins_late(i) && !start_client(i)) return false;
        }
        return true;
    }
    bool start_client(std::int32_t index) {
        const auto link = link_ports_.find(index);
        const net::LinkPorts ports = link == link_ports_.end() ? server_ports_ : link->second;
        return start("client " + std::to_string(index), false, [&](const Reporter& reporter) {
            return play(setup_, files_, net::ClientIndex{index}, ports, reporter);
        });
    }

    void follow() {
        heard_ms_ = net::monotonic_ms();
        while (someone_expected()) {
            wait();
            for (std::size_t i = 0; i < peers_.size(); ++i) take_reports(peers_[i]);
            if (interrupted() && !asked_to_end_) {
                peers_.front().process.ask_to_end();
                asked_to_end_ = true;
                if (end_by_ms_ == 0) end_by_ms_ = net::monotonic_ms() + kAskedEndWaitMs;
            }
            if (std::exchange(late_due_, false) && !start_client(setup_.options.clients)) return;
            const std::int64_t now_ms = net::monotonic_ms();
            if (now_ms - heard_ms_ > kSilentServerMs) {
                run_.errors.push_back("the server hangs");
                return;
            }
            if (end_by_ms_ != 0 && now_ms > end_by_ms_) return name_survivors();
        }
    }
    [[nodiscard]] bool someone_expected() const {
        return std::any_of(peers_.begin(), peers_.end(),
                           [](const Peer& peer) { return !peer.relay && !peer.reported; });
    }
    void wait() {
        std::vector<int> descriptors;
        for (const Peer& peer : peers_) {
            if (peer.process.running()) descriptors.push_back(peer.process.descriptor());
        }
        net::wait_readable(descriptors, 50);
    }
    void take_reports(Peer& peer) {
        while (auto message = peer.process.take_message()) {
            if (&peer == &peers_.front()) heard_ms_ = net::monotonic_ms();
            if (message->contains("tick")) {
                const auto tick = message->at("tick").get<sim::Tick>();
                progress_.show(tick);
                const auto& late = setup_.options.late_join;
                if (late && tick >= *late && !std::exchange(late_started_, true)) late_due_ = true;
            } else if (message->contains("server")) {
                run_.server = message->at("server").get<ServerOutcome>();
                peer.reported = true;
                end_soon();
            } else if (message->contains("client")) {
                run_.clients.push_back(message->at("client").get<ClientOutcome>());
                peer.reported = true;
            } else {
                run_.errors.push_back(peer.process.name() + ": " + message->value("error", ""));
                peer.reported = true;
                end_soon();
            }
        }
        if (peer.process.running() || peer.reported) return;
        run_.errors.push_back(peer.process.name() + " " + peer.process.end_text());
        peer.reported = true;
        end_soon();
    }
    void end_soon() {
        if (end_by_ms_ == 0) end_by_ms_ = net::monotonic_ms() + kEndWaitMs;
    }
    void name_survivors() {
        for (const Peer& peer : peers_) {
            if (peer.relay || peer.reported) continue;
            run_.errors.push_back(peer.process.name() + " did not end and was killed");
        }
    }

    BattleSetup& setup_;
    const BattleFiles& files_;
    ProgressBar progress_;
    BattleRun run_;
    std::vector<Peer> peers_;  ///< The server first. Destroyed, and so killed, with this.
    net::LinkPorts server_ports_;
    std::map<std::int32_t, net::LinkPorts> link_ports_;
    bool late_due_ = false;
    bool late_started_ = false;
    bool asked_to_end_ = false;
    std::int64_t heard_ms_ = 0;   ///< Of the server.
    std::int64_t end_by_ms_ = 0;  ///< 0 while nothing speaks for an end.
};

}  // namespace

BattleRun run_battle_processes(BattleSetup& setup, const BattleFiles& files) {
    return Supervisor(setup, files).run();
}

}  // namespace maniple::cli
