#include "battle_pictures.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

#include "field_render_mesh.h"
#include "map_image.h"
#include "mesh_view.h"

namespace maniple::cli {
namespace {

constexpr std::int32_t kMarginCells = 8;
constexpr std::int32_t kViewPixels = 640;
constexpr std::int32_t kOverviewPixels = 360;
constexpr std::array<Rgb, skirmish::kTeamCount> kTeamColours{{{30, 94, 220}, {214, 40, 32}}};
constexpr Rgb kBoxColour{255, 200, 0};
/// Points of a chart; more ticks than that are drawn by their slowest.
constexpr std::size_t kChartColumns = 600;
constexpr int kChartHeight = 140;
constexpr double kUnitCm = 60;

/// A square of `side` pixels in the team's colour.
void draw_unit(Picture& picture, int left, int top, int side, std::int32_t team) {
    const Rgb colour = kTeamColours[static_cast<std::size_t>(team) % kTeamColours.size()];
    for (int y = top; y < top + side; ++y) {
        for (int x = left; x < left + side; ++x) {
            if (picture.contains(x, y)) picture.set(x, y, colour);
        }
    }
}

}  // namespace

CellBox battlefield_of(const terrain::GridMap& map, const std::vector<MapView>& views) {
    const auto& grid = map.stream.grid();
    const std::int32_t x_last = grid.x_num - 1;
    const std::int32_t y_last = grid.y_num - 1;
    CellBox box{x_last, y_last, 0, 0};
    for (const MapView& view : views) {
        for (std::size_t i = 0; i + 2 < view.units.size(); i += 3) {
            box.x0 = std::min(box.x0, view.units[i]);
            box.x1 = std::max(box.x1, view.units[i]);
            box.y0 = std::min(box.y0, view.units[i + 1]);
            box.y1 = std::max(box.y1, view.units[i + 1]);
        }
    }
    if (box.x0 > box.x1) return {0, 0, x_last, y_last};
    return {std::max(0, box.x0 - kMarginCells), std::max(0, box.y0 - kMarginCells),
            std::min(x_last, box.x1 + kMarginCells), std::min(y_last, box.y1 + kMarginCells)};
}

Picture draw_view(const terrain::GridMap& map, const CellBox& box, const MapView& view) {
    const GroundShading shading(map.stream.view());
    const std::int32_t width = box.x1 - box.x0 + 1;
    const std::int32_t height = box.y1 - box.y0 + 1;
    // Pixels a cell, or cells a pixel on a wide battlefield.
    const std::int32_t zoom = std::max(1, kViewPixels / std::max(width, height));
    const std::int32_t step =
        std::max(1, (std::max(width, height) + kViewPixels - 1) / kViewPixels);
    Picture picture(std::max(1, width * zoom / step), std::max(1, height * zoom / step));
    const auto y_num = static_cast<std::size_t>(map.stream.grid().y_num);
    for (int y = 0; y < picture.height(); ++y) {
        for (int x = 0; x < picture.width(); ++x) {
            const auto cell_x = static_cast<std::size_t>(box.x0 + x * step / zoom);
            const auto cell_y = static_cast<std::size_t>(box.y0 + y * step / zoom);
            picture.set(x, y, shading.colour(cell_x * y_num + cell_y));
        }
    }
    const int dot = std::max(1, zoom - 1);
    for (std::size_t i = 0; i + 2 < view.units.size(); i += 3) {
        draw_unit(picture, (view.units[i] - box.x0) * zoom / step,
                  (view.units[i + 1] - box.y0) * zoom / step, dot, view.units[i + 2]);
    }
    return picture;
}

Result<Picture> draw_mesh_view(const nav::MeshField& field, const MapView& view) {
    const nav::MeshGraph& graph = field.active_mesh()->graph();
    const double cm_per_pixel = MeshView::cm_per_pixel(graph, kViewPixels);
    Result<Picture> picture = mesh_picture(field, "cost", cm_per_pixel, false);
    if (!picture) return picture;
    const MeshView seen(graph, cm_per_pixel);
    const int dot = std::max(2, static_cast<int>(kUnitCm / cm_per_pixel));
    for (std::size_t i = 0; i + 2 < view.units.size(); i += 3) {
        const Vec2d at = seen.pixel({double(view.units[i]), double(view.units[i + 1]), 0});
        draw_unit(*picture, MeshView::whole(at.x) - dot / 2, MeshView::whole(at.y) - dot / 2, dot,
                  view.units[i + 2]);
    }
    return picture;
}

Picture draw_overview(const terrain::GridMap& map, const CellBox& box) {
    Picture picture = map_picture(map.stream.view(), kOverviewPixels);
    const auto& grid = map.stream.grid();
    const auto x = [&](std::int32_t cell) { return cell * picture.width() / grid.x_num; };
    const auto y = [&](std::int32_t cell) { return cell * picture.height() / grid.y_num; };
    picture.draw_line(x(box.x0), y(box.y0), x(box.x1), y(box.y0), kBoxColour);
    picture.draw_line(x(box.x0), y(box.y1), x(box.x1), y(box.y1), kBoxColour);
    picture.draw_line(x(box.x0), y(box.y0), x(box.x0), y(box.y1), kBoxColour);
    picture.draw_line(x(box.x1), y(box.y0), x(box.x1), y(box.y1), kBoxColour);
    return picture;
}

std::string tick_chart_svg(const std::vector<double>& tick_ms) {
    if (tick_ms.empty()) return "";
    const std::size_t columns = std::min(kChartColumns, tick_ms.size());
    std::vector<double> slowest(columns, 0);
    for (std::size_t i = 0; i < tick_ms.size(); ++i) {
        double& column = slowest[i * columns / tick_ms.size()];
        column = std::max(column, tick_ms[i]);
    }
    // A few slow ticks would flatten all others: the scale ends at twice the 95th percentile.
    const double top = std::max(0.1, 2 * percentiles_of(tick_ms).p95);
    std::string svg = fmt::format(
        "<svg class=chart viewBox='0 0 {} {}' preserveAspectRatio=none role=img "
        "aria-label='Tick times'>",
        columns, kChartHeight);
    for (std::size_t i = 0; i < columns; ++i) {
        const double height = std::min(1.0, slowest[i] / top) * kChartHeight;
        fmt::format_to(std::back_inserter(svg),
                       "<rect x={} y={:.1f} width=1 height={:.1f} class={}><title>{:.2f} "
                       "ms</title></rect>",
                       i, kChartHeight - height, height, slowest[i] > top ? "over" : "bar",
                       slowest[i]);
    }
    return svg + fmt::format("</svg><p class=axis>0 to {:.1f} ms; darker bars are above</p>", top);
}

}  // namespace maniple::cli
