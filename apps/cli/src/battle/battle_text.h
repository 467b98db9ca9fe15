#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "battle_judgement.h"
#include "battle_run.h"

namespace maniple::cli {

/// The result as scripts read it: the object of `maniple battle --json`.
[[nodiscard]] nlohmann::json battle_json(const BattleSetup& setup, const BattleRun& run,
                                         const Judgement& judgement);
/// The result as people read it on a terminal.
[[nodiscard]] std::string battle_table(const BattleSetup& setup, const BattleRun& run,
                                       const Judgement& judgement);

}  // namespace maniple::cli
