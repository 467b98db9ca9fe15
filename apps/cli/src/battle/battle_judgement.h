#pragma once

#include <string>
#include <vector>

#include "maniple/battle_file/verify.h"

#include "battle_run.h"

namespace maniple::cli {

/// How long a client's own trace equals the server's: stretches of ticks in order.
enum class Agreement : std::uint8_t { kAbsent, kEqual, kDiffers };
struct AgreementStretch {
    sim::Tick first = 0;
    sim::Tick last = 0;
    Agreement agreement = Agreement::kAbsent;
};
struct ClientAgreement {
    std::int32_t client = 0;
    std::vector<AgreementStretch> stretches;
};

/// What the traces, the outcomes and the replay say together.
struct Judgement {
    std::vector<ClientAgreement> agreement;
    battle_file::VerifyReport replay;
    std::uint64_t replay_bytes = 0;
    std::vector<std::string> failures;  ///< Checks that do not hold; none = exit 0.
};

/// Compares every client's trace with the server's, re-simulates the replay, and checks that every
/// peer ended on one hash and that each corruption was found, named and repaired.
[[nodiscard]] Judgement judge_battle(const BattleSetup& setup, const BattleFiles& files,
                                     const BattleRun& run);

}  // namespace maniple::cli
