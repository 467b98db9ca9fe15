#pragma once

#include <cstdint>

#include "surface_grid.h"

/// The shapes behind the built-in maps: size × size cells from integers alone. Armies start at low
/// and at high X; what lies between is passable, but not everywhere. Components are not joined
/// here.
namespace maniple::terrain {

/// Two plateaus, each behind a ridge with passes, and a meandering river with fords between them.
[[nodiscard]] SurfaceGrid shape_valley(std::int32_t size);

/// Open fields around a walled town: an outer wall with two gates a side and corner towers, a muddy
/// ditch before it, an inner wall with one gate a side, a solid keep.
[[nodiscard]] SurfaceGrid shape_fortress(std::int32_t size);

/// Islands with beaches in a sea, joined by causeways.
[[nodiscard]] SurfaceGrid shape_archipelago(std::int32_t size);

}  // namespace maniple::terrain
