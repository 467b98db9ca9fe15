#include "command_steps.h"

#include <optional>
#include <string>
#include <utility>

#include "maniple/core/assert.h"
#include "maniple/core/hash.h"

namespace maniple::battle_file {
namespace {

using replay::BigInt;
using replay::Param;
using replay::ParamKind;
using replay::ParamView;

enum class ValueKind : std::int32_t {
    kBool = 0,
    kInt64 = 1,
    kDouble = 2,
    kString = 3,
    kList = 4,
    kListAttachment = 5,
};

constexpr std::size_t kInlineListMax = 64;
/// type, sequence, issuer slot, target, payload.
constexpr std::size_t kFixedParams = 5;
/// Name, kind and one value.
constexpr std::size_t kParamsPerValue = 3;
constexpr std::size_t kKeyDigits = 16;

Param integer(std::int64_t value) {
    if (std::optional<Param> number = replay::exact_number(value)) return *std::move(number);
    return BigInt(value);
}

Param kind_of(ValueKind kind) { return replay::number(static_cast<std::int32_t>(kind)); }

/// Appends kind and value to a step. `room` is how many parameters a list may add beyond its count.
struct ValueWriter {
    std::vector<Param>& out;
    const Attach& attach;
    std::size_t& room;

    void operator()(bool value) const {
        out.push_back(kind_of(ValueKind::kBool));
        out.emplace_back(value);
    }
    void operator()(std::int64_t value) const {
        out.push_back(kind_of(ValueKind::kInt64));
        out.push_back(integer(value));
    }
    void operator()(double value) const {
        out.push_back(kind_of(ValueKind::kDouble));
        out.emplace_back(value);
    }
    void operator()(const std::string& value) const {
        out.push_back(kind_of(ValueKind::kString));
        out.emplace_back(value);
    }
    void operator()(const sim::Int32List& list) const {
        if (list.size() > kInlineListMax || list.size() > room) {
            out.push_back(kind_of(ValueKind::kListAttachment));
            out.emplace_back(core::hex16(attach(encode_list(list))));
            return;
        }
        room -= list.size();
        out.push_back(kind_of(ValueKind::kList));
        out.push_back(replay::number(static_cast<std::int32_t>(list.size())));
        for (const std::int32_t item : list) out.push_back(replay::number(item));
    }
};

std::optional<std::uint64_t> parse_key(std::string_view text) {
    if (text.size() != kKeyDigits) return std::nullopt;
    std::uint64_t key = 0;
    for (const char c : text) {
        const bool digit = c >= '0' && c <= '9';
        if (!digit && !(c >= 'a' && c <= 'f')) return std::nullopt;
        key = key << 4 | static_cast<std::uint64_t>(digit ? c - '0' : c - 'a' + 10);
    }
    return key;
}

/// Takes the parameters of one step in order. The first that does not fit latches an error; what
/// follows gives zeros.
class StepReader {
  public:
    StepReader(const replay::StepView& step, const FindAttachment& find)
        : step_(step), find_(find) {}

    bool boolean() {
        const ParamView* param = next(ParamKind::kBool);
        return param != nullptr && param->boolean();
    }
    double number() {
        const ParamView* param = next(ParamKind::kNumber);
        return param != nullptr ? param->number() : 0.0;
    }
    /// A whole number in [low, high], both in ±2^53.
    std::int64_t whole(std::int64_t low, std::int64_t high) {
        const double value = number();
        if (!(value >= static_cast<double>(low) && value <= static_cast<double>(high))) {
            fail("a number out of range");
            return 0;
        }
        const auto result = static_cast<std::int64_t>(value);
        if (static_cast<double>(result) != value) fail("a number that is not whole");
        return result;
    }
    std::int64_t int64() {
        constexpr std::int64_t kExact = std::int64_t{1} << 53;
        if (!at_kind(ParamKind::kBigInt)) return whole(-kExact, kExact);
        const std::optional<std::int64_t> value = next(ParamKind::kBigInt)->big_int().to_int64();
        if (!value) fail("a bigint beyond 64 bits");
        return value.value_or(0);
    }
    std::string text(std::uint32_t limit) {
        const ParamView* param = next(ParamKind::kString);
        if (param == nullptr) return {};
        const std::string_view view = param->text();
        if (view.size() > limit) fail("a text over its limit");
        if (!core::is_utf8(view)) fail("a text that is not UTF-8");
        return std::string(view.substr(0, limit));
    }
    core::Bytes attachment(std::string_view key_text) {
        const std::optional<std::uint64_t> key = parse_key(key_text);
        if (!key) {
            fail("not an attachment key");
            return {};
        }
        if (error_) return {};
        Result<core::Bytes> bytes = find_(*key);
        if (!bytes) {
            error_ = std::move(bytes.error());
            return {};
        }
        return *std::move(bytes);
    }
    sim::Value value() {
        switch (static_cast<ValueKind>(whole(0, 5))) {
            case ValueKind::kBool: return boolean();
            case ValueKind::kInt64: return int64();
            case ValueKind::kDouble: return number();
            case ValueKind::kString: return text(sim::kCommandTextBytesMax);
            case ValueKind::kList: return inline_list();
            case ValueKind::kListAttachment: break;
        }
        return attached_list();
    }

