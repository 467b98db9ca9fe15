#include "field_render_mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "maniple/nav/mesh_coordinates.h"
#include "maniple/terrain/navmesh_config.h"

#include "field_colours.h"
#include "map_image.h"
#include "mesh_view.h"

namespace maniple::cli {
namespace {

constexpr Rgb kOutlineColour{150, 140, 120};
constexpr Rgb kLinkColour{208, 40, 200};

int whole(double v) { return MeshView::whole(v); }

void draw_line(Picture& picture, Vec2d from, Vec2d to, Rgb colour) {
    picture.draw_line(whole(from.x), whole(from.y), whole(to.x), whole(to.y), colour);
}

/// Fills the pixels whose middles lie in a convex polygon.
void fill(Picture& picture, const std::vector<Vec2d>& corners, Rgb colour) {
    const auto by_y = [](Vec2d a, Vec2d b) { return a.y < b.y; };
    const auto [low, high] = std::ranges::minmax_element(corners, by_y);
    const int last = std::min(whole(high->y), picture.height() - 1);
    for (int y = std::max(whole(low->y), 0); y <= last; ++y) {
        double left = std::numeric_limits<double>::infinity();
        double right = -left;
        for (std::size_t i = 0; i < corners.size(); ++i) {
            const Vec2d a = corners[i];
            const Vec2d b = corners[(i + 1) % corners.size()];
            if ((a.y <= y + 0.5) == (b.y <= y + 0.5)) continue;
            const double x = a.x + (b.x - a.x) * (y + 0.5 - a.y) / (b.y - a.y);
            left = std::min(left, x);
            right = std::max(right, x);
        }
        if (left > right) continue;  // between two rows of pixels
        for (int x = std::max(whole(left + 0.5), 0); x < right - 0.5 && x < picture.width(); ++x) {
            picture.set(x, y, colour);
        }
    }
}

/// What a polygon's ground is painted with.
class PolygonColours {
  public:
    PolygonColours(const nav::MeshField& field, const std::string& layer)
        : graph_(field.active_mesh()->graph()),
          costs_(field.active_mesh()->area_costs()),
          layer_(field.default_layer()),
          kind_(layer) {
        for (nav::PolygonIndex p = 0; layer_.solved && p < graph_.size(); ++p) {
            if (layer_.solution.covered(p)) far_ = std::max(far_, layer_.solution.dist[p]);
        }
    }
    [[nodiscard]] Rgb of(nav::PolygonIndex p) const {
        if (!graph_.open(p)) return kObstacleColour;
        if (kind_ == "type") return kGroundColour;
        if (kind_ == "cost") return area_colour(graph_.area(p));
        if (!layer_.solved || !layer_.solution.covered(p)) return kUnreachedColour;
        if (kind_ == "dist") return distance_colour(double(layer_.solution.dist[p]) / far_);
        return direction_colour(layer_.solution.direction[p]);
    }

  private:
    /// VIS-015's scale by what the mesh says its areas cost, whatever a field makes of it: green at
    /// 1, yellow at 5, red from 10 on. Plain ground is pale.
    [[nodiscard]] Rgb area_colour(std::uint8_t area) const {
        constexpr Rgb kGreen{120, 190, 90}, kYellow{240, 220, 80}, kRed{214, 60, 50};
        const float cost = costs_[area];
        if (cost == 1 && area == terrain::kDefaultArea) return kGroundColour;
        if (cost <= 5) return blend(kGreen, kYellow, std::max(0.0, (double{cost} - 1) / 4));
        return blend(kYellow, kRed, std::min(1.0, (double{cost} - 5) / 5));
    }

    const nav::MeshGraph& graph_;
    nav::AreaCosts costs_;
    const nav::MeshLayer& layer_;
    std::string kind_;
    std::uint32_t far_ = 1;
};

/// Ground polygons from the lowest to the highest, so that upper floors come last.
std::vector<nav::PolygonIndex> by_height(const nav::MeshGraph& graph) {
    std::vector<nav::PolygonIndex> order;
    for (nav::PolygonIndex p = 0; p < graph.size(); ++p) {
        if (!graph.off_mesh(p)) order.push_back(p);
    }
    std::ranges::stable_sort(order, {}, [&](nav::PolygonIndex p) { return graph.centre(p).z; });
    return order;
}

void draw_links(Picture& picture, const nav::MeshGraph& graph, const MeshView& view) {
    for (nav::PolygonIndex p = 0; p < graph.size(); ++p) {
        if (!graph.off_mesh(p)) continue;
        const auto ends = graph.vertices(p);
        draw_line(picture, view.pixel(nav::to_world(ends[0])), view.pixel(nav::to_world(ends[1])),
                  kLinkColour);
    }
}

void draw_polygon_arrows(Picture& picture, const nav::MeshGraph& graph, const nav::MeshLayer& layer,
                         const MeshView& view) {
    constexpr double kPixels = 11;
    for (nav::PolygonIndex p = 0; layer.solved && p < graph.size(); ++p) {
        const Vec3f to = layer.solution.direction[p];
        const Vec2d flat = core::safe_normal({to.x, to.y});
        if (flat == Vec2d{}) continue;
        const Vec2d at = view.pixel(graph.centre(p));
        draw_arrow(picture, at.x, at.y, flat, kPixels);
    }
}

}  // namespace

Result<Picture> mesh_picture(const nav::MeshField& field, const std::string& layer,
                             double cm_per_pixel, bool arrows) {
    const nav::MeshGraph& graph = field.active_mesh()->graph();
    if (graph.size() == 0) return refuse(ErrorCode::kNoGround, "the navmesh has no polygon");
    const MeshView view(graph, cm_per_pixel);
    if (view.width() * view.height() > static_cast<double>(Picture::kPixelsMax)) {
        return refuse(ErrorCode::kOverCap, "the picture would exceed " +
                                               std::to_string(Picture::kPixelsMax) + " pixels");
    }
    Picture picture(view.width_pixels(), view.height_pixels());
    for (int x = 0; x < picture.width(); ++x) {
        for (int y = 0; y < picture.height(); ++y) picture.set(x, y, kEmptyColour);
    }
    const PolygonColours colours(field, layer);
    for (const nav::PolygonIndex p : by_height(graph)) {
        std::vector<Vec2d> corners;
        for (const nav::MeshPosition& corner : graph.vertices(p)) {
            corners.push_back(view.pixel(nav::to_world(corner)));
        }
        fill(picture, corners, colours.of(p));
        for (std::size_t i = 0; i < corners.size(); ++i) {
            draw_line(picture, corners[i], corners[(i + 1) % corners.size()], kOutlineColour);
        }
    }
    draw_links(picture, graph, view);
    if (arrows) draw_polygon_arrows(picture, graph, field.default_layer(), view);
    for (const nav::MeshGoal& goal : field.default_layer().mesh_goals) {
        const Vec2d at = view.pixel(goal.projected);
        draw_disc(picture, whole(at.x), whole(at.y), 4, kGoalColour);
    }
    return picture;
}

}  // namespace maniple::cli
