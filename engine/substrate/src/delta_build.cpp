#include <algorithm>
#include <cstring>
#include <string>

#include "maniple/core/assert.h"
#include "maniple/substrate/delta.h"
#include "maniple/substrate/navmesh_delta.h"

#include "stream_parts.h"

namespace maniple::substrate {
namespace {

/// Records compared at once before one is looked at alone.
constexpr std::size_t kBlockRecords = 1024;

/// Whether two records differ; memcmp of nine bytes is a call.
bool records_differ(const std::uint8_t* a, const std::uint8_t* b) {
    return core::load_le<std::uint64_t>(a) != core::load_le<std::uint64_t>(b) || a[8] != b[8];
}

/// Calls found(index) for every cell whose record differs, ascending.
template <typename Found>
void for_changed_cells(core::ByteSpan base, core::ByteSpan next, Found&& found) {
    const std::size_t count = base.size() / kCellRecordBytes;
    for (std::size_t begin = 0; begin < count; begin += kBlockRecords) {
        const std::size_t end = std::min(count, begin + kBlockRecords);
        const std::size_t at = begin * kCellRecordBytes;
        const std::size_t bytes = (end - begin) * kCellRecordBytes;
        if (std::memcmp(base.data() + at, next.data() + at, bytes) == 0) continue;
        for (std::size_t i = begin; i < end; ++i) {
            const std::size_t record = i * kCellRecordBytes;
            if (records_differ(base.data() + record, next.data() + record)) found(i);
        }
    }
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
                        std::size_t changed_cells) {
    core::Bytes bytes;
    bytes.reserve(kDeltaGoalCountOffset + goal_section(next).size() + 4 +
                  kDeltaRecordBytes * changed_cells);
    core::ByteWriter writer(bytes);
    detail::write_delta_head(writer, next.bytes(), next.header(), base.version(),
                             next.goal_count());
    writer.u32(static_cast<std::uint32_t>(changed_cells));
    std::size_t at = bytes.size();
    bytes.resize(at + kDeltaRecordBytes * changed_cells);
    for_changed_cells(base.records(), next.records(), [&](std::size_t cell) {
        core::store_le(bytes.data() + at, static_cast<std::uint32_t>(cell));
        std::memcpy(bytes.data() + at + 4, next.records().data() + cell * kCellRecordBytes,
                    kCellRecordBytes);
        at += kDeltaRecordBytes;
    });
    MANIPLE_ASSERT(at == bytes.size());
    return bytes;
}

}  // namespace

// implements: SYNC-030, SYNC-032, SYNC-033, SYNC-035, SYNC-037, SYNC-038, O-SYNC-31
Result<DeltaBuild> build_substrate_delta(const CheckedView& base, const CheckedView& next) {
    if (const std::optional<Error> error = difference_in_kind(base, next)) return refuse(*error);
    DeltaBuild build;
    for_changed_cells(base.records(), next.records(), [&](std::size_t) { ++build.changed_cells; });
    build.goals_changed = !same_goals(base, next);
    build.any_change = build.goals_changed || build.changed_cells != 0;
    if (build.any_change) build.bytes = write_delta(base, next, build.changed_cells);
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
