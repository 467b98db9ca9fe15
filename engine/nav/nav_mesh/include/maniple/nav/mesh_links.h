#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/nav/mesh_replica.h"

namespace maniple::nav {

/// An off-mesh connection and its ends as they were baked, world cm.
struct OffMeshConnection {
    PolygonId polygon;
    Vec3d start, end;
};
/// All of a mesh, ascending by polygon.
[[nodiscard]] std::vector<OffMeshConnection> off_mesh_connections(const MeshReplica& mesh);

/// A point link of the host: two places that agents may pass between (NAVM-036).
struct LinkDescriptor {
    std::string source;  ///< Its owner's name.
    Vec3d left, right;   ///< cm, in the owner's frame.
    Vec3d owner_location;
    std::int32_t owner_yaw_centideg = 0;
};
/// The links of the host as they stand now.
using LinkSources = std::function<std::vector<LinkDescriptor>()>;

/// How near an end must be to that of an off-mesh connection, and an agent to an end (O-NAVM-10).
inline constexpr double kLinkMatchCm = 50;
inline constexpr double kLinkEndCm = 300;

/// A link of the host and the off-mesh connection it is.
struct LinkEntry {
    std::string source;
    Vec3d left, right;  ///< World cm.
    PolygonId connection;
    std::optional<PolygonId> left_ground, right_ground;
    /// Both ends lie on ground.
    [[nodiscard]] bool valid() const { return left_ground && right_ground; }
};

/// Matches the host's links to a mesh's off-mesh connections: both ends within kLinkMatchCm, also
/// the other way round; of several the one with the least sum of distances, then the one not
/// reversed, then the first. Links that match none are left out. `extents` are those of the ends'
/// projections.
/// @return entries, ascending by connection, one for each.
[[nodiscard]] std::vector<LinkEntry> match_links(const MeshReplica& mesh,
                                                 const std::vector<LinkDescriptor>& links,
                                                 Vec3d extents_cm);

enum class LinkStatus : std::uint8_t {
    kSuccess,
    kCacheNotInitialized,
    kInvalidPolygon,
    kNotFound,
};

/// What an agent on a link is told (NAVM-039, NAVM-040).
struct LinkAnswer {
    LinkStatus status = LinkStatus::kNotFound;
    Vec3f direction;  ///< The default layer's; zero where no flow crosses the link.
    Vec3d left, right;
    std::string source;
    bool at_left_end = false;
    bool at_right_end = false;
};

/// How many entries are still what they were (NAVM-041).
struct LinkValidation {
    std::size_t valid = 0;
    std::size_t invalid = 0;
};

}  // namespace maniple::nav
