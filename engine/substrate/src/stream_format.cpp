#include "maniple/substrate/stream_format.h"

#include <cstring>
#include <string>

#include "maniple/core/hash.h"

#include "stream_parts.h"

namespace maniple::substrate {
namespace {

constexpr std::size_t kVersionOffset = 4;

StreamKind read_magic(core::ByteReader& reader, std::optional<StreamKind> expected) {
    const std::uint32_t magic = reader.u32();
    if (magic != kFullMagic && magic != kDeltaMagic) {
        reader.fail(ErrorCode::kBadMagic, 0, "neither FFS1 nor FFD1: magic " + core::hex8(magic));
    }
    const StreamKind kind = magic == kDeltaMagic ? StreamKind::kDelta : StreamKind::kFull;
    if (expected && kind != *expected) {
        reader.fail(ErrorCode::kBadMagic, 0,
                    kind == StreamKind::kDelta ? "a delta stream where a full one is expected"
                                               : "a full stream where a delta is expected");
    }
    return kind;
}

void read_version(core::ByteReader& reader, StreamKind kind) {
    const std::uint32_t expected = kind == StreamKind::kFull ? kFullVersion : kDeltaVersion;
    const std::uint32_t version = reader.u32();
    if (version != expected) {
        reader.fail(ErrorCode::kBadVersion, kVersionOffset,
                    "stream version " + std::to_string(version) + ", this build reads " +
                        std::to_string(expected));
    }
}

StreamMode read_mode(core::ByteReader& reader) {
    const std::uint8_t mode = reader.u8();
    if (mode > static_cast<std::uint8_t>(StreamMode::kNavMesh)) {
        reader.fail(ErrorCode::kBadMode, kModeOffset,
                    "mode " + std::to_string(mode) + ", there are 0 (grid) and 1 (navmesh)");
    }
    return static_cast<StreamMode>(mode);
}

SubstrateIdentity read_identity(core::ByteReader& reader) {
    SubstrateIdentity identity;
    identity.origin_x_cm = reader.i32();
    identity.origin_y_cm = reader.i32();
    identity.origin_z_cm = reader.i32();
    const std::size_t yaw_at = reader.at();
    identity.yaw_centideg = reader.i32();
    if (identity.yaw_centideg < -18000 || identity.yaw_centideg >= 18000) {
        reader.fail(ErrorCode::kBadValue, yaw_at,
                    "yaw " + std::to_string(identity.yaw_centideg) +
                        " outside -18000 to 17999 hundredths of a degree");
    }
    return identity;
}

}  // namespace

namespace detail {

// implements: SYNC-006, SYNC-015, SYNC-016, SYNC-023, SYNC-024, O-SYNC-35, O-SYNC-38
SubstrateHeader read_header(core::ByteReader& reader, std::optional<StreamKind> expected) {
    SubstrateHeader header;
    header.kind = read_magic(reader, expected);
    read_version(reader, header.kind);
    header.mode = read_mode(reader);
    header.content_hash = reader.u32();
    if (header.kind == StreamKind::kDelta) header.base_hash = reader.u32();
    header.identity = read_identity(reader);
    return header;
}

// implements: SYNC-017, SYNC-025, O-SYNC-29, O-SYNC-30
std::size_t read_goals(core::ByteReader& reader) {
    const std::size_t count_at = reader.at();
    const std::int32_t count = reader.i32();
    if (count < 0) {
        reader.fail(ErrorCode::kBadValue, count_at, std::to_string(count) + " goals declared");
    } else if (count > kGoalsMax) {
        reader.fail(
            ErrorCode::kOverCap, count_at,
            std::to_string(count) + " goals declared, the limit is " + std::to_string(kGoalsMax));
    }
    if (!reader.ok()) return 0;
    const std::size_t bytes = kGoalBytes * static_cast<std::size_t>(count);
    if (bytes > reader.remaining()) {
        reader.fail(ErrorCode::kTruncated, count_at,
                    std::to_string(count) + " goals declared, " +
                        std::to_string(reader.remaining() / kGoalBytes) + " present");
        return 0;
    }
    static_cast<void>(reader.bytes(bytes));
    return static_cast<std::size_t>(count);
}

GoalCm load_goal(const std::uint8_t* in) {
    return {core::load_le<std::int32_t>(in), core::load_le<std::int32_t>(in + 4),
            core::load_le<std::int32_t>(in + 8)};
}

void store_goal(std::uint8_t* out, const GoalCm& goal) {
    core::store_le(out, goal.x);
    core::store_le(out + 4, goal.y);
    core::store_le(out + 8, goal.z);
}

std::vector<GoalCm> load_goals(const std::uint8_t* in, std::size_t count) {
    std::vector<GoalCm> goals(count);
    for (std::size_t i = 0; i < count; ++i) goals[i] = load_goal(in + kGoalBytes * i);
    return goals;
}

// implements: SYNC-006, SYNC-007
void write_identity_and_goals(core::ByteWriter& writer, const SubstrateIdentity& identity,
                              std::span<const GoalCm> goals) {
    writer.i32(identity.origin_x_cm);
    writer.i32(identity.origin_y_cm);
    writer.i32(identity.origin_z_cm);
    writer.i32(identity.yaw_centideg);
    writer.i32(static_cast<std::int32_t>(goals.size()));
    for (const GoalCm& goal : goals) {
        writer.i32(goal.x);
        writer.i32(goal.y);
        writer.i32(goal.z);
    }
}

void write_grid_head(core::ByteWriter& writer, const SubstrateIdentity& identity,
                     std::span<const GoalCm> goals, const GridShape& grid) {
    write_identity_and_goals(writer, identity, goals);
    writer.i32(grid.x_num);
    writer.i32(grid.y_num);
    writer.i32(grid.cell_size_cm);
}

void refuse_mode(core::ByteReader& reader, const SubstrateHeader& header, StreamMode unserved) {
    if (header.mode != unserved) return;
    reader.fail(ErrorCode::kUnsupported, kModeOffset,
                unserved == StreamMode::kNavMesh ? "a navmesh stream where a grid is served"
                                                 : "a grid stream where a navmesh is served");
}

// implements: O-SYNC-07
std::optional<Error> check_content_hash(core::ByteSpan bytes, const SubstrateHeader& header) {
    const std::uint32_t hash = content_hash(bytes);
    if (hash == header.content_hash) return std::nullopt;
    return Error{ErrorCode::kBadHash, kHashOffset,
                 "content hash " + core::hex8(header.content_hash) + " declared, the bytes have " +
                     core::hex8(hash)};
}

// implements: SYNC-023, SYNC-024, SYNC-025, SYNC-029
void write_delta_head(core::ByteWriter& writer, core::ByteSpan next, const SubstrateHeader& header,
                      std::uint32_t base_version, std::size_t goal_count) {
    writer.u32(kDeltaMagic);
    writer.u32(kDeltaVersion);
    writer.u8(static_cast<std::uint8_t>(header.mode));
    writer.u32(header.content_hash);
    writer.u32(base_version);
    const std::size_t goals_end = kFullGoalCountOffset + 4 + kGoalBytes * goal_count;
    writer.bytes(next.subspan(kFullIdentityOffset, goals_end - kFullIdentityOffset));
}

// implements: SYNC-051, O-SYNC-18
std::optional<Error> check_base(const SubstrateHeader& delta, std::uint32_t version,
                                const SubstrateIdentity& identity) {
    if (delta.base_hash != version) {
        return Error{ErrorCode::kBaseMismatch, kBaseHashOffset,
                     "a delta for version " + core::hex8(delta.base_hash) +
                         ", the field stands at " + core::hex8(version)};
    }
    if (delta.identity != identity) {
        return Error{ErrorCode::kIdentityDrift, kDeltaIdentityOffset,
                     "origin or yaw differ from the field's"};
    }
    return std::nullopt;
}

// implements: O-SYNC-27
Error bad_new_hash(const SubstrateHeader& delta, std::uint32_t hash) {
    return {ErrorCode::kBadHash, kHashOffset,
            "new hash " + core::hex8(delta.content_hash) + " declared, the patched stream has " +
                core::hex8(hash)};
}

Error identity_drift() {
    return {ErrorCode::kIdentityDrift, kFullIdentityOffset, "origin or yaw differ from the base"};
}

bool equal_bytes(core::ByteSpan a, core::ByteSpan b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0);
}

}  // namespace detail

// implements: SYNC-005
std::optional<StreamKind> peek_stream_kind(core::ByteSpan bytes) {
    if (bytes.size() < 4) return std::nullopt;
    const std::uint32_t magic = core::load_le<std::uint32_t>(bytes.data());
    if (magic == kFullMagic) return StreamKind::kFull;
    if (magic == kDeltaMagic) return StreamKind::kDelta;
    return std::nullopt;
}

Result<SubstrateHeader> read_substrate_header(core::ByteSpan bytes) {
    core::ByteReader reader(bytes);
    const SubstrateHeader header = detail::read_header(reader);
    if (!reader.ok()) return refuse(reader.error());
    return header;
}

// implements: SYNC-012, O-SYNC-01
std::uint32_t content_hash(core::ByteSpan full_stream) {
    MANIPLE_ASSERT(full_stream.size() >= kFullIdentityOffset);
    return core::crc32(full_stream.subspan(kFullIdentityOffset));
}

}  // namespace maniple::substrate
