#include "field_build.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "maniple/core/quantise.h"
#include "maniple/substrate/grid_export.h"

#include "exit_status.h"
#include "file_io.h"
#include "goal_option.h"
#include "map_options.h"
#include "navmesh_input.h"
#include "number_list.h"
#include "refusal.h"
#include "stream_output.h"

namespace maniple::cli {
namespace {

struct BuildOptions {
    MapOptions map;
    std::string output;
    std::string mode = "grid";
    std::vector<std::string> goals;
    std::optional<double> yaw_deg;
    std::string origin;
    std::optional<double> max_slope_deg;
    std::string nav_config;
    int threads = 1;
    bool json = false;
};

terrain::GridRequest request_of(const BuildOptions& options) {
    terrain::GridRequest request = grid_request(options.map);
    request.yaw_degrees = options.yaw_deg;
    if (!options.origin.empty()) {
        const Place place = parse_place("--origin", options.origin);
        if (!place.has_z) throw CLI::ValidationError("--origin", "X,Y,Z expected");
        request.origin_cm = place.at;
    }
    if (options.max_slope_deg) {
        request.max_walkable_centideg =
            static_cast<std::int32_t>(*options.max_slope_deg * 100 + 0.5);
    }
    return request;
}

/// The identity of a navmesh stream: it anchors the goals alone, the tiles lie where the map has
/// them.
substrate::SubstrateIdentity identity_of(const BuildOptions& options) {
    const terrain::GridRequest request = request_of(options);
    const Vec3d origin = request.origin_cm.value_or(Vec3d{});
    return {core::quant_cm(origin.x, 0), core::quant_cm(origin.y, 0), core::quant_cm(origin.z, 0),
            core::yaw_to_centideg(options.yaw_deg.value_or(0))};
}

/// Options of the other mode would be ignored in silence, a file named twice be lost.
void check_options(const BuildOptions& options) {
    if (const auto file = named_twice({options.map.map, options.nav_config, options.output})) {
        throw CLI::ValidationError(*file, "one file for two options");
    }
    if (options.mode != "navmesh" && !options.nav_config.empty()) {
        throw CLI::ValidationError("--nav-config", "of a navmesh, with --mode navmesh");
    }
    if (options.mode == "navmesh" && (options.map.cell_cm != 0 || options.max_slope_deg)) {
        throw CLI::ValidationError("--cell-cm and --max-slope",
                                   "of a grid; a navmesh's cells and slope are in --nav-config");
    }
}

int build_navmesh(const BuildOptions& options, const GoalPlaces& goals) {
    const substrate::SubstrateIdentity identity = identity_of(options);
    const auto executor = core::make_executor(options.threads);
    const auto ground =
        bake_ground({options.map.map, options.map.unit_cm, options.nav_config}, *executor);
    if (!ground) {
        report_refusal(ground.error(), options.json);
        return kInputRefused;
    }
    const std::vector<Vec3d> places =
        goals_on_ground(*ground->mesh.mesh, goals, static_cast<double>(identity.origin_z_cm));
    warn_off_mesh(*ground->mesh.mesh, "--goal", options.goals, places);
    const auto relative = relative_goals(places, identity);
    const nav::NavMesh& mesh = ground->mesh;
    const std::vector<nav::MeshTile> tiles = mesh.tile_views();
    const auto stream =
        substrate::NavMeshStream::write({identity, relative, mesh.params, mesh.area_costs, tiles});
    if (!stream) {
        report_refusal(stream.error(), options.map.map, options.json);
        return kInputRefused;
    }
    return write_stream(stream->bytes(), stream->version(), options.output, options.json);
}

int build(const BuildOptions& options) {
    check_options(options);
    const GoalPlaces goals = parse_goals(options.goals);
    const terrain::GridRequest request = request_of(options);
    if (options.mode == "navmesh") return build_navmesh(options, goals);
    const auto refused = [&](const Error& error) {
        report_refusal(error, options.map.map, options.json);
        return kInputRefused;
    };
    const auto executor = core::make_executor(options.threads);
    auto ground = load_map_ground(options.map.map, request, *executor);
    if (!ground) return refused(ground.error());
    replace_goals(*ground, goals);
    return write_stream(substrate::write_grid_stream(*ground), options.output, options.json);
}

}  // namespace

void add_field_build(CLI::App& field, int& status) {
    auto options = std::make_shared<BuildOptions>();
    CLI::App* sub = field.add_subcommand("build", "Make a substrate stream of a map");
    add_map_options(*sub, options->map);
    sub->add_option("-o,--output", options->output, "The stream")->required();
    sub->add_option("--mode", options->mode, "What the stream carries")
        ->check(CLI::IsMember({"grid", "navmesh"}))
        ->capture_default_str();
    sub->add_option("--nav-config", options->nav_config,
                    "What a navmesh is baked for, JSON (docs/formats/maps.md)");
    add_goal_option(*sub, options->goals);
    sub->add_option("--yaw", options->yaw_deg, "Turn of the grid about Z, degrees (0)")
        ->check(finite_range(-36000.0, 36000.0));
    sub->add_option("--origin", options->origin,
                    "X,Y,Z in world cm: the grid's middle and its volume's bottom (the map's)");
    sub->add_option("--max-slope", options->max_slope_deg,
                    "Steeper ground is an obstacle, degrees (45); 90 and above: none is")
        ->check(finite_range(0.0, 180.0));
    sub->add_option("--threads", options->threads, "Worker threads; the result never depends on it")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    sub->add_flag("--json", options->json, "One JSON object on stdout");
    sub->callback([options, &status] { status = build(*options); });
}

}  // namespace maniple::cli
