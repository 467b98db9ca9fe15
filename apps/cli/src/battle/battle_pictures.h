#pragma once

#include <string>
#include <vector>

#include "maniple/nav/mesh_field.h"

#include "battle_outcome.h"
#include "battle_setup.h"
#include "picture.h"

namespace maniple::cli {

/// Inclusive rectangle of cells.
struct CellBox {
    std::int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
};

/// What the units of all views cover, with a margin, inside the map.
[[nodiscard]] CellBox battlefield_of(const terrain::GridMap& map,
                                     const std::vector<MapView>& views);
/// The ground in the box with the living units in their team's colour.
[[nodiscard]] Picture draw_view(const terrain::GridMap& map, const CellBox& box,
                                const MapView& view);
/// The whole map with the box outlined.
[[nodiscard]] Picture draw_overview(const terrain::GridMap& map, const CellBox& box);

/// A navmesh from above with the living units in their team's colour.
/// @return picture, or as mesh_picture.
[[nodiscard]] Result<Picture> draw_mesh_view(const nav::MeshField& field, const MapView& view);

/// Tick times as an SVG chart.
[[nodiscard]] std::string tick_chart_svg(const std::vector<double>& tick_ms);

}  // namespace maniple::cli
