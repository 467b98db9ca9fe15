#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/substrate/checked_stream.h"
#include "maniple/substrate/stream_format.h"

namespace maniple::substrate {

/// A grid delta whose layout was verified (navmesh: NavMeshDeltaView); a view of bytes that
/// somebody else owns. Whether it fits a substrate is checked where it is applied.
class DeltaView {
  public:
    /// Verifies a delta stream on its own (docs/formats/substrate.md §3.3, checks 1 to 13). The
    /// bytes are untrusted.
    /// @return view, or kTruncated, kTrailing, kBadMagic, kBadVersion, kBadMode, kBadValue,
    /// kOverCap or kUnsupported (a navmesh delta), with the byte.
    [[nodiscard]] static Result<DeltaView> check(core::ByteSpan bytes);

    [[nodiscard]] const SubstrateHeader& header() const { return header_; }
    [[nodiscard]] std::size_t goal_count() const { return goal_count_; }
    /// The whole goal list of the new stream.
    [[nodiscard]] std::vector<GoalCm> goals() const;
    [[nodiscard]] std::size_t changed_cells() const { return records().size() / kDeltaRecordBytes; }
    /// The cell that a record changes.
    [[nodiscard]] std::uint32_t cell_index(std::size_t record) const {
        return core::load_le<std::uint32_t>(records().data() + kDeltaRecordBytes * record);
    }
    /// The cell's new kCellRecordBytes bytes.
    [[nodiscard]] core::ByteSpan cell_record(std::size_t record) const {
        return records().subspan(kDeltaRecordBytes * record + 4, kCellRecordBytes);
    }
    [[nodiscard]] std::size_t records_offset() const {
        return kDeltaGoalCountOffset + 4 + kGoalBytes * goal_count_ + 4;
    }

  private:
    DeltaView(core::ByteSpan bytes, const SubstrateHeader& header, std::size_t goal_count)
        : bytes_(bytes), header_(header), goal_count_(goal_count) {}
    [[nodiscard]] core::ByteSpan records() const { return bytes_.subspan(records_offset()); }

    core::ByteSpan bytes_;
    SubstrateHeader header_;
    std::size_t goal_count_;
};

/// What a delta build found. Without any change `bytes` is empty and nothing needs to be sent.
struct DeltaBuild {
    bool any_change = false;
    bool goals_changed = false;
    std::size_t changed_cells = 0;
    std::size_t changed_tiles = 0;  ///< Navmesh: added, replaced or removed.
    bool costs_changed = false;     ///< Navmesh: the area-cost table.
    core::Bytes bytes;
};

/// Builds the delta from `base` to `next` (docs/formats/substrate.md §3.2; SYNC-030 … SYNC-039).
/// @return the build, or kIdentityDrift (origin, yaw) or kParamsMismatch (xNum, yNum, cell size)
/// with the byte in `next`: the caller then sends `next` whole.
[[nodiscard]] Result<DeltaBuild> build_substrate_delta(const CheckedView& base,
                                                       const CheckedView& next);

/// The documents' form of the same on untrusted bytes of either mode, which are verified first.
/// `out_any_change` is true unless the call returns true and found nothing to send; `out_delta`
/// means something only when both are true, and is empty otherwise. `out_error`, where given,
/// receives the reason for false.
[[nodiscard]] bool build_substrate_delta_bytes(core::ByteSpan base_full, core::ByteSpan new_full,
                                               core::Bytes& out_delta, bool& out_any_change,
                                               Error* out_error = nullptr);

/// The content hash of `standing` patched by `delta`, in time that grows with the records: CRC-32
/// is linear. Every index of the delta lies in the grid.
[[nodiscard]] std::uint32_t patched_content_hash(const CheckedView& standing,
                                                 const DeltaView& delta);

/// Verifies that `delta` applies to `standing` and leads to its new hash (docs/formats/substrate.md
/// §3.3, checks 15 to 18). Nothing is written.
/// @return kBaseMismatch, kIdentityDrift, kBadValue or kBadHash with the byte in the delta.
[[nodiscard]] std::optional<Error> check_delta_fits(const CheckedView& standing,
                                                    const DeltaView& delta);

/// Writes a delta that fits into the standing stream, in place: the result is byte for byte the new
/// full stream. Call check_delta_fits first; this trusts its answer.
void apply_delta(CheckedStream& standing, const DeltaView& delta);

}  // namespace maniple::substrate
