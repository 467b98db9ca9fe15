#include <algorithm>
#include <cstring>
#include <vector>

#include "maniple/substrate/delta.h"
#include "maniple/substrate/navmesh_delta.h"

#include "stream_parts.h"

namespace maniple::substrate {
namespace {

// Records compared at once before a part of them is looked at, and then each alone.
constexpr std::size_t kBlockRecords = 2048;
constexpr std::size_t kPartRecords = 32;

/// Whether two records differ; memcmp of nine bytes is a call.
bool records_differ(const std::uint8_t* a, const std::uint8_t* b) {
    return core::load_le<std::uint64_t>(a) != core::load_le<std::uint64_t>(b) || a[8] != b[8];
}

/// Two grids' records, of equal number.
struct RecordPair {
    const std::uint8_t* base;
    const std::uint8_t* next;

    [[nodiscard]] bool differ(std::size_t begin, std::size_t end) const {
        const std::size_t at = begin * kCellRecordBytes;
        return std::memcmp(base + at, next + at, (end - begin) * kCellRecordBytes) != 0;
    }
    /// Appends the cells in [begin, end) whose records differ.
    void find(std::size_t begin, std::size_t end, std::vector<std::uint32_t>& changed) const {
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t at = i * kCellRecordBytes;
            if (records_differ(base + at, next + at)) {
                changed.push_back(static_cast<std::uint32_t>(i));
            }
        }
    }
};

/// The cells whose records differ, ascending: the only pass over both streams.
// implements: SYNC-033
std::vector<std::uint32_t> find_changed_cells(core::ByteSpan base, core::ByteSpan next) {
    const std::size_t count = base.size() / kCellRecordBytes;
    const RecordPair records{base.data(), next.data()};
    std::vector<std::uint32_t> changed;
    for (std::size_t block = 0; block < count; block += kBlockRecords) {
        const std::size_t block_end = std::min(count, block + kBlockRecords);
        if (!records.differ(block, block_end)) continue;
        for (std::size_t part = block; part < block_end; part += kPartRecords) {
            const std::size_t part_end = std::min(block_end, part + kPartRecords);
            if (records.differ(part, part_end)) records.find(part, part_end, changed);
        }
    }
    return changed;
}

/// The goal count and the goals, as bytes.
core::ByteSpan goal_section(const CheckedView& stream) {
    return stream.bytes().subspan(kFullGoalCountOffset, 4 + kGoalBytes * stream.goal_count());
}

// implements: SYNC-036, O-SYNC-04
bool same_goals(const CheckedView& a, const CheckedView& b) {
    return detail::equal_bytes(goal_section(a), goal_section(b));
}

std::optional<Error> difference_in_kind(const CheckedView& base, const CheckedView& next) {
    if (base.identity() != next.identity()) return detail::identity_drift();
    if (base.grid() != next.grid()) {
        return Error{ErrorCode::kParamsMismatch, next.records_offset() - kGridShapeBytes,
                     "the grid's size or cell size differ from the base"};
    }
    return std::nullopt;
}

// implements: SYNC-026
core::Bytes write_delta(const CheckedView& base, const CheckedView& next,
                        std::span<const std::uint32_t> changed) {
    core::Bytes bytes;
    const std::size_t records_bytes = kDeltaRecordBytes * changed.size();
    bytes.reserve(kDeltaGoalCountOffset + goal_section(next).size() + 4 + records_bytes);
    core::ByteWriter writer(bytes);
    detail::write_delta_head(writer, next.bytes(), next.header(), base.version(),
                             next.goal_count());
    writer.u32(static_cast<std::uint32_t>(changed.size()));
    std::size_t at = bytes.size();
    bytes.resize(at + records_bytes);
    for (const std::uint32_t cell : changed) {
        core::store_le(bytes.data() + at, cell);
        std::memcpy(bytes.data() + at + 4, next.records().data() + cell * kCellRecordBytes,
                    kCellRecordBytes);
        at += kDeltaRecordBytes;
    }
    return bytes;
}

}  // namespace

// implements: SYNC-030, SYNC-032, SYNC-035, SYNC-037, SYNC-038, O-SYNC-31
Result<DeltaBuild> build_substrate_delta(const CheckedView& base, const CheckedView& next) {
    if (const std::optional<Error> error = difference_in_kind(base, next)) return refuse(*error);
    DeltaBuild build;
    const std::vector<std::uint32_t> changed = find_changed_cells(base.records(), next.records());
    build.changed_cells = changed.size();
    build.goals_changed = !same_goals(base, next);
    build.any_change = build.goals_changed || build.changed_cells != 0;
    if (build.any_change) build.bytes = write_delta(base, next, changed);
    return build;
}

namespace {

template <typename View>
Result<DeltaBuild> build_from_bytes(core::ByteSpan base_full, core::ByteSpan new_full) {
    const Result<View> base = View::check(base_full);
    if (!base) return refuse(base.error());
    const Result<View> next = View::check(new_full);
    if (!next) return refuse(next.error());
    return build_substrate_delta(*base, *next);
}

Result<DeltaBuild> build_from_bytes(core::ByteSpan base_full, core::ByteSpan new_full) {
    const Result<SubstrateHeader> base = read_substrate_header(base_full);
    if (!base) return refuse(base.error());
    const Result<SubstrateHeader> next = read_substrate_header(new_full);
    if (!next) return refuse(next.error());
    if (base->mode != next->mode) {
        return refuse(ErrorCode::kBadMode, kModeOffset, "one stream is a grid, one a navmesh");
    }
    if (base->mode == StreamMode::kGrid) return build_from_bytes<CheckedView>(base_full, new_full);
    return build_from_bytes<NavMeshView>(base_full, new_full);
}

}  // namespace

// implements: SYNC-031, SYNC-032, SYNC-039
bool build_substrate_delta_bytes(core::ByteSpan base_full, core::ByteSpan new_full,
                                 core::Bytes& out_delta, bool& out_any_change, Error* out_error) {
    // Until everything succeeded a caller must read "something changed", never "nothing to send".
    out_any_change = true;
    out_delta.clear();
    Result<DeltaBuild> build = build_from_bytes(base_full, new_full);
    if (!build) {
        if (out_error != nullptr) *out_error = build.error();
        return false;
    }
    out_any_change = build->any_change;
    out_delta = std::move(build->bytes);
    return true;
}

}  // namespace maniple::substrate
