#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "maniple/nav/modifier.h"

namespace maniple::nav {

/// The modifiers of one family that a field knows: those registered at run time, and the active
/// ones in the order in which they run (MOD-002). Destroyed ones fall out by themselves.
class ModifierList {
  public:
    /// Cost and direction modifiers run by ascending priority, equals in order of arrival; grid
    /// modifiers in order of arrival (MOD-004, O-MOD-02).
    explicit ModifierList(bool by_priority) : by_priority_(by_priority) {}

    /// Adds to both; true only if the active list grew (MOD-003, MOD-005).
    bool add_runtime(const std::shared_ptr<Modifier>& modifier);
    /// Takes out of both (MOD-010).
    void remove_runtime(const Modifier& modifier);
    /// The active list becomes the runtime ones and then these, each once (MOD-011).
    void rescan(const std::vector<std::shared_ptr<Modifier>>& members);
    /// The active modifiers that are alive and enabled, in running order.
    [[nodiscard]] std::vector<std::shared_ptr<Modifier>> enabled() const;
    /// The same as what they are: `Family` is that of the list.
    template <class Family>
    [[nodiscard]] std::vector<std::shared_ptr<const Family>> enabled_as() const {
        std::vector<std::shared_ptr<const Family>> modifiers;
        for (const auto& modifier : enabled()) {
            modifiers.push_back(std::static_pointer_cast<const Family>(modifier));
        }
        return modifiers;
    }
    [[nodiscard]] std::vector<std::shared_ptr<Modifier>> active() const;

  private:
    using Weak = std::vector<std::weak_ptr<Modifier>>;
    static bool add_unique(Weak& list, const std::shared_ptr<Modifier>& modifier);
    static void remove(Weak& list, const Modifier& modifier);
    void sort();

    bool by_priority_;
    Weak runtime_;
    Weak active_;
};

/// The three lists of a field.
struct ModifierLists {
    ModifierList grid{false};
    ModifierList cost{true};
    ModifierList direction{true};

    [[nodiscard]] ModifierList& of(ModifierFamily family) {
        return family == ModifierFamily::kGrid   ? grid
               : family == ModifierFamily::kCost ? cost
                                                 : direction;
    }

    /// GetAllModifiers: registered ones, then `include`, then what `attached` gives, if anything,
    /// by id. @return the members of the last two.
    std::vector<std::shared_ptr<Modifier>> rescan(
        const std::vector<std::weak_ptr<Modifier>>& include,
        const std::function<std::vector<std::shared_ptr<Modifier>>()>& attached);
};

}  // namespace maniple::nav
