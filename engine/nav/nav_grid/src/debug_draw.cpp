#include "maniple/nav/debug_draw.h"

#include <algorithm>

#include "maniple/nav/flow_field.h"

namespace maniple::nav {

// implements: GRID-014, VIS-002, VIS-007, VIS-008, VIS-009, VIS-016, O-GEN-05
void draw_setup(GenerationMode mode, const FieldSetup& setup, const GridGeometry& grid,
                DebugDraw& draw) {
    const bool is_grid = mode == GenerationMode::kGrid;
    const Vec3d middle = setup.location_cm + Vec3d{0, 0, setup.size_cm.z / 2};
    draw.volume.centre_cm = middle;
    draw.volume.half_extent_cm = setup.size_cm * 0.5;
    draw.volume.yaw_degrees = setup.yaw_degrees;
    draw.cells.centre_cm = middle;
    draw.cells.size_cm = setup.size_cm;
    draw.billboard_cm = setup.location_cm;

    draw.parameters = {};
    if (is_grid) {
        const double cell = grid.cell_size_cm();
        draw.parameters = {grid.x_num(),
                           grid.y_num(),
                           cell,
                           {(grid.x_num() - 1) / 2.0 * cell, (grid.y_num() - 1) / 2.0 * cell},
                           grid.yaw_centideg() / 100.0};
    }

    draw.volume.visible = draw.switches.volume;
    draw.cells.visible = is_grid && draw.switches.cells;
    draw.arrows_visible = draw.switches.arrows;
    draw.mesh_fill_visible = !is_grid && draw.switches.mesh_fill;
    draw.mesh_edges_visible = !is_grid && draw.switches.mesh_edges;
}

namespace {

/// An image's rows are cells of equal y.
std::size_t image_index(const GridGeometry& grid, CellIndex cell) {
    const GridCoord at = grid.coord(cell);
    return static_cast<std::size_t>(at.y) * static_cast<std::size_t>(grid.x_num()) +
           static_cast<std::size_t>(at.x);
}

}  // namespace

// implements: VIS-010, O-VIS-01
void draw_cells(const FlowField& field, DebugDraw& draw) {
    draw.cells.width = draw.cells.height = 0;
    draw.cells.rgba.clear();
    const Layer& layer = field.default_layer();
    if (!draw.switches.cells || !layer.solved) return;
    const GridGeometry& grid = field.geometry();
    std::uint64_t longest = 1;
    for (CellIndex cell = 0; cell < grid.cell_count(); ++cell) {
        if (layer.reached(cell)) {
            longest = std::max<std::uint64_t>(longest, layer.solution.dist[cell]);
        }
    }
    draw.cells.width = grid.x_num();
    draw.cells.height = grid.y_num();
    draw.cells.rgba.resize(grid.cell_count() * 4);
    for (CellIndex cell = 0; cell < grid.cell_count(); ++cell) {
        std::uint8_t* pixel = draw.cells.rgba.data() + 4 * image_index(grid, cell);
        const std::uint64_t dist = layer.solution.dist[cell];
        const std::uint64_t share = (2 * 255 * dist + longest) / (2 * longest);
        const bool empty = static_cast<CellType>(field.substrate().type[cell]) == CellType::kEmpty;
        pixel[0] = field.current_cost(cell);
        pixel[2] = layer.reached(cell) ? static_cast<std::uint8_t>(share) : std::uint8_t{255};
        pixel[3] = empty ? 0 : 255;
    }
    for (const CellIndex cell : field.grid_modified()) {
        draw.cells.rgba[4 * image_index(grid, cell) + 1] = 255;
    }
}

namespace {

/// A direction's part in the surface; of one straight up, and of none, some way in it.
Vec3f in_surface(Vec3f direction, Vec3f up) {
    for (const Vec3f way : {direction, Vec3f{1, 0, 0}, Vec3f{0, 1, 0}}) {
        const float rise = way.x * up.x + way.y * up.y + way.z * up.z;
        const Vec3f flat{way.x - up.x * rise, way.y - up.y * rise, way.z - up.z * rise};
        if (flat.x * flat.x + flat.y * flat.y + flat.z * flat.z > 1e-6F) {
            return core::normalised(flat);
        }
    }
    return {};
}

}  // namespace

// implements: VIS-011, VIS-012, VIS-013, O-VIS-02
void draw_arrows(const FlowField& field, DebugDraw& draw) {
    draw.arrows.clear();
    if (!draw.switches.arrows || !field.default_layer().solved) return;
    const GridGeometry& grid = field.geometry();
    draw.arrows.reserve(grid.cell_count());
    for (CellIndex index = 0; index < grid.cell_count(); ++index) {
        const GridCell cell = field.cell_at(grid.coord(index)).cell;
        const double height = grid.cell_size_cm() * (0.05 + 0.45 * (1.0 - cell.normal.z));
        DrawArrow arrow;
        arrow.location_cm = cell.location + Vec3d{0, 0, height};
        arrow.up = cell.normal;
        arrow.along = in_surface(cell.direction, cell.normal);
        if (cell.direction == Vec3f{}) {
            arrow.kind = ArrowKind::kNoDirection;
        } else if (field.default_layer().solution.direction[index] == kModified) {
            arrow.kind = ArrowKind::kModified;
        }
        arrow.visible = cell.type != CellType::kEmpty;
        draw.arrows.push_back(arrow);
    }
}

}  // namespace maniple::nav
