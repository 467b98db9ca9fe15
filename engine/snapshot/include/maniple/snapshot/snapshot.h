#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/executor.h"
#include "maniple/core/log.h"
#include "maniple/core/result.h"
#include "maniple/sim/command.h"
#include "maniple/sim/registry.h"
#include "maniple/sim/world.h"
#include "maniple/sim/world_state.h"

namespace maniple::snapshot {

/// Limits of a snapshot (docs/formats/snapshot.md); over them it is refused, not cut.
inline constexpr std::uint64_t kRawBytesMax = std::uint64_t{1} << 30;
inline constexpr std::uint32_t kEntitiesMax = 1U << 22;
inline constexpr std::uint32_t kTasksMax = 1U << 18;
inline constexpr std::uint32_t kCommandsMax = 1U << 20;
inline constexpr std::uint32_t kNameBytesMax = 255;
inline constexpr std::int32_t kTickRateHzMax = 1000;
/// Of ticks and of task ids, so that no later one wraps: more than a year at 20 Hz.
inline constexpr std::int32_t kCounterMax = 1 << 30;

/// Warning: the state was restored without comparing its hash; the message says why.
inline constexpr int kLogNotValidated = 1300;
/// Error: a restore was refused; nothing changed.
inline constexpr int kLogRestoreRefused = 1301;

// implements: SNAP-020
/// One navigation field's full substrate stream, opaque to the snapshot.
struct SubstrateEntry {
    std::string field_name;
    core::Bytes bytes;
    friend bool operator==(const SubstrateEntry&, const SubstrateEntry&) = default;
};

/// The hashes of a capture by part, with which builds that differ compare what both know
/// (O-SNAP-11). 0 stands for a part that this build cannot compare.
struct PartHashes {
    struct Group {
        std::uint64_t identity = 0;
        std::vector<std::uint64_t> columns;  ///< As sim::GroupHash::columns.
    };
    std::array<std::uint64_t, static_cast<std::size_t>(sim::HashSection::kCount)> sections{};
    std::vector<Group> groups;  ///< One a template.
};

// implements: SNAP-022, SNAP-023, SNAP-024, SNAP-025, SNAP-031, O-HASH-06
/// The lockstep state after one tick and what a peer needs to go on from it. Plain data: a warm
/// Snapshot that is captured into again allocates nothing.
struct Snapshot {
    sim::WorldState state;
    std::uint64_t hash_at_capture = 0;
    std::int32_t occupied_count = -1;  ///< Entities at capture, a fingerprint; −1 = unknown.
    std::uint64_t registry_digest = 0;
    sim::MatchConfig config;
    /// Filled at dispatch with the versions of the capture tick (O-SNAP-10), never by `capture`.
    std::vector<SubstrateEntry> substrates;
    /// Commands executed after the capture tick, filled at dispatch (O-SNAP-14).
    std::vector<sim::Command> gap_commands;
    PartHashes part_hashes;
    /// What decoding under Policy::kLoad skipped or filled in. With any, the hash of the whole says
    /// nothing and the restore compares part_hashes.
    std::vector<std::string> warnings;
};

/// What a snapshot is decoded for.
enum class Policy : std::uint8_t {
    kJoin,  ///< Joining and repair: everything must fit exactly and be validated.
    kLoad,  ///< Tools and saves: names may have come and gone since (O-SNAP-11, HASH-007).
};

/// Copies the state after the world's last executed tick; substrates, gap and warnings are cleared.
/// The hash is the tick history's, so this world must have executed or restored a tick over 0. Not
/// while a field's update is in flight, whose result no snapshot holds: a capture that is due then
/// waits for the first tick after (O-SNAP-23).
void capture(const sim::World& world, Snapshot& out);
/// The same for a world before its first tick: hashes the state anew.
void capture_at_rest(sim::World& world, Snapshot& out);
/// Adds to a capture the streams that the world's fields stand on, while it is
/// still at the tick of the capture (O-SNAP-10).
void add_substrates(const sim::World& world, Snapshot& out);

/// The snapshot as an MPSS frame (docs/formats/snapshot.md). The snapshot belongs to `definition`
/// and keeps the limits above.
[[nodiscard]] core::Bytes encode_snapshot(const sim::GameDefinition& definition,
                                          const Snapshot& snapshot);

/// Reads an MPSS frame; the bytes are untrusted, and what comes back is safe to restore.
/// @return kTruncated, kTrailing, kBadMagic, kBadVersion, kBadMode (codec), kOverCap, kBadHash or
/// kBadValue for bad bytes; kUnknownName for a template or task type that is not registered;
/// kRegistryMismatch for another type or size of a field, and under kJoin for another digest or
/// any name only one side has.
[[nodiscard]] Result<Snapshot> decode_snapshot(const sim::GameDefinition& definition,
                                               core::ByteSpan frame, Policy policy);

/// Builds a new world from a snapshot in the order of O-SNAP-08: modifiers, substrates, entities,
/// counters and records, variables, queue, validation, the game's value checks, task rebuild,
/// `components` rebound, recovery hooks; pending and gap commands stay queued for the caller to
/// step. The caller swaps worlds on success; after an error nothing has changed. `executor`
/// outlives the world. The snapshot was captured or decoded with the same definition; give it away,
/// as its columns become the world's.
/// @return kStateMismatch when the state does not hash to what its capture did, before or after the
/// recovery (VAR-003), a substrate's own refusal, kBadValue for a command that cannot be queued and
/// for a value that a check of the game refuses (sim/value_check.h).
/// `background` is the new world's.
[[nodiscard]] Result<std::unique_ptr<sim::World>> restore(
    std::shared_ptr<const sim::GameDefinition> definition, Snapshot snapshot,
    core::Executor& executor, core::LogSink log = core::null_log(),
    std::span<const sim::AgentComponent> components = {}, core::Background* background = nullptr);

}  // namespace maniple::snapshot
