#include <algorithm>
#include <cmath>

#include "maniple/nav/flow_field.h"
#include "maniple/nav/sample_hash.h"

namespace maniple::nav {

// implements: O-GRID-11, O-GRID-31, GRID-043
Vec3f FlowField::direction(const Layer& layer, CellIndex cell) const {
    const std::uint8_t code = layer.solution.direction[cell];
    if (code == kNoDirection) return {};
    if (code == kModified) return layer.modified_direction(cell);
    const GridGeometry& g = geometry();
    const GridCoord at = g.coord(cell);
    GridCoord target;
    if (code == kStraightToGoal) {
        target = g.coord(layer.goal_cells[layer.solution.goal[cell]]);
    } else {
        const GridCoord step = kNeighbours[code];
        target = {at.x + step.x, at.y + step.y};
    }
    const Vec2d away = g.offset({target.x - at.x, target.y - at.y});
    const double rise =
        static_cast<double>(substrate_.z_cm[g.index(target)]) - substrate_.z_cm[cell];
    const double length = std::sqrt(away.x * away.x + away.y * away.y + rise * rise);
    if (length == 0) return {};
    return {static_cast<float>(away.x / length), static_cast<float>(away.y / length),
            static_cast<float>(rise / length)};
}

// implements: GRID-046, O-GRID-14
CellIndex FlowField::nearest_ground(Vec2d location) const {
    const GridGeometry& g = geometry();
    const GridCoord centre = g.world_to_grid(location).coord;
    const double reach = config_.path_stop_search_cm.x;
    const auto rings =
        core::clamp_to_i32(std::floor(reach / g.cell_size_cm()) + 1, 0, g.x_num() + g.y_num());
    for (std::int32_t ring = 0; ring <= rings; ++ring) {
        CellIndex best = kNoCell;
        double best_squared = reach * reach;
        for (std::int32_t x = centre.x - ring; x <= centre.x + ring; ++x) {
            const bool edge_column = x == centre.x - ring || x == centre.x + ring;
            for (std::int32_t y = centre.y - ring; y <= centre.y + ring;
                 y += edge_column || ring == 0 ? 1 : 2 * ring) {
                if (!g.contains({x, y})) continue;
                const CellIndex cell = g.index({x, y});
                if (static_cast<CellType>(substrate_.type[cell]) != CellType::kGround) continue;
                const Vec2d away = g.cell_centre({x, y}) - location;
                const double squared = dot(away, away);
                if (best == kNoCell ? squared <= best_squared : squared < best_squared) {
                    best = cell;
                    best_squared = squared;
                }
            }
        }
        if (best != kNoCell) return best;
    }
    return kNoCell;
}

NavigationAnswer FlowField::answer_of(const Layer& layer, CellIndex cell) const {
    NavigationAnswer answer;
    answer.valid = true;
    answer.dist = layer.solution.dist[cell];
    if (layer.reached(cell)) answer.goal = layer.goals[layer.solution.goal[cell]];
    return answer;
}

namespace {

bool finite(Vec2d location, double radius_cm) {
    return std::isfinite(location.x) && std::isfinite(location.y) && std::isfinite(radius_cm);
}

Vec3f flat(Vec2d v) { return {static_cast<float>(v.x), static_cast<float>(v.y), 0.0F}; }

}  // namespace

// implements: GRID-051, GRID-052, LAY-015, O-GRID-17, O-GRID-33
template <class Counts>
NavigationAnswer FlowField::average(const Layer& layer, Vec2d location, double radius_cm,
                                    Counts&& counts) const {
    const GridGeometry& g = geometry();
    const GridCoord centre = g.world_to_grid(location).coord;
    const auto reach = core::clamp_to_i32(std::floor(radius_cm / g.cell_size_cm()) + 1, 0,
                                          std::max(g.x_num(), g.y_num()));
    Vec3d sum;
    double weights = 0;
    double nearest_squared = 0;
    CellIndex nearest = kNoCell;
    SampleHash hash;
    for (std::int32_t x = std::max(0, centre.x - reach);
         x <= std::min(g.x_num() - 1, centre.x + reach); ++x) {
        for (std::int32_t y = std::max(0, centre.y - reach);
             y <= std::min(g.y_num() - 1, centre.y + reach); ++y) {
            const CellIndex cell = g.index({x, y});
            const Vec2d away = g.cell_centre({x, y}) - location;
            const double squared = dot(away, away);
            if (squared > radius_cm * radius_cm || !counts(cell)) continue;
            const Vec3f dir = direction(layer, cell);
            const double weight = 1.0 / (1.0 + std::sqrt(squared) / radius_cm);
            sum = sum + Vec3d{dir.x, dir.y, dir.z} * weight;
            weights += weight;
            hash.add(cell);
            if (nearest == kNoCell || squared < nearest_squared) {
                nearest = cell;
                nearest_squared = squared;
            }
        }
    }
    if (nearest == kNoCell) return {};
    NavigationAnswer answer = answer_of(layer, nearest);
    answer.direction = flat(core::safe_normal({sum.x / weights, sum.y / weights}));
    answer.sampled_cells_hash = hash.value();
    return answer;
}

// implements: LAY-011, LAY-012, LAY-014, LAY-015, O-LAY-09, O-GEN-08
NavigationAnswer FlowField::query_layer(const Layer* layer, Vec2d location,
                                        double radius_cm) const {
    if (layer == nullptr || !layer->solved || !finite(location, radius_cm)) return {};
    if (radius_cm > 0) {
        return average(*layer, location, radius_cm, [&](CellIndex cell) {
            return current_cost(cell) != kImpassableCost && layer->reached(cell);
        });
    }
    const CellIndex cell = geometry().index(geometry().world_to_grid(location).coord);
    NavigationAnswer answer = answer_of(*layer, cell);
    answer.direction = direction(*layer, cell);
    SampleHash hash;
    hash.add(cell);
    answer.sampled_cells_hash = hash.value();
    return answer;
}

// implements: GRID-048, GRID-049, GRID-050, GRID-053, O-GRID-15
NavigationAnswer FlowField::query(Vec2d location, double radius_cm) const {
    if (radius_cm <= 0 || !default_layer_.solved || !finite(location, radius_cm)) {
        return query_layer(&default_layer_, location, radius_cm);
    }
    NavigationAnswer answer = average(default_layer_, location, radius_cm, [&](CellIndex cell) {
        return current_cost(cell) != kImpassableCost &&
               static_cast<CellType>(substrate_.type[cell]) == CellType::kGround;
    });
    if (answer.valid) return answer;
    const CellIndex found = nearest_ground(location);
    if (found == kNoCell) return answer;
    answer = answer_of(default_layer_, found);
    answer.direction =
        flat(core::safe_normal(geometry().cell_centre(geometry().coord(found)) - location));
    return answer;
}

}  // namespace maniple::nav
