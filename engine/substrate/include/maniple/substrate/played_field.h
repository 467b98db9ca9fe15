#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
    std::vector<nav::CellIndex> changed_cells;  ///< Of an applied delta, ascending.
};

/// A grid field as a peer plays it: what it navigates on, and the full stream that said so, which
/// it can hand to another peer at any time (O-SYNC-27). Imports belong into the serial window of a
/// tick and are all or nothing: a refused stream leaves everything as it was. Not copyable: units
/// hold the field's address.
class PlayedField {
  public:
    PlayedField(std::string name, nav::FieldConfig config);
    PlayedField(PlayedField&&) = default;
    PlayedField& operator=(PlayedField&&) = default;

    [[nodiscard]] nav::FlowField& field() { return *field_; }
    [[nodiscard]] const nav::FlowField& field() const { return *field_; }
    /// The full stream of the applied version; empty before the first import.
    [[nodiscard]] core::ByteSpan stream() const;

    /// Imports a full or a delta stream, told apart by its first four bytes, and floods from the
    /// goals in the stream (SYNC-043 … 059). The bytes are untrusted.
    /// @return report, or as CheckedView::check and DeltaView::check, kOverCap for more goals than
    /// a field labels, and for a delta kNotReady (never synchronised), kBaseMismatch,
    /// kIdentityDrift, kBadValue or kBadHash with the byte.
    Result<ImportReport> import(core::ByteSpan bytes);
    /// The same. A full stream's bytes are taken when they are accepted, so that they are never
    /// held twice (O-SYNC-40); refused bytes, a delta's and a repeated stream's stay.
    Result<ImportReport> import(core::Bytes&& bytes);

  private:
    template <typename TakeBytes>
    Result<ImportReport> import_any(core::ByteSpan bytes, TakeBytes&& take);
    [[nodiscard]] bool has_version(std::uint32_t version) const;
    void flood_from(CheckedStream stream);
    Result<ImportReport> import_delta(core::ByteSpan bytes);

    std::unique_ptr<nav::FlowField> field_;
    std::optional<CheckedStream> stream_;
};

}  // namespace maniple::substrate
