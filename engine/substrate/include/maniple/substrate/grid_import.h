#pragma once

#include <cstddef>
#include <cstdint>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/nav/flow_field.h"
#include "maniple/substrate/checked_stream.h"
#include "maniple/substrate/delta.h"

namespace maniple::substrate {

/// Goals that a field can tell apart. A stream may carry two more (kGoalsMax).
inline constexpr std::size_t kImportGoalsMax = nav::FieldSolution::kNoGoal - 1;

/// What an accepted stream did to a field.
struct ImportReport {
    StreamKind kind = StreamKind::kFull;
    std::uint32_t version = 0;  ///< The field's version now.
    /// False for a stream whose version the field had already: nothing was done (SYNC-048,
    /// O-SYNC-08). A grid's flood always runs to its end, so none is ever left to repeat.
    bool applied = false;
    std::size_t changed_cells = 0;  ///< Of an applied delta.
};

/// Imports a full or a delta stream, told apart by its first four bytes, and floods from the goals
/// in the stream (SYNC-043 … 059). All or nothing: a refused stream leaves the field as it was.
/// Serial window of a tick only. The bytes are untrusted.
/// @return report, or the refusals of import_full_substrate and import_delta_substrate.
Result<ImportReport> import_substrate(nav::FlowField& field, core::ByteSpan bytes);

/// Imports a full stream. @return report, or as CheckedView::check, or kOverCap for more goals than
/// a field labels (kImportGoalsMax).
Result<ImportReport> import_full_substrate(nav::FlowField& field, core::ByteSpan bytes);

/// The same of a stream that was checked before. @return report or kOverCap.
Result<ImportReport> import_full_substrate(nav::FlowField& field, const CheckedView& stream);

/// Imports a delta into a field whose version is the delta's base.
/// @return report, or as DeltaView::check, kNotReady (never synchronised), kBaseMismatch,
/// kIdentityDrift, kBadValue, kBadHash or kOverCap with the byte in the delta.
Result<ImportReport> import_delta_substrate(nav::FlowField& field, core::ByteSpan bytes);

}  // namespace maniple::substrate
