#include "delta_fit.h"

#include <string>

#include "maniple/core/hash.h"

#include "crc_shift.h"

namespace maniple::substrate {
namespace detail {

std::uint32_t head_crc(const SubstrateIdentity& identity, std::span<const GoalCm> goals,
                       const GridShape& grid) {
    core::Bytes head;
    core::ByteWriter writer(head);
    writer.i32(identity.origin_x_cm);
    writer.i32(identity.origin_y_cm);
    writer.i32(identity.origin_z_cm);
    writer.i32(identity.yaw_centideg);
    writer.i32(static_cast<std::int32_t>(goals.size()));
    for (const GoalCm& goal : goals) {
        writer.i32(goal.x);
        writer.i32(goal.y);
        writer.i32(goal.z);
    }
    writer.i32(grid.x_num);
    writer.i32(grid.y_num);
    writer.i32(grid.cell_size_cm);
    return core::crc32(head);
}

// implements: SYNC-051, O-SYNC-18, O-SYNC-25
std::optional<Error> check_delta_head(const StandingHead& standing, const DeltaView& delta) {
    if (delta.header().base_hash != standing.version) {
        return Error{ErrorCode::kBaseMismatch, kBaseHashOffset,
                     "a delta for version " + core::hex8(delta.header().base_hash) +
                         ", the field stands at " + core::hex8(standing.version)};
    }
    if (delta.header().identity != standing.identity) {
        return Error{ErrorCode::kIdentityDrift, kDeltaIdentityOffset,
                     "origin or yaw differ from the field's"};
    }
    for (std::size_t i = 0; i < delta.changed_cells(); ++i) {
        if (delta.cell_index(i) >= standing.grid.cell_count()) {
            return Error{ErrorCode::kBadValue, delta.records_offset() + kDeltaRecordBytes * i,
                         "cell " + std::to_string(delta.cell_index(i)) + " of a grid of " +
                             std::to_string(standing.grid.cell_count())};
        }
    }
    return std::nullopt;
}

// implements: O-SYNC-15
std::uint32_t patched_hash(const StandingHead& standing, const DeltaView& delta,
                           std::uint32_t difference_crc) {
    const auto cells = static_cast<std::uint32_t>(standing.grid.cell_count());
    const std::uint32_t old_head = head_crc(standing.identity, standing.goals, standing.grid);
    const std::uint32_t new_head = head_crc(standing.identity, delta.goals(), standing.grid);
    return standing.version ^ crc32_shift_cells(old_head, cells) ^
           crc32_shift_cells(new_head, cells) ^ difference_crc;
}

// implements: O-SYNC-27
std::optional<Error> check_new_hash(const DeltaView& delta, std::uint32_t hash) {
    if (hash == delta.header().content_hash) return std::nullopt;
    return Error{ErrorCode::kBadHash, kHashOffset,
                 "new hash " + core::hex8(delta.header().content_hash) +
                     " declared, the patched stream has " + core::hex8(hash)};
}

void DifferenceCrc::add(std::uint32_t cell, const Record& old_record, core::ByteSpan new_record) {
    Record difference;
    for (std::size_t b = 0; b < kCellRecordBytes; ++b) {
        difference[b] = static_cast<std::uint8_t>(old_record[b] ^ new_record[b]);
    }
    crc_ = crc32_shift_cells(crc_, cell + 1 - cells_behind_) ^ crc32_linear(difference);
    cells_behind_ = cell + 1;
}

std::uint32_t DifferenceCrc::finish(const GridShape& grid) const {
    return crc32_shift_cells(crc_, static_cast<std::uint32_t>(grid.cell_count()) - cells_behind_);
}

}  // namespace detail
}  // namespace maniple::substrate
