#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "maniple/sim/world_state.h"

namespace maniple::sim {

/// UID → row, derived from the groups. Pages of 4,096 UIDs exist only where entities live, so a
/// large UID cursor costs no memory.
class EntityIndex {
  public:
    /// Forgets everything and indexes `groups` (after a restore).
    void rebuild(const std::vector<EntityGroup>& groups);
    /// Indexes the rows of a group from `first_row` on (after a compaction).
    void renumber(std::size_t group, std::span<const Uid> uids, std::size_t first_row);
    void insert(Uid uid, EntityRow at);
    /// Of an entity that is there.
    void erase(Uid uid);
    [[nodiscard]] std::optional<EntityRow> find(Uid uid) const;

  private:
    static constexpr std::int32_t kPageUids = 4096;
    struct Slot {
        std::uint32_t row = 0;
        std::uint16_t group_plus_one = 0;  ///< 0 = no entity.
    };
    using Page = std::array<Slot, kPageUids>;
    std::vector<std::unique_ptr<Page>> pages_;
};

}  // namespace maniple::sim
