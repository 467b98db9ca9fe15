#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"

/// The fixed numbers of the substrate streams and their common head (docs/formats/substrate.md).
namespace maniple::substrate {

// implements: SYNC-001, SYNC-002, SYNC-003, SYNC-004
inline constexpr std::uint32_t kFullMagic = 0x31534646;   ///< "FFS1" on the wire.
inline constexpr std::uint32_t kDeltaMagic = 0x31444646;  ///< "FFD1" on the wire.
inline constexpr std::uint32_t kFullVersion = 4;
inline constexpr std::uint32_t kDeltaVersion = 1;

// implements: SYNC-014, O-SYNC-10, O-SYNC-29
inline constexpr std::uint64_t kCellsMax = 67'108'864;
inline constexpr std::int32_t kGoalsMax = 65'536;

inline constexpr std::size_t kModeOffset = 8;
inline constexpr std::size_t kHashOffset = 9;           ///< Content hash (delta: new hash).
inline constexpr std::size_t kBaseHashOffset = 13;      ///< Delta streams only.
inline constexpr std::size_t kFullIdentityOffset = 13;  ///< The content hash covers from here.
inline constexpr std::size_t kDeltaIdentityOffset = 17;
inline constexpr std::size_t kFullGoalCountOffset = 29;
inline constexpr std::size_t kDeltaGoalCountOffset = 33;
inline constexpr std::size_t kGoalBytes = 12;
inline constexpr std::size_t kGridShapeBytes = 12;
inline constexpr std::size_t kCellRecordBytes = 9;
inline constexpr std::size_t kDeltaRecordBytes = 13;
inline constexpr std::size_t kAreaCostCount = 64;
inline constexpr std::size_t kAreaCostBytes = 4 * kAreaCostCount;
inline constexpr std::int32_t kTileBytesMax = 67'108'864;
inline constexpr std::size_t kTileHeadBytes = 8;  ///< Slot and size, before the blob.
inline constexpr std::uint8_t kCellTypeMax = 2;   ///< 0 Empty, 1 Ground, 2 Obstacle.

enum class StreamKind : std::uint8_t { kFull, kDelta };
enum class StreamMode : std::uint8_t { kGrid = 0, kNavMesh = 1 };

/// Where a field stands, as on the wire: whole centimetres and hundredths of a degree.
struct SubstrateIdentity {
    std::int32_t origin_x_cm = 0;
    std::int32_t origin_y_cm = 0;
    std::int32_t origin_z_cm = 0;
    std::int32_t yaw_centideg = 0;  ///< In [-18000, 18000).
    friend bool operator==(const SubstrateIdentity&, const SubstrateIdentity&) = default;
};

/// A goal in centimetres relative to the identity's origin.
struct GoalCm {
    std::int32_t x = 0;
    std::int32_t y = 0;
    std::int32_t z = 0;
    friend bool operator==(const GoalCm&, const GoalCm&) = default;
};

struct GridShape {
    std::int32_t x_num = 1;
    std::int32_t y_num = 1;
    std::int32_t cell_size_cm = 1;
    friend bool operator==(const GridShape&, const GridShape&) = default;
    [[nodiscard]] std::uint64_t cell_count() const {
        return static_cast<std::uint64_t>(x_num) * static_cast<std::uint64_t>(y_num);
    }
};

/// The head of either stream: everything before the goals.
struct SubstrateHeader {
    StreamKind kind = StreamKind::kFull;
    StreamMode mode = StreamMode::kGrid;
    std::uint32_t content_hash = 0;  ///< The version this stream leads to.
    std::uint32_t base_hash = 0;     ///< Delta: the version it applies to. Full: 0.
    SubstrateIdentity identity;
};

/// Tells the two streams apart by their first u32 alone, as transports do (SYNC-005). Empty for
/// bytes that are neither.
[[nodiscard]] std::optional<StreamKind> peek_stream_kind(core::ByteSpan bytes);

/// Reads the head of a full or delta stream (docs/formats/substrate.md §2.1, §3.1; SYNC-015,
/// SYNC-023) and nothing behind it: the content hash is not verified. The bytes are untrusted.
/// @return header, or kTruncated, kBadMagic, kBadVersion, kBadMode, kBadValue (yaw) with the byte.
[[nodiscard]] Result<SubstrateHeader> read_substrate_header(core::ByteSpan bytes);

/// The content hash of a full stream's bytes: CRC-32 of everything behind the hash field
/// (SYNC-012, O-SYNC-01). `full_stream` is at least 13 bytes long.
[[nodiscard]] std::uint32_t content_hash(core::ByteSpan full_stream);

}  // namespace maniple::substrate
