#include <algorithm>
#include <array>
#include <type_traits>

#include "maniple/core/assert.h"
#include "maniple/net/wire.h"

namespace maniple::net {
namespace {

constexpr std::size_t kHeadBytes = 5;
constexpr std::uint64_t kMiB = 1024 * 1024;
constexpr std::uint64_t kSmall = 1024;
constexpr std::uint64_t kHelloBytesMax = 32 * 1024;
constexpr std::size_t kFieldBytesMin = 12;
constexpr std::uint64_t kLarge = std::uint64_t{sim::kCommandPayloadBytesMax} + 4 * kMiB;
constexpr std::size_t kCompactBytes = 64 * 1024;

/// What the receivers allow for one kind; 0 = that side never gets it.
struct Caps {
    std::uint64_t server = 0;
    std::uint64_t client = 0;
};
constexpr std::array<Caps, std::variant_size_v<StreamMessage>> kCaps{{
    {kHelloBytesMax, 0},  // Hello
    {0, kSmall},          // Welcome
    {0, kSmall},          // Refuse
    {0, kLarge},          // Payload
    {kSmall, 0},          // SnapshotRequest
    {0, kLarge},          // Snapshot
    {0, 16 * kMiB},       // TreeRequest
    {kMiB, 0},            // TreeReply
    {kSmall, 0},          // Bye
    {0, kSmall},          // Final
    {kSmall, kSmall},     // Abort
    {kSmall, 0},          // StreamRequest
    {0, kLarge},          // FieldStream
}};

void put(const Hello& m, core::ByteWriter& out) {
    MANIPLE_ASSERT(m.name.size() <= kNameBytesMax);
    MANIPLE_ASSERT(m.identity.fields.size() <= kFieldsMax);
    out.u32(m.version);
    out.u64(m.identity.registry_digest);
    out.u64(m.identity.map_digest);
    out.i32(m.identity.tick_rate_hz);
    out.u32(static_cast<std::uint32_t>(m.identity.fields.size()));
    for (const FieldIdentity& field : m.identity.fields) {
        MANIPLE_ASSERT(field.name.size() <= kNameBytesMax);
        out.text(field.name);
        out.u64(field.config_digest);
    }
    out.i32(m.client.value);
    out.text(m.name);
}
void put(const Welcome& m, core::ByteWriter& out) { out.u8(m.wait_for_snapshot ? 1 : 0); }
void put(const Refuse& m, core::ByteWriter& out) {
    MANIPLE_ASSERT(m.reason.size() <= kReasonBytesMax);
    out.u16(static_cast<std::uint16_t>(m.code));
    out.text(m.reason);
}
void put(const Payload& m, core::ByteWriter& out) {
    out.i32(m.tick);
    out.u64(m.key);
    out.bytes(m.packed);
}
void put(const SnapshotRequest&, core::ByteWriter&) {}
void put(const Snapshot& m, core::ByteWriter& out) {
    out.u8(m.epoch);
    out.i32(m.tick);
    out.i32(m.gap_end);
    out.bytes(m.bytes);
}
void put(const TreeRequest& m, core::ByteWriter& out) {
    out.i32(m.tick);
    out.bytes(m.tree);
}
void put(const TreeReply& m, core::ByteWriter& out) {
    out.i32(m.tick);
    out.bytes(m.rows);
}
void put(const Bye&, core::ByteWriter&) {}
void put(const Final& m, core::ByteWriter& out) {
    out.i32(m.tick);
    out.u64(m.hash);
}
void put(const Abort& m, core::ByteWriter& out) {
    MANIPLE_ASSERT(m.reason.size() <= kReasonBytesMax);
    out.text(m.reason);
}
void put(const StreamRequest& m, core::ByteWriter& out) {
    MANIPLE_ASSERT(m.field.size() <= kNameBytesMax);
    out.i32(m.tick);
    out.text(m.field);
}
void put(const FieldStream& m, core::ByteWriter& out) {
    MANIPLE_ASSERT(m.field.size() <= kNameBytesMax);
    out.i32(m.tick);
    out.text(m.field);
    out.u32(m.raw_bytes);
    out.bytes(m.packed);
}

Tick read_tick(core::ByteReader& in) {
    const std::size_t at = in.at();
    const Tick tick = in.i32();
    if (tick < 0) in.fail(ErrorCode::kBadValue, at, "a negative tick");
    return tick;
}
Bytes read_rest(core::ByteReader& in) {
    const ByteSpan rest = in.bytes(in.remaining());
    return {rest.begin(), rest.end()};
}

void read(core::ByteReader& in, Hello& m) {
    m.version = in.u32();
    if (m.version != kProtocolVersion) {
        static_cast<void>(in.bytes(in.remaining()));
        return;
    }
    m.identity.registry_digest = in.u64();
    m.identity.map_digest = in.u64();
    m.identity.tick_rate_hz = in.i32();
    m.identity.fields.resize(in.count(kFieldsMax, kFieldBytesMin, "fields"));
    for (FieldIdentity& field : m.identity.fields) {
        field.name = in.text(kNameBytesMax, "field name bytes");
        field.config_digest = in.u64();
    }
    m.client.value = in.i32();
    m.name = in.text(kNameBytesMax, "name bytes");
}
void read(core::ByteReader& in, Welcome& m) {
    const std::uint8_t wait = in.u8();
    if (wait > 1) in.fail(ErrorCode::kBadMode, 0, "an unknown way to start");
    m.wait_for_snapshot = wait == 1;
}
void read(core::ByteReader& in, Refuse& m) {
    m.code = static_cast<ErrorCode>(in.u16());
    m.reason = in.text(kReasonBytesMax, "reason bytes");
}
void read(core::ByteReader& in, Payload& m) {
    m.tick = read_tick(in);
    m.key = in.u64();
    m.packed = read_rest(in);
}
void read(core::ByteReader&, SnapshotRequest&) {}
void read(core::ByteReader& in, Snapshot& m) {
    m.epoch = in.u8();
    m.tick = read_tick(in);
    const std::size_t at = in.at();
    m.gap_end = in.i32();
    if (m.gap_end < m.tick) in.fail(ErrorCode::kBadValue, at, "a gap that ends before it begins");
    m.bytes = read_rest(in);
}
void read(core::ByteReader& in, TreeRequest& m) {
    m.tick = read_tick(in);
    m.tree = read_rest(in);
}
void read(core::ByteReader& in, TreeReply& m) {
    m.tick = read_tick(in);
    m.rows = read_rest(in);
}
void read(core::ByteReader&, Bye&) {}
void read(core::ByteReader& in, Final& m) {
    m.tick = read_tick(in);
    m.hash = in.u64();
}
void read(core::ByteReader& in, Abort& m) { m.reason = in.text(kReasonBytesMax, "reason bytes"); }
void read(core::ByteReader& in, StreamRequest& m) {
    m.tick = read_tick(in);
    m.field = in.text(kNameBytesMax, "name bytes");
}
void read(core::ByteReader& in, FieldStream& m) {
    m.tick = read_tick(in);
    m.field = in.text(kNameBytesMax, "name bytes");
    const std::size_t at = in.at();
    m.raw_bytes = in.u32();
    if (m.raw_bytes > sim::kCommandPayloadBytesMax) {
        in.fail(ErrorCode::kOverCap, at, "a stream over the cap of a payload");
    }
    m.packed = read_rest(in);
}

/// Reads the body of the message whose place in the variant is `index`.
template <std::size_t kIndex = 0>
void read_message(std::size_t index, core::ByteReader& in, StreamMessage& out) {
    if constexpr (kIndex < std::variant_size_v<StreamMessage>) {
        if (index != kIndex) return read_message<kIndex + 1>(index, in, out);
        read(in, out.emplace<kIndex>());
    }
}

}  // namespace

void encode_message(const StreamMessage& message, Bytes& out) {
    core::ByteWriter writer(out);
    const std::size_t start = writer.size();
    writer.u32(0);
    writer.u8(static_cast<std::uint8_t>(message.index() + 1));
    std::visit([&](const auto& m) { put(m, writer); }, message);
    const std::size_t body = writer.size() - start - kHeadBytes;
    MANIPLE_ASSERT(body <= std::max(kCaps[message.index()].server, kCaps[message.index()].client));
    writer.patch(start, static_cast<std::uint32_t>(body));
}

void StreamReader::push(ByteSpan bytes) {
    buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
}

Result<std::optional<StreamMessage>> StreamReader::next() {
    core::ByteReader head(ByteSpan(buffer_).subspan(read_));
    if (head.remaining() < kHeadBytes) return std::nullopt;
    const std::uint32_t size = head.u32();
    const std::size_t index = head.u8() - std::size_t{1};
    if (index >= kCaps.size()) return refuse(ErrorCode::kBadMode, 4, "an unknown message kind");
    const bool server = receiver_ == StreamReceiver::kServer;
    const std::uint64_t cap = server ? kCaps[index].server : kCaps[index].client;
    if (cap == 0) return refuse(ErrorCode::kBadMode, 4, "a message of the other direction");
    if (size > cap) return refuse(ErrorCode::kOverCap, 0, "a message over its kind's cap");
    if (head.remaining() < size) return std::nullopt;

    core::ByteReader in(head.bytes(size));
    StreamMessage message;
    read_message(index, in, message);
    in.expect_end();
    if (!in.ok()) return refuse(in.error());
    read_ += kHeadBytes + size;
    if (read_ == buffer_.size() || read_ > kCompactBytes) {
        buffer_.erase(buffer_.begin(), buffer_.begin() + static_cast<std::ptrdiff_t>(read_));
        read_ = 0;
    }
    return std::optional<StreamMessage>(std::move(message));
}

}  // namespace maniple::net
