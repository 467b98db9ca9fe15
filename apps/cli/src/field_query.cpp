#include "field_query.h"

#include <memory>
#include <string>

#include "maniple/core/hash.h"

#include "exit_status.h"
#include "navmesh_input.h"
#include "number_list.h"
#include "print_object.h"
#include "refusal.h"
#include "solved_field.h"
#include "solved_mesh.h"
#include "solver_options.h"

namespace maniple::cli {
namespace {

struct QueryOptions {
    std::string file;
    std::string at;
    double radius_cm = 0;
    SolverOptions solver;
    bool json = false;
};

Result<nav::NavigationAnswer> ask(const QueryOptions& options, const Place& place, bool mesh) {
    if (!mesh) {
        const auto field = load_solved_field(options.file, options.solver.config());
        if (!field) return refuse(field.error());
        return field->query({place.at.x, place.at.y}, options.radius_cm);
    }
    core::SerialExecutor serial;
    const auto field = load_mesh_field(options.file, options.solver.config(), serial);
    if (!field) return refuse(field.error());
    const Vec3d at = place_on_ground(*field->active_mesh(), place);
    warn_off_mesh(*field->active_mesh(), "--at", {options.at}, {at});
    return field->query(at, options.radius_cm);
}

int query(const CLI::App& sub, const QueryOptions& options) {
    const bool mesh = is_navmesh_file(options.file);
    check_solver_options(sub, mesh ? SolverUse::kMeshFlow : SolverUse::kGridFlow);
    const auto answer = ask(options, parse_place("--at", options.at), mesh);
    if (!answer) {
        report_refusal(answer.error(), options.file, options.json);
        return kInputRefused;
    }
    nlohmann::json dist = answer->dist;
    if (mesh) dist = static_cast<double>(answer->dist) / nav::kMeshDistUnitsPerCm;
    print_object({{"valid", answer->valid},
                  {"dir", {answer->direction.x, answer->direction.y, answer->direction.z}},
                  {"dist", std::move(dist)},
                  {"goal", {answer->goal.x, answer->goal.y, answer->goal.z}},
                  {"sampled_hash", core::hex8(answer->sampled_cells_hash)}},
                 options.json);
    return kDone;
}

}  // namespace

void add_field_query(CLI::App& field, int& status) {
    auto options = std::make_shared<QueryOptions>();
    CLI::App* sub = field.add_subcommand("query", "What the field tells an agent at a place");
    sub->add_option("FILE", options->file, "A full stream, .ffs")->required();
    sub->add_option("--at", options->at, "X,Y[,Z] in world cm")->required();
    sub->add_option("--radius", options->radius_cm,
                    "Average over the cells or polygons within this many cm; 0 takes the one there")
        ->check(finite_range(0.0, 1e9))
        ->capture_default_str();
    add_solver_options(*sub, options->solver);
    sub->add_flag("--json", options->json, "One JSON object on stdout");
    sub->callback([sub, options, &status] { status = query(*sub, *options); });
}

}  // namespace maniple::cli
