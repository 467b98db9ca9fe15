#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "maniple/nav/flow_field.h"
#include "maniple/skirmish/command_plan.h"
#include "maniple/skirmish/fragments.h"
#include "maniple/skirmish/map_facts.h"

namespace maniple::skirmish {

/// Walls that come and go between the armies: a pure function of (map, units, seed, edit index).
/// Every wall has two free cells around it, so none can cut the ground in two, and none stands
/// on a spawn zone.
class MapEdits {
  public:
    MapEdits(const MapFacts& facts, const CommandPlan& plan, std::int32_t seed);

    struct Edit {
        bool raises = false;
        Wall wall;
    };
    /// Applies the next edit to the authoring field: two walls rise, then the older one falls.
    /// Edits are applied in order from 0. @return edit; an edit that finds no room changes nothing.
    std::optional<Edit> apply_next(nav::FlowField& authoring);
    [[nodiscard]] std::int32_t applied() const { return index_; }
    /// The cells near the ways between the armies, off the spawn zones, ascending.
    [[nodiscard]] const std::vector<nav::CellIndex>& battlefield() const { return battlefield_; }

  private:
    struct Site {
        nav::GridCoord low, high;
        std::uint8_t cost_below = 1;  ///< Of the ground the wall stands on.
        [[nodiscard]] Wall wall() const { return {low.x, low.y, high.x, high.y}; }
    };
    [[nodiscard]] bool has_room(const nav::FlowField& authoring, const Site& site) const;
    std::optional<Edit> raise_wall(nav::FlowField& authoring);
    std::optional<Edit> raze_wall(nav::FlowField& authoring);

    std::int32_t seed_;
    std::int32_t index_ = 0;
    std::vector<nav::CellIndex> battlefield_;  ///< Where walls may begin, ascending.
    std::vector<std::uint8_t> protected_;      ///< Per cell: 1 on a spawn zone.
    std::vector<Site> standing_;               ///< Oldest first.
};

}  // namespace maniple::skirmish
