#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "maniple/snapshot/snapshot.h"

namespace maniple::snapshot {

/// When a server captures, and how old a capture may be when it is sent.
struct CachePolicy {
    sim::Tick every_ticks = 300;    ///< At tick 1 and then at every multiple (O-SNAP-13).
    sim::Tick gap_ticks_max = 300;  ///< Of an older capture none is sent; a new one is taken.
};

/// Bytes of command payloads that a gap may hold; with more a new capture is taken.
inline constexpr std::size_t kGapPayloadBytesMax = std::size_t{64} << 20;

/// The full stream that a field stands on once a tick has been executed.
using StreamAt = std::function<Result<core::Bytes>(std::string_view field, sim::Tick tick)>;

/// What a server keeps to bring a peer to its live tick: the latest capture and the commands
/// executed since. Server thread only.
class SnapshotCache {
  public:
    explicit SnapshotCache(CachePolicy policy = {}) : policy_(policy) {}

    /// After each tick of the world, with the tick's commands in sequence order. Captures when one
    /// is due and no field's update is under way (O-SNAP-23), else remembers the commands.
    void executed(const sim::World& world, const std::vector<sim::Command>& commands);

    /// Captures this tick unless the cached capture is usable; dispatch() does it too.
    void refresh(const sim::World& world);
    /// The snapshot to send now: the cached capture, or one of this tick where none is usable, with
    /// the streams of its tick and the commands of the gap (its tick, world.tick()]. The world has
    /// executed a tick. Encode it on any thread; let go of it on this one: until then its buffers
    /// are not captured into.
    /// @return snapshot, kNotReady while none is usable and none can be taken (O-SNAP-23), or the
    /// refusal of `stream_at` for a field that the world has a stream of.
    [[nodiscard]] Result<std::shared_ptr<const Snapshot>> dispatch(const sim::World& world,
                                                                   const StreamAt& stream_at);

    /// The tick of the cached capture; −1 while there is no usable one.
    [[nodiscard]] sim::Tick tick() const { return usable_ ? latest_->state.tick : -1; }

  private:
    void capture_now(const sim::World& world);
    void forget_too_old(sim::Tick tick);

    CachePolicy policy_;
    std::shared_ptr<Snapshot> latest_ = std::make_shared<Snapshot>();
    bool usable_ = false;
    bool due_ = false;                          ///< A capture waits for a field's update to end.
    std::vector<sim::Command> executed_since_;  ///< By (tick, sequence).
    std::size_t payload_bytes_ = 0;             ///< Of executed_since_.
};

}  // namespace maniple::snapshot
