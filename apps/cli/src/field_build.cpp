#include "field_build.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "maniple/substrate/grid_export.h"

#include "exit_status.h"
#include "goal_option.h"
#include "map_input.h"
#include "refusal.h"
#include "stream_output.h"

namespace maniple::cli {
namespace {

struct BuildOptions {
    std::string map;
    std::string output;
    std::vector<std::string> goals;
    bool json = false;
};

int build(const BuildOptions& options) {
    const GoalPlaces goals = parse_goals(options.goals);
    const auto map = load_map(options.map);
    if (!map) {
        report_refusal(map.error(), options.map, options.json);
        return kInputRefused;
    }
    nav::GridSubstrate ground = substrate::read_grid_stream(map->stream.view());
    replace_goals(ground, goals);
    return write_stream(substrate::write_grid_stream(ground), options.output, options.json);
}

}  // namespace

void add_field_build(CLI::App& field, int& status) {
    auto options = std::make_shared<BuildOptions>();
    CLI::App* sub = field.add_subcommand("build", "Make a substrate stream of a map");
    sub->add_option("MAP", options->map, "builtin:NAME[:SIZE], a .map or an .ffs file")->required();
    sub->add_option("-o,--output", options->output, "The stream")->required();
    add_goal_option(*sub, options->goals);
    sub->add_flag("--json", options->json, "One JSON object on stdout");
    sub->callback([options, &status] { status = build(*options); });
}

}  // namespace maniple::cli
