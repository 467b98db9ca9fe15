#include "maniple/skirmish/map_facts.h"

#include <array>

#include "maniple/skirmish/fragments.h"
#include "maniple/substrate/grid_export.h"

namespace maniple::skirmish {

Result<MapFacts> MapFacts::of(const substrate::CheckedView& stream) {
    MapFacts facts;
    facts.ground = substrate::read_grid_stream(stream);
    facts.components = nav::label_components(facts.ground, nav::FieldConfig{});
    const std::uint32_t largest = facts.components.largest();
    if (largest == nav::Components::kNone) {
        return refuse(ErrorCode::kNoGround, "the map has no passable cell");
    }
    facts.field_cells.reserve(facts.components.cell_count[largest]);
    for (nav::CellIndex cell = 0; cell < facts.components.label.size(); ++cell) {
        if (facts.components.label[cell] == largest) facts.field_cells.push_back(cell);
    }
    const nav::GridGeometry& geometry = facts.ground.geometry;
    for (const std::int32_t x : {0, geometry.x_num() - 1}) {
        for (const std::int32_t y : {0, geometry.y_num() - 1}) {
            if (Position::reaches(geometry.cell_centre({x, y}))) continue;
            return refuse(ErrorCode::kOverCap,
                          "the map lies more than 20 km from the world's origin");
        }
    }
    return facts;
}

namespace {

/// Calls visit(neighbour) for each cell one legal step from `cell`, in neighbour order.
template <typename Visit>
void for_steps(const MapFacts& facts, nav::CellIndex cell, Visit&& visit) {
    const nav::GridGeometry& geometry = facts.ground.geometry;
    const nav::GridCoord at = geometry.coord(cell);
    const auto open = [&](std::int32_t dx, std::int32_t dy) {
        const nav::GridCoord c{at.x + dx, at.y + dy};
        return geometry.contains(c) && facts.in_field(geometry.index(c));
    };
    for (const nav::GridCoord& step : nav::kNeighbours) {
        if (!open(step.x, step.y)) continue;
        const bool diagonal = step.x != 0 && step.y != 0;
        if (diagonal && !(open(step.x, 0) && open(0, step.y))) continue;
        visit(geometry.index({at.x + step.x, at.y + step.y}));
    }
}

}  // namespace

StepMap::StepMap(const MapFacts& facts, nav::CellIndex from, std::size_t cell_limit)
    : steps_(facts.components.label.size(), kUnreached) {
    steps_[from] = 0;
    visited_.push_back(from);
    for (std::size_t head = 0; head < visited_.size() && visited_.size() < cell_limit; ++head) {
        const nav::CellIndex cell = visited_[head];
        for_steps(facts, cell, [&](nav::CellIndex next) {
            if (steps_[next] != kUnreached || visited_.size() >= cell_limit) return;
            steps_[next] = steps_[cell] + 1;
            visited_.push_back(next);
        });
    }
}

nav::CellIndex StepMap::descend(const MapFacts& facts, nav::CellIndex cell,
                                std::uint32_t count) const {
    for (std::uint32_t i = 0; i < count && steps_[cell] != 0; ++i) {
        nav::CellIndex best = cell;
        for_steps(facts, cell, [&](nav::CellIndex next) {
            if (steps_[next] < steps_[best]) best = next;
        });
        if (best == cell) break;
        cell = best;
    }
    return cell;
}

}  // namespace maniple::skirmish
