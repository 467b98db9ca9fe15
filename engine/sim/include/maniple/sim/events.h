#pragma once

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

#include "maniple/sim/ids.h"

namespace maniple::sim {

/// Effects on other entities, emitted by the blocks of a parallel system and applied after it in
/// (target UID, source UID, index) order, so that no partition of the work can change a result
/// (O-SNAP-24).
template <typename Payload>
class EventQueue {
  public:
    struct Event {
        Uid target;
        Uid source;
        std::int32_t index;  ///< Order among one source's events on one target.
        Payload payload;
    };

    /// Empties the queue for a system that runs over `block_count` blocks.
    void begin(std::size_t block_count) {
        blocks_.resize(block_count);
        for (auto& block : blocks_) block.clear();
    }
    /// Called from block `block` only.
    void emit(std::size_t block, Event event) { blocks_[block].push_back(event); }
    /// Calls apply(event) in order, serially, and empties the queue.
    template <typename Apply>
    void drain(Apply&& apply) {
        merged_.clear();
        for (auto& block : blocks_) {
            merged_.insert(merged_.end(), block.begin(), block.end());
            block.clear();
        }
        std::sort(merged_.begin(), merged_.end(), [](const Event& a, const Event& b) {
            return std::tie(a.target, a.source, a.index) < std::tie(b.target, b.source, b.index);
        });
        for (const Event& event : merged_) apply(event);
    }

  private:
    std::vector<std::vector<Event>> blocks_;
    std::vector<Event> merged_;
};

}  // namespace maniple::sim
