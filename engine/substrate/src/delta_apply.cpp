#include <array>
#include <cstring>
#include <string>

#include "maniple/core/assert.h"
#include "maniple/core/hash.h"
#include "maniple/substrate/delta.h"

#include "crc_shift.h"
#include "stream_reader.h"

namespace maniple::substrate {
namespace {

// implements: SYNC-026, O-SYNC-09, O-SYNC-25
void read_delta_records(core::ByteReader& reader) {
    const std::size_t count_at = reader.at();
    const std::uint32_t count = reader.u32();
    if (!reader.ok()) return;
    if (count > kCellsMax) {
        reader.fail(ErrorCode::kOverCap, count_at,
                    std::to_string(count) + " changed cells declared, the limit is " +
                        std::to_string(kCellsMax));
        return;
    }
    const std::uint64_t present = reader.remaining() / kDeltaRecordBytes;
    if (present < count) {
        reader.fail(ErrorCode::kTruncated, reader.at(),
                    std::to_string(count) + " changed cells declared, " + std::to_string(present) +
                        " present");
        return;
    }
    static_cast<void>(reader.bytes(kDeltaRecordBytes * std::uint64_t{count}));
    reader.expect_end();
}

/// The checks inside the records of a delta: order and types.
std::optional<Error> find_bad_record(const DeltaView& delta) {
    for (std::size_t i = 0; i < delta.changed_cells(); ++i) {
        const std::size_t at = delta.records_offset() + kDeltaRecordBytes * i;
        if (i > 0 && delta.cell_index(i) <= delta.cell_index(i - 1)) {
            return Error{ErrorCode::kBadValue, at,
                         "cell " + std::to_string(delta.cell_index(i)) + " follows cell " +
                             std::to_string(delta.cell_index(i - 1)) + ", not ascending"};
        }
        if (delta.cell_record(i)[1] > kCellTypeMax) {
            return Error{ErrorCode::kBadValue, at + 5,
                         "cell " + std::to_string(delta.cell_index(i)) + " has type " +
                             std::to_string(delta.cell_record(i)[1]) + ", the last one is " +
                             std::to_string(kCellTypeMax)};
        }
    }
    return std::nullopt;
}

/// CRC-32 of everything between the content hash and the records, with the delta's goals.
std::uint32_t head_crc(const CheckedView& standing, const std::vector<GoalCm>& goals) {
    core::Bytes head;
    core::ByteWriter writer(head);
    writer.bytes(
        standing.bytes().subspan(kFullIdentityOffset, kFullGoalCountOffset - kFullIdentityOffset));
    writer.i32(static_cast<std::int32_t>(goals.size()));
    for (const GoalCm& goal : goals) {
        writer.i32(goal.x);
        writer.i32(goal.y);
        writer.i32(goal.z);
    }
    writer.bytes(
        standing.bytes().subspan(standing.records_offset() - kGridShapeBytes, kGridShapeBytes));
    return core::crc32(head);
}

/// The linear CRC-32 of (old records XOR new records) over the whole grid.
std::uint32_t records_difference_crc(const CheckedView& standing, const DeltaView& delta) {
    std::uint32_t crc = 0;
    std::uint32_t before = 0;  // Cells already behind us.
    for (std::size_t i = 0; i < delta.changed_cells(); ++i) {
        const std::uint32_t cell = delta.cell_index(i);
        std::array<std::uint8_t, kCellRecordBytes> difference;
        const std::uint8_t* old = standing.records().data() + cell * kCellRecordBytes;
        const core::ByteSpan fresh = delta.cell_record(i);
        for (std::size_t b = 0; b < kCellRecordBytes; ++b) {
            difference[b] = static_cast<std::uint8_t>(old[b] ^ fresh[b]);
        }
        crc = detail::crc32_shift_cells(crc, cell + 1 - before) ^ detail::crc32_linear(difference);
        before = cell + 1;
    }
    const auto cells = static_cast<std::uint32_t>(standing.grid().cell_count());
    return detail::crc32_shift_cells(crc, cells - before);
}

}  // namespace

// implements: SYNC-023, O-SYNC-25, O-SYNC-30
Result<DeltaView> DeltaView::check(core::ByteSpan bytes) {
    core::ByteReader reader(bytes);
    const SubstrateHeader header = detail::read_header(reader, StreamKind::kDelta);
    detail::refuse_navmesh(reader, header);
    const std::size_t goal_count = detail::read_goals(reader);
    read_delta_records(reader);
    if (!reader.ok()) return refuse(reader.error());
    const DeltaView delta(bytes, header, goal_count);
    if (const std::optional<Error> error = find_bad_record(delta)) return refuse(*error);
    return delta;
}

std::vector<GoalCm> DeltaView::goals() const {
    std::vector<GoalCm> all(goal_count_);
    for (std::size_t i = 0; i < goal_count_; ++i) {
        all[i] = detail::load_goal(bytes_.data() + kDeltaGoalCountOffset + 4 + kGoalBytes * i);
    }
    return all;
}

// implements: O-SYNC-15
std::uint32_t patched_content_hash(const CheckedView& standing, const DeltaView& delta) {
    const auto cells = static_cast<std::uint32_t>(standing.grid().cell_count());
    const std::uint32_t old_head =
        detail::crc32_shift_cells(head_crc(standing, standing.goals()), cells);
    const std::uint32_t new_head =
        detail::crc32_shift_cells(head_crc(standing, delta.goals()), cells);
    return standing.version() ^ old_head ^ new_head ^ records_difference_crc(standing, delta);
}

// implements: SYNC-051, O-SYNC-18, O-SYNC-25, O-SYNC-27
std::optional<Error> check_delta_fits(const CheckedView& standing, const DeltaView& delta) {
    if (delta.header().base_hash != standing.version()) {
        return Error{ErrorCode::kBaseMismatch, kBaseHashOffset,
                     "a delta for version " + core::hex8(delta.header().base_hash) +
                         ", the field stands at " + core::hex8(standing.version())};
    }
    if (delta.header().identity != standing.identity()) {
        return Error{ErrorCode::kIdentityDrift, kDeltaIdentityOffset,
                     "origin or yaw differ from the field's"};
    }
    for (std::size_t i = 0; i < delta.changed_cells(); ++i) {
        if (delta.cell_index(i) >= standing.grid().cell_count()) {
            return Error{ErrorCode::kBadValue, delta.records_offset() + kDeltaRecordBytes * i,
                         "cell " + std::to_string(delta.cell_index(i)) + " of a grid of " +
                             std::to_string(standing.grid().cell_count())};
        }
    }
    const std::uint32_t hash = patched_content_hash(standing, delta);
    if (hash != delta.header().content_hash) {
        return Error{ErrorCode::kBadHash, kHashOffset,
                     "new hash " + core::hex8(delta.header().content_hash) +
                         " declared, the patched stream has " + core::hex8(hash)};
    }
    return std::nullopt;
}

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
