#include <utility>

#include "maniple/snapshot/snapshot.h"

namespace maniple::snapshot {
namespace {

void copy_state(const sim::World& world, Snapshot& out) {
    out.state = world.state();
    out.occupied_count = world.state().occupied_count();
    out.registry_digest = world.definition().registry_digest();
    out.config = world.config();
    out.substrates.clear();
    out.gap_commands.clear();
    out.warnings.clear();
}

// implements: O-SNAP-15, SNAP-027
/// Queues the union of pending and gap commands; the world drops a sequence it already has.
Result<void> queue_commands(const std::vector<sim::Command>& commands, sim::World& world) {
    for (const sim::Command& command : commands) {
        if (command.tick <= world.tick()) continue;
        if (const Result<void> queued = world.queue(command); !queued) return queued;
    }
    return {};
}

Result<void> fill(const Snapshot& snapshot, sim::World& world) {
    for (const SubstrateEntry& entry : snapshot.substrates) {
        const Result<void> imported = world.import_substrate(entry.field_name, entry.bytes);
        if (!imported) return imported;
    }
    std::uint64_t expected = snapshot.hash_at_capture;
    if (!snapshot.warnings.empty()) {
        for (const std::string& warning : snapshot.warnings) {
            world.log(core::Severity::kWarning, kLogNotValidated, "not validated: " + warning);
        }
        expected = world.compute_hash();
    }
    if (const Result<void> finished = world.finish_restore(expected); !finished) return finished;
    if (const Result<void> queued = queue_commands(snapshot.state.pending, world); !queued) {
        return queued;
    }
    return queue_commands(snapshot.gap_commands, world);
}

}  // namespace

// implements: SNAP-021, SNAP-036
void capture(const sim::World& world, Snapshot& out) {
    const sim::TickHistory::Entry* last = world.history().find(world.tick());
    MANIPLE_ASSERT(last != nullptr);
    copy_state(world, out);
    out.hash_at_capture = last->tree.root;
}

void capture_at_rest(sim::World& world, Snapshot& out) {
    copy_state(world, out);
    out.hash_at_capture = world.compute_hash();
}

// implements: O-SNAP-08, O-SNAP-09, O-SNAP-12, SNAP-040, SNAP-043, SNAP-045, UID-004
Result<std::unique_ptr<sim::World>> restore(std::shared_ptr<const sim::GameDefinition> definition,
                                            const Snapshot& snapshot, core::Executor& executor,
                                            core::LogSink log) {
    MANIPLE_ASSERT(snapshot.state.groups.size() == definition->templates().size());
    const core::FloatEnvironment environment;
    sim::WorldState state = snapshot.state;
    state.pending.clear();
    auto shadow = std::make_unique<sim::World>(std::move(definition), snapshot.config,
                                               std::move(state), executor, std::move(log));
    if (const Result<void> filled = fill(snapshot, *shadow); !filled) {
        shadow->log(core::Severity::kError, kLogRestoreRefused,
                    describe(filled.error(), "restore"));
        return refuse(filled.error());
    }
    return shadow;
}

}  // namespace maniple::snapshot
