#include "maniple/sim/command.h"

#include <limits>

#include "maniple/core/assert.h"

#include "varint.h"

namespace maniple::sim {

namespace {

constexpr std::int64_t kUidMin = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t kUidMax = std::numeric_limits<std::int32_t>::max();

enum ParamKind : std::uint8_t {
    kParamFalse = 0,
    kParamTrue = 1,
    kParamInteger = 2,
    kParamDouble = 3,
    kParamText = 4,
    kParamList = 5,
};
enum ListKind : std::uint8_t { kListRanges = 0, kListGaps = 1, kListRaw = 2 };

void put_text(core::ByteWriter& out, std::string_view text, std::uint32_t limit) {
    MANIPLE_ASSERT(text.size() <= limit);
    MANIPLE_ASSERT(core::is_utf8(text));
    put_varint(out, text.size());
    out.bytes({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

std::string get_text(core::ByteReader& in, std::uint32_t limit, const char* what) {
    const std::size_t start = in.at();
    const std::uint32_t size = get_varint_count(in, limit, 1, what);
    const core::ByteSpan view = in.bytes(size);
    std::string text(reinterpret_cast<const char*>(view.data()), view.size());
    if (!core::is_utf8(text)) {
        in.fail(ErrorCode::kBadText, start, std::string(what) + " is not UTF-8");
        return {};
    }
    return text;
}

std::int32_t get_signed32(core::ByteReader& in, const char* what) {
    constexpr std::uint64_t kZigzagMax = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::int32_t>(
        unzigzag(get_varint(in, kZigzagMax, ErrorCode::kBadValue, what)));
}

void encode_value(const Value& value, core::ByteWriter& out) {
    if (const auto* flag = std::get_if<bool>(&value)) {
        out.u8(*flag ? kParamTrue : kParamFalse);
    } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        out.u8(kParamInteger);
        put_varint(out, zigzag(*integer));
    } else if (const auto* number = std::get_if<double>(&value)) {
        out.u8(kParamDouble);
        out.f64(*number);
    } else if (const auto* text = std::get_if<std::string>(&value)) {
        out.u8(kParamText);
        put_text(out, *text, kCommandTextBytesMax);
    } else {
        const auto& list = std::get<Int32List>(value);
        MANIPLE_ASSERT(list.size() <= kCommandListMax);
        out.u8(kParamList);
        encode_uid_list(list, out);
    }
}

Value decode_value(core::ByteReader& in) {
    const std::size_t start = in.at();
    const std::uint8_t kind = in.u8();
    switch (kind) {
        case kParamFalse: return false;
        case kParamTrue: return true;
        case kParamInteger:
            return unzigzag(get_varint(in, std::numeric_limits<std::uint64_t>::max(),
                                       ErrorCode::kBadValue, "integer parameter"));
        case kParamDouble: return in.f64();
        case kParamText: return get_text(in, kCommandTextBytesMax, "text parameter");
        case kParamList: return decode_uid_list(in, kCommandListMax);
        default:
            in.fail(ErrorCode::kBadMode, start, "parameter kind " + std::to_string(kind));
            return false;
    }
}

// Steps between two ascending int32 need 33 bits.
std::uint64_t step(std::int64_t from, std::int64_t to) {
    return static_cast<std::uint64_t>(to - from);
}

/// Calls each(first, last) for every maximal run of consecutive values.
template <typename Each>
void for_ranges(const Int32List& uids, Each&& each) {
    std::size_t begin = 0;
    while (begin < uids.size()) {
        std::size_t end = begin + 1;
        while (end < uids.size() && step(uids[end - 1], uids[end]) == 1) ++end;
        each(uids[begin], uids[end - 1]);
        begin = end;
    }
}

/// Calls each(varint value) for what follows the count in the ranges form.
template <typename Each>
void for_range_varints(const Int32List& uids, Each&& each) {
    bool is_first = true;
    std::int64_t previous = 0;
    for_ranges(uids, [&](std::int64_t first, std::int64_t last) {
        each(is_first ? zigzag(first) : step(previous, first) - 2);
        each(step(first, last));
        is_first = false;
        previous = last;
    });
}

template <typename Each>
void for_gap_varints(const Int32List& uids, Each&& each) {
    for (std::size_t i = 0; i < uids.size(); ++i) {
        each(i == 0 ? zigzag(uids[0]) : step(uids[i - 1], uids[i]) - 1);
    }
}

/// The UID `distance` after `previous`, or a latched refusal at `start`.
std::int64_t advance(core::ByteReader& in, std::int64_t previous, std::uint64_t distance,
                     std::size_t start) {
    if (distance > step(previous, kUidMax)) {
        in.fail(ErrorCode::kBadValue, start, "a UID beyond int32");
        return previous;
    }
    return previous + static_cast<std::int64_t>(distance);
}

constexpr std::uint64_t kStepMax = static_cast<std::uint64_t>(kUidMax - kUidMin);

Int32List decode_ranges(core::ByteReader& in, std::uint32_t limit) {
    const std::uint32_t range_count = get_varint_count(in, limit, 2, "UID range count");
    Int32List uids;
    std::int64_t last = 0;
    for (std::uint32_t i = 0; i < range_count && in.ok(); ++i) {
        const std::size_t start = in.at();
        const std::int64_t first =
            i == 0 ? get_signed32(in, "UID")
                   : advance(in, last,
                             get_varint(in, kStepMax, ErrorCode::kBadValue, "UID step") + 2, start);
        const std::size_t length_start = in.at();
        const std::uint64_t length_minus_one =
            get_varint(in, limit - uids.size() - 1, ErrorCode::kOverCap, "UID range length");
        last = advance(in, first, length_minus_one, length_start);
        if (!in.ok()) return {};
        if (uids.size() + length_minus_one + 1 == limit && i + 1 < range_count) {
            in.fail(ErrorCode::kOverCap, in.at(),
                    "UID count is over the limit of " + std::to_string(limit));
            return {};
        }
        for (std::int64_t uid = first; uid <= last; ++uid) {
            uids.push_back(static_cast<std::int32_t>(uid));
        }
    }
    return uids;
}

Int32List decode_gaps(core::ByteReader& in, std::uint32_t limit) {
    const std::uint32_t count = get_varint_count(in, limit, 1, "UID count");
    Int32List uids;
    uids.reserve(count);
    std::int64_t last = 0;
    for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
        const std::size_t start = in.at();
        last = i == 0
                   ? get_signed32(in, "UID")
                   : advance(in, last,
                             get_varint(in, kStepMax, ErrorCode::kBadValue, "UID step") + 1, start);
        uids.push_back(static_cast<std::int32_t>(last));
    }
    return uids;
}

Int32List decode_raw(core::ByteReader& in, std::uint32_t limit) {
    const std::uint32_t count = get_varint_count(in, limit, sizeof(std::int32_t), "UID count");
    Int32List uids(count);
    for (std::int32_t& uid : uids) uid = in.i32();
    return uids;
}

bool is_strictly_ascending(const Int32List& uids) {
    for (std::size_t i = 1; i < uids.size(); ++i) {
        if (uids[i - 1] >= uids[i]) return false;
    }
    return true;
}

}  // namespace

void encode_uid_list(const Int32List& uids, core::ByteWriter& out) {
    if (!is_strictly_ascending(uids)) {
        out.u8(kListRaw);
        put_varint(out, uids.size());
        for (const std::int32_t uid : uids) out.i32(uid);
        return;
    }
    std::size_t range_count = 0;
    for_ranges(uids, [&](std::int32_t, std::int32_t) { ++range_count; });
    std::size_t ranges_bytes = varint_bytes(range_count);
    for_range_varints(uids, [&](std::uint64_t value) { ranges_bytes += varint_bytes(value); });
    std::size_t gaps_bytes = varint_bytes(uids.size());
    for_gap_varints(uids, [&](std::uint64_t value) { gaps_bytes += varint_bytes(value); });

    const bool as_ranges = ranges_bytes <= gaps_bytes;
    out.u8(as_ranges ? kListRanges : kListGaps);
    put_varint(out, as_ranges ? range_count : uids.size());
    const auto put = [&](std::uint64_t value) { put_varint(out, value); };
    if (as_ranges) {
        for_range_varints(uids, put);
    } else {
        for_gap_varints(uids, put);
    }
}

Int32List decode_uid_list(core::ByteReader& in, std::uint32_t limit) {
    const std::size_t start = in.at();
    const std::uint8_t kind = in.u8();
    if (!in.ok()) return {};
    Int32List uids;
    switch (kind) {
        case kListRanges: uids = decode_ranges(in, limit); break;
        case kListGaps: uids = decode_gaps(in, limit); break;
        case kListRaw: uids = decode_raw(in, limit); break;
        default: in.fail(ErrorCode::kBadMode, start, "UID list kind " + std::to_string(kind));
    }
    if (!in.ok()) uids.clear();
    return uids;
}

// implements: O-SNAP-01, SYNC-013
/// The payload is one array of bytes; whoever carries it never looks into it.
void encode_command(const Command& command, core::ByteWriter& out) {
    MANIPLE_ASSERT(command.tick >= 0);
    MANIPLE_ASSERT(command.server_exec_sequence >= 0);
    MANIPLE_ASSERT(command.params.size() <= kCommandParamsMax);
    MANIPLE_ASSERT(command.byte_payload.size() <= kCommandPayloadBytesMax);
    put_varint(out, command.type);
    put_varint(out, static_cast<std::uint64_t>(command.tick));
    put_varint(out, static_cast<std::uint64_t>(command.server_exec_sequence));
    put_varint(out, zigzag(command.issuer_slot));
    put_text(out, command.target, kCommandNameBytesMax);
    put_varint(out, command.params.size());
    for (const Param& param : command.params) {
        put_text(out, param.name, kCommandNameBytesMax);
        encode_value(param.value, out);
    }
    put_varint(out, command.byte_payload.size());
    out.bytes(command.byte_payload);
}

Command decode_command(core::ByteReader& in) {
    constexpr std::size_t kParamBytesMin = 2;
    Command command;
    command.type = static_cast<std::uint32_t>(get_varint(
        in, std::numeric_limits<std::uint32_t>::max(), ErrorCode::kBadValue, "command type"));
    command.tick = static_cast<Tick>(
        get_varint(in, std::numeric_limits<Tick>::max(), ErrorCode::kBadValue, "tick"));
    command.server_exec_sequence = static_cast<std::int64_t>(
        get_varint(in, std::numeric_limits<std::int64_t>::max(), ErrorCode::kBadValue, "sequence"));
    command.issuer_slot = get_signed32(in, "issuer slot");
    command.target = get_text(in, kCommandNameBytesMax, "target");
    const std::uint32_t param_count =
        get_varint_count(in, kCommandParamsMax, kParamBytesMin, "parameter count");
    for (std::uint32_t i = 0; i < param_count && in.ok(); ++i) {
        Param& param = command.params.emplace_back();
        param.name = get_text(in, kCommandNameBytesMax, "parameter name");
        param.value = decode_value(in);
    }
    const std::uint32_t payload_bytes =
        get_varint_count(in, kCommandPayloadBytesMax, 1, "payload length");
    const core::ByteSpan payload = in.bytes(payload_bytes);
    command.byte_payload.assign(payload.begin(), payload.end());
    return in.ok() ? std::move(command) : Command{};
}

}  // namespace maniple::sim
