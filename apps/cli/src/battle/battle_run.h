#pragma once

#include <optional>
#include <string>
#include <vector>

#include "battle_outcome.h"
#include "battle_setup.h"

namespace maniple::cli {

/// Files the peers of a battle write.
struct BattleFiles {
    std::string replay;
    std::string trace;  ///< The server's; a client's has `.clientN` behind it.
    [[nodiscard]] std::string client_trace(std::int32_t client) const {
        return trace + ".client" + std::to_string(client);
    }
};

/// What is left when all peers have ended.
struct BattleRun {
    std::optional<ServerOutcome> server;  ///< Empty when it died.
    std::vector<ClientOutcome> clients;   ///< Those that ended by themselves, by index.
    std::vector<std::string> errors;      ///< Deaths and failures, in words.
};

/// Every peer and every poor link in a process of its own, over sockets on loopback. Call while
/// this process has one thread.
[[nodiscard]] BattleRun run_battle_processes(BattleSetup& setup, const BattleFiles& files);
/// The same peers over memory links in this thread.
[[nodiscard]] BattleRun run_battle_in_process(BattleSetup& setup, const BattleFiles& files);

}  // namespace maniple::cli
