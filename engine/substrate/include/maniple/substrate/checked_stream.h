#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/substrate/stream_format.h"

namespace maniple::substrate {

class DeltaView;

/// A full grid stream whose layout, content hash and cell types were verified; a view of bytes that
/// somebody else owns. Everything it gives can be used without another check (O-SYNC-31).
class CheckedView {
  public:
    /// Verifies a whole full stream (docs/formats/substrate.md §2.4). The bytes are untrusted; no
    /// memory is allocated for them.
    /// @return view, or kTruncated, kTrailing, kBadMagic, kBadVersion, kBadMode, kBadValue,
    /// kOverCap, kBadHash, or kUnsupported (a navmesh stream), with the byte.
    [[nodiscard]] static Result<CheckedView> check(core::ByteSpan bytes);

    [[nodiscard]] core::ByteSpan bytes() const { return bytes_; }
    [[nodiscard]] const SubstrateHeader& header() const { return header_; }
    /// The substrate version: the stream's content hash.
    [[nodiscard]] std::uint32_t version() const { return header_.content_hash; }
    [[nodiscard]] const SubstrateIdentity& identity() const { return header_.identity; }
    [[nodiscard]] const GridShape& grid() const { return grid_; }

    [[nodiscard]] std::size_t goal_count() const { return goal_count_; }
    [[nodiscard]] GoalCm goal(std::size_t index) const;
    [[nodiscard]] std::vector<GoalCm> goals() const;

    /// Byte offset of the first cell record.
    [[nodiscard]] std::size_t records_offset() const {
        return kFullGoalCountOffset + 4 + kGoalBytes * goal_count_ + kGridShapeBytes;
    }
    /// All cell records, kCellRecordBytes each, in index order X · yNum + Y.
    [[nodiscard]] core::ByteSpan records() const { return bytes_.subspan(records_offset()); }

  private:
    friend class CheckedStream;
    CheckedView(core::ByteSpan bytes, const SubstrateHeader& header, std::size_t goal_count,
                const GridShape& grid)
        : bytes_(bytes), header_(header), goal_count_(goal_count), grid_(grid) {}

    core::ByteSpan bytes_;
    SubstrateHeader header_;
    std::size_t goal_count_;
    GridShape grid_;
};

/// A verified full stream that owns its bytes: what export and import hand out, and what a peer
/// keeps as the standing substrate.
class CheckedStream {
  public:
    /// As CheckedView::check. The bytes are taken by move, so that a stream is never held twice.
    [[nodiscard]] static Result<CheckedStream> check(core::Bytes bytes);

    /// The same of bytes that `view`, a view of equal bytes, verified before.
    [[nodiscard]] static CheckedStream adopt(const CheckedView& view, core::Bytes bytes);

    /// Writes a full grid stream: the head, the goals and the shape here, the cell records by
    /// `write_records(std::uint8_t* out)`, which fills cell_count() records of kCellRecordBytes
    /// with types ≤ kCellTypeMax; then the content hash. Trusts its caller: yaw, goal count and
    /// shape are inside their limits.
    template <typename WriteRecords>
    [[nodiscard]] static CheckedStream write(const SubstrateIdentity& identity,
                                             std::span<const GoalCm> goals, const GridShape& grid,
                                             WriteRecords&& write_records) {
        CheckedStream stream = begin_write(identity, goals, grid);
        write_records(stream.bytes_.data() + stream.view().records_offset());
        stream.set_version(substrate::content_hash(stream.bytes_));
        return stream;
    }

    [[nodiscard]] CheckedView view() const {
        return CheckedView(bytes_, header_, goal_count_, grid_);
    }
    [[nodiscard]] core::ByteSpan bytes() const { return bytes_; }
    [[nodiscard]] std::uint32_t version() const { return header_.content_hash; }
    [[nodiscard]] const SubstrateIdentity& identity() const { return header_.identity; }
    [[nodiscard]] const GridShape& grid() const { return grid_; }
    /// Gives the bytes away; the stream is spent.
    [[nodiscard]] core::Bytes release() && { return std::move(bytes_); }

  private:
    friend void apply_delta(CheckedStream& standing, const DeltaView& delta);
    CheckedStream() = default;
    static CheckedStream begin_write(const SubstrateIdentity& identity,
                                     std::span<const GoalCm> goals, const GridShape& grid);
    void replace_goals(std::span<const GoalCm> goals);
    void set_version(std::uint32_t hash);

    core::Bytes bytes_;
    SubstrateHeader header_;
    std::size_t goal_count_ = 0;
    GridShape grid_;
};

}  // namespace maniple::substrate
