#include "maniple/nav/modifier_shapes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

namespace maniple::nav {
namespace {

/// Calls visit(cell, centre) for the cells whose centre can lie within `reach_cm` of a place.
template <class Visit>
void for_cells_near(const GridGeometry& g, Vec2d place, double reach_cm, Visit&& visit) {
    if (!std::isfinite(place.x) || !std::isfinite(place.y)) return;
    const GridCoord at = g.world_to_grid(place).coord;
    const std::int32_t reach = core::clamp_to_i32(std::floor(reach_cm / g.cell_size_cm()) + 2, 0,
                                                  std::max(g.x_num(), g.y_num()));
    for (std::int32_t x = std::max(0, at.x - reach); x <= std::min(g.x_num() - 1, at.x + reach);
         ++x) {
        for (std::int32_t y = std::max(0, at.y - reach); y <= std::min(g.y_num() - 1, at.y + reach);
             ++y) {
            visit(g.index({x, y}), g.cell_centre({x, y}));
        }
    }
}

/// A straight piece of a corridor.
struct Piece {
    Vec2d from;
    Vec2d to;
};

double squared_distance(Vec2d point, const Piece& piece) {
    const Vec2d along = piece.to - piece.from;
    const double length = dot(along, along);
    const double at =
        length == 0 ? 0 : std::clamp(dot(point - piece.from, along) / length, 0.0, 1.0);
    const Vec2d away = point - (piece.from + along * at);
    return dot(away, away);
}

/// Catmull–Rom between b and c.
Vec2d spline_point(Vec2d a, Vec2d b, Vec2d c, Vec2d d, double t) {
    const Vec2d linear = c - a;
    const Vec2d square = a * 2 - b * 5 + c * 4 - d;
    const Vec2d cube = b * 3 - a - c * 3 + d;
    return b + (linear + (square + cube * t) * t) * (t * 0.5);
}

std::vector<Piece> pieces_of(const CorridorShape& corridor) {
    std::vector<Vec2d> points;
    for (const Vec3d& point : corridor.points) points.push_back({point.x, point.y});
    std::vector<Piece> pieces;
    if (points.size() == 1) pieces.push_back({points[0], points[0]});
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const Vec2d before = points[i == 0 ? 0 : i - 1];
        const Vec2d behind = points[std::min(i + 2, points.size() - 1)];
        Vec2d from = points[i];
        for (int step = 1; step <= kSplinePieces; ++step) {
            const double t = static_cast<double>(step) / kSplinePieces;
            const Vec2d to = spline_point(before, points[i], points[i + 1], behind, t);
            pieces.push_back({from, to});
            from = to;
        }
    }
    return pieces;
}

bool holds(const BoxShape& box, Vec3d place) {
    const double c = core::cos_centideg(box.yaw_centideg);
    const double s = core::sin_centideg(box.yaw_centideg);
    const Vec3d half = box.half_extent_cm;
    const Vec3d p = place - box.centre_cm;
    return std::abs(p.x * c + p.y * s) <= half.x && std::abs(-p.x * s + p.y * c) <= half.y &&
           std::abs(p.z) <= half.z;
}

std::vector<CellIndex> box_cells(const BoxShape& box, const GridSubstrate& ground) {
    const Vec3d half = box.half_extent_cm;
    std::vector<CellIndex> cells;
    for_cells_near(ground.geometry, {box.centre_cm.x, box.centre_cm.y},
                   std::sqrt(half.x * half.x + half.y * half.y), [&](CellIndex cell, Vec2d centre) {
                       const double z = ground.geometry.origin().z + ground.z_cm[cell];
                       if (holds(box, {centre.x, centre.y, z})) cells.push_back(cell);
                   });
    return cells;
}

/// The corridor's direction at a place that it holds: that of the nearest piece, the first of
/// equals.
std::optional<Vec2d> along_at(std::span<const Piece> pieces, double half_width_cm, Vec2d place) {
    const Piece* nearest = nullptr;
    double squared = half_width_cm * half_width_cm;
    for (const Piece& piece : pieces) {
        const double here = squared_distance(place, piece);
        if (nearest == nullptr ? here <= squared : here < squared) {
            nearest = &piece;
            squared = here;
        }
    }
    if (nearest == nullptr) return std::nullopt;
    return core::safe_normal(nearest->to - nearest->from);
}

}  // namespace

