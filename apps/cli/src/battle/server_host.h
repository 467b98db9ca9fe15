#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/net/links.h"
#include "maniple/net/lockstep_server.h"
#include "maniple/sim/tick_history.h"
#include "maniple/sim/world.h"
#include "maniple/skirmish/statistics.h"
#include "maniple/snapshot/snapshot_cache.h"
#include "maniple/snapshot/snapshot_packer.h"

#include "battle_outcome.h"
#include "battle_setup.h"
#include "hash_trace.h"
#include "recorder.h"

namespace maniple::cli {

/// The server of a battle: joins the session to links, a world, a recorder and a trace. It ends
/// when every client has the last tick, when a peer is lost, or on request.
class ServerHost {
  public:
    /// All references outlive the host; the replay is written to `replay_path`. `worker` computes
    /// what the ticks of navmesh changes need, and bakes the changes.
    ServerHost(BattleSetup& setup, net::ServerLinks& links, core::Executor& executor,
               HashTraceWriter& trace, const std::string& replay_path,
               std::unique_ptr<core::Background> worker = core::make_background());

    /// Takes in what arrived, forms and executes the next tick if it may, and sends; waits up to
    /// `wait_ms` when there is nothing to do. @return false when the battle is over.
    bool pump(int wait_ms);
    /// Ends the battle after the tick executed last, as if it had been the last one.
    void stop();
    [[nodiscard]] sim::Tick tick() const { return world_ ? world_->tick() : 0; }
    [[nodiscard]] const ServerOutcome& outcome();

  private:
    /// What the host knows of a client beside the session.
    struct Client {
        bool here = false;  ///< Connected and accepted.
        bool live = false;
        bool left = false;
        std::optional<std::size_t> repairing;  ///< Index of the desync its snapshot is to mend.
        sim::Tick snapshot_tick = 0;           ///< Of the last snapshot sent.
        sim::Tick server_tick_then = 0;
        std::optional<sim::TickHistory::Entry> asked;  ///< The tick it was asked about.
    };
    enum class Phase : std::uint8_t { kPlaying, kAwaitingPeers, kGoodbye, kOver };

    void begin(const std::string& replay_path);
    void take_events(int wait_ms);
    void take_requests();
    void handle(net::ClientWants& request);
    void handle(net::SendSnapshot& request);
    void handle(net::SendStream& request);
    void handle(net::DesyncFound& request);
    void handle(net::RowsReceived& request);
    void handle(net::ClientLive& request);
    void handle(net::ClientLeft& request);
    [[nodiscard]] bool may_form(sim::Tick tick, std::int64_t now_ms);
    bool form_tick();
    void announce_change();
    /// Queues the commands of the next tick once all peers' are here.
    void form_inputs();
    void execute(const net::TickInputs& inputs);
    void end_playing();
    void count_streams(const net::TickInputs& inputs);
    /// The client gets the next snapshot that is packed.
    void want_snapshot(net::ClientIndex client);
    void serve_snapshots();
    void send_snapshot(net::ClientIndex client, const snapshot::PackedSnapshot& packed);
    void take_view();
    void await_peers();
    [[nodiscard]] bool all_peers_done() const;
    void say_goodbye();
    /// `missed`: it should have come; else nobody minds a client that was never accepted.
    void lose(net::ClientIndex client, const std::string& why, bool missed = false);
    /// Writes the end record, the first time it is called.
    void end_recording(battle_file::EndReason reason);
    void fail(const std::string& why, battle_file::EndReason reason);
    void send();

    BattleSetup& setup_;
    net::ServerLinks& links_;
    core::Executor& executor_;
    HashTraceWriter& trace_;
    RebuildTimes rebuilds_;
    TimedScript script_;
    std::unique_ptr<core::Background> worker_;
    JobTimes prepared_;
    TimedBackground beside_ticks_;
    TickWaits tick_waits_{rebuilds_};
    std::unique_ptr<sim::World> world_;
    bool announced_ = false;  ///< The script's next change was, to the world.
    /// The tick that the peers have and the world waits to execute (World::must_wait()).
    std::optional<net::TickInputs> waiting_;
    net::LockstepServer session_;
    std::unique_ptr<Recorder> recorder_;
    bool recording_ended_ = false;
    snapshot::SnapshotCache snapshots_;
    std::unique_ptr<core::Background> background_ = core::make_background();
    snapshot::SnapshotPacker packer_;
    std::vector<net::ClientIndex> wanting_;  ///< A snapshot that is not being packed yet.
    std::vector<net::ClientIndex> packed_for_;
    skirmish::BattleStatistics statistics_;
    std::map<net::ClientIndex, Client> clients_;
    ServerOutcome outcome_;
    Phase phase_ = Phase::kPlaying;
    sim::Tick last_tick_;      ///< The tick the battle ends with.
    sim::Tick submitted_ = 0;  ///< Ticks whose server commands the session has.
    std::int64_t first_tick_ms_ = 0;
    std::int64_t waiting_since_ms_ = 0;  ///< For peers, without any progress of theirs.
    std::int64_t peers_progress_ = 0;
};

}  // namespace maniple::cli
