#include "maniple/skirmish/map_edits.h"

#include <algorithm>

#include "maniple/core/random.h"

namespace maniple::skirmish {
namespace {

constexpr int kTries = 64;
constexpr std::uint32_t kSiteWall = 16;
constexpr std::uint32_t kDetourSteps = 20;  ///< How far walls lie off the shortest way.
constexpr std::int32_t kFreeAround = 2;     ///< Cells.

}  // namespace

MapEdits::MapEdits(const MapFacts& facts, const CommandPlan& plan, std::int32_t seed)
    : seed_(seed), protected_(facts.components.label.size(), 0) {
    for (std::int32_t team = 0; team < kTeamCount; ++team) {
        for (const nav::CellIndex cell : plan.spawn_zone(team)) protected_[cell] = 1;
    }
    const StepMap first(facts, plan.anchor(0), facts.field_cells.size());
    const StepMap second(facts, plan.anchor(1), facts.field_cells.size());
    const std::uint32_t way = first.steps(plan.anchor(1));
    for (const nav::CellIndex cell : facts.field_cells) {
        const bool near_way = first.steps(cell) + second.steps(cell) <= way + kDetourSteps;
        if (near_way && protected_[cell] == 0) battlefield_.push_back(cell);
    }
}

std::optional<MapEdits::Edit> MapEdits::apply_next(nav::FlowField& authoring) {
    const std::optional<Edit> edit = index_ % 3 == 2 ? raze_wall(authoring) : raise_wall(authoring);
    ++index_;
    return edit;
}

bool MapEdits::has_room(const nav::FlowField& authoring, const Site& site) const {
    const nav::GridGeometry& geometry = authoring.geometry();
    const nav::GridCoord low{site.low.x - kFreeAround, site.low.y - kFreeAround};
    const nav::GridCoord high{site.high.x + kFreeAround, site.high.y + kFreeAround};
    if (!geometry.contains(low) || !geometry.contains(high)) return false;
    const std::uint32_t label = authoring.components().label[geometry.index(site.low)];
    for (std::int32_t x = low.x; x <= high.x; ++x) {
        for (std::int32_t y = low.y; y <= high.y; ++y) {
            const nav::CellIndex cell = geometry.index({x, y});
            if (!authoring.passable(cell) || protected_[cell] != 0) return false;
            if (authoring.components().label[cell] != label) return false;
            // One cost under the whole wall, so that razing it restores the ground.
            if (authoring.substrate().cost[cell] != site.cost_below) return false;
        }
    }
    return true;
}

std::optional<MapEdits::Edit> MapEdits::raise_wall(nav::FlowField& authoring) {
    if (battlefield_.empty()) return std::nullopt;
    const nav::GridGeometry& geometry = authoring.geometry();
    for (int i = 0; i < kTries; ++i) {
        const std::uint64_t random = core::site_random(
            static_cast<std::uint64_t>(static_cast<std::uint32_t>(seed_)), index_, i, kSiteWall);
        const nav::CellIndex cell = battlefield_[(random >> 8) % battlefield_.size()];
        const auto extent = static_cast<std::int32_t>(2 + (random >> 1) % 6);
        Site site;
        site.low = geometry.coord(cell);
        site.high = site.low;
        ((random & 1) != 0 ? site.high.x : site.high.y) += extent;
        site.cost_below = authoring.substrate().cost[cell];
        if (!has_room(authoring, site)) continue;
        authoring.set_cells(site.low, site.high, nav::CellType::kObstacle, nav::kImpassableCost);
        authoring.commit_edits();
        standing_.push_back(site);
        return Edit{true, site.wall()};
    }
    return std::nullopt;
}

std::optional<MapEdits::Edit> MapEdits::raze_wall(nav::FlowField& authoring) {
    if (standing_.empty()) return std::nullopt;
    const Site site = standing_.front();
    standing_.erase(standing_.begin());
    authoring.set_cells(site.low, site.high, nav::CellType::kGround, site.cost_below);
    authoring.commit_edits();
    return Edit{false, site.wall()};
}

}  // namespace maniple::skirmish
