#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/substrate/checked_stream.h"
#include "maniple/substrate/navmesh_stream.h"

namespace maniple::substrate {

/// Versions that a history keeps. A server with edits beyond it forgets the oldest ones, and what
/// still stands on those is repaired by a snapshot.
inline constexpr std::size_t kHistoryVersionsMax = 4096;

/// Which full stream a field stands on at which tick: the newest stream, and for each older
/// version the delta that leads back to it (O-SNAP-10). `Stream` is CheckedStream or NavMeshStream.
template <class Stream>
class BasicStreamHistory {
  public:
    /// The stream that the field stands on from `tick` on.
    BasicStreamHistory(std::int32_t tick, Stream stream);

    /// The field will stand on `next` from `tick` on, which is not before the newest one's tick.
    void push(std::int32_t tick, Stream next);

    /// The version that was stamped last, executed or not (O-NET-09).
    [[nodiscard]] const Stream& newest() const { return newest_; }
    /// The full stream that the field stands on once `tick` has been executed: the newest one
    /// applied at `tick` or before. @return stream, or kNotFound for a tick before the oldest one.
    [[nodiscard]] Result<Stream> at(std::int32_t tick) const;
    /// Forgets what only ticks before `tick` stood on: those of no dispatchable snapshot any more.
    void forget_before(std::int32_t tick);
    [[nodiscard]] std::size_t version_count() const { return older_.size() + 1; }

  private:
    /// A version before the newest: since when, and how to come back to it from the one after it.
    struct Older {
        std::int32_t tick;
        core::Bytes way_back;  ///< A delta, or a full stream where none exists; empty: unchanged.
    };

    std::deque<Older> older_;  ///< Oldest first.
    std::int32_t newest_tick_;
    Stream newest_;
};

using StreamHistory = BasicStreamHistory<CheckedStream>;
using NavMeshHistory = BasicStreamHistory<NavMeshStream>;

}  // namespace maniple::substrate
