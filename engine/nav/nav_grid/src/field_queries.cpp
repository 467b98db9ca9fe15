#include <algorithm>
#include <cmath>

#include "maniple/nav/flow_field.h"
#include "maniple/nav/sample_hash.h"

#include "byte_lanes.h"
#include "disc.h"
#include "flood_rules.h"

namespace maniple::nav {
namespace {

/// The unit vector of a way over level ground, its squared length and a rise.
Vec3f direction_of(Vec2d way, double squared, double rise) {
    const double length = std::sqrt(squared + rise * rise);
    if (length == 0) return {};
    return {static_cast<float>(way.x / length), static_cast<float>(way.y / length),
            static_cast<float>(rise / length)};
}

}  // namespace

// implements: O-GRID-11, O-GRID-31, GRID-043
Vec3f FlowField::direction_anyhow(const Layer& layer, CellIndex cell) const {
    const std::uint8_t code = layer.solution.direction[cell];
    if (code == kNoDirection) return {};
    const GridGeometry& g = geometry();
    if (code < kNeighbours.size()) {
        const GridGeometry::Step& step = g.step(code);
        const NeighbourOffsets offsets(g.y_num());
        return direction_of(step.way, step.squared, rise(cell, cell + offsets[code]));
    }
    if (code == kModified) return layer.modified_direction(cell);
    const CellIndex goal = layer.goal_cells[layer.goal_label(g, cell)];
    const GridCoord from = g.coord(cell);
    const GridCoord to = g.coord(goal);
    const Vec2d way = g.offset({to.x - from.x, to.y - from.y});
    return direction_of(way, dot(way, way), rise(cell, goal));
}

double FlowField::rise(CellIndex from, CellIndex to) const {
    return static_cast<double>(substrate_.z_cm[to]) - substrate_.z_cm[from];
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

// Answers are filled in place: a copy would wait for every single store before it.
inline void FlowField::answer_by(const Layer& layer, CellIndex cell,
                                 NavigationAnswer& answer) const {
    answer.valid = true;
    answer.dist = layer.solution.dist[cell];
    if (answer.dist != layer.solution.dist.limit()) {
        const std::size_t goal = layer.goals.size() == 1 ? 0 : layer.goal_label(geometry(), cell);
        answer.goal = layer.goals[goal];
    }
}

namespace {

bool is_finite(Vec2d v) { return std::isfinite(v.x) && std::isfinite(v.y); }

Vec3f flat(Vec2d v) { return {static_cast<float>(v.x), static_cast<float>(v.y), 0.0F}; }

}  // namespace

// implements: GRID-051, GRID-052, LAY-015, O-GRID-17, O-GRID-33
struct FlowField::Average {
    Vec2d sum;
    double weights = 0;
    CellIndex nearest = kNoCell;
    double nearest_squared = 0;
    SampleHash hash;

    /// Eight at a time: the processor takes the roots and quotients of the next eight while each
    /// step of the hash of these waits for the one before.
    void add(const FlowField& field, const Layer& layer, double radius, const DiscCells& cells) {
        for (std::size_t first = 0; first < cells.count; first += 8) {
            const std::size_t count = std::min<std::size_t>(cells.count - first, 8);
            double weight[8];
            for (std::size_t i = 0; i < count; ++i) {
                weight[i] = 1.0 / (1.0 + std::sqrt(cells.squared[first + i]) / radius);
            }
            for (std::size_t i = 0; i < count; ++i) {
                add(field, layer, cells.cell[first + i], cells.squared[first + i], weight[i]);
            }
        }
    }
    void add(const FlowField& field, const Layer& layer, CellIndex cell, double squared,
             double weight) {
        const Vec3f dir = field.direction(layer, cell);
        sum = sum + Vec2d{dir.x, dir.y} * weight;
        weights += weight;
        hash.add(cell);
        const bool nearer = nearest == kNoCell || squared < nearest_squared;
        nearest = nearer ? cell : nearest;
        nearest_squared = nearer ? squared : nearest_squared;
    }
};

template <class Counts>
void FlowField::average(const Layer& layer, Vec2d location, double radius_cm, const Counts& counts,
                        NavigationAnswer& answer) const {
    Average all;
    Disc(geometry(), location, radius_cm).for_each_few(counts, [&](const DiscCells& cells) {
        all.add(*this, layer, radius_cm, cells);
    });
    if (all.nearest == kNoCell) return;
    answer_by(layer, all.nearest, answer);
    answer.direction = flat(core::safe_normal({all.sum.x / all.weights, all.sum.y / all.weights}));
    answer.sampled_cells_hash = all.hash.value();
}

/// Of the eight cells from one on, lane i being cell + i, those of `asked_for` whose cost does not
/// block, as bits.
inline unsigned FlowField::passable_costs(CellIndex cell, std::uint64_t asked_for) const {
    const std::vector<std::uint8_t>& cost = current_cost_.empty() ? substrate_.cost : current_cost_;
    const std::uint64_t eight = load_bytes(cost.data() + cell, cost.size() - cell);
    const std::uint64_t blocked = asked_for & lanes_of_255(eight);
    auto passable = static_cast<unsigned>(gather_bits(asked_for & ~blocked));
    if (blocked == 0 || !current_cost_.empty()) return passable;
    for (std::uint64_t left = gather_bits(blocked); left != 0; left &= left - 1) {
        const auto i = static_cast<CellIndex>(std::countr_zero(left));
        if (current_cost(cell + i) != kImpassableCost) passable |= 1U << i;  // a goal
    }
    return passable;
}

// implements: GRID-050, LAY-014
inline void FlowField::answer_at(const Layer& layer, Vec2d location,
                                 NavigationAnswer& answer) const {
    const GridGeometry::Located at = geometry().world_to_grid(location);
    if (!at.inside && !is_finite(location)) return;
    const CellIndex cell = geometry().index(at.coord);
    answer_by(layer, cell, answer);
    answer.direction = direction(layer, cell);
    SampleHash hash;
    hash.add(cell);
    answer.sampled_cells_hash = hash.value();
}

// implements: LAY-011, LAY-012, LAY-015, O-LAY-09, O-GEN-08
NavigationAnswer FlowField::query_layer(const Layer* layer, Vec2d location,
                                        double radius_cm) const {
    NavigationAnswer answer;
    if (layer == nullptr || !layer->solved || !std::isfinite(radius_cm)) return answer;
    if (radius_cm > 0) {
        if (!is_finite(location)) return answer;
        const auto counts = [&](CellIndex cell) {
            unsigned reached = 0;
            const std::size_t count = std::min<std::size_t>(8, geometry().cell_count() - cell);
            for (CellIndex i = 0; i < count; ++i) {
                reached |= static_cast<unsigned>(layer->reached(cell + i)) << i;
            }
            return reached & passable_costs(cell, kByteOnes);
        };
        average(*layer, location, radius_cm, counts, answer);
    } else {
        answer_at(*layer, location, answer);
    }
    return answer;
}

// implements: GRID-048, GRID-049
NavigationAnswer FlowField::query(Vec2d location, double radius_cm) const {
    if (radius_cm > 0) return query_around(location, radius_cm);
    NavigationAnswer answer;
    if (default_layer_.solved && std::isfinite(radius_cm)) {
        answer_at(default_layer_, location, answer);
    }
    return answer;
}

// implements: GRID-053, O-GRID-15
NavigationAnswer FlowField::query_around(Vec2d location, double radius_cm) const {
    NavigationAnswer answer;
    if (!default_layer_.solved || !is_finite(location) || !std::isfinite(radius_cm)) return answer;
    const auto counts = [&](CellIndex cell) {
        const std::vector<std::uint8_t>& type = substrate_.type;
        const std::uint64_t eight = load_bytes(type.data() + cell, type.size() - cell);
        return passable_costs(cell, eight & kByteOnes);  // kGround is 1
    };
    average(default_layer_, location, radius_cm, counts, answer);
    if (answer.valid) return answer;
    const CellIndex found = nearest_ground(location);
    if (found == kNoCell) return answer;
    answer_by(default_layer_, found, answer);
    answer.direction =
        flat(core::safe_normal(geometry().cell_centre(geometry().coord(found)) - location));
    return answer;
}

}  // namespace maniple::nav
