#include <string>
#include <utility>

#include "maniple/core/hash.h"
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

void copy_hashes(const sim::HashTree& tree, Snapshot& out) {
    out.hash_at_capture = tree.root;
    out.part_hashes.sections = tree.sections;
    out.part_hashes.groups.resize(tree.groups.size());
    for (std::size_t g = 0; g < tree.groups.size(); ++g) {
        PartHashes::Group& group = out.part_hashes.groups[g];
        group.identity = tree.groups[g].identity.hash;
        group.columns.resize(tree.groups[g].columns.size());
        for (std::size_t c = 0; c < group.columns.size(); ++c) {
            group.columns[c] = tree.groups[g].columns[c].hash;
        }
    }
}

// implements: NET-013, O-SNAP-15, SNAP-027
/// Queues the union of pending and gap commands; the world drops a sequence it already has.
Result<void> queue_commands(const std::vector<sim::Command>& commands, sim::World& world) {
    for (const sim::Command& command : commands) {
        if (command.tick <= world.tick()) continue;
        if (const Result<void> queued = world.queue(command); !queued) return queued;
    }
    return {};
}

/// Compares the parts that this build and the snapshot's both know.
// implements: O-SNAP-11
Result<void> validate_parts(const Snapshot& snapshot, const sim::World& world,
                            const sim::HashTree& tree) {
    const auto mismatch = [](const std::string& part) {
        return refuse(ErrorCode::kStateMismatch, "the restored state differs in " + part);
    };
    const sim::GameDefinition& definition = world.definition();
    const PartHashes& known = snapshot.part_hashes;
    for (std::size_t g = 0; g < known.groups.size(); ++g) {
        const sim::EntityTemplate& entity_template = definition.templates()[g];
        const PartHashes::Group& group = known.groups[g];
        if (group.identity != 0 && group.identity != tree.groups[g].identity.hash) {
            return mismatch("the identities of " + entity_template.key);
        }
        for (std::size_t c = 0; c < group.columns.size(); ++c) {
            if (group.columns[c] == 0 || group.columns[c] == tree.groups[g].columns[c].hash)
                continue;
            return mismatch("column " + std::to_string(c) + " of " + entity_template.key);
        }
    }
    for (std::size_t s = 0; s < known.sections.size(); ++s) {
        if (known.sections[s] == 0 || known.sections[s] == tree.sections[s]) continue;
        return mismatch(sim::hash_section_name(static_cast<sim::HashSection>(s)));
    }
    return {};
}

// implements: SNAP-045, HASH-003, HASH-007
Result<void> validate(const Snapshot& snapshot, sim::World& world) {
    const sim::HashTree& tree = world.rehash();
    if (!snapshot.warnings.empty()) {
        for (const std::string& warning : snapshot.warnings) {
            world.log(core::Severity::kWarning, kLogNotValidated, "not validated: " + warning);
        }
        return validate_parts(snapshot, world, tree);
    }
    if (tree.root == snapshot.hash_at_capture) return {};
    return refuse(ErrorCode::kStateMismatch, "the restored state hashes to " +
                                                 core::hex16(tree.root) + ", not to " +
                                                 core::hex16(snapshot.hash_at_capture));
}

/// What tasks and hooks write while a restore recovers must be derivable: the state still hashes as
/// it did when it was captured.
// implements: VAR-003, SNAP-052
Result<void> check_recovery(const Snapshot& snapshot, const sim::World& world) {
    const bool is_validated = snapshot.warnings.empty() && world.tick() > 0;
    if (!is_validated ||
        world.history().find(world.tick())->tree.root == snapshot.hash_at_capture) {
        return {};
    }
    return refuse(ErrorCode::kStateMismatch, "the recovery changed what cannot be derived");
}

/// Everything of O-SNAP-08 up to the swap, in its order. Nothing of the game runs before the state
/// is validated.
// implements: SNAP-049
Result<void> fill(Snapshot& snapshot, sim::World& world) {
    if (auto restored = world.restore_modifiers(snapshot.state.modifiers); !restored) {
        return restored;
    }
    for (const SubstrateEntry& entry : snapshot.substrates) {
        const Result<void> imported = world.import_substrate(entry.field_name, entry.bytes);
        if (!imported) return imported;
    }
    const std::vector<sim::Command> pending = std::exchange(snapshot.state.pending, {});
    world.adopt_state(std::move(snapshot.state));
    if (const Result<void> queued = queue_commands(pending, world); !queued) return queued;
    if (const Result<void> queued = queue_commands(snapshot.gap_commands, world); !queued) {
        return queued;
    }
    if (const Result<void> validated = validate(snapshot, world); !validated) return validated;
    return sim::check_values(world.definition(), world.state());
}

}  // namespace

// implements: SNAP-021, SNAP-036
void capture(const sim::World& world, Snapshot& out) {
    const sim::TickHistory::Entry* last = world.history().find(world.tick());
    MANIPLE_ASSERT(last != nullptr);
    MANIPLE_ASSERT(!world.field_update_in_flight());
    copy_state(world, out);
    copy_hashes(last->tree, out);
}

void capture_at_rest(sim::World& world, Snapshot& out) {
    copy_state(world, out);
    sim::HashTree tree;
    sim::HashedColumns columns;
    world.compute_tree(tree, columns);
    copy_hashes(tree, out);
}

void add_substrates(const sim::World& world, Snapshot& out) {
    MANIPLE_ASSERT(out.state.tick == world.tick());
    for (const std::string& field : world.definition().field_names()) {
        const core::ByteSpan stream = world.substrate_stream(field);
        if (!stream.empty()) out.substrates.push_back({field, {stream.begin(), stream.end()}});
    }
}

// implements: O-SNAP-08, O-SNAP-09, O-SNAP-12, SNAP-040, SNAP-043, SNAP-045, UID-004
// implements: NET-010, NET-017
Result<std::unique_ptr<sim::World>> restore(std::shared_ptr<const sim::GameDefinition> definition,
                                            Snapshot snapshot, core::Executor& executor,
                                            core::LogSink log,
                                            std::span<const sim::AgentComponent> components,
                                            core::Background* background) {
    MANIPLE_ASSERT(snapshot.state.groups.size() == definition->templates().size());
    const core::FloatEnvironment environment;
    auto shadow = std::make_unique<sim::World>(std::move(definition), snapshot.config, executor,
                                               std::move(log), background);
    Result<void> done = fill(snapshot, *shadow);
    if (done) {
        shadow->recover(components);
        done = check_recovery(snapshot, *shadow);
    }
    if (!done) {
        shadow->log(core::Severity::kError, kLogRestoreRefused, describe(done.error(), "restore"));
        return refuse(std::move(done.error()));
    }
    return shadow;
}

}  // namespace maniple::snapshot
