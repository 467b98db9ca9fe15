#include "maniple/snapshot/snapshot_packer.h"

#include <utility>

namespace maniple::snapshot {

// implements: SNAP-038
void SnapshotPacker::start(std::shared_ptr<const Snapshot> snapshot, sim::Tick gap_end,
                           core::Background& background) {
    MANIPLE_ASSERT(!busy());
    job_ = std::make_shared<Job>();
    job_->snapshot = std::move(snapshot);
    gap_end_ = gap_end;
    background.start([waiting = std::weak_ptr<Job>(job_), definition = definition_] {
        const std::shared_ptr<Job> job = waiting.lock();
        if (job == nullptr) return;  // nobody waits for it any more
        job->frame = encode_snapshot(*definition, *job->snapshot);
        job->is_done.store(true, std::memory_order_release);
    });
}

std::optional<PackedSnapshot> SnapshotPacker::poll() {
    if (!busy() || !job_->is_done.load(std::memory_order_acquire)) return std::nullopt;
    const std::shared_ptr<Job> job = std::exchange(job_, nullptr);
    return PackedSnapshot{job->snapshot->state.tick, gap_end_, std::move(job->frame)};
}

}  // namespace maniple::snapshot
