#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "maniple/core/hash.h"
#include "maniple/snapshot/snapshot.h"

#include "decode_state.h"

namespace maniple::snapshot {
namespace {

constexpr flatbuffers::uoffset_t kVerifierDepthMax = 8;
constexpr flatbuffers::uoffset_t kVerifierTablesMax = 1U << 20;
/// No command's byte form is shorter.
constexpr std::size_t kCommandBytesMin = 8;

core::RandomStream stream_of(const wire::RandomStream& stored) {
    core::RandomStream stream(stored.initial_seed());
    stream.seed = stored.seed();
    return stream;
}

// implements: SNAP-022, SNAP-026, SNAP-033
bool decode_counters(const wire::Snapshot& in, DecodeState& state) {
    Snapshot& out = state.out;
    out.registry_digest = in.registry_digest();
    if (out.registry_digest != state.definition.registry_digest() &&
        !state.differ(ErrorCode::kRegistryMismatch,
                      "the game's registry " + core::hex16(state.definition.registry_digest()) +
                          " is not the snapshot's " + core::hex16(out.registry_digest))) {
        return false;
    }
    out.hash_at_capture = in.hash_at_capture();
    out.occupied_count = in.occupied_count();
    out.config = {in.seed(), in.tick_rate_hz()};
    sim::WorldState& world = out.state;
    world.tick = in.tick();
    world.uid_cursor = in.uid_cursor();
    world.agent_stream = stream_of(*in.agent_stream());
    world.hash_grid_stream = stream_of(*in.hash_grid_stream());
    world.next_move_to_task_id = in.next_move_to_task_id();
    world.next_chase_attack_task_id = in.next_chase_attack_task_id();
    world.next_other_task_id = in.next_other_task_id();
    const auto [least_id, greatest_id] = std::minmax(
        {world.next_move_to_task_id, world.next_chase_attack_task_id, world.next_other_task_id});
    if (world.tick < 0 || world.tick > kCounterMax || world.uid_cursor < -1 ||
        out.occupied_count < -1 || least_id < 1 || greatest_id > kCounterMax ||
        out.config.tick_rate_hz < 1 || out.config.tick_rate_hz > kTickRateHzMax) {
        return state.fail(ErrorCode::kBadValue, "a counter of the snapshot is out of range");
    }
    if (world.uid_cursor == -1 &&
        !state.differ(ErrorCode::kBadValue, "the UID cursor is unknown, derived")) {
        return false;
    }
    return true;
}

// implements: HASH-007, O-SNAP-22, UID-003
bool check_occupied_count(DecodeState& state) {
    if (state.out.occupied_count == -1) {
        return state.differ(ErrorCode::kBadValue, "the number of entities at capture is unknown");
    }
    if (state.out.occupied_count == state.out.state.occupied_count()) return true;
    return state.fail(ErrorCode::kBadValue, "not the number of entities at capture");
}

bool decode_commands(const flatbuffers::Vector<std::uint8_t>& bytes, const char* what,
                     std::vector<sim::Command>& commands, DecodeState& state) {
    core::ByteReader in({bytes.data(), bytes.size()});
    const std::uint32_t count = in.count(kCommandsMax, kCommandBytesMin, what);
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
        commands.push_back(sim::decode_command(in));
    }
    in.expect_end();
    if (in.ok()) return true;
    return state.fail(in.error().code, std::string(what) + ": " + in.error().message);
}

// implements: SNAP-020, SNAP-035
bool decode_substrates(const wire::Snapshot& in, DecodeState& state) {
    std::vector<std::string> names;
    std::uint64_t stream_bytes = 0;
    for (const wire::Substrate* stored : *in.substrates()) {
        SubstrateEntry entry;
        if (!state.read_name(*stored->field_name(), entry.field_name)) return false;
        const std::vector<std::string>& known = state.definition.field_names();
        if (std::find(known.begin(), known.end(), entry.field_name) == known.end()) {
            return state.fail(ErrorCode::kUnknownName, "no field " + entry.field_name);
        }
        if (std::find(names.begin(), names.end(), entry.field_name) != names.end()) {
            return state.fail(ErrorCode::kBadValue, "two substrates of " + entry.field_name);
        }
        names.push_back(entry.field_name);
        stream_bytes += stored->bytes()->size();
        if (stream_bytes > state.content.size()) {
            return state.fail(ErrorCode::kOverCap, "shared substrates");
        }
        entry.bytes.assign(stored->bytes()->begin(), stored->bytes()->end());
        state.out.substrates.push_back(std::move(entry));
    }
    return true;
}

/// Texts, each once and in ascending order.
bool decode_names(const wire::Snapshot& in, DecodeState& state) {
    state.names.insert(0);
    for (const flatbuffers::String* stored : *in.names()) {
        std::string text;
        if (!state.read_name(*stored, text)) return false;
        if (text.empty() || (!state.texts.empty() && text <= state.texts.back())) {
            return state.fail(ErrorCode::kBadValue, "names that do not ascend");
        }
        const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
        if (!state.names.insert(core::xxh3_64({bytes, text.size()})).second) {
            return state.fail(ErrorCode::kBadValue, "two names hash alike: " + text);
        }
        state.texts.push_back(std::move(text));
    }
    return true;
}

/// Only what was read whole enters the game's table of names.
bool intern_names(DecodeState& state) {
    for (const std::string& text : state.texts) {
        const Result<sim::Name> name = state.definition.names().intern(text);
        if (!name) return state.fail(name.error().code, name.error().message);
    }
    return true;
}

// implements: O-SNAP-11
bool decode_tags(const wire::Snapshot& in, DecodeState& state) {
    const std::vector<std::string>& local = state.definition.tags();
    if (in.tags()->size() > sim::kTagsMax) return state.fail(ErrorCode::kOverCap, "too many tags");
    std::vector<std::string> stored;
    for (const flatbuffers::String* text : *in.tags()) {
        std::string name;
        if (!state.read_name(*text, name)) return false;
        const auto found = std::find(local.begin(), local.end(), name);
        state.tag_map.push_back(
            found == local.end() ? -1 : static_cast<int>(std::distance(local.begin(), found)));
        if (found == local.end() &&
            !state.differ(ErrorCode::kRegistryMismatch, "no tag " + name + ", skipped")) {
            return false;
        }
        stored.push_back(std::move(name));
    }
    if (stored == local) {
        state.tag_map.clear();
        return true;
    }
    return state.differ(ErrorCode::kRegistryMismatch, "the registered tags differ");
}

bool decode_section_hashes(const wire::Snapshot& in, DecodeState& state) {
    auto& sections = state.out.part_hashes.sections;
    core::ByteReader bytes({in.section_hashes()->data(), in.section_hashes()->size()});
    for (std::uint64_t& hash : sections) hash = bytes.u64();
    bytes.expect_end();
    if (!bytes.ok()) return state.fail(ErrorCode::kBadValue, "section hashes of another size");
    return true;
}

// implements: O-SNAP-03, SNAP-030
bool check_fixups(const wire::Snapshot& in, DecodeState& state) {
    if (in.handle_fixups() == nullptr || in.handle_fixups()->size() == 0) return true;
    return state.fail(ErrorCode::kBadValue, "handle fix-ups are reserved");
}

/// What a build that differs cannot compare: the folds over all columns, which it does column by
/// column, the fields it may not have, and a cursor it derived.
void drop_section_hashes(const wire::Snapshot& in, DecodeState& state) {
    if (state.out.warnings.empty()) return;
    const auto drop = [&](sim::HashSection section) {
        state.out.part_hashes.sections[static_cast<std::size_t>(section)] = 0;
    };
    drop(sim::HashSection::kIdentity);
    drop(sim::HashSection::kFragments);
    drop(sim::HashSection::kFields);
    if (in.uid_cursor() == -1) drop(sim::HashSection::kUidCursor);
}

bool decode_all(const wire::Snapshot& in, DecodeState& state) {
    return decode_counters(in, state) && check_fixups(in, state) &&
           decode_section_hashes(in, state) && decode_names(in, state) && decode_tags(in, state) &&
           decode_groups(in, state) && check_occupied_count(state) && decode_tasks(in, state) &&
           decode_commands(*in.pending_commands(), "pending commands", state.out.state.pending,
                           state) &&
           decode_commands(*in.gap_commands(), "gap commands", state.out.gap_commands, state) &&
           decode_substrates(in, state) && decode_spawn_requests(in, state) &&
           decode_modifiers(in, state) && decode_var_stores(in, state) && intern_names(state);
}

}  // namespace

bool DecodeState::read_name(const flatbuffers::String& text, std::string& name) {
    if (text.size() > kNameBytesMax) return fail(ErrorCode::kOverCap, "a name over 255 bytes");
    name.assign(text.c_str(), text.size());
    if (!core::is_utf8(name)) return fail(ErrorCode::kBadText, "a name that is not UTF-8");
    return true;
}

// implements: O-SNAP-06
Result<Snapshot> decode_snapshot(const sim::GameDefinition& definition, core::ByteSpan frame,
                                 Policy policy) {
    const Result<core::Bytes> raw = unpack_frame(frame);
    if (!raw) return refuse(raw.error());
    flatbuffers::Verifier verifier(raw->data(), raw->size(), kVerifierDepthMax, kVerifierTablesMax);
    if (!wire::VerifySnapshotBuffer(verifier)) {
        return refuse(ErrorCode::kBadValue, kFrameHeaderBytes, "not the tables of a snapshot");
    }
    DecodeState state(definition, *raw, policy);
    if (!decode_all(*wire::GetSnapshot(raw->data()), state)) {
        return refuse(std::move(state.error));
    }
    drop_section_hashes(*wire::GetSnapshot(raw->data()), state);
    return std::move(state.out);
}

}  // namespace maniple::snapshot
