#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "maniple/substrate/delta.h"

namespace {
using namespace maniple;

/// A base that any delta can meet: 8 x 8 cells, one goal.
const substrate::CheckedStream& base_stream() {
    static const substrate::GoalCm goal{100, 200, 0};
    static const substrate::CheckedStream base = substrate::CheckedStream::write(
        {350, 350, 0, 0}, {&goal, 1}, {8, 8, 100}, [](std::uint8_t* out) {
            for (std::size_t i = 0; i < 64 * substrate::kCellRecordBytes; ++i) out[i] = 1;
        });
    return base;
}
}  // namespace

/// Any bytes as a delta, as they are and again with the base and the new hash that would let them
/// through: refused inside the input, or applied so that the result passes a full stream's check
/// and the delta between both streams leads there again.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Result<substrate::DeltaView> plain = substrate::DeltaView::check({data, size});
    if (!plain) {
        if (plain.error().at_byte > size) std::abort();
        return 0;
    }
    const substrate::CheckedView base = base_stream().view();
    static_cast<void>(substrate::check_delta_fits(base, *plain));

    core::Bytes bytes(data, data + size);
    core::store_le(bytes.data() + substrate::kBaseHashOffset, base.version());
    for (std::size_t i = 0; i < plain->changed_cells(); ++i) {
        if (plain->cell_index(i) >= base.grid().cell_count()) return 0;
    }
    core::store_le(bytes.data() + substrate::kHashOffset,
                   substrate::patched_content_hash(base, *plain));
    const Result<substrate::DeltaView> delta = substrate::DeltaView::check(bytes);
    if (!delta) std::abort();
    if (substrate::check_delta_fits(base, *delta)) {
        // Only another origin or yaw is left.
        if (delta->header().identity == base.identity()) std::abort();
        return 0;
    }
    substrate::CheckedStream patched = base_stream();
    substrate::apply_delta(patched, *delta);
    const Result<substrate::CheckedView> next = substrate::CheckedView::check(patched.bytes());
    if (!next || next->version() != delta->header().content_hash) std::abort();
    if (next->goals() != delta->goals()) std::abort();
    const Result<substrate::DeltaBuild> build = substrate::build_substrate_delta(base, *next);
    if (!build || build->changed_cells > delta->changed_cells()) std::abort();
    return 0;
}
