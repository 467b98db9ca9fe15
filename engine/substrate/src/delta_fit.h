#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "maniple/substrate/delta.h"
#include "maniple/substrate/stream_format.h"

/// What a delta is checked against, be it a stream or a field: both know their head and can name
/// the record of a cell.
namespace maniple::substrate::detail {

using Record = std::array<std::uint8_t, kCellRecordBytes>;

struct StandingHead {
    std::uint32_t version = 0;
    SubstrateIdentity identity;
    GridShape grid;
    std::vector<GoalCm> goals;
};

/// CRC-32 of everything between the content hash and the cell records.
[[nodiscard]] std::uint32_t head_crc(const SubstrateIdentity& identity,
                                     std::span<const GoalCm> goals, const GridShape& grid);

/// The checks of docs/formats/substrate.md §3.3 that need no record of the standing substrate: 15
/// to 17.
[[nodiscard]] std::optional<Error> check_delta_head(const StandingHead& standing,
                                                    const DeltaView& delta);

/// The new content hash from the old one, the exchanged head and the CRC of the changed records.
[[nodiscard]] std::uint32_t patched_hash(const StandingHead& standing, const DeltaView& delta,
                                         std::uint32_t difference_crc);

/// Check 18.
[[nodiscard]] std::optional<Error> check_new_hash(const DeltaView& delta, std::uint32_t hash);

/// The linear CRC-32 of (old records XOR new records) over a whole grid, cell by cell ascending.
class DifferenceCrc {
  public:
    void add(std::uint32_t cell, const Record& old_record, core::ByteSpan new_record);
    [[nodiscard]] std::uint32_t finish(const GridShape& grid) const;

  private:
    std::uint32_t crc_ = 0;
    std::uint32_t cells_behind_ = 0;
};

/// `old_record(cell)` gives a standing cell's Record.
template <typename OldRecord>
[[nodiscard]] std::uint32_t patched_hash(const StandingHead& standing, const DeltaView& delta,
                                         OldRecord&& old_record) {
    DifferenceCrc difference;
    for (std::size_t i = 0; i < delta.changed_cells(); ++i) {
        const std::uint32_t cell = delta.cell_index(i);
        difference.add(cell, old_record(cell), delta.cell_record(i));
    }
    return patched_hash(standing, delta, difference.finish(standing.grid));
}

template <typename OldRecord>
[[nodiscard]] std::optional<Error> check_fit(const StandingHead& standing, const DeltaView& delta,
                                             OldRecord&& old_record) {
    if (std::optional<Error> error = check_delta_head(standing, delta)) return error;
    return check_new_hash(delta, patched_hash(standing, delta, old_record));
}

}  // namespace maniple::substrate::detail
