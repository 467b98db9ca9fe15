#include "maniple/sim/entity_index.h"

namespace maniple::sim {

// implements: UID-001, UID-002
void EntityIndex::rebuild(const std::vector<EntityGroup>& groups) {
    for (auto& page : pages_) {
        if (page) page->fill({});
    }
    for (std::size_t group = 0; group < groups.size(); ++group) {
        renumber(group, groups[group].uids, 0);
    }
}

void EntityIndex::renumber(std::size_t group, std::span<const Uid> uids, std::size_t first_row) {
    for (std::size_t row = first_row; row < uids.size(); ++row) insert(uids[row], {group, row});
}

void EntityIndex::erase(Uid uid) {
    MANIPLE_ASSERT(find(uid));
    (*pages_[static_cast<std::size_t>(uid.value / kPageUids)])[static_cast<std::size_t>(
        uid.value % kPageUids)] = {};
}

void EntityIndex::insert(Uid uid, EntityRow at) {
    MANIPLE_ASSERT(uid.valid());
    const auto page = static_cast<std::size_t>(uid.value / kPageUids);
    if (page >= pages_.size()) pages_.resize(page + 1);
    if (!pages_[page]) pages_[page] = std::make_unique<Page>();
    (*pages_[page])[static_cast<std::size_t>(uid.value % kPageUids)] = {
        static_cast<std::uint32_t>(at.row), static_cast<std::uint16_t>(at.group + 1)};
}

std::optional<EntityRow> EntityIndex::find(Uid uid) const {
    if (!uid.valid()) return std::nullopt;
    const auto page = static_cast<std::size_t>(uid.value / kPageUids);
    if (page >= pages_.size() || !pages_[page]) return std::nullopt;
    const Slot& slot = (*pages_[page])[static_cast<std::size_t>(uid.value % kPageUids)];
    if (slot.group_plus_one == 0) return std::nullopt;
    return EntityRow{static_cast<std::size_t>(slot.group_plus_one - 1), slot.row};
}

}  // namespace maniple::sim
