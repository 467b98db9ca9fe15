#pragma once

#include "maniple/core/result.h"
#include "maniple/nav/flow_field.h"
#include "maniple/nav/grid_substrate.h"
#include "maniple/substrate/checked_stream.h"

namespace maniple::substrate {

/// Writes a field's ground and goals as a full stream (SYNC-040 … 042). Costs are the ground's own:
/// a goal's zero cost is not in them (O-SYNC-20). Export of an imported field gives the imported
/// bytes.
/// @return stream, or kNotReady when the field has no ground yet.
[[nodiscard]] Result<CheckedStream> export_substrate(const nav::FlowField& field);

/// The same of ground that stands in no field yet. Trusts its caller: the columns have the
/// geometry's length, types are of the closed set, goals are at most kGoalsMax.
[[nodiscard]] CheckedStream write_grid_stream(const nav::GridSubstrate& ground);

/// The ground that a stream carries.
[[nodiscard]] nav::GridSubstrate read_grid_stream(const CheckedView& stream);
/// The same into `ground`, whose columns keep their memory where it suffices.
void read_grid_stream(const CheckedView& stream, nav::GridSubstrate& ground);

}  // namespace maniple::substrate
