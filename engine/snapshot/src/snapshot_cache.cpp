#include "maniple/snapshot/snapshot_cache.h"

#include <string>
#include <utility>

namespace maniple::snapshot {

// implements: NET-018, SNAP-036, SNAP-037, O-SNAP-13, O-SNAP-14, O-SNAP-23
void SnapshotCache::executed(const sim::World& world, const std::vector<sim::Command>& commands) {
    const sim::Tick tick = world.tick();
    due_ = due_ || tick == 1 || tick % policy_.every_ticks == 0;
    if (due_ && !world.field_update_in_flight()) return capture_now(world);
    if (!usable_) return;
    for (const sim::Command& command : commands) {
        payload_bytes_ += command.byte_payload.size();
        executed_since_.push_back(command);
    }
    forget_too_old(tick);
}

void SnapshotCache::capture_now(const sim::World& world) {
    if (latest_.use_count() > 1) latest_ = std::make_shared<Snapshot>();
    capture(world, *latest_);
    usable_ = true;
    due_ = false;
    executed_since_.clear();
    payload_bytes_ = 0;
}

void SnapshotCache::forget_too_old(sim::Tick tick) {
    usable_ = tick - latest_->state.tick <= policy_.gap_ticks_max &&
              executed_since_.size() <= kCommandsMax && payload_bytes_ <= kGapPayloadBytesMax;
    if (usable_) return;
    executed_since_.clear();
    payload_bytes_ = 0;
}

void SnapshotCache::refresh(const sim::World& world) {
    if (!usable_ && !world.field_update_in_flight()) capture_now(world);
}

// implements: SNAP-021, SNAP-031, SNAP-037, O-SNAP-10, O-SNAP-13, O-SNAP-14
Result<std::shared_ptr<const Snapshot>> SnapshotCache::dispatch(const sim::World& world,
                                                                const StreamAt& stream_at) {
    refresh(world);
    if (!usable_) return refuse(ErrorCode::kNotReady, "a field's update is under way");
    std::vector<SubstrateEntry> substrates;
    for (const std::string& field : world.definition().field_names()) {
        if (world.substrate_stream(field).empty()) continue;
        Result<core::Bytes> stream = stream_at(field, latest_->state.tick);
        if (!stream) return refuse(std::move(stream.error()));
        substrates.push_back({field, std::move(*stream)});
    }
    // One that is still being encoded keeps its own gap.
    if (latest_.use_count() > 1) latest_ = std::make_shared<Snapshot>(*latest_);
    latest_->substrates = std::move(substrates);
    latest_->gap_commands = executed_since_;
    return std::shared_ptr<const Snapshot>(latest_);
}

}  // namespace maniple::snapshot
