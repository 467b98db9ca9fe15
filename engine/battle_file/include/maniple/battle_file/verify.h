#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "maniple/battle_file/battle_reader.h"
#include "maniple/core/executor.h"
#include "maniple/core/result.h"
#include "maniple/sim/command.h"

/// Re-simulation of recorded battles: verify and seek.
namespace maniple::battle_file {

/// The first place where two states differ.
struct StateDifference {
    std::string fragment;
    sim::Uid uid = sim::kNoUid;
    std::string field;
    friend bool operator==(const StateDifference&, const StateDifference&) = default;
};

/// One run of the battle, as the host simulates it. Used by one thread at a time.
class Simulator {
  public:
    virtual ~Simulator() = default;
    /// Executes `tick`, one more than the last. @return its root hash, or why it cannot run.
    virtual Result<std::uint64_t> step(sim::Tick tick, std::span<const sim::Command> commands) = 0;
    /// Compares the state after the last step with a recorded one. @return nullopt when they are
    /// equal, or why the keyframe cannot be read.
    virtual Result<std::optional<StateDifference>> compare(const Keyframe& keyframe) = 0;
};

/// Makes a simulator in the state of `start`, or, where that is null, before tick 1 with the file's
/// start substrates (never for a file with a start tick). Called from several threads when
/// verifying in parallel.
using MakeSimulator = std::function<Result<std::unique_ptr<Simulator>>(const BattleReader& reader,
                                                                       const Keyframe* start)>;

/// Recording and re-simulation part here.
struct Mismatch {
    sim::Tick tick = 0;  ///< The first tick whose hash or state differs.
    /// The first keyframe at or after it, where the states were compared; nullopt when none
    /// follows.
    std::optional<sim::Tick> state_tick;
    std::optional<StateDifference> difference;  ///< nullopt when those states are equal.
    std::string message;
};

struct VerifyReport {
    sim::Tick ticks = 0;  ///< Ticks re-simulated and compared.
    std::uint64_t first_hash = 0;
    std::uint64_t last_hash = 0;
    std::optional<Mismatch> mismatch;
    std::optional<Error> error;  ///< The file is damaged or its commands do not decode.
    [[nodiscard]] bool ok() const { return !mismatch && !error; }
};

enum class Keyframes : std::uint8_t {
    kUse,     ///< States are compared, and simulation starts from them.
    kIgnore,  ///< For a build that cannot read them; a file with a start tick needs its first.
};

/// Re-simulates the battle and compares every recorded hash and keyframe, as far as the file is
/// whole. The stretches between keyframes run in parallel on `executor`; the report does not depend
/// on the number of threads.
[[nodiscard]] VerifyReport verify_battle(const BattleReader& reader, const MakeSimulator& make,
                                         core::Executor& executor,
                                         Keyframes keyframes = Keyframes::kUse);

struct SeekResult {
    std::unique_ptr<Simulator> simulator;  ///< In the state after the tick asked for.
    std::uint64_t hash = 0;  ///< The recorded hash of that tick; 0 for the start tick.
    std::optional<sim::Tick> from_keyframe;
};

/// The battle at `tick`, from the nearest keyframe before. @return kNotFound outside start_tick() …
/// last_tick(), kStateMismatch when a simulated hash differs from the recorded one.
[[nodiscard]] Result<SeekResult> seek_battle(const BattleReader& reader, sim::Tick tick,
                                             const MakeSimulator& make,
                                             Keyframes keyframes = Keyframes::kUse);

}  // namespace maniple::battle_file
