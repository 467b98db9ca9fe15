#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/core/result.h"

namespace maniple::terrain {

/// An upright box, world cm; `low` ≤ `high` on every axis.
struct NavBox {
    Vec3d low;
    Vec3d high;
};

/// Ground inside a box that costs something else. Areas of one name share an id and a cost.
struct NavArea {
    std::string name;
    float cost = 1;
    NavBox box;
};

/// Places between which agents may pass though no ground joins them.
struct NavLink {
    enum class Direction : std::uint8_t { kBoth, kLeftToRight, kRightToLeft };
    std::string name;
    Vec3d left;  ///< World cm.
    Vec3d right;
    Direction direction = Direction::kBoth;
};

/// What a navmesh is baked for. All lengths are centimetres.
struct NavMeshConfig {
    double agent_radius_cm = 60;
    double agent_height_cm = 200;
    /// Of a step. Recast compares ground two cells apart: a slope climbs only where its rise over
    /// them, in whole cells of height, is no more.
    double climb_cm = 90;
    double slope_deg = 45;  ///< Steepest walkable slope.
    double cell_cm = 30;    ///< Of the voxels, along X and Y.
    double cell_height_cm = 20;
    std::int32_t tile_cells = 48;  ///< Along a tile's side.
    std::vector<NavArea> areas;    ///< The last that holds a place counts.
    std::vector<NavLink> links;
};

/// Ids of the areas: 0 is the null area, from 1 on NavMeshConfig's names in order of appearance, 63
/// all other ground.
inline constexpr std::uint8_t kDefaultArea = 63;
inline constexpr std::size_t kNamedAreasMax = 62;

/// Places that a mesh may have, from the origin: single precision holds millimetres there.
inline constexpr double kNavPlaceMaxCm = 1'000'000;

/// A link as refusals name it: `off_mesh_links[2] bridge`.
[[nodiscard]] std::string link_name(const NavMeshConfig& config, std::size_t index);

/// @return nothing, or kBadValue naming the value that is not finite, out of its range, or of an
/// area whose name has another cost already; kOverCap for too many areas.
[[nodiscard]] Result<void> check_navmesh_config(const NavMeshConfig& config);

/// The id of each of config.areas. The configuration passed check_navmesh_config.
[[nodiscard]] std::vector<std::uint8_t> area_ids(const NavMeshConfig& config);

}  // namespace maniple::terrain
