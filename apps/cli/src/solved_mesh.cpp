#include "solved_mesh.h"

#include <fmt/core.h>
#include <memory>
#include <utility>
#include <vector>

#include "maniple/core/quantise.h"
#include "maniple/substrate/navmesh_stream.h"

#include "file_io.h"
#include "printable.h"

namespace maniple::cli {
namespace {

/// Goals beside the mesh lead nowhere; the others do without them.
void warn_of_goals(const nav::MeshLayer& layer, const std::string& file) {
    const std::size_t placed = layer.solved ? layer.mesh_goals.size() : 0;
    if (placed == layer.goals.size()) return;
    std::size_t first = 0;
    while (first < placed && layer.mesh_goals[first].location == layer.goals[first]) ++first;
    const Vec3d at = layer.goals[first];
    fmt::print(stderr, "{}: {} of {} goals are not on the navmesh, the first at {},{},{}\n",
               printable(file), layer.goals.size() - placed, layer.goals.size(), at.x, at.y, at.z);
}

}  // namespace

bool is_navmesh_file(const std::string& file) {
    const auto bytes = read_file(file);
    if (!bytes) return false;
    const auto header = substrate::read_substrate_header(*bytes);
    return header && header->mode == substrate::StreamMode::kNavMesh;
}

Result<nav::MeshField> load_mesh_field(const std::string& file, const nav::FieldConfig& config,
                                       core::Executor& executor) {
    const auto bytes = read_file(file);
    if (!bytes) return refuse(bytes.error());
    const auto stream = substrate::NavMeshView::check(*bytes);
    if (!stream) return refuse(stream.error());
    auto replica = nav::MeshReplica::build(stream->params(), stream->tiles(), stream->area_costs());
    if (!replica) return refuse(replica.error());
    std::vector<Vec3d> goals;
    const substrate::SubstrateIdentity& at = stream->identity();
    for (const substrate::GoalCm& goal : stream->goals()) {
        goals.push_back({core::dequant_cm(goal.x, at.origin_x_cm),
                         core::dequant_cm(goal.y, at.origin_y_cm),
                         core::dequant_cm(goal.z, at.origin_z_cm)});
    }
    nav::FieldHost host;
    host.executor = &executor;
    nav::MeshField field("field", config, std::move(host));
    field.set_replica(std::make_shared<const nav::MeshReplica>(std::move(*replica)),
                      std::move(goals), stream->version());
    warn_of_goals(field.default_layer(), file);
    return field;
}

}  // namespace maniple::cli
