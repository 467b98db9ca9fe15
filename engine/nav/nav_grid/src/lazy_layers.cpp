#include <algorithm>
#include <cmath>

#include "maniple/nav/flow_field.h"

namespace maniple::nav {

// implements: O-GRID-36
void FlowField::serve_layer(LayerHandle handle, std::span<const Vec2d> places, double radius_cm) {
    Layer* layer = layer_at(handle);
    if (layer == nullptr || !layer->solved) return;
    if (layer->lazy == nullptr || layer->lazy->complete()) return;
    layer->lazy->settle({substrate_, base_costs(), moves_}, config_, layer->goal_cells,
                        cells_to_settle(*layer, places, radius_cm), scratch_, layer->solution);
}

/// The cells that lookups read, without those that no goal reaches as far as components tell.
std::vector<CellIndex> FlowField::cells_to_settle(const Layer& layer, std::span<const Vec2d> places,
                                                  double radius_cm) const {
    std::vector<std::uint32_t> labels;
    for (const CellIndex goal : layer.goal_cells) labels.push_back(components_.label[goal]);
    const bool told = std::find(labels.begin(), labels.end(), Components::kNone) == labels.end();
    const auto may_be_reached = [&](CellIndex cell) {
        return !told ||
               std::find(labels.begin(), labels.end(), components_.label[cell]) != labels.end();
    };
    const GridGeometry& g = geometry();
    const std::int32_t reach =
        radius_cm > 0 ? core::clamp_to_i32(std::floor(radius_cm / g.cell_size_cm()) + 1, 0,
                                           std::max(g.x_num(), g.y_num()))
                      : 0;
    std::vector<CellIndex> cells;
    for (const Vec2d& place : places) {
        const GridCoord at = g.world_to_grid(place).coord;
        const std::int32_t x_end = std::min(g.x_num() - 1, at.x + reach);
        const std::int32_t y_end = std::min(g.y_num() - 1, at.y + reach);
        for (std::int32_t x = std::max(0, at.x - reach); x <= x_end; ++x) {
            for (std::int32_t y = std::max(0, at.y - reach); y <= y_end; ++y) {
                const CellIndex cell = g.index({x, y});
                if (!layer.reached(cell) && may_be_reached(cell)) cells.push_back(cell);
            }
        }
    }
    std::sort(cells.begin(), cells.end());
    cells.erase(std::unique(cells.begin(), cells.end()), cells.end());
    return cells;
}

}  // namespace maniple::nav
