#pragma once

#include <cstdint>
#include <memory>
#include <variant>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/nav/modifier.h"

namespace maniple::nav {

/// A box turned about Z. Holds the cells whose centre, at its height, is inside or on it.
struct BoxShape {
    Vec3d centre_cm;
    Vec3d half_extent_cm;
    std::int32_t yaw_centideg = 0;
};

/// The strip along a Catmull–Rom spline through the points, seen from above. Each piece between two
/// points is walked as kSplinePieces straight ones. One point makes a disc.
struct CorridorShape {
    std::vector<Vec3d> points;
    double half_width_cm = 0;
};
inline constexpr int kSplinePieces = 8;

using Shape = std::variant<BoxShape, CorridorShape>;

/// The cells a shape holds, ascending. A shape with a number that is not finite holds none.
[[nodiscard]] std::vector<CellIndex> cells_in(const Shape& shape, const GridSubstrate& ground);

/// A cell of a corridor and the corridor's direction there, along the points.
struct CorridorCell {
    CellIndex cell;
    Vec2d along;  ///< Unit length, or zero for a disc.
};
[[nodiscard]] std::vector<CorridorCell> corridor_cells(const CorridorShape& corridor,
                                                       const GridSubstrate& ground);

/// Gives the cells of a shape a type and a cost; their heights stay.
class ShapeGridModifier final : public GridModifier {
  public:
    Shape shape;
    CellType type = CellType::kObstacle;
    std::uint8_t cost = kImpassableCost;
    void apply_grid(GridEdit& edit) override;
};

/// Asks the world again about the cells of a shape: for a door that opened, a bridge that fell.
class EnvironmentGridModifier final : public GridModifier {
  public:
    Shape shape;
    void apply_grid(GridEdit& edit) override;
    void apply_grid_async(AsyncGridEdit& edit) override;
};

/// Adds to the cost of a shape's cells, or sets it. Clamped to 0 … 255; types stay.
class ShapeCostModifier final : public CostModifier {
  public:
    enum class Rule : std::uint8_t { kAdd, kSet };
    Shape shape;
    Rule rule = Rule::kAdd;
    std::int32_t amount = 0;
    void apply_cost(CostEdit& edit) const override;
    [[nodiscard]] std::shared_ptr<const CostModifier> snapshot() const override {
        return std::make_shared<ShapeCostModifier>(*this);
    }
};

/// Gives the cells of a shape one direction, or along a corridor the corridor's own.
class ShapeDirectionModifier final : public DirectionModifier {
  public:
    Shape shape;
    Vec3f direction;  ///< World axes, of any length; zero with a corridor means along it.
    void apply_direction(DirectionEdit& edit) const override;
    void apply_direction_mesh(MeshDirectionEdit& edit) const override;
    [[nodiscard]] std::shared_ptr<const DirectionModifier> snapshot() const override {
        return std::make_shared<ShapeDirectionModifier>(*this);
    }
};

}  // namespace maniple::nav
