#include <string>

#include "maniple/substrate/delta.h"

#include "stream_parts.h"

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

}  // namespace

// implements: SYNC-023, O-SYNC-25, O-SYNC-30
Result<DeltaView> DeltaView::check(core::ByteSpan bytes) {
    core::ByteReader reader(bytes);
    const SubstrateHeader header = detail::read_header(reader, StreamKind::kDelta);
    detail::refuse_mode(reader, header, StreamMode::kNavMesh);
    const std::size_t goal_count = detail::read_goals(reader);
    read_delta_records(reader);
    if (!reader.ok()) return refuse(reader.error());
    const DeltaView delta(bytes, header, goal_count);
    if (const std::optional<Error> error = find_bad_record(delta)) return refuse(*error);
    return delta;
}

std::vector<GoalCm> DeltaView::goals() const {
    return detail::load_goals(bytes_.data() + kDeltaGoalCountOffset + 4, goal_count_);
}

}  // namespace maniple::substrate
