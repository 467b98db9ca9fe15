#include <array>
#include <cstring>
#include <string>

#include "maniple/core/hash.h"
#include "maniple/substrate/delta.h"

#include "crc_shift.h"
#include "stream_parts.h"

namespace maniple::substrate {
namespace {

// implements: SYNC-051, O-SYNC-25
std::optional<Error> check_delta_head(const CheckedView& standing, const DeltaView& delta) {
    if (auto error = detail::check_base(delta.header(), standing.version(), standing.identity())) {
        return error;
    }
    // Indices ascend, so the first one out of the grid is found from behind.
    const std::uint64_t cells = standing.grid().cell_count();
    std::size_t inside = delta.changed_cells();
    while (inside > 0 && delta.cell_index(inside - 1) >= cells) --inside;
    if (inside == delta.changed_cells()) return std::nullopt;
    return Error{ErrorCode::kBadValue, delta.records_offset() + kDeltaRecordBytes * inside,
                 "cell " + std::to_string(delta.cell_index(inside)) + " of a grid of " +
                     std::to_string(cells)};
}

/// CRC-32 of everything between the content hash and the cell records.
std::uint32_t head_crc(const SubstrateIdentity& identity, std::span<const GoalCm> goals,
                       const GridShape& grid) {
    core::Bytes head;
    core::ByteWriter writer(head);
    detail::write_grid_head(writer, identity, goals, grid);
    return core::crc32(head);
}

/// The linear CRC-32 of (old records XOR new records) over the whole grid.
std::uint32_t difference_crc(const CheckedView& standing, const DeltaView& delta) {
    const std::uint8_t* records = standing.records().data();
    std::uint32_t crc = 0;
    std::uint32_t cells_behind = 0;
    for (std::size_t i = 0; i < delta.changed_cells(); ++i) {
        const std::uint32_t cell = delta.cell_index(i);
        const std::uint8_t* before = records + kCellRecordBytes * cell;
        const core::ByteSpan after = delta.cell_record(i);
        std::array<std::uint8_t, kCellRecordBytes> difference;
        for (std::size_t b = 0; b < kCellRecordBytes; ++b) {
            difference[b] = static_cast<std::uint8_t>(before[b] ^ after[b]);
        }
        crc = detail::crc32_shift_cells(crc, cell + 1 - cells_behind) ^
              detail::crc32_linear(difference);
        cells_behind = cell + 1;
    }
    const auto cells = static_cast<std::uint32_t>(standing.grid().cell_count());
    return detail::crc32_shift_cells(crc, cells - cells_behind);
}

}  // namespace

// implements: O-SYNC-15
std::uint32_t patched_content_hash(const CheckedView& standing, const DeltaView& delta) {
    const SubstrateIdentity& identity = standing.identity();
    const GridShape& grid = standing.grid();
    const auto cells = static_cast<std::uint32_t>(grid.cell_count());
    const std::uint32_t old_head = head_crc(identity, standing.goals(), grid);
    const std::uint32_t new_head = head_crc(identity, delta.goals(), grid);
    return standing.version() ^ detail::crc32_shift_cells(old_head ^ new_head, cells) ^
           difference_crc(standing, delta);
}

// implements: O-SYNC-27
std::optional<Error> check_delta_fits(const CheckedView& standing, const DeltaView& delta) {
    if (std::optional<Error> error = check_delta_head(standing, delta)) return error;
    const std::uint32_t hash = patched_content_hash(standing, delta);
    if (hash == delta.header().content_hash) return std::nullopt;
    return detail::bad_new_hash(delta.header(), hash);
}

// implements: SYNC-052
void apply_delta(CheckedStream& standing, const DeltaView& delta) {
    standing.replace_goals(delta.goals());
    std::uint8_t* records = standing.bytes_.data() + standing.view().records_offset();
    for (std::size_t i = 0; i < delta.changed_cells(); ++i) {
        std::memcpy(records + delta.cell_index(i) * kCellRecordBytes, delta.cell_record(i).data(),
                    kCellRecordBytes);
    }
    standing.set_version(delta.header().content_hash);
}

}  // namespace maniple::substrate