// implements: O-MOD-01
std::vector<CorridorCell> corridor_cells(const CorridorShape& corridor,
                                         const GridSubstrate& ground) {
    struct Near {
        CellIndex cell;
        double squared;
        std::size_t piece;
    };
    const std::vector<Piece> pieces = pieces_of(corridor);
    const double width = corridor.half_width_cm;
    std::vector<Near> near;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const Vec2d along = pieces[i].to - pieces[i].from;
        const double reach = width + std::sqrt(dot(along, along));
        for_cells_near(ground.geometry, pieces[i].from, reach, [&](CellIndex cell, Vec2d centre) {
            const double squared = squared_distance(centre, pieces[i]);
            if (squared <= width * width) near.push_back({cell, squared, i});
        });
    }
    std::sort(near.begin(), near.end(), [](const Near& a, const Near& b) {
        if (a.cell != b.cell) return a.cell < b.cell;
        return a.squared != b.squared ? a.squared < b.squared : a.piece < b.piece;
    });
    std::vector<CorridorCell> cells;
    for (const Near& n : near) {
        if (!cells.empty() && cells.back().cell == n.cell) continue;
        cells.push_back({n.cell, core::safe_normal(pieces[n.piece].to - pieces[n.piece].from)});
    }
    return cells;
}

// implements: O-MOD-01, MOD-009
std::vector<CellIndex> cells_in(const Shape& shape, const GridSubstrate& ground) {
    if (const auto* box = std::get_if<BoxShape>(&shape)) return box_cells(*box, ground);
    std::vector<CellIndex> cells;
    for (const CorridorCell& cell : corridor_cells(std::get<CorridorShape>(shape), ground)) {
        cells.push_back(cell.cell);
    }
    return cells;
}

void ShapeGridModifier::apply_grid(GridEdit& edit) {
    for (const CellIndex index : cells_in(shape, edit.ground())) {
        CellGround cell = edit.cell(index);
        cell.type = type;
        cell.cost = cost;
        edit.set(index, cell);
    }
}

void EnvironmentGridModifier::apply_grid(GridEdit& edit) {
    for (const CellIndex index : cells_in(shape, edit.ground())) {
        edit.set(index, edit.environment(index));
    }
}

// implements: MOD-014
void EnvironmentGridModifier::apply_grid_async(AsyncGridEdit& edit) {
    for (const CellIndex index : cells_in(shape, edit.ground())) edit.request_environment(index);
}

void ShapeCostModifier::apply_cost(CostEdit& edit) const {
    for (const CellIndex cell : cells_in(shape, edit.ground)) {
        const std::int64_t before = rule == Rule::kAdd ? edit.cost[cell] : 0;
        edit.cost[cell] = static_cast<std::uint8_t>(
            std::clamp<std::int64_t>(before + amount, 0, kImpassableCost));
    }
}

void ShapeDirectionModifier::apply_direction(DirectionEdit& edit) const {
    const auto* corridor = std::get_if<CorridorShape>(&shape);
    if (corridor == nullptr || !(direction == Vec3f{})) {
        for (const CellIndex cell : cells_in(shape, edit.ground())) edit.set(cell, direction);
        return;
    }
    for (const CorridorCell& cell : corridor_cells(*corridor, edit.ground())) {
        edit.set(cell.cell,
                 {static_cast<float>(cell.along.x), static_cast<float>(cell.along.y), 0.0F});
    }
}

// implements: MOD-017
void ShapeDirectionModifier::apply_direction_mesh(MeshDirectionEdit& edit) const {
    if (const auto* box = std::get_if<BoxShape>(&shape)) {
        for (std::size_t p = 0; p < edit.size(); ++p) {
            if (holds(*box, edit.centre(p))) edit.set(p, direction);
        }
        return;
    }
    const auto& corridor = std::get<CorridorShape>(shape);
    const std::vector<Piece> pieces = pieces_of(corridor);
    const bool along_it = direction == Vec3f{};
    for (std::size_t p = 0; p < edit.size(); ++p) {
        const Vec3d centre = edit.centre(p);
        const auto along = along_at(pieces, corridor.half_width_cm, {centre.x, centre.y});
        if (!along) continue;
        edit.set(p, along_it ? Vec3f{static_cast<float>(along->x), static_cast<float>(along->y), 0}
                             : direction);
    }
}

}  // namespace maniple::nav
