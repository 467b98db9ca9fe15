#include "field_solve_mesh.h"

#include <algorithm>
#include <chrono>

#include "maniple/nav/mesh_field.h"

#include "exit_status.h"
#include "refusal.h"
#include "solve_output.h"
#include "solved_mesh.h"

namespace maniple::cli {
namespace {

constexpr std::uint32_t kNone = ~std::uint32_t{0};
constexpr std::size_t kPolygonBytes = 5 * 4;
constexpr std::size_t kDirectionBytes = 3 * 4;

/// poly.u32 and dir.f32 behind one another, as the field hash covers them.
core::Bytes dump_layer(const nav::MeshGraph& graph, const nav::MeshLayer& layer) {
    const nav::MeshSolution& s = layer.solution;
    core::Bytes bytes(graph.size() * (kPolygonBytes + kDirectionBytes));
    std::uint8_t* poly = bytes.data();
    std::uint8_t* dir = poly + graph.size() * kPolygonBytes;
    for (nav::PolygonIndex p = 0; p < graph.size(); ++p) {
        const nav::PolygonId id = graph.id(p);
        const bool solved = layer.solved;
        std::uint32_t words[5] = {static_cast<std::uint32_t>(id.slot),
                                  static_cast<std::uint32_t>(id.polygon),
                                  solved ? s.dist[p] : nav::kUncovered, kNone, kNone};
        if (solved && s.next[p] != nav::kNoPolygon) {
            words[3] = static_cast<std::uint32_t>(graph.id(s.next[p]).slot);
            words[4] = static_cast<std::uint32_t>(graph.id(s.next[p]).polygon);
        }
        for (std::size_t i = 0; i < 5; ++i)
            core::store_le(poly + kPolygonBytes * p + 4 * i, words[i]);
        const Vec3f to = solved ? s.direction[p] : Vec3f{};
        core::store_le(dir + kDirectionBytes * p, to.x);
        core::store_le(dir + kDirectionBytes * p + 4, to.y);
        core::store_le(dir + kDirectionBytes * p + 8, to.z);
    }
    return bytes;
}

}  // namespace

int solve_mesh_stream(const std::string& file, const nav::FieldConfig& config,
                      core::Executor& executor, const std::string& dump_folder, bool json) {
    auto field = load_mesh_field(file, config, executor);
    if (!field) {
        report_refusal(field.error(), file, json);
        return kInputRefused;
    }
    // The memory is warm by now; flood and directions run once more.
    using Clock = std::chrono::steady_clock;
    const auto start = Clock::now();
    field->update(false);
    const double ns = std::chrono::duration<double, std::nano>(Clock::now() - start).count();

    const nav::MeshGraph& graph = field->active_mesh()->graph();
    const nav::MeshLayer& layer = field->default_layer();
    SolveFigures figures;
    for (nav::PolygonIndex p = 0; layer.solved && p < graph.size(); ++p) {
        if (!layer.solution.covered(p)) continue;
        ++figures.reachable;
        figures.max_dist = std::max(figures.max_dist, layer.solution.dist[p]);
    }
    if (graph.size() > 0) figures.ns_per_part = ns / static_cast<double>(graph.size());
    return write_solve(
        figures, dump_layer(graph, layer),
        {{"poly.u32", graph.size() * kPolygonBytes}, {"dir.f32", graph.size() * kDirectionBytes}},
        dump_folder, json);
}

}  // namespace maniple::cli
