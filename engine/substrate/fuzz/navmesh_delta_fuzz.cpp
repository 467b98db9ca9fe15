#include "maniple/substrate/navmesh_delta.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>

#include "golden_tile.h"

namespace {
using namespace maniple;

/// A base that any delta can meet: two tiles in four slots.
const substrate::NavMeshStream& base_stream() {
    static const core::Bytes left = substrate::golden_tile(0);
    static const core::Bytes right = substrate::golden_tile(1);
    static const substrate::NavMeshStream base = [] {
        substrate::AreaCosts costs;
        costs.fill(1);
        const std::vector<nav::MeshTile> tiles = {{0, left}, {2, right}};
        return *substrate::NavMeshStream::write({{}, {}, {{}, 4, 4, 4, 16}, costs, tiles});
    }();
    return base;
}

/// The stream that the delta should lead to, put together another way; empty if no peer would
/// accept it.
core::Bytes expected_stream(const substrate::NavMeshView& base,
                            const substrate::NavMeshDeltaView& delta) {
    std::map<std::int32_t, core::ByteSpan> slots;
    for (const nav::MeshTile& tile : base.tiles()) slots[tile.slot] = tile.blob;
    for (const nav::MeshTile& tile : delta.changed_tiles()) slots[tile.slot] = tile.blob;
    std::vector<nav::MeshTile> tiles;
    for (const auto& [slot, blob] : slots) {
        if (!blob.empty()) tiles.push_back({slot, blob});
    }
    const std::vector<substrate::GoalCm> goals = delta.goals();
    const substrate::AreaCosts costs = delta.area_costs();
    auto stream =
        substrate::NavMeshStream::write({base.identity(), goals, base.params(), costs, tiles});
    if (!stream) return {};
    return std::move(*stream).release();
}
}  // namespace

/// Any bytes as a navmesh delta, as they are and again with the base, identity and new hash that
/// would let them through: refused inside the input, or applied to the stream that was expected.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const substrate::NavMeshView& base = base_stream().view();
    const auto plain = substrate::NavMeshDeltaView::check({data, size});
    if (!plain) {
        if (plain.error().at_byte > size) std::abort();
        return 0;
    }
    const auto refused = substrate::apply_delta(base, *plain);
    if (!refused && refused.error().at_byte > size) std::abort();

    core::Bytes bytes(data, data + size);
    const core::Bytes expected = expected_stream(base, *plain);
    core::store_le(bytes.data() + substrate::kBaseHashOffset, base.version());
    std::fill_n(bytes.begin() + substrate::kDeltaIdentityOffset, 16, std::uint8_t{0});
    if (!expected.empty()) {
        core::store_le(bytes.data() + substrate::kHashOffset, substrate::content_hash(expected));
    }
    const auto delta = substrate::NavMeshDeltaView::check(bytes);
    if (!delta) std::abort();
    const auto next = substrate::apply_delta(base, *delta);
    const bool slots_exist = std::ranges::all_of(
        delta->changed_tiles(),
        [&](const nav::MeshTile& tile) { return tile.slot < base.params().tiles_max; });
    if (next.has_value() != (!expected.empty() && slots_exist)) std::abort();
    if (next && !std::ranges::equal(next->bytes(), expected)) std::abort();
    return 0;
}
