#include "content.h"

#include <utility>

#include "maniple/core/assert.h"

namespace maniple::battle_file {
namespace {

constexpr std::size_t kFieldBytesMin = 4 + 8;
constexpr std::int32_t kTickRateMaxHz = 1000;

template <typename T>
Result<T> finish(core::ByteReader& in, T value) {
    in.expect_end();
    if (!in.ok()) return refuse(in.error());
    return value;
}

}  // namespace

core::Bytes encode_header(const BattleHeader& header) {
    MANIPLE_ASSERT(header.fields.size() <= kFieldsMax);
    core::Bytes bytes;
    core::ByteWriter out(bytes);
    out.u32(kFormatVersion);
    out.text(header.build_id);
    out.text(header.game_id);
    out.text(header.map_name);
    out.u64(header.map_digest);
    out.u64(header.registry_digest);
    out.i32(header.tick_rate_hz);
    out.i32(header.seed);
    out.u32(header.units);
    out.u8(static_cast<std::uint8_t>(header.mode));
    out.i32(header.start_tick);
    out.u32(header.range_ticks);
    out.u32(static_cast<std::uint32_t>(header.fields.size()));
    for (const FieldConfig& field : header.fields) {
        out.text(field.name);
        out.u64(field.config_digest);
    }
    return bytes;
}

Result<BattleHeader> decode_header(core::ByteSpan bytes) {
    core::ByteReader in(bytes);
    const std::uint32_t version = in.u32();
    if (in.ok() && version != kFormatVersion) {
        return refuse(ErrorCode::kBadVersion, 0,
                      "battle file version " + std::to_string(version) + ", this build reads " +
                          std::to_string(kFormatVersion));
    }
    BattleHeader header;
    header.build_id = in.text(kIdBytesMax, "build id bytes");
    header.game_id = in.text(kIdBytesMax, "game id bytes");
    header.map_name = in.text(kMapNameBytesMax, "map name bytes");
    header.map_digest = in.u64();
    header.registry_digest = in.u64();
    const std::size_t rate_at = in.at();
    header.tick_rate_hz = in.i32();
    if (in.ok() && (header.tick_rate_hz < 1 || header.tick_rate_hz > kTickRateMaxHz)) {
        in.fail(ErrorCode::kBadValue, rate_at, "the tick rate is not in 1 to 1000 Hz");
    }
    header.seed = in.i32();
    header.units = in.u32();
    const std::size_t mode_at = in.at();
    const std::uint8_t mode = in.u8();
    if (mode > static_cast<std::uint8_t>(Mode::kNavmesh)) {
        in.fail(ErrorCode::kBadMode, mode_at, "mode " + std::to_string(mode));
    }
    header.mode = static_cast<Mode>(mode);
    const std::size_t start_at = in.at();
    header.start_tick = in.i32();
    if (header.start_tick < 0 || header.start_tick > kTickMax) {
        in.fail(ErrorCode::kBadValue, start_at, "the start tick is not in 0 to 2^30");
    }
    const std::size_t range_at = in.at();
    header.range_ticks = in.u32();
    if (in.ok() && (header.range_ticks < 1 || header.range_ticks > kRangeTicksMax)) {
        in.fail(ErrorCode::kBadValue, range_at, "a range has 1 to 4096 ticks");
    }
    header.fields.resize(in.count(kFieldsMax, kFieldBytesMin, "fields"));
    for (FieldConfig& field : header.fields) {
        field.name = in.text(kNameBytesMax, "field name bytes");
        field.config_digest = in.u64();
    }
    return finish(in, std::move(header));
}

core::Bytes encode_substrate(const FieldSubstrate& substrate) {
    core::Bytes bytes;
    core::ByteWriter out(bytes);
    out.text(substrate.field);
    out.bytes(substrate.stream);
    return bytes;
}

Result<FieldSubstrate> decode_substrate(core::ByteSpan bytes) {
    core::ByteReader in(bytes);
    FieldSubstrate substrate;
    substrate.field = in.text(kNameBytesMax, "field name bytes");
    const core::ByteSpan stream = in.bytes(in.remaining());
    substrate.stream.assign(stream.begin(), stream.end());
    return finish(in, std::move(substrate));
}

core::Bytes encode_keyframe(const KeyframeContent& content) {
    MANIPLE_ASSERT(content.substrates.size() <= kFieldsMax);
    core::Bytes bytes;
    core::ByteWriter out(bytes);
    out.u32(static_cast<std::uint32_t>(content.substrates.size()));
    for (const KeyframeContent::Substrate& substrate : content.substrates) {
        out.text(substrate.field);
        out.u64(substrate.key);
    }
    out.bytes(content.frame);
    return bytes;
}

Result<KeyframeContent> decode_keyframe(core::ByteSpan bytes) {
    core::ByteReader in(bytes);
    KeyframeContent content;
    content.substrates.resize(in.count(kFieldsMax, kFieldBytesMin, "keyframe substrates"));
    for (KeyframeContent::Substrate& substrate : content.substrates) {
        substrate.field = in.text(kNameBytesMax, "field name bytes");
        substrate.key = in.u64();
    }
    content.frame = in.bytes(in.remaining());
    return finish(in, std::move(content));
}

core::Bytes encode_end(const EndRecord& end) {
    core::Bytes bytes;
    core::ByteWriter out(bytes);
    out.u8(static_cast<std::uint8_t>(end.reason));
    out.i32(end.last_tick);
    out.u64(end.last_hash);
    out.u64(end.steps);
    out.u32(end.keyframes);
    return bytes;
}

Result<EndRecord> decode_end(core::ByteSpan bytes) {
    core::ByteReader in(bytes);
    const std::uint8_t reason = in.u8();
    if (reason > static_cast<std::uint8_t>(EndReason::kPeerLost)) {
        in.fail(ErrorCode::kBadMode, 0, "end reason " + std::to_string(reason));
    }
    EndRecord end;
    end.reason = static_cast<EndReason>(reason);
    end.last_tick = in.i32();
    end.last_hash = in.u64();
    end.steps = in.u64();
    end.keyframes = in.u32();
    return finish(in, end);
}

}  // namespace maniple::battle_file
