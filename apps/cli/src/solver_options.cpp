#include "solver_options.h"

#include <limits>

#include "number_list.h"

namespace maniple::cli {
namespace {

constexpr unsigned bit(SolverUse use) { return static_cast<unsigned>(use); }

struct OptionUses {
    const char* option;
    unsigned uses;
};
constexpr unsigned kAnyGrid = bit(SolverUse::kGridFlow) | bit(SolverUse::kGridPath);
constexpr OptionUses kOptionUses[] = {
    {"--distance-limit", bit(SolverUse::kGridFlow)},
    {"--straight-first", kAnyGrid | bit(SolverUse::kMeshPath)},
    {"--style", kAnyGrid},
    {"--metric", bit(SolverUse::kGridFlow)},
    {"--through-obstacles", kAnyGrid},
    {"--max-slope", kAnyGrid},
    // A path over a navmesh counts them always (PATH-021).
    {"--area-costs", bit(SolverUse::kMeshFlow)},
};

const char* ground_of(SolverUse use) {
    switch (use) {
        case SolverUse::kGridFlow: return "the flow over a grid";
        case SolverUse::kGridPath: return "a path over a grid";
        case SolverUse::kMeshFlow: return "the flow over a navmesh";
        case SolverUse::kMeshPath: return "a path over a navmesh";
    }
    return "";
}

}  // namespace

nav::FieldConfig SolverOptions::config() const {
    nav::FieldConfig config;
    config.max_walkable_centideg = static_cast<std::int32_t>(max_slope_deg * 100 + 0.5);
    config.style = style == "diagonal" ? nav::Style::kDiagonalFirst : nav::Style::kAdjacentFirst;
    config.straight_first = straight_first;
    config.ignore_internal_obstacles = !through_obstacles;
    config.metric = metric == "octile" ? nav::Metric::kOctile : nav::Metric::kCells;
    if (config.metric == nav::Metric::kOctile) {
        config.distance_limit = std::numeric_limits<std::int32_t>::max();
    }
    config.use_area_costs = area_costs;
    if (distance_limit != 0) config.distance_limit = distance_limit;
    return config;
}

void add_solver_options(CLI::App& sub, SolverOptions& options) {
    sub.add_option("--distance-limit", options.distance_limit,
                   "First distance that counts as unreachable (65535; 2147483647 with octile)")
        ->check(CLI::Range(1, std::numeric_limits<std::int32_t>::max()));
    sub.add_flag("--straight-first", options.straight_first,
                 "Point straight at the goal where a line of cells sees it; of a path: go "
                 "straight where nothing is in the way");
    sub.add_option("--style", options.style, "Which neighbours the flood takes")
        ->check(CLI::IsMember({"adjacent", "diagonal"}))
        ->capture_default_str();
    sub.add_option("--metric", options.metric,
                   "cells: a step costs its cell; octile: 5 times that, 7 times on a diagonal")
        ->check(CLI::IsMember({"cells", "octile"}))
        ->capture_default_str();
    sub.add_flag("--through-obstacles", options.through_obstacles,
                 "Let the flood cross obstacle cells");
    sub.add_option("--max-slope", options.max_slope_deg,
                   "Steepest step an agent takes, in degrees; 90 and above: any")
        ->check(finite_range(0.0, 180.0))
        ->capture_default_str();
    sub.add_flag("--area-costs", options.area_costs,
                 "Let the costs of a navmesh's areas lengthen the ways of its flow");
}

void check_solver_options(const CLI::App& sub, SolverUse use) {
    for (const OptionUses& known : kOptionUses) {
        if (sub.count(known.option) == 0 || (known.uses & bit(use)) != 0) continue;
        throw CLI::ValidationError(known.option,
                                   std::string("has no meaning for ") + ground_of(use));
    }
}

}  // namespace maniple::cli
