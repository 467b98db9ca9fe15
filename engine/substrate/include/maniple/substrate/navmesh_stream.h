#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/nav/mesh_tile.h"
#include "maniple/substrate/stream_format.h"

namespace maniple::substrate {

using nav::AreaCosts;

/// A full navmesh stream whose layout, content hash, parameters, area costs and tiles were
/// verified: its tiles may be handed to Detour. A view of bytes that somebody else owns.
class NavMeshView {
  public:
    /// Verifies a whole full stream (docs/formats/substrate.md §2.5). The bytes are untrusted.
    /// @return view, or kTruncated, kTrailing, kBadMagic, kBadVersion, kBadMode, kBadValue,
    /// kOverCap, kParamsMismatch (the size guard), kBadHash, kBadTile, or kUnsupported (a grid
    /// stream), with the byte.
    [[nodiscard]] static Result<NavMeshView> check(core::ByteSpan bytes);

    [[nodiscard]] core::ByteSpan bytes() const { return bytes_; }
    [[nodiscard]] const SubstrateHeader& header() const { return header_; }
    [[nodiscard]] std::uint32_t version() const { return header_.content_hash; }
    [[nodiscard]] const SubstrateIdentity& identity() const { return header_.identity; }
    [[nodiscard]] std::size_t goal_count() const { return goal_count_; }
    [[nodiscard]] std::vector<GoalCm> goals() const;
    [[nodiscard]] const nav::MeshParams& params() const { return params_; }
    [[nodiscard]] AreaCosts area_costs() const;
    /// Ascending by slot; the blobs are exactly what was baked (SYNC-021).
    [[nodiscard]] std::span<const nav::MeshTile> tiles() const { return tiles_; }
    [[nodiscard]] std::size_t polygon_count() const { return polygon_count_; }

    /// Byte offset of the parameters' size guard; parameters and area costs follow it.
    [[nodiscard]] std::size_t params_offset() const {
        return kFullGoalCountOffset + 4 + kGoalBytes * goal_count_;
    }
    /// The 28 bytes of the parameters.
    [[nodiscard]] core::ByteSpan params_bytes() const {
        return bytes_.subspan(params_offset() + 4, nav::kMeshParamsBytes);
    }
    [[nodiscard]] core::ByteSpan area_cost_bytes() const {
        return bytes_.subspan(params_offset() + 4 + nav::kMeshParamsBytes, kAreaCostBytes);
    }

  private:
    NavMeshView() = default;

    core::ByteSpan bytes_;
    SubstrateHeader header_;
    std::size_t goal_count_ = 0;
    nav::MeshParams params_;
    std::vector<nav::MeshTile> tiles_;
    std::size_t polygon_count_ = 0;
};

/// What a full navmesh stream says: the exporter's input. Views of the owner's arrays.
struct NavMeshContent {
    SubstrateIdentity identity;
    std::span<const GoalCm> goals;
    nav::MeshParams params;
    std::span<const float, kAreaCostCount> area_costs;
    std::span<const nav::MeshTile> tiles;  ///< Pristine blobs, ascending by slot (O-SYNC-12).
};

/// A verified full navmesh stream that owns its bytes.
class NavMeshStream {
  public:
    /// As NavMeshView::check. The bytes are taken by move.
    [[nodiscard]] static Result<NavMeshStream> check(core::Bytes bytes);
    /// Exports a navmesh (SYNC-040). @return stream, or as NavMeshView::check for content that no
    /// peer would accept, with the byte in the stream that was to be.
    [[nodiscard]] static Result<NavMeshStream> write(const NavMeshContent& content);

    NavMeshStream(NavMeshStream&&) = default;
    NavMeshStream& operator=(NavMeshStream&&) = default;

    [[nodiscard]] const NavMeshView& view() const { return view_; }
    [[nodiscard]] core::ByteSpan bytes() const { return bytes_; }
    [[nodiscard]] std::uint32_t version() const { return view_.version(); }
    /// Gives the bytes away; the stream is spent.
    [[nodiscard]] core::Bytes release() && { return std::move(bytes_); }

  private:
    NavMeshStream(core::Bytes bytes, NavMeshView view)
        : bytes_(std::move(bytes)), view_(std::move(view)) {}

    core::Bytes bytes_;
    NavMeshView view_;  ///< Of bytes_, whose memory stays where it is when the stream moves.
};

}  // namespace maniple::substrate
