#pragma once

#include <string>
#include <utility>

#include "maniple/snapshot/snapshot.h"

namespace flatbuffers {
struct String;
}
namespace maniple::snapshot::wire {
struct Snapshot;
}

namespace maniple::snapshot {

/// What the parts of one decode share. Every step returns false after it latched `error`.
struct DecodeState {
    DecodeState(const sim::GameDefinition& d, Policy p) : definition(d), policy(p) {}

    const sim::GameDefinition& definition;
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
    /// Copies a name of at most kNameBytesMax UTF-8 bytes.
    bool read_name(const flatbuffers::String& text, std::string& name);
};

/// The entities: fills out.state.groups. Reads out.state.uid_cursor (−1 = derive, kLoad only).
bool decode_groups(const wire::Snapshot& in, DecodeState& state);
/// The task records: fills out.state.tasks. The cursor and the id counters are read already.
bool decode_tasks(const wire::Snapshot& in, std::size_t raw_bytes, DecodeState& state);

}  // namespace maniple::snapshot
