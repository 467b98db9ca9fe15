#pragma once

#include <memory>

#include "maniple/battle_file/verify.h"
#include "maniple/core/log.h"
#include "maniple/sim/registry.h"
#include "maniple/sim/world.h"
#include "maniple/snapshot/snapshot.h"

namespace maniple::battle_file {

/// Simulators over sim::World, for verify_battle and seek_battle. Each has its own world. To
/// verify, `threads` is 1: stretches of a file run beside each other, not a tick's systems; a seek
/// has one stretch only and may use them all. A world that starts the battle is made from the
/// header's seed and tick rate and the start substrates; one that starts at a keyframe is restored,
/// which checks its hash.
[[nodiscard]] MakeSimulator simulate_worlds(std::shared_ptr<const sim::GameDefinition> definition,
                                            core::LogSink log = core::null_log(), int threads = 1);

/// The world inside a simulator that simulate_worlds made, after a seek.
[[nodiscard]] const sim::World& world_of(const Simulator& simulator);

/// The keyframe of a world and the snapshot that `snapshot::capture` or `capture_at_rest` has just
/// made of it: frame and substrates stand beside each other, so that a file keeps a substrate once.
[[nodiscard]] Keyframe make_keyframe(const sim::World& world, const snapshot::Snapshot& snapshot);
/// The snapshot of a recorded keyframe, to restore. Commands that were pending are left out: the
/// recorded steps hold them. @return what decoding refuses, kStateMismatch when the frame is of
/// another tick, kConfigMismatch when it is of another match than `header`.
[[nodiscard]] Result<snapshot::Snapshot> read_keyframe(const sim::GameDefinition& definition,
                                                       const BattleHeader& header,
                                                       const Keyframe& keyframe);

}  // namespace maniple::battle_file
