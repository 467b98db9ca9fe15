#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "maniple/snapshot/snapshot.h"

#include "frame.h"
#include "planes.h"
#include "snapshot_generated.h"

namespace maniple::snapshot {

/// What the parts of one decode share. Every step returns false after it latched `error`.
struct DecodeState {
    DecodeState(const sim::GameDefinition& d, core::ByteSpan c, Policy p)
        : definition(d), content(c), policy(p) {
        out.state = sim::empty_state(d);
    }

    const sim::GameDefinition& definition;
    core::ByteSpan content;  ///< The frame's content, unpacked.
    Policy policy;
    Snapshot out;
    Error error;
    std::set<std::uint64_t> names;   ///< Ids of the texts that came along, and of the empty one.
    std::vector<std::string> texts;  ///< To be interned when all is well.
    /// Which local tag each stored one is, or −1; empty when they are the same.
    std::vector<int> tag_map;

    bool fail(ErrorCode code, std::string message) {
        error = {code, Error::kNoOffset, std::move(message)};
        return false;
    }
    // implements: O-SNAP-11, HASH-007
    /// A difference that tools and saves live with and joining does not.
    bool differ(ErrorCode code, std::string what) {
        if (policy == Policy::kJoin) return fail(code, std::move(what));
        out.warnings.push_back(std::move(what));
        return true;
    }
    /// FlatBuffers' verifier proves that a vector's length is aligned, not that its elements are: a
    /// table may point at structs that no member may be read of. Its builder does not align an
    /// empty vector.
    template <typename T>
    bool check_alignment(const flatbuffers::Vector<const T*>& structs, const char* what) {
        const auto at = static_cast<std::size_t>(structs.Data() - content.data());
        if (structs.size() == 0) return true;
        if (reinterpret_cast<std::uintptr_t>(structs.Data()) % alignof(T) == 0) return true;
        error = {
            ErrorCode::kBadValue, kFrameHeaderBytes + at,
            std::string(what) + " are not aligned to " + std::to_string(alignof(T)) + " bytes"};
        return false;
    }
    /// Copies a name of at most kNameBytesMax UTF-8 bytes.
    bool read_name(const flatbuffers::String& text, std::string& name);
};

/// The entities: fills out.state.groups. Reads out.state.uid_cursor (−1 = derive, kLoad only).
bool decode_groups(const wire::Snapshot& in, DecodeState& state);
/// One stored column into a plain or a shared one; with `hash` that of the capture, or 0 when the
/// fields differ.
bool decode_column(const wire::Column& stored, const sim::TemplateFragment& local,
                   sim::Column& column, std::size_t row_count, std::uint64_t& hash,
                   DecodeState& state);
bool decode_shared_column(const wire::Column& stored, const sim::TemplateFragment& local,
                          sim::SharedColumn& column, std::size_t row_count, std::uint64_t& hash,
                          DecodeState& state);
/// The task records: fills out.state.tasks. The cursor and the id counters are read already.
bool decode_tasks(const wire::Snapshot& in, DecodeState& state);
/// Fills out.state.modifiers.
bool decode_modifiers(const wire::Snapshot& in, DecodeState& state);
/// Fills out.state.deferred_spawns.
bool decode_spawn_requests(const wire::Snapshot& in, DecodeState& state);
/// Fills out.state.variables.
bool decode_var_stores(const wire::Snapshot& in, DecodeState& state);

template <core::WireScalar T>
bool decode_scalars(const flatbuffers::Vector<std::uint8_t>& planes, std::size_t row_count,
                    std::vector<T>& values) {
    if (planes.size() != std::uint64_t{row_count} * sizeof(T)) return false;
    core::Bytes rows(planes.size());
    planes_to_rows(planes.data(), sizeof(T), row_count, sizeof(T), rows.data());
    values.resize(row_count);
    for (std::size_t i = 0; i < row_count; ++i) {
        values[i] = core::load_le<T>(rows.data() + i * sizeof(T));
    }
    return true;
}

}  // namespace maniple::snapshot
