#include <algorithm>

#include "maniple/core/assert.h"
#include "maniple/net/wire.h"

namespace maniple::net {
namespace {

constexpr std::uint8_t kFramesKind = 1;
constexpr std::uint8_t kReportKind = 2;
constexpr std::uint8_t kFormEmpty = 0;
constexpr std::uint8_t kFormWhole = 1;
constexpr std::uint8_t kFormPart = 2;
constexpr Tick kTickMax = 0x7FFF'0000;
constexpr Tick kTickDistanceMax = 255;
constexpr std::size_t kCommandBytesMin = 7;
/// UIDs of all lists of a record: a range of a few bytes can name 131 072 of them.
constexpr std::size_t kRecordUidsMax = 1'048'576;

std::size_t slice_bytes(const Slice& slice) {
    if (slice.parts > 1) return 8 + slice.bytes.size();
    return slice.bytes.empty() ? 2 : 4 + slice.bytes.size();
}

void put_slice(const Slice& slice, Tick base, core::ByteWriter& out) {
    MANIPLE_ASSERT(slice.bytes.size() <= kPartBytes);
    out.u8(static_cast<std::uint8_t>(slice.tick - base));
    if (slice.parts > 1) {
        out.u8(kFormPart);
        out.u16(slice.part);
        out.u16(slice.parts);
    } else {
        out.u8(slice.bytes.empty() ? kFormEmpty : kFormWhole);
        if (slice.bytes.empty()) return;
    }
    out.u16(static_cast<std::uint16_t>(slice.bytes.size()));
    out.bytes(slice.bytes);
}

/// One datagram: `header` writes what stands before the base tick. @return the slices it took.
template <typename Header>
std::size_t put_datagram(const std::vector<Slice>& slices, std::size_t from, const Header& header,
                         Bytes& bytes) {
    core::ByteWriter out(bytes);
    header(out);
    const Tick base = from < slices.size() ? slices[from].tick : 0;
    out.i32(base);
    std::size_t at = from;
    for (; at < slices.size(); ++at) {
        MANIPLE_ASSERT(slices[at].tick >= base);
        if (slices[at].tick - base > kTickDistanceMax) break;
        if (bytes.size() + slice_bytes(slices[at]) > kDatagramBytesMax) break;
        put_slice(slices[at], base, out);
    }
    return at;
}

Tick read_tick(core::ByteReader& in) {
    const std::size_t at = in.at();
    const Tick tick = in.i32();
    if (tick < 0 || tick > kTickMax) in.fail(ErrorCode::kBadValue, at, "a tick out of range");
    return tick;
}

Slice read_slice(Tick base, core::ByteReader& in) {
    Slice slice;
    const std::size_t at = in.at();
    slice.tick = base + in.u8();
    const std::uint8_t form = in.u8();
    if (form > kFormPart) in.fail(ErrorCode::kBadMode, at + 1, "an unknown form of slice");
    if (form == kFormEmpty || !in.ok()) return slice;
    if (form == kFormPart) {
        slice.part = in.u16();
        slice.parts = in.u16();
        if (slice.parts < 2 || slice.parts > kRecordPartsMax || slice.part >= slice.parts) {
            in.fail(ErrorCode::kBadValue, at + 2, "a part outside its record");
        }
    }
    const std::size_t size = in.u16();
    const bool last = slice.part + 1 == slice.parts;
    if (size == 0 || size > kPartBytes || (!last && size != kPartBytes)) {
        in.fail(ErrorCode::kBadValue, in.at() - 2, "a slice of a wrong size");
    }
    slice.bytes = in.bytes(size);
    return slice;
}

void read_slices(core::ByteReader& in, std::vector<Slice>& slices) {
    const Tick base = read_tick(in);
    while (in.ok() && in.remaining() > 0) slices.push_back(read_slice(base, in));
}

core::ByteReader open(ByteSpan datagram, std::uint8_t kind) {
    core::ByteReader in(datagram);
    if (datagram.size() > kDatagramBytesMax) {
        in.fail(ErrorCode::kOverCap, kDatagramBytesMax, "a datagram over 1200 bytes");
    }
    if (in.u8() != kind) in.fail(ErrorCode::kBadMode, 0, "another kind of datagram");
    return in;
}

/// A count of at least one: a tick without commands is the empty record.
std::uint32_t read_count(core::ByteReader& in) {
    const std::uint32_t count = in.count(kTickCommandsMax, kCommandBytesMin, "commands");
    if (in.ok() && count == 0) in.fail(ErrorCode::kBadValue, 0, "a record of no commands");
    return count;
}

/// `uids` counts the UIDs of the record so far.
sim::Command read_command(Tick tick, std::size_t& uids, core::ByteReader& in) {
    const std::size_t at = in.at();
    sim::Command command = sim::decode_command(in);
    for (const sim::Param& param : command.params) {
        if (const auto* list = std::get_if<sim::Int32List>(&param.value)) uids += list->size();
    }
    if (uids > kRecordUidsMax) in.fail(ErrorCode::kOverCap, at, "too many UIDs in one record");
    if (in.ok() && command.tick != tick) {
        in.fail(ErrorCode::kBadValue, at, "a command of another tick than its record's");
    }
    return command;
}

void read_payload_ref(core::ByteReader& in, FrameCommand& command) {
    const std::size_t at = in.at();
    const std::uint8_t apart = in.u8();
    if (apart > 1) in.fail(ErrorCode::kBadMode, at, "neither with nor without a payload");
    if (apart != 1) return;
    PayloadRef ref;
    ref.key = in.u64();
    ref.raw_bytes = in.u32();
    ref.packed_bytes = in.u32();
    if (ref.raw_bytes <= kInlinePayloadBytesMax || ref.raw_bytes > sim::kCommandPayloadBytesMax) {
        in.fail(ErrorCode::kBadValue, at + 9, "a payload apart of a wrong size");
    }
    if (!command.command.byte_payload.empty()) {
        in.fail(ErrorCode::kBadValue, at, "a payload both inside and apart");
    }
    command.payload = ref;
}

}  // namespace

Bytes encode_frame(const std::vector<FrameCommand>& commands) {
    Bytes bytes;
    if (commands.empty()) return bytes;
    MANIPLE_ASSERT(commands.size() <= kTickCommandsMax);
    core::ByteWriter out(bytes);
    out.u32(static_cast<std::uint32_t>(commands.size()));
    for (const FrameCommand& c : commands) {
        sim::encode_command(c.command, out);
        out.u8(c.payload ? 1 : 0);
        if (!c.payload) continue;
        out.u64(c.payload->key);
        out.u32(c.payload->raw_bytes);
        out.u32(c.payload->packed_bytes);
    }
    return bytes;
}

Result<std::vector<FrameCommand>> decode_frame(Tick tick, ByteSpan record) {
    std::vector<FrameCommand> commands;
    if (record.empty()) return commands;
    core::ByteReader in(record);
    const std::uint32_t count = read_count(in);
    std::size_t uids = 0;
    std::int64_t sequence = 0;
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
        const std::size_t at = in.at();
        FrameCommand command{read_command(tick, uids, in), std::nullopt};
        if (in.ok() && command.command.server_exec_sequence <= sequence) {
            in.fail(ErrorCode::kBadValue, at, "sequences that do not ascend from 1");
        }
        sequence = command.command.server_exec_sequence;
        read_payload_ref(in, command);
        commands.push_back(std::move(command));
    }
    in.expect_end();
    if (!in.ok()) return refuse(in.error());
    return commands;
}

