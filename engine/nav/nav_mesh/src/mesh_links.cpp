#include "maniple/nav/mesh_links.h"

#include <algorithm>

#include "maniple/nav/mesh_coordinates.h"
#include "maniple/nav/mesh_field.h"
#include "maniple/nav/mesh_query.h"

#include "mesh_vectors.h"
#include "replica_impl.h"

namespace maniple::nav {
namespace {

double distance(Vec3d a, Vec3d b) { return length(a - b); }

/// A point of an owner in the world.
Vec3d placed(const LinkDescriptor& link, Vec3d point) {
    const double c = core::cos_centideg(link.owner_yaw_centideg);
    const double s = core::sin_centideg(link.owner_yaw_centideg);
    return link.owner_location +
           Vec3d{point.x * c - point.y * s, point.x * s + point.y * c, point.z};
}

// implements: NAVM-036, O-NAVM-10
/// The connection that a link's ends match best.
const OffMeshConnection* match(const std::vector<OffMeshConnection>& connections, Vec3d left,
                               Vec3d right) {
    const OffMeshConnection* best = nullptr;
    double best_sum = 0;
    const auto consider = [&](const OffMeshConnection& connection, Vec3d start, Vec3d end) {
        const double a = distance(start, connection.start);
        const double b = distance(end, connection.end);
        if (!(a <= kLinkMatchCm && b <= kLinkMatchCm)) return;
        if (best != nullptr && a + b >= best_sum) return;
        best = &connection;
        best_sum = a + b;
    };
    for (const OffMeshConnection& connection : connections) consider(connection, left, right);
    for (const OffMeshConnection& connection : connections) consider(connection, right, left);
    return best;
}

}  // namespace

std::vector<OffMeshConnection> off_mesh_connections(const MeshReplica& mesh) {
    const dtNavMesh& detour = mesh.impl().detour();
    std::vector<OffMeshConnection> all;
    for (int slot = 0; slot < detour.getMaxTiles(); ++slot) {
        const dtMeshTile* tile = detour.getTile(slot);
        if (tile->header == nullptr) continue;
        for (int i = 0; i < tile->header->offMeshConCount; ++i) {
            const dtOffMeshConnection& connection = tile->offMeshCons[i];
            all.push_back(
                {{slot, connection.poly}, to_world(connection.pos), to_world(connection.pos + 3)});
        }
    }
    return all;
}

// implements: NAVM-036, NAVM-037, O-NAVM-10
std::vector<LinkEntry> match_links(const MeshReplica& mesh,
                                   const std::vector<LinkDescriptor>& links, Vec3d extents_cm) {
    const std::vector<OffMeshConnection> connections = off_mesh_connections(mesh);
    std::vector<LinkEntry> entries;
    MeshContext context;
    const auto ground = [&](Vec3d end) -> std::optional<PolygonId> {
        const auto place = project_to_mesh(mesh, end, extents_cm, &context);
        if (!place) return std::nullopt;
        return place->polygon;
    };
    for (const LinkDescriptor& link : links) {
        const Vec3d left = placed(link, link.left);
        const Vec3d right = placed(link, link.right);
        const OffMeshConnection* connection = match(connections, left, right);
        if (connection == nullptr) continue;
        entries.push_back(
            {link.source, left, right, connection->polygon, ground(left), ground(right)});
    }
    std::ranges::stable_sort(entries, [](const LinkEntry& a, const LinkEntry& b) {
        return a.connection < b.connection;
    });
    const auto repeated = std::ranges::unique(entries, [](const LinkEntry& a, const LinkEntry& b) {
        return a.connection == b.connection;
    });
    entries.erase(repeated.begin(), repeated.end());
    return entries;
}

// implements: NAVM-001, NAVM-036, NAVM-038, O-NAVM-16
void MeshField::collect_links() {
    links_.clear();
    links_initialised_ = false;
    const std::vector<LinkDescriptor> links =
        link_sources_ ? link_sources_() : std::vector<LinkDescriptor>{};
    const MeshReplica* mesh = active_mesh();
    if (!links.empty()) {
        if (mesh == nullptr) return;
        links_ = match_links(*mesh, links, extents_of({}));
    }
    links_initialised_ = true;
}

// implements: NAVM-039, NAVM-040, O-NAVM-10
LinkAnswer MeshField::link_direction(std::optional<PolygonId> polygon, Vec3d location) const {
    LinkAnswer answer;
    if (!links_initialised_) {
        answer.status = LinkStatus::kCacheNotInitialized;
        return answer;
    }
    if (!polygon) {
        answer.status = LinkStatus::kInvalidPolygon;
        return answer;
    }
    const auto found = std::ranges::find(links_, *polygon, &LinkEntry::connection);
    if (found == links_.end() || !found->valid()) return answer;
    answer.status = LinkStatus::kSuccess;
    if (const auto here = cell(default_layer_, *polygon)) answer.direction = here->direction;
    answer.left = found->left;
    answer.right = found->right;
    answer.source = found->source;
    answer.at_left_end = distance(location, found->left) <= kLinkEndCm;
    answer.at_right_end = distance(location, found->right) <= kLinkEndCm;
    return answer;
}

// implements: NAVM-041
LinkValidation MeshField::validate_links() const {
    LinkValidation count;
    const std::vector<LinkDescriptor> links =
        link_sources_ ? link_sources_() : std::vector<LinkDescriptor>{};
    for (const LinkEntry& entry : links_) {
        const bool exists =
            std::ranges::find(links, entry.source, &LinkDescriptor::source) != links.end();
        ++(entry.valid() && exists ? count.valid : count.invalid);
    }
    return count;
}

}  // namespace maniple::nav
