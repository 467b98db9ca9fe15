#include "field_path.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "maniple/nav/grid_path.h"
#include "maniple/nav/mesh_path.h"
#include "maniple/terrain/scenario.h"

#include "exit_status.h"
#include "file_io.h"
#include "interrupt.h"
#include "map_options.h"
#include "navmesh_input.h"
#include "number_list.h"
#include "print_object.h"
#include "progress.h"
#include "refusal.h"
#include "solved_field.h"
#include "solved_mesh.h"
#include "solver_options.h"

namespace maniple::cli {
namespace {

struct PathOptions {
    MapOptions map;
    std::string from;
    std::string to;
    std::string scenario;
    std::size_t limit = terrain::kScenarioQueriesMax;
    bool optimal = false;
    SolverOptions solver;
    bool json = false;
};

/// One of the two searches, with its memory.
class Searcher {
  public:
    Searcher(const nav::FlowField& field, bool optimal) : field_(field), optimal_(optimal) {}

    /// The points of the way, or none.
    const std::vector<Vec3d>& find(Vec3d start, Vec3d goal) {
        const auto search = optimal_ ? nav::find_path_optimal : nav::find_path_astar;
        if (!search(field_, start, goal, context_, points_)) points_.clear();
        return points_;
    }

  private:
    const nav::FlowField& field_;
    bool optimal_;
    nav::PathContext context_;
    std::vector<Vec3d> points_;
};

/// In cells, by whole steps: the sum over the points' cells.
double octile_length(const nav::FlowField& field, const std::vector<Vec3d>& points) {
    std::int64_t straight = 0;
    std::int64_t diagonal = 0;
    const auto cell_of = [&](const Vec3d& p) {
        return field.geometry().world_to_grid({p.x, p.y}).coord;
    };
    for (std::size_t i = 1; i < points.size(); ++i) {
        const nav::GridCoord a = cell_of(points[i - 1]);
        const nav::GridCoord b = cell_of(points[i]);
        const std::int64_t dx = std::abs(a.x - b.x);
        const std::int64_t dy = std::abs(a.y - b.y);
        diagonal += std::min(dx, dy);
        straight += std::max(dx, dy) - std::min(dx, dy);
    }
    return double(straight) + double(diagonal) * core::kSqrt2;
}

/// A place without a height of its own stands on its cell's ground.
Vec3d on_ground(const nav::FlowField& field, const Place& place) {
    if (place.has_z) return place.at;
    const auto located = field.geometry().world_to_grid({place.at.x, place.at.y});
    const Vec3d ground = field.world_location(field.geometry().index(located.coord));
    return {place.at.x, place.at.y, ground.z};
}

int print_path(const std::vector<Vec3d>& points, bool found, bool json) {
    auto list = nlohmann::ordered_json::array();
    for (const Vec3d& point : points) list.push_back({point.x, point.y, point.z});
    print_object(
        {{"found", found}, {"length", nav::path_length_cm(points)}, {"points", std::move(list)}},
        json);
    return found ? kDone : kCheckFailed;
}

int single_path(const PathOptions& options, const nav::FlowField& field) {
    Searcher searcher(field, options.optimal);
    const std::vector<Vec3d>& points =
        searcher.find(on_ground(field, parse_place("--from", options.from)),
                      on_ground(field, parse_place("--to", options.to)));
    return print_path(points, !points.empty(), options.json);
}

/// On a navmesh; of a goal out of reach the way to the nearest polygon is printed, not found.
int mesh_path(const PathOptions& options) {
    if (!options.scenario.empty() || options.optimal) {
        throw CLI::ValidationError("field path", "--scen and --optimal are for grids");
    }
    const Place from = parse_place("--from", options.from);
    const Place to = parse_place("--to", options.to);
    const nav::FieldConfig config = options.solver.config();
    core::SerialExecutor serial;
    const auto field = load_mesh_field(options.map.map, config, serial);
    if (!field) {
        report_refusal(field.error(), options.map.map, options.json);
        return kInputRefused;
    }
    const nav::MeshReplica* mesh = field->active_mesh();
    const Vec3d start = place_on_ground(*mesh, from);
    const Vec3d goal = place_on_ground(*mesh, to);
    warn_off_mesh(*mesh, "--from", {options.from}, {start});
    warn_off_mesh(*mesh, "--to", {options.to}, {goal});
    std::vector<Vec3d> points;
    nav::find_path_replica(mesh, config, start, goal, nullptr, points);
    return print_path(points, nav::is_reachable_replica(mesh, config, start, goal), options.json);
}

/// What a scenario came to.
struct Tally {
    std::size_t queries = 0;
    std::size_t found = 0;
    std::size_t compared = 0;  ///< Found, with a length in the file.
    bool missed = false;       ///< A query with a length found nothing.
    double ratio_sum = 0;
    double ratio_max = 0;
    double difference_max = 0;  ///< |our length − the file's|, cells.
    double us = 0;
};

void run_query(Searcher& searcher, const nav::FlowField& field, const terrain::ScenarioQuery& query,
               Tally& tally) {
    using Clock = std::chrono::steady_clock;
    const auto place = [&](nav::GridCoord cell) {
        return field.world_location(field.geometry().index(cell));
    };
    const auto start = Clock::now();
    const std::vector<Vec3d>& points = searcher.find(place(query.start), place(query.goal));
    tally.us += std::chrono::duration<double, std::micro>(Clock::now() - start).count();
    ++tally.queries;
    if (!points.empty()) ++tally.found;
    if (query.length == 0) return;
    if (points.empty()) {
        tally.missed = true;
        return;
    }
    const double length = octile_length(field, points);
    ++tally.compared;
    tally.ratio_sum += length / query.length;
    tally.ratio_max = std::max(tally.ratio_max, length / query.length);
    tally.difference_max = std::max(tally.difference_max, std::abs(length - query.length));
}

int scenario_paths(const PathOptions& options, const nav::FlowField& field) {
    const auto refused = [&](const Error& error) {
        report_refusal(error, options.scenario, options.json);
        return kInputRefused;
    };
    const auto bytes = read_file(options.scenario);
    if (!bytes) return refused(bytes.error());
    const auto queries = terrain::read_scenario(*bytes, field.geometry().x_num(),
                                                field.geometry().y_num(), options.limit);
    if (!queries) return refused(queries.error());
    Searcher searcher(field, options.optimal);
    ProgressBar bar("query", static_cast<std::int64_t>(queries->size()));
    Tally tally;
    for (const terrain::ScenarioQuery& query : *queries) {
        run_query(searcher, field, query, tally);
        bar.show(static_cast<std::int64_t>(tally.queries));
        if (interrupted()) break;
    }
    const auto mean = [](double sum, std::size_t count) {
        return count == 0 ? 0 : sum / static_cast<double>(count);
    };
    print_object({{"queries", tally.queries},
                  {"found", tally.found},
                  {"mean_ratio", mean(tally.ratio_sum, tally.compared)},
                  {"max_ratio", tally.ratio_max},
                  {"max_difference", tally.difference_max},
                  {"us_per_query", mean(tally.us, tally.queries)}},
                 options.json);
    return tally.missed ? kCheckFailed : kDone;
}

int path(const CLI::App& sub, const PathOptions& options) {
    if (options.scenario.empty() && (options.from.empty() || options.to.empty())) {
        throw CLI::ValidationError("field path", "--from and --to, or --scen, are needed");
    }
    const bool mesh = is_navmesh_file(options.map.map);
    check_solver_options(sub, mesh ? SolverUse::kMeshPath : SolverUse::kGridPath);
    if (mesh) return mesh_path(options);
    const auto executor = core::make_executor(1);
    auto ground = load_map_ground(options.map.map, grid_request(options.map), *executor);
    const auto refused = [&](const Error& error) {
        report_refusal(error, options.map.map, options.json);
        return kInputRefused;
    };
    if (!ground) return refused(ground.error());
    nav::FlowField field("field", options.solver.config());
    field.set_substrate(std::move(*ground));
    return options.scenario.empty() ? single_path(options, field) : scenario_paths(options, field);
}

}  // namespace

void add_field_path(CLI::App& field, int& status) {
    auto options = std::make_shared<PathOptions>();
    CLI::App* sub = field.add_subcommand("path", "Find one agent's way, or those of a scenario");
    add_map_options(*sub, options->map);
    auto* scenario = sub->add_option("--scen", options->scenario,
                                     "A MovingAI .scen file: run its queries, compare the lengths");
    sub->add_option("--from", options->from, "X,Y[,Z] in world cm")->excludes(scenario);
    sub->add_option("--to", options->to, "X,Y[,Z] in world cm")->excludes(scenario);
    sub->add_option("--limit", options->limit, "Take the scenario's first queries only (all)")
        ->check(CLI::Range(std::size_t{1}, terrain::kScenarioQueriesMax));
    sub->add_flag("--optimal", options->optimal,
                  "The shortest way by octile length; without it the documented A*, whose "
                  "heuristic may overestimate");
    add_solver_options(*sub, options->solver);
    sub->add_flag("--json", options->json, "One JSON object on stdout");
    sub->callback([sub, options, &status] { status = path(*sub, *options); });
}

}  // namespace maniple::cli
