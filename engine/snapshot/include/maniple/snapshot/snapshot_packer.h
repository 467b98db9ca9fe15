#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "maniple/core/background.h"
#include "maniple/core/bytes.h"
#include "maniple/snapshot/snapshot.h"

namespace maniple::snapshot {

/// A snapshot as it is sent.
struct PackedSnapshot {
    sim::Tick tick = 0;
    sim::Tick gap_end = 0;
    core::Bytes frame;
};

/// Serialises and compresses one snapshot at a time beside the thread that asks for it (SNAP-038),
/// which is the only one to call it.
class SnapshotPacker {
  public:
    explicit SnapshotPacker(std::shared_ptr<const sim::GameDefinition> definition)
        : definition_(std::move(definition)) {}

    /// Begins to pack `snapshot`, which holds the commands up to `gap_end`. Not while busy().
    void start(std::shared_ptr<const Snapshot> snapshot, sim::Tick gap_end,
               core::Background& background);
    [[nodiscard]] bool busy() const { return job_ != nullptr; }
    /// The packed snapshot once it is ready; never waits for it.
    [[nodiscard]] std::optional<PackedSnapshot> poll();

  private:
    /// Shared with the job, which may outlive the packer.
    struct Job {
        std::shared_ptr<const Snapshot> snapshot;
        core::Bytes frame;
        std::atomic<bool> is_done = false;
    };

    std::shared_ptr<const sim::GameDefinition> definition_;
    std::shared_ptr<Job> job_;
    sim::Tick gap_end_ = 0;
};

}  // namespace maniple::snapshot
