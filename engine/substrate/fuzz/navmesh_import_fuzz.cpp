#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "maniple/substrate/navmesh_stream.h"

namespace {
using namespace maniple;

void check_and_write(core::ByteSpan bytes) {
    const Result<substrate::NavMeshView> view = substrate::NavMeshView::check(bytes);
    if (!view) {
        if (view.error().at_byte > bytes.size()) std::abort();
        return;
    }
    const std::vector<substrate::GoalCm> goals = view->goals();
    const substrate::AreaCosts costs = view->area_costs();
    const Result<substrate::NavMeshStream> again = substrate::NavMeshStream::write(
        {view->identity(), goals, view->params(), costs, view->tiles()});
    if (!again || !std::ranges::equal(again->bytes(), bytes)) std::abort();
}
}  // namespace

/// Any bytes as a full navmesh stream, as they are and again with the content hash mended: refused
/// inside the input, or written again as the same bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    check_and_write({data, size});
    if (size < substrate::kFullIdentityOffset) return 0;
    core::Bytes mended(data, data + size);
    core::store_le(mended.data() + substrate::kHashOffset, substrate::content_hash(mended));
    check_and_write(mended);
    return 0;
}
