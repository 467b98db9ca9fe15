#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "maniple/core/background.h"
#include "maniple/core/executor.h"
#include "maniple/net/links.h"
#include "maniple/net/lockstep_client.h"
#include "maniple/sim/world.h"

#include "battle_outcome.h"
#include "battle_setup.h"
#include "hash_trace.h"

namespace maniple::cli {

/// One client of a battle: joins the session to links, a world and a trace.
class ClientHost {
  public:
    /// All references outlive the host. `worker` computes what the ticks of navmesh changes need.
    ClientHost(const BattleSetup& setup, net::ClientIndex index, net::ClientLinks& links,
               core::Executor& executor, HashTraceWriter& trace,
               std::unique_ptr<core::Background> worker = core::make_background());

    /// Takes in what arrived, executes what is due and sends; waits up to `wait_ms` when there is
    /// nothing to do. @return false when the battle is over for this client.
    bool pump(int wait_ms);
    /// Says goodbye; pump() ends soon after.
    void leave();
    [[nodiscard]] const ClientOutcome& outcome();

  private:
    void take_events(int wait_ms);
    void handle(net::RestoreSnapshot& request);
    void handle(net::ImportStream& request);
    void handle(net::CompareTree& request);
    void handle(net::MatchFinished& request);
    void handle(net::MatchClosed& request);
    void execute_frames();
    /// Queues the commands of the next frame, if it is here.
    void take_frame();
    void execute(const net::TickInputs& inputs);
    void corrupt(sim::World& world) const;
    void send();
    void fail(const std::string& why);

    const BattleSetup& setup_;
    net::ClientIndex index_;
    net::ClientLinks& links_;
    core::Executor& executor_;
    HashTraceWriter& trace_;
    std::unique_ptr<core::Background> beside_ticks_;
    std::unique_ptr<sim::World> world_;  ///< Null until a late joiner has its snapshot.
    /// The frame whose commands are queued and which waits to be executed (World::must_wait()).
    std::optional<net::TickInputs> waiting_;
    net::LockstepClient session_;
    ClientOutcome outcome_;
    std::int64_t started_us_ = 0;
    bool played_ = false;  ///< An own tick was executed.
    bool over_ = false;
    std::int64_t over_since_ms_ = 0;
    int failed_restores_ = 0;
    std::map<sim::Tick, std::int64_t> share_sent_us_;
    std::vector<double> latencies_ms_;
    std::vector<double> tick_ms_;
};

}  // namespace maniple::cli
