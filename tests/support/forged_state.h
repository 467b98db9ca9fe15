#pragma once

#include <memory>
#include <utility>

#include "maniple/sim/world.h"
#include "maniple/snapshot/snapshot.h"

namespace maniple::proof {

/// Gives a changed snapshot the hashes of what it holds now, as an attacker would, and sends it
/// through its frame.
inline Result<snapshot::Snapshot> forge(const std::shared_ptr<const sim::GameDefinition>& game,
                                        snapshot::Snapshot snapshot, core::Executor& executor) {
    sim::World world(game, snapshot.config, executor);
    if (auto done = world.restore_modifiers(snapshot.state.modifiers); !done) {
        return refuse(done.error());
    }
    for (const snapshot::SubstrateEntry& entry : snapshot.substrates) {
        auto done = world.import_substrate(entry.field_name, entry.bytes);
        if (!done) return refuse(done.error());
    }
    world.adopt_state(snapshot.state);
    snapshot::Snapshot forged;
    snapshot::capture_at_rest(world, forged);
    forged.substrates = std::move(snapshot.substrates);
    forged.gap_commands = std::move(snapshot.gap_commands);
    const core::Bytes frame = snapshot::encode_snapshot(*game, forged);
    return snapshot::decode_snapshot(*game, frame, snapshot::Policy::kJoin);
}

inline Result<std::unique_ptr<sim::World>> restore_forged(
    const std::shared_ptr<const sim::GameDefinition>& game, snapshot::Snapshot snapshot,
    core::Executor& executor) {
    Result<snapshot::Snapshot> forged = forge(game, std::move(snapshot), executor);
    if (!forged) return refuse(forged.error());
    return snapshot::restore(game, std::move(*forged), executor);
}

}  // namespace maniple::proof
