#pragma once

#include <cstdint>
#include <optional>

#include "maniple/core/bytes.h"
#include "maniple/substrate/stream_format.h"
#include "maniple/substrate/stream_history.h"

namespace maniple::substrate {

/// What a server sends when the ground has changed (NET-004 … 006).
enum class DispatchMode : std::uint8_t {
    kFull,         ///< The full stream, always, also when nothing changed.
    kIncremental,  ///< The delta wherever one can be built.
    kAuto,         ///< The delta where it is small enough, else the full stream.
};

struct DispatchConfig {
    DispatchMode mode = DispatchMode::kAuto;
    /// kAuto sends a delta while its bytes are fewer than this share of the full stream's
    /// (O-NET-03).
    double delta_share_max = 0.5;
};

/// The payload of one FF.RebuildFlowField command.
struct Dispatch {
    StreamKind kind = StreamKind::kFull;
    std::uint32_t version = 0;  ///< Of the field once the command has been executed.
    core::Bytes payload;
};

/// What has been dispatched so far.
struct DispatchFigures {
    struct Sent {
        std::int64_t count = 0;
        std::int64_t bytes = 0;
    };
    Sent full;
    Sent delta;
    std::int64_t skipped = 0;  ///< Rebuilds without a change, of which nothing was sent.
};

/// Chooses what brings the played fields from one version of a field to the next, and keeps what
/// was dispatched. `Stream` is CheckedStream or NavMeshStream. Server thread only.
template <class Stream>
class StreamDispatcher {
  public:
    /// Begins with the stream that every peer's played field starts on, before tick 1.
    explicit StreamDispatcher(Stream start, DispatchConfig config = {});

    /// What brings the played fields to `next` at `tick`. The base of a delta is what they will
    /// stand on by then: the version stamped last, executed or not (O-NET-09). `tick` is not below
    /// that of the last dispatch.
    /// @return payload for one command stamped with `tick`, or empty when there is nothing to send
    /// (NET-003; never in mode kFull).
    [[nodiscard]] std::optional<Dispatch> dispatch(std::int32_t tick, Stream next);
    /// The same in two steps: what dispatch() would give now, on any thread while nothing is
    /// dispatched; then that it was dispatched.
    [[nodiscard]] std::optional<Dispatch> choose(const Stream& next) const;
    void note(std::int32_t tick, Stream next, const std::optional<Dispatch>& chosen);

    /// The versions by the tick at which they are applied: what a snapshot of a tick carries and
    /// what answers a repair request (O-NET-04).
    [[nodiscard]] const BasicStreamHistory<Stream>& history() const { return history_; }
    [[nodiscard]] BasicStreamHistory<Stream>& history() { return history_; }
    [[nodiscard]] const DispatchFigures& figures() const { return figures_; }

  private:
    DispatchConfig config_;
    BasicStreamHistory<Stream> history_;
    DispatchFigures figures_;
};

}  // namespace maniple::substrate
