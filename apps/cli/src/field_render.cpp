#include "field_render.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "maniple/nav/debug_draw.h"
#include "maniple/substrate/grid_export.h"

#include "exit_status.h"
#include "field_colours.h"
#include "field_render_mesh.h"
#include "file_io.h"
#include "map_image.h"
#include "print_object.h"
#include "refusal.h"
#include "solved_field.h"
#include "solved_mesh.h"
#include "solver_options.h"

namespace maniple::cli {
namespace {

struct RenderOptions {
    std::string file;
    std::string output;
    std::string layer = "cost";
    int scale = 1;
    bool arrows = false;
    SolverOptions solver;
    bool json = false;
};

/// A navmesh's pixel at scale 1.
constexpr double kMeshPixelCm = 50;

using CellColour = std::function<Rgb(nav::CellIndex)>;

Rgb blocked_colour(const nav::GridSubstrate& ground, nav::CellIndex cell) {
    return static_cast<nav::CellType>(ground.type[cell]) == nav::CellType::kEmpty ? kEmptyColour
                                                                                  : kObstacleColour;
}

bool is_walkable(const nav::GridSubstrate& ground, nav::CellIndex cell) {
    return static_cast<nav::CellType>(ground.type[cell]) == nav::CellType::kGround &&
           ground.cost[cell] != nav::kImpassableCost;
}

CellColour type_colours(const nav::GridSubstrate& ground) {
    return [&](nav::CellIndex cell) {
        const bool is_ground =
            static_cast<nav::CellType>(ground.type[cell]) == nav::CellType::kGround;
        return is_ground ? kGroundColour : blocked_colour(ground, cell);
    };
}

/// By the share of the way to the farthest cell, with a dark line wherever another sixteenth of it
/// begins.
CellColour dist_colours(const nav::FlowField& field) {
    const auto& dist = field.default_layer().solution.dist;
    const std::uint32_t limit = field.config().distance_limit;
    std::uint32_t far = 1;
    for (nav::CellIndex cell = 0; cell < dist.size(); ++cell) {
        if (dist[cell] < limit) far = std::max(far, dist[cell]);
    }
    return [&field, &dist, limit, far](nav::CellIndex cell) {
        constexpr std::uint64_t kBands = 16;
        if (dist[cell] >= limit) {
            return is_walkable(field.substrate(), cell) ? kUnreachedColour
                                                        : blocked_colour(field.substrate(), cell);
        }
        const auto band = [&](nav::CellIndex c) { return kBands * dist[c] / far; };
        const Rgb colour = distance_colour(double(dist[cell]) / far);
        const nav::GridGeometry& grid = field.geometry();
        const auto begins = [&](nav::GridCoord c) {
            const bool open = grid.contains(c) && dist[grid.index(c)] < limit;
            return open && band(grid.index(c)) != band(cell);
        };
        const nav::GridCoord at_cell = grid.coord(cell);
        const bool line = begins({at_cell.x + 1, at_cell.y}) || begins({at_cell.x, at_cell.y + 1});
        return line ? scaled(colour, 0.72) : colour;
    };
}

CellColour dir_colours(const nav::FlowField& field) {
    return [&field](nav::CellIndex cell) {
        if (!is_walkable(field.substrate(), cell)) return blocked_colour(field.substrate(), cell);
        return direction_colour(field.direction(field.default_layer(), cell));
    };
}

/// The debug image of the cells (VIS-010), clear where there is no ground.
CellColour debug_colours(const nav::FlowField& field) {
    nav::DebugDraw draw;
    draw.switches.cells = true;
    nav::draw_cells(field, draw);
    return [&field, image = std::move(draw.cells)](nav::CellIndex cell) -> Rgb {
        const nav::GridCoord at = field.geometry().coord(cell);
        const auto pixel = static_cast<std::size_t>(at.y) * static_cast<std::size_t>(image.width) +
                           static_cast<std::size_t>(at.x);
        const std::uint8_t* rgba = image.rgba.data() + 4 * pixel;
        return rgba[3] == 0 ? kEmptyColour : Rgb{rgba[0], rgba[1], rgba[2]};
    };
}

CellColour colours_of(const std::string& layer, const nav::FlowField& field,
                      const GroundShading& shading) {
    if (layer == "type") return type_colours(field.substrate());
    if (layer == "dist") return dist_colours(field);
    if (layer == "dir") return dir_colours(field);
    if (layer == "cells") return debug_colours(field);
    return [&shading](nav::CellIndex cell) { return shading.colour(cell); };
}

Picture paint(const nav::GridGeometry& grid, int scale, const CellColour& colour_of) {
    Picture picture(grid.x_num() * scale, grid.y_num() * scale);
    for (std::int32_t x = 0; x < grid.x_num(); ++x) {
        for (std::int32_t y = 0; y < grid.y_num(); ++y) {
            const Rgb colour = colour_of(grid.index({x, y}));
            for (int i = 0; i < scale; ++i) {
                for (int j = 0; j < scale; ++j) {
                    picture.set(x * scale + i, y * scale + j, colour);
                }
            }
        }
    }
    return picture;
}

/// One arrow for every square of cells that has room for it, along its middle cell's direction.
void draw_arrows(Picture& picture, const nav::FlowField& field, int scale) {
    constexpr int kArrowPixels = 13;
    const nav::GridGeometry& grid = field.geometry();
    const double to_grid_x = core::cos_centideg(grid.yaw_centideg());
    const double to_grid_y = core::sin_centideg(grid.yaw_centideg());
    const int step = (kArrowPixels - 1) / scale + 1;
    for (std::int32_t x = step / 2; x < grid.x_num(); x += step) {
        for (std::int32_t y = step / 2; y < grid.y_num(); y += step) {
            const nav::CellIndex cell = grid.index({x, y});
            if (!is_walkable(field.substrate(), cell)) continue;
            const Vec3f dir = field.direction(field.default_layer(), cell);
            const Vec2d flat = core::safe_normal(
                {dir.x * to_grid_x + dir.y * to_grid_y, dir.y * to_grid_x - dir.x * to_grid_y});
            if (flat == Vec2d{}) continue;
            draw_arrow(picture, (x + 0.5) * scale, (y + 0.5) * scale, flat, 0.75 * step * scale);
        }
    }
}

void draw_goals(Picture& picture, const nav::GridSubstrate& ground, int scale) {
    const int radius = std::max(2, scale / 2);
    for (const Vec3d& goal : world_goals(ground)) {
        const nav::GridCoord at = ground.geometry.world_to_grid({goal.x, goal.y}).coord;
        draw_disc(picture, at.x * scale + scale / 2, at.y * scale + scale / 2, radius, kGoalColour);
    }
}

void check_size(const nav::GridGeometry& grid, int scale) {
    const std::int64_t pixels =
        std::int64_t{grid.x_num()} * scale * (std::int64_t{grid.y_num()} * scale);
    if (pixels <= Picture::kPixelsMax) return;
    throw CLI::ValidationError(
        "--scale", "the picture would exceed " + std::to_string(Picture::kPixelsMax) + " pixels");
}

int write_picture(const Picture& picture, const RenderOptions& options) {
    const core::Bytes png = picture.encode_png();
    if (const auto written = write_file(options.output, png); !written) {
        report_refusal(written.error(), options.output, options.json);
        return kInputRefused;
    }
    print_object({{"file", options.output},
                  {"bytes", png.size()},
                  {"width", picture.width()},
                  {"height", picture.height()}},
                 options.json);
    return kDone;
}

int render_mesh(const RenderOptions& options) {
    if (options.layer == "cells") throw CLI::ValidationError("--layer", "a navmesh has no cells");
    core::SerialExecutor serial;
    const auto refused = [&](const Error& error) {
        report_refusal(error, options.file, options.json);
        return kInputRefused;
    };
    const auto field = load_mesh_field(options.file, options.solver.config(), serial);
    if (!field) return refused(field.error());
    const auto picture =
        mesh_picture(*field, options.layer, kMeshPixelCm / options.scale, options.arrows);
    if (!picture) return refused(picture.error());
    return write_picture(*picture, options);
}

int render(const CLI::App& sub, const RenderOptions& options) {
    if (named_twice({options.file, options.output})) {
        throw CLI::ValidationError(options.output, "one file for two options");
    }
    const bool mesh = is_navmesh_file(options.file);
    check_solver_options(sub, mesh ? SolverUse::kMeshFlow : SolverUse::kGridFlow);
    if (mesh) return render_mesh(options);
    const auto refused = [&](const Error& error, const std::string& source) {
        report_refusal(error, source, options.json);
        return kInputRefused;
    };
    const auto field = load_solved_field(options.file, options.solver.config());
    if (!field) return refused(field.error(), options.file);
    check_size(field->geometry(), options.scale);
    const substrate::CheckedStream stream = substrate::write_grid_stream(field->substrate());
    const GroundShading shading(stream.view());
    Picture picture =
        paint(field->geometry(), options.scale, colours_of(options.layer, *field, shading));
    if (options.arrows) draw_arrows(picture, *field, options.scale);
    const bool plain = options.layer == "type" || options.layer == "cells";
    if (!plain) draw_goals(picture, field->substrate(), options.scale);
    return write_picture(picture, options);
}

}  // namespace

void add_field_render(CLI::App& field, int& status) {
    auto options = std::make_shared<RenderOptions>();
    CLI::App* sub = field.add_subcommand(
        "render", "A stream as a PNG, X to the right, Y down; goals are marked");
    sub->add_option("FILE", options->file, "A full stream, .ffs")->required();
    sub->add_option("-o,--output", options->output, "The PNG")->required();
    sub->add_option(
           "--layer", options->layer,
           "cost: the ground as it looks, a navmesh's areas from green (1) over yellow (5) "
           "to red (10 and above); dist: distance to the goals; dir: direction as "
           "colour; type: ground, obstacle, empty; cells: the debug image, red the cost, "
           "green what grid modifiers wrote, blue the distance")
        ->check(CLI::IsMember({"cost", "dist", "dir", "type", "cells"}))
        ->capture_default_str();
    sub->add_option("--scale", options->scale, "Pixels a cell side; of a navmesh pixels for 50 cm")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    sub->add_flag("--arrows", options->arrows, "Draw where the field leads over the picture");
    add_solver_options(*sub, options->solver);
    sub->add_flag("--json", options->json, "One JSON object on stdout");
    sub->callback([sub, options, &status] { status = render(*sub, *options); });
}

}  // namespace maniple::cli
