#include "maniple/nav/modifier_lists.h"

#include <algorithm>
#include <utility>

namespace maniple::nav {

bool ModifierList::add_unique(Weak& list, const std::shared_ptr<Modifier>& modifier) {
    std::erase_if(list, [](const std::weak_ptr<Modifier>& m) { return m.expired(); });
    const bool known =
        std::any_of(list.begin(), list.end(), [&](const auto& m) { return m.lock() == modifier; });
    if (!known) list.push_back(modifier);
    return !known;
}

void ModifierList::remove(Weak& list, const Modifier& modifier) {
    std::erase_if(list, [&](const std::weak_ptr<Modifier>& m) {
        const auto alive = m.lock();
        return alive == nullptr || alive.get() == &modifier;
    });
}

// implements: MOD-004, O-MOD-02
void ModifierList::sort() {
    if (!by_priority_) return;
    std::erase_if(active_, [](const std::weak_ptr<Modifier>& m) { return m.expired(); });
    std::stable_sort(active_.begin(), active_.end(), [](const auto& a, const auto& b) {
        return a.lock()->priority < b.lock()->priority;
    });
}

// implements: MOD-002, MOD-003, MOD-005
bool ModifierList::add_runtime(const std::shared_ptr<Modifier>& modifier) {
    add_unique(runtime_, modifier);
    const bool added = add_unique(active_, modifier);
    if (added) sort();
    return added;
}

// implements: MOD-010
void ModifierList::remove_runtime(const Modifier& modifier) {
    remove(runtime_, modifier);
    remove(active_, modifier);
}

// implements: MOD-007, MOD-011
void ModifierList::rescan(const std::vector<std::shared_ptr<Modifier>>& members) {
    active_ = runtime_;
    for (const auto& member : members) add_unique(active_, member);
    sort();
}

std::vector<std::shared_ptr<Modifier>> ModifierList::active() const {
    std::vector<std::shared_ptr<Modifier>> alive;
    for (const auto& weak : active_) {
        if (auto modifier = weak.lock()) alive.push_back(std::move(modifier));
    }
    return alive;
}

std::vector<std::shared_ptr<Modifier>> ModifierList::enabled() const {
    std::vector<std::shared_ptr<Modifier>> modifiers = active();
    std::erase_if(modifiers, [](const auto& modifier) { return !modifier->enabled; });
    return modifiers;
}

// implements: MOD-007, MOD-011, O-MOD-02, O-MOD-03
std::vector<std::shared_ptr<Modifier>> ModifierLists::rescan(
    const std::vector<std::weak_ptr<Modifier>>& include,
    const std::function<std::vector<std::shared_ptr<Modifier>>()>& attached) {
    std::vector<std::shared_ptr<Modifier>> members;
    for (const auto& weak : include) {
        if (auto modifier = weak.lock()) members.push_back(std::move(modifier));
    }
    if (attached) {
        auto children = attached();
        std::erase(children, nullptr);
        std::stable_sort(children.begin(), children.end(),
                         [](const auto& a, const auto& b) { return a->id < b->id; });
        members.insert(members.end(), children.begin(), children.end());
    }
    for (const ModifierFamily family :
         {ModifierFamily::kGrid, ModifierFamily::kCost, ModifierFamily::kDirection}) {
        std::vector<std::shared_ptr<Modifier>> of_family;
        for (const auto& member : members) {
            if (member->family() == family) of_family.push_back(member);
        }
        of(family).rescan(of_family);
    }
    return members;
}

}  // namespace maniple::nav
