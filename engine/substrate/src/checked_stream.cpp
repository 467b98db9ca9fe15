#include "maniple/substrate/checked_stream.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "maniple/core/assert.h"
#include "maniple/core/hash.h"

#include "stream_parts.h"

namespace maniple::substrate {
namespace {

std::int32_t read_positive(core::ByteReader& reader, const char* what) {
    const std::size_t at = reader.at();
    const std::int32_t value = reader.i32();
    if (value < 1) {
        reader.fail(ErrorCode::kBadValue, at,
                    std::string(what) + " is " + std::to_string(value) + ", at least 1 expected");
    }
    return value;
}

// implements: SYNC-018, O-SYNC-10
GridShape read_grid_shape(core::ByteReader& reader) {
    const std::size_t at = reader.at();
    GridShape grid;
    grid.x_num = read_positive(reader, "xNum");
    grid.y_num = read_positive(reader, "yNum");
    grid.cell_size_cm = read_positive(reader, "the cell size");
    if (reader.ok() && grid.cell_count() > kCellsMax) {
        reader.fail(ErrorCode::kOverCap, at,
                    std::to_string(grid.x_num) + " x " + std::to_string(grid.y_num) +
                        " cells declared, the limit is " + std::to_string(kCellsMax));
    }
    return grid;
}

// implements: SYNC-019, O-SYNC-09
void read_records(core::ByteReader& reader, const GridShape& grid) {
    if (!reader.ok()) return;
    const std::uint64_t present = reader.remaining() / kCellRecordBytes;
    if (present < grid.cell_count()) {
        reader.fail(ErrorCode::kTruncated, reader.at(),
                    std::to_string(grid.cell_count()) + " cells declared, " +
                        std::to_string(present) + " present");
        return;
    }
    static_cast<void>(reader.bytes(kCellRecordBytes * grid.cell_count()));
    reader.expect_end();
}

/// The first record whose type is not of the closed set, or the number of records.
std::size_t first_bad_type(core::ByteSpan records) {
    constexpr std::size_t kBlock = 1024;
    const std::size_t count = records.size() / kCellRecordBytes;
    const std::uint8_t* types = records.data() + 1;
    for (std::size_t begin = 0; begin < count; begin += kBlock) {
        const std::size_t end = std::min(count, begin + kBlock);
        unsigned bad = 0;
        for (std::size_t i = begin; i < end; ++i) {
            bad |= static_cast<unsigned>(types[i * kCellRecordBytes] > kCellTypeMax);
        }
        if (bad == 0) continue;
        for (std::size_t i = begin; i < end; ++i) {
            if (types[i * kCellRecordBytes] > kCellTypeMax) return i;
        }
    }
    return count;
}

}  // namespace

// implements: SYNC-044, O-SYNC-07, O-SYNC-31, O-GRID-03
Result<CheckedView> CheckedView::check(core::ByteSpan bytes) {
    core::ByteReader reader(bytes);
    const SubstrateHeader header = detail::read_header(reader, StreamKind::kFull);
    detail::refuse_mode(reader, header, StreamMode::kNavMesh);
    const std::size_t goal_count = detail::read_goals(reader);
    const GridShape grid = read_grid_shape(reader);
    read_records(reader, grid);
    if (!reader.ok()) return refuse(reader.error());

    if (auto error = detail::check_content_hash(bytes, header)) return refuse(*error);
    const CheckedView view(bytes, header, goal_count, grid);
    const std::size_t bad = first_bad_type(view.records());
    if (bad != grid.cell_count()) {
        const std::size_t at = view.records_offset() + bad * kCellRecordBytes + 1;
        return refuse(ErrorCode::kBadValue, at,
                      "cell " + std::to_string(bad) + " has type " + std::to_string(bytes[at]) +
                          ", the last one is " + std::to_string(kCellTypeMax));
    }
    return view;
}

GoalCm CheckedView::goal(std::size_t index) const {
    MANIPLE_ASSERT(index < goal_count_);
    return detail::load_goal(bytes_.data() + kFullGoalCountOffset + 4 + kGoalBytes * index);
}

std::vector<GoalCm> CheckedView::goals() const {
    return detail::load_goals(bytes_.data() + kFullGoalCountOffset + 4, goal_count_);
}

Result<CheckedStream> CheckedStream::check(core::Bytes bytes) {
    const Result<CheckedView> view = CheckedView::check(bytes);
    if (!view) return refuse(view.error());
    return adopt(*view, std::move(bytes));
}

CheckedStream CheckedStream::adopt(const CheckedView& view, core::Bytes bytes) {
    CheckedStream stream;
    stream.header_ = view.header();
    stream.goal_count_ = view.goal_count();
    stream.grid_ = view.grid();
    stream.bytes_ = std::move(bytes);
    return stream;
}

CheckedStream CheckedStream::begin_write(const SubstrateIdentity& identity,
                                         std::span<const GoalCm> goals, const GridShape& grid) {
    MANIPLE_ASSERT(identity.yaw_centideg >= -18000);
    MANIPLE_ASSERT(identity.yaw_centideg < 18000);
    MANIPLE_ASSERT(goals.size() <= static_cast<std::size_t>(kGoalsMax));
    MANIPLE_ASSERT(grid.x_num >= 1);
    MANIPLE_ASSERT(grid.y_num >= 1);
    MANIPLE_ASSERT(grid.cell_size_cm >= 1);
    MANIPLE_ASSERT(grid.cell_count() <= kCellsMax);

    CheckedStream stream;
    stream.header_ = {StreamKind::kFull, StreamMode::kGrid, 0, 0, identity};
    stream.goal_count_ = goals.size();
    stream.grid_ = grid;
    const std::size_t records_offset = stream.view().records_offset();
    stream.bytes_.reserve(records_offset + kCellRecordBytes * grid.cell_count());

    core::ByteWriter writer(stream.bytes_);
    writer.u32(kFullMagic);
    writer.u32(kFullVersion);
    writer.u8(static_cast<std::uint8_t>(StreamMode::kGrid));
    writer.u32(0);  // The content hash, known when the rest is written.
    detail::write_grid_head(writer, identity, goals, grid);
    MANIPLE_ASSERT(writer.size() == records_offset);
    stream.bytes_.resize(records_offset + kCellRecordBytes * grid.cell_count());
    return stream;
}

void CheckedStream::replace_goals(std::span<const GoalCm> goals) {
    const auto first = bytes_.begin() + kFullGoalCountOffset + 4;
    const std::size_t before = kGoalBytes * goal_count_;
    const std::size_t after = kGoalBytes * goals.size();
    if (after > before)
        bytes_.insert(first + static_cast<std::ptrdiff_t>(before), after - before, 0);
    if (after < before) {
        bytes_.erase(first + static_cast<std::ptrdiff_t>(after),
                     first + static_cast<std::ptrdiff_t>(before));
    }
    goal_count_ = goals.size();
    core::store_le(bytes_.data() + kFullGoalCountOffset, static_cast<std::int32_t>(goals.size()));
    for (std::size_t i = 0; i < goals.size(); ++i) {
        detail::store_goal(bytes_.data() + kFullGoalCountOffset + 4 + kGoalBytes * i, goals[i]);
    }
}

void CheckedStream::set_version(std::uint32_t hash) {
    header_.content_hash = hash;
    core::store_le(bytes_.data() + kHashOffset, hash);
}

}  // namespace maniple::substrate
