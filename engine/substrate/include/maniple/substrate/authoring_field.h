#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "maniple/core/result.h"
#include "maniple/nav/flow_field.h"
#include "maniple/substrate/checked_stream.h"
#include "maniple/substrate/stream_dispatcher.h"
#include "maniple/substrate/stream_history.h"

namespace maniple::substrate {

/// The server's own copy of a played grid field (O-NET-01): it is edited and exported, never
/// imported into and never hashed. The played fields, the server's too, change only by executing
/// what `rebuild` gives at the tick it was stamped with. Server thread only.
class AuthoringField {
  public:
    /// Begins with the stream that every peer's played field starts on, before tick 1.
    AuthoringField(std::string name, nav::FieldConfig config, CheckedStream start,
                   DispatchConfig dispatch = {});

    /// The field to edit and to look at.
    [[nodiscard]] nav::FlowField& field() { return field_; }
    [[nodiscard]] const nav::FlowField& field() const { return field_; }

    /// Exports the field as it stands and chooses what brings the played fields there at `tick`.
    /// The base of a delta is what they will stand on by then: the version stamped last, executed
    /// or not (O-NET-09). `tick` is not below that of the last dispatch.
    /// @return payload for one command stamped with `tick`, or empty when there is nothing to send
    /// (NET-003; never in mode kFull).
    [[nodiscard]] std::optional<Dispatch> rebuild(std::int32_t tick);

    /// The versions by the tick at which they are applied: what a snapshot of a tick carries and
    /// what answers a repair request (O-NET-04).
    [[nodiscard]] const StreamHistory& history() const { return dispatcher_.history(); }
    [[nodiscard]] StreamHistory& history() { return dispatcher_.history(); }
    [[nodiscard]] const DispatchFigures& figures() const { return dispatcher_.figures(); }

  private:
    nav::FlowField field_;
    StreamDispatcher<CheckedStream> dispatcher_;
};

}  // namespace maniple::substrate
