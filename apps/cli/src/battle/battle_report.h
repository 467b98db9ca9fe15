#pragma once

#include <string>

#include "maniple/core/result.h"

#include "battle_judgement.h"
#include "battle_run.h"

namespace maniple::cli {

/// Writes one self-contained HTML page: result table, the battlefield at three ticks, tick times,
/// and which client held the server's hash when. @return kIo.
[[nodiscard]] Result<void> write_battle_report(const std::string& path, const BattleSetup& setup,
                                               const BattleRun& run, const Judgement& judgement);

}  // namespace maniple::cli
