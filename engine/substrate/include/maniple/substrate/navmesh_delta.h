#pragma once

#include <cstddef>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/substrate/delta.h"
#include "maniple/substrate/navmesh_stream.h"

namespace maniple::substrate {

/// A navmesh delta whose layout was verified; a view of bytes that somebody else owns. Its tiles
/// were not: whether they are safe depends on the parameters of the mesh it is applied to.
class NavMeshDeltaView {
  public:
    /// Verifies a delta stream on its own (docs/formats/substrate.md §3.4). The bytes are
    /// untrusted. @return view, or kTruncated, kTrailing, kBadMagic, kBadVersion, kBadMode,
    /// kBadValue, kOverCap, kParamsMismatch or kUnsupported (a grid delta), with the byte.
    [[nodiscard]] static Result<NavMeshDeltaView> check(core::ByteSpan bytes);

    [[nodiscard]] const SubstrateHeader& header() const { return header_; }
    /// The whole goal list of the new stream.
    [[nodiscard]] std::vector<GoalCm> goals() const;
    [[nodiscard]] AreaCosts area_costs() const;
    /// Ascending by slot; an empty blob removes the tile of its slot (SYNC-028).
    [[nodiscard]] std::span<const nav::MeshTile> changed_tiles() const { return tiles_; }
    /// Byte offset of a blob of changed_tiles() in the delta.
    [[nodiscard]] std::size_t offset_of(const nav::MeshTile& tile) const {
        return static_cast<std::size_t>(tile.blob.data() - bytes_.data());
    }
    /// Byte offset of the parameters' size guard; the area costs follow it.
    [[nodiscard]] std::size_t params_offset() const {
        return kDeltaGoalCountOffset + 4 + kGoalBytes * goal_count_;
    }
    /// Byte offset of the number of changed tiles.
    [[nodiscard]] std::size_t tile_count_offset() const {
        return params_offset() + 4 + kAreaCostBytes;
    }

  private:
    NavMeshDeltaView() = default;

    core::ByteSpan bytes_;
    SubstrateHeader header_;
    std::size_t goal_count_ = 0;
    std::vector<nav::MeshTile> tiles_;
};

/// Builds the delta from `base` to `next` over the union of their slots (SYNC-034).
/// @return the build, or kIdentityDrift or kParamsMismatch with the byte in `next`: the caller then
/// sends `next` whole.
[[nodiscard]] Result<DeltaBuild> build_substrate_delta(const NavMeshView& base,
                                                       const NavMeshView& next);

/// The full stream that `delta` makes of `standing`, built beside it: nothing is touched until
/// everything was verified (O-SYNC-15).
/// @return stream, or kBaseMismatch, kIdentityDrift, kBadValue, kBadTile or kBadHash with the byte
/// in the delta.
[[nodiscard]] Result<NavMeshStream> apply_delta(const NavMeshView& standing,
                                                const NavMeshDeltaView& delta);

}  // namespace maniple::substrate
