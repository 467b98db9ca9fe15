#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "maniple/snapshot/snapshot.h"

#include "frame.h"
#include "snapshot_generated.h"

namespace maniple::snapshot {

/// What the parts of one decode share. Every step returns false after it latched `error`.
struct DecodeState {
    DecodeState(const sim::GameDefinition& d, core::ByteSpan c, Policy p)
        : definition(d), content(c), policy(p) {}

    const sim::GameDefinition& definition;
    core::ByteSpan content;  ///< The frame's content, unpacked.
    Policy policy;
    Snapshot out;
    Error error;

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
/// The task records: fills out.state.tasks. The cursor and the id counters are read already.
bool decode_tasks(const wire::Snapshot& in, DecodeState& state);

}  // namespace maniple::snapshot
