#include "field_edit.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "maniple/nav/mesh_replica.h"
#include "maniple/substrate/grid_export.h"
#include "maniple/substrate/navmesh_stream.h"

#include "exit_status.h"
#include "file_io.h"
#include "goal_option.h"
#include "navmesh_input.h"
#include "number_list.h"
#include "refusal.h"
#include "solved_field.h"
#include "solved_mesh.h"
#include "stream_output.h"

namespace maniple::cli {
namespace {

struct EditOptions {
    std::string base;
    std::string output;
    std::vector<std::string> set_cost, block, unblock, goals;
    bool json = false;
};

constexpr const char* kSetCost = "--set-cost";
constexpr const char* kBlock = "--block";
constexpr const char* kUnblock = "--unblock";

/// A rectangle of cells, both corners in it.
struct CellRectangle {
    nav::GridCoord low;
    nav::GridCoord high;
};

CellRectangle rectangle_of(const std::string& option, const std::vector<std::int32_t>& numbers,
                           const nav::GridGeometry& grid) {
    const CellRectangle area{{numbers[0], numbers[1]}, {numbers[2], numbers[3]}};
    if (area.low.x > area.high.x || area.low.y > area.high.y) {
        throw CLI::ValidationError(option, "X0 over X1 or Y0 over Y1");
    }
    if (!grid.contains(area.low) || !grid.contains(area.high)) {
        throw CLI::ValidationError(option, "the rectangle leaves the grid of " +
                                               std::to_string(grid.x_num()) + " x " +
                                               std::to_string(grid.y_num()) + " cells");
    }
    return area;
}

std::uint8_t cost_of(const std::string& option, std::int32_t cost) {
    if (cost < 0 || cost > 255) throw CLI::ValidationError(option, "a cost lies in 0 to 255");
    return static_cast<std::uint8_t>(cost);
}

template <typename Change>
void for_cells(nav::GridSubstrate& ground, const CellRectangle& area, Change&& change) {
    for (std::int32_t x = area.low.x; x <= area.high.x; ++x) {
        for (std::int32_t y = area.low.y; y <= area.high.y; ++y) {
            change(ground.geometry.index({x, y}));
        }
    }
}

void apply_set_cost(nav::GridSubstrate& ground, const std::string& text) {
    const auto numbers = parse_integers(kSetCost, text, 5, 5);
    const std::uint8_t cost = cost_of(kSetCost, numbers[4]);
    for_cells(ground, rectangle_of(kSetCost, numbers, ground.geometry),
              [&](nav::CellIndex cell) { ground.cost[cell] = cost; });
}

void apply_block(nav::GridSubstrate& ground, const std::string& text) {
    const auto numbers = parse_integers(kBlock, text, 4, 4);
    for_cells(ground, rectangle_of(kBlock, numbers, ground.geometry), [&](nav::CellIndex cell) {
        ground.type[cell] = static_cast<std::uint8_t>(nav::CellType::kObstacle);
        ground.cost[cell] = nav::kImpassableCost;
    });
}

void apply_unblock(nav::GridSubstrate& ground, const std::string& text) {
    const auto numbers = parse_integers(kUnblock, text, 4, 5);
    const std::uint8_t cost = numbers.size() == 5 ? cost_of(kUnblock, numbers[4]) : 1;
    for_cells(ground, rectangle_of(kUnblock, numbers, ground.geometry), [&](nav::CellIndex cell) {
        ground.type[cell] = static_cast<std::uint8_t>(nav::CellType::kGround);
        ground.cost[cell] = cost;
    });
}

/// The changes in the order they stand on the command line; the goals last, on the changed ground.
void apply_in_order(const CLI::App& sub, const EditOptions& options, nav::GridSubstrate& ground) {
    std::map<std::string, std::size_t> used;
    for (const CLI::Option* option : sub.parse_order()) {
        const std::string name = option->get_name();
        const std::size_t nth = used[name]++;
        if (name == kSetCost) apply_set_cost(ground, options.set_cost[nth]);
        if (name == kBlock) apply_block(ground, options.block[nth]);
        if (name == kUnblock) apply_unblock(ground, options.unblock[nth]);
    }
    replace_goals(ground, parse_goals(options.goals));
}

/// Of a navmesh stream the goals alone can be edited here: its ground is its tiles.
int edit_navmesh(const EditOptions& options) {
    if (!options.set_cost.empty() || !options.block.empty() || !options.unblock.empty()) {
        throw CLI::ValidationError("field edit", "of a navmesh stream, --goal only");
    }
    const GoalPlaces goals = parse_goals(options.goals);
    const auto refused = [&](const Error& error) {
        report_refusal(error, options.base, options.json);
        return kInputRefused;
    };
    const auto bytes = read_file(options.base);
    if (!bytes) return refused(bytes.error());
    const auto base = substrate::NavMeshView::check(*bytes);
    if (!base) return refused(base.error());
    std::vector<substrate::GoalCm> relative = base->goals();
    if (!goals.empty()) {
        const auto mesh =
            nav::MeshReplica::build(base->params(), base->tiles(), base->area_costs());
        if (!mesh) return refused(mesh.error());
        const double otherwise_cm = base->identity().origin_z_cm;
        const std::vector<Vec3d> places = goals_on_ground(*mesh, goals, otherwise_cm);
        warn_off_mesh(*mesh, "--goal", options.goals, places);
        relative = relative_goals(places, base->identity());
    }
    const auto stream = substrate::NavMeshStream::write(
        {base->identity(), relative, base->params(), base->area_costs(), base->tiles()});
    if (!stream) return refused(stream.error());
    return write_stream(stream->bytes(), stream->version(), options.output, options.json);
}

int edit(const CLI::App& sub, const EditOptions& options) {
    if (is_navmesh_file(options.base)) return edit_navmesh(options);
    Result<nav::GridSubstrate> ground = load_ground(options.base);
    if (!ground) {
        report_refusal(ground.error(), options.base, options.json);
        return kInputRefused;
    }
    apply_in_order(sub, options, *ground);
    return write_stream(substrate::write_grid_stream(*ground), options.output, options.json);
}

}  // namespace

void add_field_edit(CLI::App& field, int& status) {
    auto options = std::make_shared<EditOptions>();
    CLI::App* sub = field.add_subcommand(
        "edit", "Change the ground or the goals of a stream; options apply in the order given");
    sub->add_option("BASE", options->base, "A full stream, .ffs")->required();
    sub->add_option("-o,--output", options->output, "The new stream")->required();
    const auto add = [&](const char* name, std::vector<std::string>& values, const char* what) {
        sub->add_option(name, values, what)->allow_extra_args(false);
    };
    add(kSetCost, options->set_cost,
        "X0,Y0,X1,Y1,COST: cost 0 to 255 of the cells in the rectangle, corners included; types "
        "stay");
    add(kBlock, options->block, "X0,Y0,X1,Y1: the cells become obstacles, cost 255");
    add(kUnblock, options->unblock, "X0,Y0,X1,Y1[,COST]: the cells become ground of COST (1)");
    add_goal_option(*sub, options->goals);
    sub->add_flag("--json", options->json, "One JSON object on stdout");
    sub->callback([sub, options, &status] { status = edit(*sub, *options); });
}

}  // namespace maniple::cli
