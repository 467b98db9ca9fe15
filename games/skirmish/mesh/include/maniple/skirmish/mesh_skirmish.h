#pragma once

#include <boost/describe.hpp>
#include <cstdint>
#include <memory>
#include <string_view>

#include "maniple/sim/registry.h"

namespace maniple::skirmish {

inline constexpr std::string_view kMeshGameId = "skirmish_navmesh";

/// Where on the mesh a unit stands. Polygons mean something for one substrate version only: after a
/// change every unit is put on the new mesh (O-SYNC-13).
struct Footing {
    std::int32_t slot = -1;
    std::int32_t polygon = -1;  ///< −1 = on no polygon.
    std::uint32_t version = 0;  ///< Of the substrate; another one's polygons are not ours.
    double z = 0;               ///< World cm, on the lattice of positions.
};
BOOST_DESCRIBE_STRUCT(Footing, (), (slot, polygon, version, z))

/// The built-in battle on a navmesh: the same units, orders and combat; they walk on the surface,
/// climb it from floor to floor and cross off-mesh connections. Commands as skirmish.h's, but for
/// SpawnSquad: `places` (list of x, y, z in cm, one unit each) instead of cells; MoveTo: `goal` (x,
/// y, z in cm); and walls, which are in cm.
[[nodiscard]] std::shared_ptr<const sim::GameDefinition> make_mesh_skirmish();

}  // namespace maniple::skirmish
