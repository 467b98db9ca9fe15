#include "field_solve.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "maniple/core/hash.h"

#include "exit_status.h"
#include "field_solve_mesh.h"
#include "file_io.h"
#include "print_object.h"
#include "refusal.h"
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

/// The three files of a dump behind one another, little-endian, as the field hash covers them.
struct FieldDump {
    core::Bytes bytes;
    std::size_t dir_at = 0;
    std::size_t goal_at = 0;
};

FieldDump dump_layer(const nav::FlowField& field, const nav::Layer& layer) {
    constexpr std::size_t kBytesPerCell = 4 + 3 * 4 + 2 * 4;
    const std::size_t cells = field.geometry().cell_count();
    FieldDump dump;
    dump.bytes.resize(cells * kBytesPerCell);
    dump.dir_at = cells * 4;
    dump.goal_at = dump.dir_at + cells * 12;
    std::uint8_t* dist = dump.bytes.data();
    std::uint8_t* dir = dist + dump.dir_at;
    std::uint8_t* goal = dist + dump.goal_at;
    for (nav::CellIndex cell = 0; cell < cells; ++cell) {
        core::store_le<std::uint32_t>(dist + 4 * cell, layer.solution.dist[cell]);
        const Vec3f direction = field.direction(layer, cell);
        core::store_le<float>(dir + 12 * cell, direction.x);
        core::store_le<float>(dir + 12 * cell + 4, direction.y);
        core::store_le<float>(dir + 12 * cell + 8, direction.z);
        const std::uint16_t label = layer.solution.goal[cell];
        nav::GridCoord at{-1, -1};
        if (label != nav::FieldSolution::kNoGoal) {
            at = field.geometry().coord(layer.goal_cells[label]);
        }
        core::store_le<std::int32_t>(goal + 8 * cell, at.x);
        core::store_le<std::int32_t>(goal + 8 * cell + 4, at.y);
    }
    return dump;
}

Result<void> write_dump(const FieldDump& dump, const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return refuse(ErrorCode::kIo, error.message());
    const core::ByteSpan all = dump.bytes;
    const std::filesystem::path path(folder);
    for (const auto& [name, part] :
         {std::pair{"dist.u32", all.first(dump.dir_at)},
          std::pair{"dir.f32", all.subspan(dump.dir_at, dump.goal_at - dump.dir_at)},
          std::pair{"goal.i32", all.subspan(dump.goal_at)}}) {
        if (auto written = write_file((path / name).string(), part); !written) return written;
    }
    return {};
}

/// Solves the layer twice and times the second solve, whose memory is warm.
double timed_solve_ns(nav::FlowField& field, nav::LayerHandle layer) {
    using Clock = std::chrono::steady_clock;
    field.update_layer(layer);
    const auto start = Clock::now();
    field.update_layer(layer);
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

int solve(const SolveOptions& options) {
    if (is_navmesh_file(options.file)) {
        const auto executor = core::make_executor(options.threads);
        return solve_mesh_stream(options.file, options.solver.config(), *executor, options.dump,
                                 options.json);
    }
    const auto refused = [&](const Error& error, const std::string& source) {
        report_refusal(error, source, options.json);
        return kInputRefused;
    };
    Result<nav::GridSubstrate> ground = load_ground(options.file);
    if (!ground) return refused(ground.error(), options.file);
    if (const auto checked = check_goal_count(*ground); !checked) {
        return refused(checked.error(), options.file);
    }
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
    std::uint64_t reachable = 0;
    std::uint32_t max_dist = 0;
    const nav::DistanceField& dist = layer->solution.dist;
    for (nav::CellIndex cell = 0; cell < dist.size(); ++cell) {
        if (dist[cell] >= config.distance_limit) continue;
        ++reachable;
        max_dist = std::max(max_dist, dist[cell]);
    }
    const FieldDump dump = dump_layer(field, *layer);
    if (!options.dump.empty()) {
        if (const auto written = write_dump(dump, options.dump); !written) {
            return refused(written.error(), options.dump);
        }
    }
    print_object({{"reachable", reachable},
                  {"max_dist", max_dist},
                  {"ns_per_cell", ns / static_cast<double>(field.geometry().cell_count())},
                  {"field_hash", core::hex16(core::xxh3_64(dump.bytes))}},
                 options.json);
    return kDone;
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
    sub->callback([options, &status] { status = solve(*options); });
}

}  // namespace maniple::cli
