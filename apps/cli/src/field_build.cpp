#include "field_build.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "maniple/substrate/grid_export.h"

#include "exit_status.h"
#include "goal_option.h"
#include "map_options.h"
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
    int threads = 1;
    bool json = false;
};

terrain::GridRequest request_of(const BuildOptions& options) {
    terrain::GridRequest request = grid_request(options.map);
    request.yaw_degrees = options.yaw_deg;
    if (!options.origin.empty()) {
        const Place place = parse_finite_place("--origin", options.origin);
        if (!place.has_z) throw CLI::ValidationError("--origin", "X,Y,Z expected");
        request.origin_cm = place.at;
    }
    if (options.max_slope_deg) {
        request.max_walkable_centideg =
            static_cast<std::int32_t>(*options.max_slope_deg * 100 + 0.5);
    }
    return request;
}

int build(const BuildOptions& options) {
    const GoalPlaces goals = parse_goals(options.goals);
    const terrain::GridRequest request = request_of(options);
    const auto refused = [&](const Error& error) {
        report_refusal(error, options.map.map, options.json);
        return kInputRefused;
    };
    if (options.mode != "grid") {
        return refused({ErrorCode::kUnsupported, Error::kNoOffset, "no navmesh of this map"});
    }
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