    [[nodiscard]] bool done() const { return at_ == step_.param_count; }
    [[nodiscard]] std::size_t left() const { return step_.param_count - at_; }
    void fail(const char* why) {
        if (!error_) error_ = Error{ErrorCode::kBadValue, Error::kNoOffset, why};
    }
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  private:
    [[nodiscard]] bool at_kind(ParamKind kind) const {
        return !done() && step_.storage[at_].kind() == kind;
    }
    const ParamView* next(ParamKind kind) {
        if (error_ || !at_kind(kind)) {
            fail(done() ? "too few parameters" : "a parameter of another type");
            return nullptr;
        }
        return &step_.storage[at_++];
    }
    sim::Int32List inline_list() {
        sim::Int32List list(static_cast<std::size_t>(whole(0, kInlineListMax)));
        for (std::int32_t& item : list) {
            item = static_cast<std::int32_t>(whole(INT32_MIN, INT32_MAX));
        }
        return list;
    }
    sim::Int32List attached_list() {
        const std::string key = text(kKeyDigits);
        const core::Bytes bytes = attachment(key);
        if (error_) return {};
        Result<sim::Int32List> list = decode_list(bytes);
        if (!list) {
            error_ = std::move(list.error());
            return {};
        }
        return *std::move(list);
    }

    const replay::StepView& step_;
    const FindAttachment& find_;
    std::size_t at_ = 0;
    std::optional<Error> error_;
};

sim::Command read_command(StepReader& in) {
    sim::Command command;
    command.type = static_cast<std::uint32_t>(in.whole(0, UINT32_MAX));
    command.server_exec_sequence = in.int64();
    command.issuer_slot = static_cast<std::int32_t>(in.whole(INT32_MIN, INT32_MAX));
    command.target = in.text(sim::kCommandNameBytesMax);
    const std::string payload = in.text(kKeyDigits);
    if (!payload.empty()) command.byte_payload = in.attachment(payload);
    while (!in.error() && !in.done()) {
        std::string name = in.text(sim::kCommandNameBytesMax);
        sim::Value value = in.value();
        command.set(std::move(name), std::move(value));
    }
    if (command.params.size() > sim::kCommandParamsMax) in.fail("too many parameters");
    return command;
}

}  // namespace

void append_command(const sim::Command& command, const Attach& attach, replay::ReplayArray& steps) {
    MANIPLE_ASSERT(command.params.size() <= sim::kCommandParamsMax);
    std::vector<Param> params;
    params.emplace_back(static_cast<double>(command.type));
    params.push_back(integer(command.server_exec_sequence));
    params.push_back(replay::number(command.issuer_slot));
    params.emplace_back(command.target);
    params.emplace_back(command.byte_payload.empty() ? std::string()
                                                     : core::hex16(attach(command.byte_payload)));
    std::size_t room = replay::kParamsMax - kFixedParams - kParamsPerValue * command.params.size();
    for (const sim::Param& param : command.params) {
        params.emplace_back(param.name);
        std::visit(ValueWriter{params, attach, room}, param.value);
    }
    const bool written = steps.add(kStepCommand, params);
    MANIPLE_ASSERT(written);
}

Result<std::vector<sim::Command>> decode_commands(const replay::ReplayArray& steps,
                                                  sim::Tick first_tick, sim::Tick last_tick,
                                                  const FindAttachment& find_attachment) {
    std::vector<sim::Command> commands;
    sim::Tick clock = first_tick - 1;
    std::int64_t sequence = 0;
    replay::ReadStream stream = steps.create_read_stream();
    replay::StepView step;
    while (stream.read(step)) {
        StepReader in(step, find_attachment);
        if (step.command == kStepTickAdvance && clock < last_tick) {
            clock += static_cast<sim::Tick>(in.whole(1, last_tick - clock));
            sequence = 0;
        } else if (step.command == kStepCommand && clock >= first_tick) {
            sim::Command command = read_command(in);
            command.tick = clock;
            if (command.server_exec_sequence <= sequence) in.fail("a sequence that is not next");
            sequence = command.server_exec_sequence;
            commands.push_back(std::move(command));
        } else {
            in.fail("a step that may not stand here");
        }
        if (!in.error() && !in.done()) in.fail("too many parameters");
        if (in.error()) {
            Error error = *in.error();
            error.message = "step " + std::to_string(step.index) + ": " + error.message;
            return refuse(std::move(error));
        }
    }
    return commands;
}

core::Bytes encode_list(const sim::Int32List& list) {
    core::Bytes bytes;
    std::uint32_t previous = 0;
    for (const std::int32_t item : list) {
        const std::uint32_t difference = static_cast<std::uint32_t>(item) - previous;
        std::uint32_t zigzag = difference << 1 ^ (difference >> 31 != 0 ? 0xFFFF'FFFF : 0);
        for (; zigzag >= 0x80; zigzag >>= 7) {
            bytes.push_back(static_cast<std::uint8_t>(zigzag | 0x80));
        }
        bytes.push_back(static_cast<std::uint8_t>(zigzag));
        previous = static_cast<std::uint32_t>(item);
    }
    return bytes;
}

Result<sim::Int32List> decode_list(core::ByteSpan bytes) {
    sim::Int32List list;
    std::uint32_t value = 0;
    std::uint64_t zigzag = 0;
    int shift = 0;
    for (const std::uint8_t byte : bytes) {
        if (shift > 28) return refuse(ErrorCode::kBadValue, "a list item of over 5 bytes");
        zigzag |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
        shift += 7;
        if (byte >= 0x80) continue;
        if (zigzag > UINT32_MAX) return refuse(ErrorCode::kBadValue, "a list item over 32 bits");
        if (list.size() == sim::kCommandListMax) {
            return refuse(ErrorCode::kOverCap, "a list over its limit");
        }
        const auto bits = static_cast<std::uint32_t>(zigzag);
        value += bits >> 1 ^ (0 - (bits & 1));
        list.push_back(static_cast<std::int32_t>(value));
        zigzag = 0;
        shift = 0;
    }
    if (shift != 0) return refuse(ErrorCode::kTruncated, "a list item that does not end");
    return list;
}

}  // namespace maniple::battle_file
