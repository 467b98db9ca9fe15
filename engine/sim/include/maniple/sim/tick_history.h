#pragma once

#include <array>
#include <cstdint>

#include "maniple/sim/hash_tree.h"

namespace maniple::sim {

/// Trees and hashed rows of the last kTicks ticks in warm, reused buffers.
class TickHistory {
  public:
    static constexpr Tick kTicks = 32;
    struct Entry {
        HashTree tree;
        HashedColumns columns;
    };
    /// The slot that tick `tick` will fill; what it held is overwritten.
    [[nodiscard]] Entry& slot(Tick tick) { return entries_[index(tick)]; }
    /// The entry of `tick`, or nullptr when it is too old or not executed yet.
    [[nodiscard]] const Entry* find(Tick tick) const {
        const Entry& entry = entries_[index(tick)];
        return tick > 0 && entry.tree.tick == tick ? &entry : nullptr;
    }

  private:
    static std::size_t index(Tick tick) {
        return static_cast<std::size_t>(static_cast<std::uint32_t>(tick) % kTicks);
    }
    std::array<Entry, kTicks> entries_;
};

}  // namespace maniple::sim
