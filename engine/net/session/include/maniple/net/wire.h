#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/sim/command.h"
#include "maniple/sim/ids.h"

/// Byte forms of docs/formats/protocol.md. Encoders trust their caller and assert; decoders trust
/// nothing, allocate no more than the bytes they hold, and refuse with the byte offset.
namespace maniple::net {

using core::Bytes;
using core::ByteSpan;
using sim::Tick;

inline constexpr std::uint32_t kProtocolVersion = 4;
inline constexpr std::size_t kDatagramBytesMax = 1200;
inline constexpr std::size_t kPartBytes = 1100;
inline constexpr std::uint16_t kRecordPartsMax = 4096;
inline constexpr std::size_t kReportHashesMax = 100;
/// Payloads over this travel packed on the side channel (O-NET-16).
inline constexpr std::size_t kInlinePayloadBytesMax = 1000;
inline constexpr std::uint32_t kTickCommandsMax = 65'536;
inline constexpr std::uint32_t kNameBytesMax = 255;
inline constexpr std::uint32_t kReasonBytesMax = 900;
inline constexpr std::uint32_t kFieldsMax = 64;

/// Number of a client in a match, from 1 on.
struct ClientIndex {
    std::int32_t value = 0;
    friend constexpr auto operator<=>(const ClientIndex&, const ClientIndex&) = default;
};

// Records.

/// A payload that travels apart: its XXH3, its size, and its size on the side channel.
struct PayloadRef {
    std::uint64_t key = 0;
    std::uint32_t raw_bytes = 0;
    std::uint32_t packed_bytes = 0;
    friend bool operator==(const PayloadRef&, const PayloadRef&) = default;
};
struct FrameCommand {
    sim::Command command;  ///< byte_payload is empty when `payload` is set.
    std::optional<PayloadRef> payload;
    friend bool operator==(const FrameCommand&, const FrameCommand&) = default;
};
/// One command of a bot's plan; `order` is its place among all shares of the tick (O-NET-14).
struct PlanCommand {
    std::uint32_t order = 0;
    sim::Command command;
    friend bool operator==(const PlanCommand&, const PlanCommand&) = default;
};

[[nodiscard]] Bytes encode_frame(const std::vector<FrameCommand>& commands);
[[nodiscard]] Result<std::vector<FrameCommand>> decode_frame(Tick tick, ByteSpan record);
[[nodiscard]] Bytes encode_share(const std::vector<PlanCommand>& commands);
[[nodiscard]] Result<std::vector<PlanCommand>> decode_share(Tick tick, ByteSpan record);

// Datagrams.

/// A piece of the record of `tick`; `bytes` views the record or the datagram.
struct Slice {
    Tick tick = 0;
    std::uint16_t part = 0;
    std::uint16_t parts = 1;
    ByteSpan bytes;
};
struct FramesDatagram {
    std::uint8_t epoch = 0;
    Tick hashes_acked = 0;
    Tick shares_acked = 0;
    std::vector<Slice> slices;
};
struct ReportDatagram {
    std::uint8_t epoch = 0;
    Tick frames_acked = 0;
    Tick executed = 0;
    Tick first_hash_tick = 0;
    std::vector<std::uint64_t> hashes;
    std::vector<Slice> slices;
};

/// Cuts the record of a tick, at most kPartBytes × kRecordPartsMax bytes, into slices.
void append_slices(Tick tick, ByteSpan record, std::vector<Slice>& out);
/// As many datagrams as the slices need, at least one; only the first one of a report has hashes.
/// Slices are in ascending order of ticks.
[[nodiscard]] std::vector<Bytes> encode_frames(const FramesDatagram& frames);
[[nodiscard]] std::vector<Bytes> encode_report(const ReportDatagram& report);
/// The slices of the result view `datagram`.
[[nodiscard]] Result<FramesDatagram> decode_frames(ByteSpan datagram);
[[nodiscard]] Result<ReportDatagram> decode_report(ByteSpan datagram);

// Side channel.

/// A navigation field and the digest of its solver configuration, which no stream has (O-SYNC-39).
struct FieldIdentity {
    std::string name;  ///< At most kNameBytesMax bytes.
    std::uint64_t config_digest = 0;
    friend bool operator==(const FieldIdentity&, const FieldIdentity&) = default;
};
/// What peers must share to play together.
struct MatchIdentity {
    std::uint64_t registry_digest = 0;
    std::uint64_t map_digest = 0;
    std::int32_t tick_rate_hz = 20;
    std::vector<FieldIdentity> fields;  ///< At most kFieldsMax, in the registry's order.
    friend bool operator==(const MatchIdentity&, const MatchIdentity&) = default;
};
struct Hello {
    std::uint32_t version = kProtocolVersion;  ///< Of another one nothing else is read.
    MatchIdentity identity;
    ClientIndex client;
    std::string name;
};
struct Welcome {
    bool wait_for_snapshot = false;
};
struct Refuse {
    ErrorCode code = ErrorCode::kNone;
    std::string reason;
};
struct Payload {
    Tick tick = 0;
    std::uint64_t key = 0;
    Bytes packed;
};
struct SnapshotRequest {};
struct Snapshot {
    std::uint8_t epoch = 0;
    Tick tick = 0;
    Tick gap_end = 0;  ///< Its gap has the commands of the ticks up to here.
    Bytes bytes;
};
struct TreeRequest {
    Tick tick = 0;
    Bytes tree;  ///< sim::encode_hash_tree
};
struct TreeReply {
    Tick tick = 0;
    Bytes rows;  ///< sim::answer_desync
};
struct Bye {};
struct Final {
    Tick tick = 0;
    std::uint64_t hash = 0;
};
struct Abort {
    std::string reason;
};
/// The tick cannot be executed without the full stream that the field stands on after it.
struct StreamRequest {
    Tick tick = 0;
    std::string field;  ///< At most kNameBytesMax bytes.
};
struct FieldStream {
    Tick tick = 0;
    std::string field;
    std::uint32_t raw_bytes = 0;  ///< 0: the server has no such stream.
    Bytes packed;
};
/// In the order of their kinds, which start at 1.
using StreamMessage =
    std::variant<Hello, Welcome, Refuse, Payload, SnapshotRequest, Snapshot, TreeRequest, TreeReply,
                 Bye, Final, Abort, StreamRequest, FieldStream>;

/// Who reads a stream: a message that only the other side may send is refused.
enum class StreamReceiver : std::uint8_t { kServer, kClient };

/// Appends the message with its length and kind.
void encode_message(const StreamMessage& message, Bytes& out);

/// Cuts a byte stream into messages. Holds no more than one message beyond what was pushed.
class StreamReader {
  public:
    explicit StreamReader(StreamReceiver receiver) : receiver_(receiver) {}
    void push(ByteSpan bytes);
    /// The next whole message, or nothing yet. @return kBadMode for an unknown kind or one of the
    /// other direction, kOverCap, or the body's refusal; the stream is of no use afterwards.
    [[nodiscard]] Result<std::optional<StreamMessage>> next();

  private:
    StreamReceiver receiver_;
    Bytes buffer_;
    std::size_t read_ = 0;
};

}  // namespace maniple::net
