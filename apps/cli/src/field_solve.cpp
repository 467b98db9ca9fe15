#include "field_solve.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "exit_status.h"
#include "field_solve_mesh.h"
#include "refusal.h"
#include "solve_output.h"
#include "solved_field.h"
#include "solved_mesh.h"
#include "solver_options.h"

namespace maniple::cli {
namespace {

struct SolveOptions {
    std::string file;
    SolverOptions solver;
    int threads = 1;
    std::string dump;
    bool json = false;
};

constexpr std::size_t kDistBytes = 4;
constexpr std::size_t kDirBytes = 3 * 4;
constexpr std::size_t kGoalBytes = 2 * 4;

/// The three files of a dump behind one another, little-endian, as the field hash covers them.
core::Bytes dump_layer(const nav::FlowField& field, const nav::Layer& layer) {
    const std::size_t cells = field.geometry().cell_count();
    core::Bytes bytes(cells * (kDistBytes + kDirBytes + kGoalBytes));
    std::uint8_t* dist = bytes.data();
    std::uint8_t* dir = dist + cells * kDistBytes;
    std::uint8_t* goal = dir + cells * kDirBytes;
    for (nav::CellIndex cell = 0; cell < cells; ++cell) {
        core::store_le<std::uint32_t>(dist + 4 * cell, layer.solution.dist[cell]);
        const Vec3f direction = field.direction(layer, cell);
        core::store_le<float>(dir + 12 * cell, direction.x);
        core::store_le<float>(dir + 12 * cell + 4, direction.y);
        core::store_le<float>(dir + 12 * cell + 8, direction.z);
        nav::GridCoord at{-1, -1};
        if (layer.reached(cell)) {
            const std::uint16_t label = layer.goal_label(field.geometry(), cell);
            at = field.geometry().coord(layer.goal_cells[label]);
        }
        core::store_le<std::int32_t>(goal + 8 * cell, at.x);
        core::store_le<std::int32_t>(goal + 8 * cell + 4, at.y);
    }
    return bytes;
}

/// Solves the layer twice and times the second solve, whose memory is warm.
double timed_solve_ns(nav::FlowField& field, nav::LayerHandle layer) {
    using Clock = std::chrono::steady_clock;
    field.update_layer(layer);
    const auto start = Clock::now();
    field.update_layer(layer);
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

int solve(const CLI::App& sub, const SolveOptions& options) {
    const bool mesh = is_navmesh_file(options.file);
    check_solver_options(sub, mesh ? SolverUse::kMeshFlow : SolverUse::kGridFlow);
    if (mesh) {
        const auto executor = core::make_executor(options.threads);
        return solve_mesh_stream(options.file, options.solver.config(), *executor, options.dump,
                                 options.json);
    }
    const auto refused = [&](const Error& error) {
        report_refusal(error, options.file, options.json);
        return kInputRefused;
    };
    Result<nav::GridSubstrate> ground = load_ground(options.file);
    if (!ground) return refused(ground.error());
    const std::vector<Vec3d> goals = world_goals(*ground);
    const nav::FieldConfig config = options.solver.config();
    nav::FlowField field("field", config);
    field.set_substrate(std::move(*ground));
    double ns = 0;
    const nav::Layer* layer = &field.default_layer();
    if (!goals.empty()) {
        const nav::LayerHandle handle = field.create_layer("solve", {{}, goals});
        ns = timed_solve_ns(field, handle);
        layer = field.find_layer(handle);
    }
    SolveFigures figures;
    const nav::DistanceField& dist = layer->solution.dist;
    for (nav::CellIndex cell = 0; cell < dist.size(); ++cell) {
        if (dist[cell] >= config.distance_limit) continue;
        ++figures.reachable;
        figures.max_dist = std::max(figures.max_dist, dist[cell]);
    }
    const std::size_t cells = field.geometry().cell_count();
    figures.ns_per_part = ns / static_cast<double>(cells);
    return write_solve(figures, dump_layer(field, *layer),
                       {{"dist.u32", cells * kDistBytes},
                        {"dir.f32", cells * kDirBytes},
                        {"goal.i32", cells * kGoalBytes}},
                       options.dump, options.json);
}

}  // namespace

void add_field_solve(CLI::App& field, int& status) {
    auto options = std::make_shared<SolveOptions>();
    CLI::App* sub = field.add_subcommand("solve", "Flood a stream from its goals");
    sub->add_option("FILE", options->file, "A full stream, .ffs")->required();
    add_solver_options(*sub, options->solver);
    sub->add_option("--threads", options->threads, "Worker threads; the result never depends on it")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    sub->add_option("--dump", options->dump,
                    "Write dist.u32, dir.f32 and goal.i32 into this folder, little-endian, index "
                    "X*yNum+Y; of a navmesh poly.u32 and dir.f32");
    sub->add_flag("--json", options->json, "One JSON object on stdout");
    sub->callback([sub, options, &status] { status = solve(*sub, *options); });
}

}  // namespace maniple::cli