Bytes encode_share(const std::vector<PlanCommand>& commands) {
    Bytes bytes;
    if (commands.empty()) return bytes;
    MANIPLE_ASSERT(commands.size() <= kTickCommandsMax);
    core::ByteWriter out(bytes);
    out.u32(static_cast<std::uint32_t>(commands.size()));
    for (const PlanCommand& c : commands) {
        out.u32(c.order);
        sim::encode_command(c.command, out);
    }
    return bytes;
}

Result<std::vector<PlanCommand>> decode_share(Tick tick, ByteSpan record) {
    std::vector<PlanCommand> commands;
    if (record.empty()) return commands;
    core::ByteReader in(record);
    const std::uint32_t count = read_count(in);
    std::size_t uids = 0;
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
        const std::size_t at = in.at();
        PlanCommand command;
        command.order = in.u32();
        command.command = read_command(tick, uids, in);
        if (!in.ok()) break;
        if (command.command.type < sim::kFirstGameCommand) {
            in.fail(ErrorCode::kBadValue, at, "the engine's commands are the server's to give");
        }
        if (command.command.server_exec_sequence != 0) {
            in.fail(ErrorCode::kBadValue, at, "only the server stamps sequences");
        }
        if (i > 0 && command.order <= commands.back().order) {
            in.fail(ErrorCode::kBadValue, at, "orders that do not ascend");
        }
        commands.push_back(std::move(command));
    }
    in.expect_end();
    if (!in.ok()) return refuse(in.error());
    return commands;
}

