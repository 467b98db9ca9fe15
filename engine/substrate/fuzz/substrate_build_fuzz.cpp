#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>

#include "maniple/substrate/navmesh_delta.h"

namespace {
using namespace maniple;

core::Bytes mended(core::ByteSpan bytes) {
    core::Bytes copy(bytes.begin(), bytes.end());
    if (copy.size() >= substrate::kFullIdentityOffset) {
        core::store_le(copy.data() + substrate::kHashOffset, substrate::content_hash(copy));
    }
    return copy;
}

/// The full stream that `delta` makes of `base`, both sound and of one another.
core::Bytes applied(const core::Bytes& base, const core::Bytes& delta) {
    if (substrate::read_substrate_header(base)->mode == substrate::StreamMode::kGrid) {
        auto standing = substrate::CheckedStream::check(base);
        const auto view = substrate::DeltaView::check(delta);
        if (!view || substrate::check_delta_fits(standing->view(), *view)) std::abort();
        substrate::apply_delta(*standing, *view);
        return std::move(*standing).release();
    }
    const auto standing = substrate::NavMeshView::check(base);
    const auto view = substrate::NavMeshDeltaView::check(delta);
    if (!view) std::abort();
    auto next = substrate::apply_delta(*standing, *view);
    if (!next) std::abort();
    return std::move(*next).release();
}

void build(const core::Bytes& base, const core::Bytes& next) {
    core::Bytes delta = {1};
    bool any_change = false;
    Error error;
    if (!substrate::build_substrate_delta_bytes(base, next, delta, any_change, &error)) {
        if (!any_change || !delta.empty() || error.code == ErrorCode::kNone) std::abort();
        return;
    }
    if (delta.empty() == any_change) std::abort();
    if (!any_change && base != next) std::abort();
    if (any_change && applied(base, delta) != next) std::abort();
}
}  // namespace

/// A length and two streams, as they are and with both content hashes mended: no delta and the
/// news of a change, or one that leads from the first to the second.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 4) return 0;
    const core::ByteSpan streams(data + 4, size - 4);
    const std::size_t split =
        std::min<std::size_t>(core::load_le<std::uint32_t>(data), streams.size());
    const core::ByteSpan base = streams.first(split);
    const core::ByteSpan next = streams.subspan(split);
    build({base.begin(), base.end()}, {next.begin(), next.end()});
    build(mended(base), mended(next));
    build(mended(base), mended(base));
    return 0;
}
