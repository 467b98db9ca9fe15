#pragma once

#include <cstdint>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/nav/field_setup.h"
#include "maniple/nav/grid_types.h"

namespace maniple::nav {

class FlowField;

struct DrawColour {
    std::uint8_t r = 0, g = 0, b = 0;
    friend bool operator==(const DrawColour&, const DrawColour&) = default;
};

// implements: O-VIS-04
inline constexpr DrawColour kSilver{0xC0, 0xC0, 0xC0};
inline constexpr DrawColour kOrange{0xFF, 0xA5, 0x00};
inline constexpr DrawColour kMagenta{0xFF, 0x00, 0xFF};
inline constexpr DrawColour kRed{0xFF, 0x00, 0x00};
inline constexpr DrawColour kGreen{0x00, 0xFF, 0x00};
inline constexpr DrawColour kYellow{0xFF, 0xFF, 0x00};

/// Which parts of a field's picture are wanted. All off by default (VIS-016).
struct DrawSwitches {
    bool volume = false;
    bool cells = false;
    bool arrows = false;
    bool mesh_fill = false;
    bool mesh_edges = false;
    bool graph_edges_in_game = false;
    bool area_costs = false;
    bool editor_live_update = false;  ///< draw_debug() runs the whole pipeline.
};

/// The parameters of the cell and arrow materials (VIS-008). No cells in navmesh mode.
struct DrawParameters {
    std::int32_t x_num = 0;
    std::int32_t y_num = 0;
    double cell_size_cm = 0;
    Vec2d offset_cm;  ///< From the grid's first cell to the pivot, in the grid's frame.
    double yaw_degrees = 0;
};

/// A box turned about Z.
struct DrawBox {
    Vec3d centre_cm;
    Vec3d half_extent_cm;
    double yaw_degrees = 0;
    bool visible = false;
};

/// An image laid on the ground from above: rows of `height` = y_num cells, four bytes RGBA each.
struct DrawDecal {
    Vec3d centre_cm;
    Vec3d size_cm;
    Vec3d rotation_degrees{90, 0, 0};  ///< Relative to the field.
    bool visible = false;
    std::int32_t width = 0;
    std::int32_t height = 0;
    std::vector<std::uint8_t> rgba;
};

/// The number a material gets for an instance.
enum class ArrowKind : std::uint8_t { kPlain = 0, kModified = 1, kNoDirection = 2 };

struct DrawArrow {
    Vec3d location_cm;
    Vec3f up;                            ///< Unit normal of the surface.
    Vec3f along;                         ///< Unit vector in the surface.
    ArrowKind kind = ArrowKind::kPlain;  ///< White, blue, red.
    bool visible = true;
};

struct DrawLine {
    Vec3d from_cm;
    Vec3d to_cm;
    DrawColour colour;
};

/// What a host draws of a field: plain records that the field writes and never reads, but for the
/// host's switches. Nothing in here reaches the simulation (VIS-002, VIS-016).
struct DebugDraw {
    DrawSwitches switches;
    DrawParameters parameters;
    DrawBox volume;
    DrawDecal cells;
    bool arrows_visible = false;
    std::vector<DrawArrow> arrows;  ///< In cell order.
    bool mesh_fill_visible = false;
    bool mesh_edges_visible = false;
    std::vector<DrawLine> area_costs;  ///< Of a navmesh's last update.
    std::vector<DrawLine> lines;       ///< Of one frame.
    Vec3d billboard_cm;                ///< Where an editor shows the field's icon.
};

/// What InitFlowField writes: sizes, then parameters, then what is visible (GRID-014). `setup` is
/// clamped; `grid` is its grid.
void draw_setup(GenerationMode mode, const FieldSetup& setup, const GridGeometry& grid,
                DebugDraw& draw);
/// The image of the default layer's cells: red the cost, green 255 where a grid modifier wrote,
/// blue the distance as a share of the longest, 255 unreached; clear where there is no ground.
void draw_cells(const FlowField& field, DebugDraw& draw);
/// One arrow a cell: white, blue where a modifier turned it, red without a direction, hidden where
/// there is no ground.
void draw_arrows(const FlowField& field, DebugDraw& draw);

}  // namespace maniple::nav