void append_slices(Tick tick, ByteSpan record, std::vector<Slice>& out) {
    if (record.size() <= kPartBytes) {
        out.push_back({tick, 0, 1, record});
        return;
    }
    const std::size_t parts = (record.size() + kPartBytes - 1) / kPartBytes;
    MANIPLE_ASSERT(parts <= kRecordPartsMax);
    for (std::size_t i = 0; i < parts; ++i) {
        const std::size_t at = i * kPartBytes;
        out.push_back({tick, static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(parts),
                       record.subspan(at, std::min(kPartBytes, record.size() - at))});
    }
}

std::vector<Bytes> encode_frames(const FramesDatagram& frames) {
    std::vector<Bytes> datagrams;
    std::size_t at = 0;
    do {
        const auto header = [&](core::ByteWriter& out) {
            out.u8(kFramesKind);
            out.u8(frames.epoch);
            out.i32(frames.hashes_acked);
            out.i32(frames.shares_acked);
        };
        at = put_datagram(frames.slices, at, header, datagrams.emplace_back());
    } while (at < frames.slices.size());
    return datagrams;
}

std::vector<Bytes> encode_report(const ReportDatagram& report) {
    MANIPLE_ASSERT(report.hashes.size() <= kReportHashesMax);
    std::vector<Bytes> datagrams;
    std::size_t at = 0;
    do {
        const std::size_t hashes = datagrams.empty() ? report.hashes.size() : 0;
        const auto header = [&](core::ByteWriter& out) {
            out.u8(kReportKind);
            out.u8(report.epoch);
            out.i32(report.frames_acked);
            out.i32(report.executed);
            out.i32(report.first_hash_tick);
            out.u8(static_cast<std::uint8_t>(hashes));
            for (std::size_t i = 0; i < hashes; ++i) out.u64(report.hashes[i]);
        };
        at = put_datagram(report.slices, at, header, datagrams.emplace_back());
    } while (at < report.slices.size());
    return datagrams;
}

Result<FramesDatagram> decode_frames(ByteSpan datagram) {
    core::ByteReader in = open(datagram, kFramesKind);
    FramesDatagram frames;
    frames.epoch = in.u8();
    frames.hashes_acked = read_tick(in);
    frames.shares_acked = read_tick(in);
    read_slices(in, frames.slices);
    if (!in.ok()) return refuse(in.error());
    return frames;
}

// implements: HASH-006
Result<ReportDatagram> decode_report(ByteSpan datagram) {
    core::ByteReader in = open(datagram, kReportKind);
    ReportDatagram report;
    report.epoch = in.u8();
    report.frames_acked = read_tick(in);
    report.executed = read_tick(in);
    report.first_hash_tick = read_tick(in);
    const std::size_t at = in.at();
    const std::size_t hashes = in.u8();
    if (hashes > kReportHashesMax) in.fail(ErrorCode::kOverCap, at, "more than 100 hashes");
    for (std::size_t i = 0; i < hashes && in.ok(); ++i) report.hashes.push_back(in.u64());
    read_slices(in, report.slices);
    if (!in.ok()) return refuse(in.error());
    return report;
}

}  // namespace maniple::net
