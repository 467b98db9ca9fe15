#pragma once

#include <vector>

#include "maniple/nav/debug_draw.h"
#include "maniple/nav/mesh_field.h"
#include "maniple/nav/world_query.h"

namespace maniple::nav {

/// The colour of an area's cost: green at 1 and below, yellow at 5, red at 10 and above, linear in
/// between (VIS-015).
[[nodiscard]] DrawColour area_cost_colour(float cost);

/// A field's part of one frame: forgets the lines of the last one and, with the switch
/// `graph_edges_in_game` and in a running world, draws the outlines of a synced field's replica:
/// silver where the area costs 1, orange where it costs otherwise, a magenta line for an off-mesh
/// link. Never of the host's own mesh (VIS-001, VIS-005, VIS-006).
void draw_mesh_frame(const MeshField& field, bool world_runs, DebugDraw& draw);

/// For editors: one arrow for each polygon but links, standing where a line through its centre hits
/// `world` (null or no hit: at the centre) and lying in that surface. White, or blue where a
/// modifier turned it. A polygon that no flow reaches is a red dot: an arrow without `along`.
void draw_mesh_arrows(const MeshField& field, const WorldQuery* world, TraceMask ground,
                      DebugDraw& draw);

/// With the switch `area_costs`: the outline of every ground polygon whose cost is not 1, in its
/// colour, in place of those drawn before.
void draw_area_costs(const MeshField& field, DebugDraw& draw);

}  // namespace maniple::nav
