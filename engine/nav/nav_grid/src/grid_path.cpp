#include "maniple/nav/grid_path.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "line_of_sight.h"

namespace maniple::nav {
namespace {

constexpr std::uint32_t kObstacleCost = 5;  ///< In an emergency (PATH-009).
constexpr double kEmergencyWeight = 2;

/// O-GRID-07.
constexpr std::array<std::uint8_t, 8> kAdjacentOrder{0, 1, 2, 3, 4, 5, 6, 7};
constexpr std::array<std::uint8_t, 8> kDiagonalOrder{4, 5, 6, 7, 0, 1, 2, 3};

bool comes_later(const OpenCell& a, const OpenCell& b) {
    if (a.f != b.f) return a.f > b.f;
    return a.h != b.h ? a.h > b.h : a.cell > b.cell;
}

bool is_finite(Vec3d v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

/// An end of a path on the grid.
struct End {
    CellIndex cell = kNoCell;
    bool inside = false;
};

// implements: PATH-006, O-PATH-04
std::optional<End> locate(const FlowField& field, Vec3d at) {
    const GridGeometry& g = field.geometry();
    const GridGeometry::Located located = g.world_to_grid({at.x, at.y});
    CellIndex cell = g.index(located.coord);
    if (!located.inside && field.blocks(cell)) {
        cell = field.nearest_ground(g.cell_centre(located.coord));
        if (cell == kNoCell) return std::nullopt;
    }
    return End{cell, located.inside};
}

// implements: PATH-012, O-PATH-01, O-PATH-13
void trace_back(const FlowField& field, const PathContext& context, CellIndex first, CellIndex last,
                Vec3d start, Vec3d goal, std::vector<Vec3d>& path) {
    const GridGeometry& g = field.geometry();
    path.clear();
    for (CellIndex cell = last; cell != first;) {
        const GridCoord step = kNeighbours[context.node(cell).from];
        cell -= static_cast<CellIndex>(step.x * g.y_num() + step.y);
        if (cell != first) path.push_back(field.world_location(cell));
    }
    path.push_back(start);
    std::reverse(path.begin(), path.end());
    path.push_back({goal.x, goal.y, path.back().z});
}

std::int32_t manhattan(GridCoord a, GridCoord b) {
    return std::abs(a.x - b.x) + std::abs(a.y - b.y);
}

/// The documented search between two cells.
class DocumentedSearch {
  public:
    DocumentedSearch(const FlowField& field, bool emergency, PathContext& context)
        : field_(field),
          geometry_(field.geometry()),
          context_(context),
          emergency_(emergency),
          weight_(emergency ? kEmergencyWeight : 1),
          order_(field.config().style == Style::kAdjacentFirst ? kAdjacentOrder : kDiagonalOrder) {}

    // implements: PATH-011, O-PATH-01, O-PATH-02, O-PATH-03
    bool run(CellIndex start, CellIndex goal) {
        goal_ = geometry_.coord(goal);
        context_.prepare(geometry_.cell_count());
        context_.touch(start).g = 0;
        open(start, geometry_.coord(start));
        while (!context_.empty()) {
            const OpenCell best = context_.pop();
            if (best.f != context_.node(best.cell).g + best.h) continue;  // since improved
            if (best.cell == goal) return true;
            expand(best.cell);
        }
        return false;
    }

  private:
    void expand(CellIndex cell) {
        const GridCoord at = geometry_.coord(cell);
        const double g = context_.node(cell).g;
        for (const std::uint8_t n : order_) {
            const GridCoord d = kNeighbours[n];
            const GridCoord next{at.x + d.x, at.y + d.y};
            if (!geometry_.contains(next)) continue;
            const CellIndex to = geometry_.index(next);
            if (!emergency_ && ((field_.moves()[cell] >> n & 1) == 0 || field_.blocks(to)))
                continue;
            const double step = n >= 4 ? core::kSqrt2 : 1.0;
            const double reached = g + step * static_cast<double>(cost(to));
            if (!context_.fresh(to) && reached >= context_.node(to).g) continue;
            PathContext::Node& node = context_.touch(to);
            node.g = reached;
            node.from = n;
            open(to, next);
        }
    }
    // implements: PATH-009
    [[nodiscard]] std::uint32_t cost(CellIndex cell) const {
        return field_.blocks(cell) ? kObstacleCost : field_.current_cost(cell);
    }
    void open(CellIndex cell, GridCoord at) {
        const double h = weight_ * manhattan(at, goal_);
        context_.push({context_.node(cell).g + h, h, cell});
    }

    const FlowField& field_;
    const GridGeometry& geometry_;
    PathContext& context_;
    bool emergency_;
    double weight_;
    const std::array<std::uint8_t, 8>& order_;
    GridCoord goal_;
};

/// The octile search. Lengths are pairs of step counts, so that no sum is rounded and a way is
/// never preferred for its order of steps.
class OptimalSearch {
  public:
    OptimalSearch(const FlowField& field, PathContext& context)
        : field_(field), geometry_(field.geometry()), context_(context) {}

    // implements: O-PATH-01
    bool run(CellIndex start, CellIndex goal) {
        goal_ = geometry_.coord(goal);
        context_.prepare(geometry_.cell_count());
        PathContext::Node& first = context_.touch(start);
        first.straight = 0;
        first.diagonal = 0;
        open(start, geometry_.coord(start), first);
        while (!context_.empty()) {
            const OpenCell best = context_.pop();
            if (best.cell == goal) return true;
            const PathContext::Node& node = context_.node(best.cell);
            if (best.f == estimate(geometry_.coord(best.cell), node).f) expand(best.cell);
        }
        return false;
    }

  private:
    struct Estimate {
        double f;
        double h;
    };
    static double length(std::uint32_t straight, std::uint32_t diagonal) {
        return static_cast<double>(straight) + static_cast<double>(diagonal) * core::kSqrt2;
    }
    [[nodiscard]] Estimate estimate(GridCoord at, const PathContext::Node& node) const {
        const auto dx = static_cast<std::uint32_t>(std::abs(at.x - goal_.x));
        const auto dy = static_cast<std::uint32_t>(std::abs(at.y - goal_.y));
        const std::uint32_t diagonal = std::min(dx, dy);
        const std::uint32_t straight = std::max(dx, dy) - diagonal;
        return {length(node.straight + straight, node.diagonal + diagonal),
                length(straight, diagonal)};
    }
    void open(CellIndex cell, GridCoord at, const PathContext::Node& node) {
        const Estimate e = estimate(at, node);
        context_.push({e.f, e.h, cell});
    }
    void expand(CellIndex cell) {
        const GridCoord at = geometry_.coord(cell);
        const PathContext::Node node = context_.node(cell);
        for (unsigned left = field_.moves()[cell]; left != 0; left &= left - 1) {
            const auto n = static_cast<std::size_t>(std::countr_zero(left));
            const GridCoord next{at.x + kNeighbours[n].x, at.y + kNeighbours[n].y};
            const CellIndex to = geometry_.index(next);
            if (field_.blocks(to)) continue;
            const std::uint32_t straight = node.straight + (n < 4 ? 1 : 0);
            const std::uint32_t diagonal = node.diagonal + (n < 4 ? 0 : 1);
            const double reached = length(straight, diagonal);
            if (!context_.fresh(to) && reached >= context_.node(to).g) continue;
            PathContext::Node& other = context_.touch(to);
            other.g = reached;
            other.straight = straight;
            other.diagonal = diagonal;
            other.from = static_cast<std::uint8_t>(n);
            open(to, next, other);
        }
    }

    const FlowField& field_;
    const GridGeometry& geometry_;
    PathContext& context_;
    GridCoord goal_;
};

}  // namespace

// implements: PATH-008
void PathContext::prepare(std::size_t cells) {
    heap_.clear();
    if (nodes_.size() != cells || ++stamp_ == 0) {
        nodes_.assign(cells, {});
        stamp_ = 1;
    }
}

void PathContext::push(OpenCell open) {
    heap_.push_back(open);
    std::push_heap(heap_.begin(), heap_.end(), comes_later);
}

OpenCell PathContext::pop() {
    std::pop_heap(heap_.begin(), heap_.end(), comes_later);
    const OpenCell best = heap_.back();
    heap_.pop_back();
    return best;
}

// The labels follow the moves of the flood. With kDiagonalFirst it has fewer than a search.
bool may_connect(const FlowField& field, CellIndex start, CellIndex goal) {
    const std::uint32_t from = field.components().label[start];
    const std::uint32_t to = field.components().label[goal];
    if (from == Components::kNone || to == Components::kNone) return true;
    return from == to || field.config().style == Style::kDiagonalFirst;
}

// implements: PATH-005, PATH-007, PATH-009, PATH-010, PATH-013, O-PATH-15, O-GEN-08
bool find_path_astar(const FlowField& field, Vec3d start, Vec3d goal, PathContext& context,
                     std::vector<Vec3d>& path) {
    path.clear();
    if (!field.initialised() || !is_finite(start) || !is_finite(goal)) return false;
    const std::optional<End> from = locate(field, start);
    const std::optional<End> to = locate(field, goal);
    if (!from || !to) return false;
    if (from->cell == to->cell) {
        path = {start, goal};
        return true;
    }
    const bool emergency =
        (from->inside && field.blocks(from->cell)) || (to->inside && field.blocks(to->cell));
    if (!emergency) {
        if (field.config().straight_first && field_sees(field, from->cell, to->cell)) {
            path = {start, goal};
            return true;
        }
        if (!may_connect(field, from->cell, to->cell)) return false;
    }
    if (!DocumentedSearch(field, emergency, context).run(from->cell, to->cell)) return false;
    trace_back(field, context, from->cell, to->cell, start, goal, path);
    return true;
}

bool find_path_optimal(const FlowField& field, Vec3d start, Vec3d goal, PathContext& context,
                       std::vector<Vec3d>& path) {
    path.clear();
    if (!field.initialised() || !is_finite(start) || !is_finite(goal)) return false;
    const std::optional<End> from = locate(field, start);
    const std::optional<End> to = locate(field, goal);
    if (!from || !to || field.blocks(from->cell) || field.blocks(to->cell)) return false;
    if (from->cell == to->cell) {
        path = {start, goal};
        return true;
    }
    if (!may_connect(field, from->cell, to->cell)) return false;
    if (!OptimalSearch(field, context).run(from->cell, to->cell)) return false;
    trace_back(field, context, from->cell, to->cell, start, goal, path);
    return true;
}

// implements: PATH-004
bool has_valid_ends(const FlowField& field, Vec3d start, Vec3d goal) {
    if (!field.initialised()) return false;
    const auto valid = [&](Vec3d at) {
        const GridGeometry::Located located = field.geometry().world_to_grid({at.x, at.y});
        return located.inside && std::isfinite(at.z) &&
               !field.blocks(field.geometry().index(located.coord));
    };
    return valid(start) && valid(goal);
}

double path_length_cm(std::span<const Vec3d> path) {
    double length = 0;
    for (std::size_t i = 1; i < path.size(); ++i) {
        const Vec3d d = path[i] - path[i - 1];
        length += std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
    }
    return length;
}

}  // namespace maniple::nav
