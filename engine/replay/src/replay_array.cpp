#include "maniple/replay/replay_array.h"

#include <string>
#include <utility>

#include "maniple/core/assert.h"
#include "maniple/replay/log_codes.h"

namespace maniple::replay {
namespace {

void encode_text(std::string_view text, Region<std::uint8_t>& out) {
    if (is_ascii(text)) [[likely]] {
        out.set_end(encode::put_well_formed(out.claim(text.size() + 5), text));
    } else {
        const std::string fixed = replace_ill_formed_utf8(text);
        out.set_end(encode::put_well_formed(out.claim(fixed.size() + 5), fixed));
    }
}

/// Appends one parameter to `out` and returns 0, or the warning of a parameter that is dropped. One
/// jump on the kind: a chain of tests would mispredict more than once on mixed parameters.
int encode_param(const Param& param, Region<std::uint8_t>& out) {
    enum : std::size_t { kBool, kNumber, kString, kBigInt };
    static_assert(std::is_same_v<std::variant_alternative_t<kNumber, Param>, double>);
    static_assert(std::is_same_v<std::variant_alternative_t<kBigInt, Param>, BigInt>);
    switch (param.index()) {
        case kBool: out.set_end(encode::put(out.claim(2), *std::get_if<kBool>(&param))); return 0;
        case kNumber:
            out.set_end(encode::put_any_number(out.claim(encode::kNumberBytesMax),
                                               *std::get_if<kNumber>(&param)));
            return 0;
        case kString: encode_text(*std::get_if<kString>(&param), out); return 0;
        case kBigInt: {
            const BigInt& value = *std::get_if<kBigInt>(&param);
            if (value.magnitude().size() > encode::kBigIntBytesMax) return kWarnBigIntTooLarge;
            out.set_end(encode::put(out.claim(encode::kBigIntBytesMax + 2), value));
            return 0;
        }
        default: return kWarnUnsupportedParam;
    }
}

Step to_step(const StepView& view) {
    Step step{view.command, {}, view.index};
    step.params.reserve(view.param_count);
    for (const ParamView& param : view.params()) step.params.push_back(param.to_param());
    return step;
}

// implements: REPA-029
/// Step starts of untrusted regions, or where and why they are malformed.
Result<Region<std::uint32_t>> build_index(const Region<std::uint8_t>& commands,
                                          std::size_t command_bytes,
                                          const Region<std::uint8_t>& params) {
    const std::uint64_t base = commands.size();
    if (commands.size() % command_bytes != 0) {
        return refuse(ErrorCode::kTruncated, base, "the last command is incomplete");
    }
    const std::size_t steps = commands.size() / command_bytes;
    Region<std::uint32_t> index;
    index.reserve(steps);
    std::size_t at = 0;
    ParamView value;
    for (std::size_t step = 0; step < steps; ++step) {
        index.push_back(static_cast<std::uint32_t>(at));
        for (int left = commands.data()[step * command_bytes]; left > 0; --left) {
            if (at >= params.size()) {
                return refuse(ErrorCode::kTruncated, base + at,
                              "step " + std::to_string(step) + " lacks parameters");
            }
            const std::uint64_t bytes = ParamDecoder::decode(params.data() + at, value);
            const bool bad_boolean =
                params.data()[at] == encode::kTypeBool && (value.payload()[0] & 0xFE) != 0;
            if (bytes == 0 || bad_boolean) {
                return refuse(ErrorCode::kBadValue, base + at,
                              "step " + std::to_string(step) + ": no such parameter (type code " +
                                  std::to_string(params.data()[at]) + ")");
            }
            if (bytes > params.size() - at) {
                return refuse(ErrorCode::kTruncated, base + at,
                              "step " + std::to_string(step) + ": a parameter of " +
                                  std::to_string(bytes) + " bytes, " +
                                  std::to_string(params.size() - at) + " left");
            }
            at += bytes;
        }
    }
    if (at != params.size()) {
        return refuse(ErrorCode::kTrailing, base + at, "parameter bytes that belong to no step");
    }
    return index;
}

}  // namespace

ReplayArray::ReplayArray(CommandWidth width, core::LogSink log, std::size_t param_bytes_max)
    : width_(width), log_(std::move(log)), param_bytes_max_(param_bytes_max) {
    MANIPLE_ASSERT(param_bytes_max <= kParamRegionBytesMax);
}

Result<ReplayArray> ReplayArray::from_regions(CommandWidth width, core::ByteSpan commands,
                                              core::ByteSpan params, core::LogSink log) {
    ReplayArray array(width, std::move(log));
    if (Result<void> done = array.replace_regions(width, commands, params); !done) {
        return refuse(std::move(done.error()));
    }
    return array;
}

// implements: REPA-004, REPA-005, REPA-032, O-REPA-07
std::size_t ReplayArray::encode_params(std::span<const Param> params,
                                       Region<std::uint8_t>& out) const {
    if (params.size() > kParamsMax) {
        warn(kWarnTooManyParams, std::to_string(params.size()) + " parameters, the limit is 255");
        params = params.first(kParamsMax);
    }
    std::size_t count = 0;
    for (const Param& param : params) {
        const int dropped = encode_param(param, out);
        if (dropped == 0) {
            ++count;
        } else {
            warn(dropped, dropped == kWarnBigIntTooLarge
                              ? "a bigint of more than 255 bytes is dropped"
                              : "a parameter of an unsupported kind is dropped");
        }
    }
    return count;
}

// implements: REPA-013, REPA-014, REPA-036, O-REPA-13, O-REPA-14
bool ReplayArray::add(std::int64_t code, std::span<const Param> params) {
    const std::size_t offset = params_.size();
    const std::size_t count = encode_params(params, params_);
    return commit_step(offset, count, code);
}

// implements: REPA-015, REPA-048
bool ReplayArray::insert(std::int64_t index, std::int64_t code, std::span<const Param> params) {
    if (!in_range(index, size() + 1)) return false;
    return splice_step(static_cast<std::size_t>(index), 0, code, params);
}

// implements: REPA-017, REPA-048
bool ReplayArray::set(std::int64_t index, std::int64_t code, std::span<const Param> params) {
    if (!in_range(index, size())) return false;
    return splice_step(static_cast<std::size_t>(index), 1, code, params);
}

// implements: REPA-019, O-REPA-13
bool ReplayArray::splice_step(std::size_t index, std::size_t old_steps, std::int64_t code,
                              std::span<const Param> params) {
    scratch_.truncate(0);
    const std::size_t count = encode_params(params, scratch_);
    const std::size_t begin = param_offset(index);
    const std::size_t old_bytes = param_offset(index + old_steps) - begin;
    const std::size_t new_bytes = scratch_.size();
    if (params_.size() - old_bytes + new_bytes > param_bytes_max_) {
        warn_region_full();
        return false;
    }
    params_.splice(begin, old_bytes, scratch_.view());
    std::array<std::uint8_t, 4> entry;
    core::store_le(entry.data(), command_word(count, code));
    commands_.splice(index * command_bytes(), old_steps * command_bytes(),
                     std::span(entry).first(command_bytes()));
    const auto offset = static_cast<std::uint32_t>(begin);
    index_.splice(index, old_steps, {&offset, 1});
    for (std::size_t i = index + 1; i < size(); ++i) {
        index_.data()[i] += static_cast<std::uint32_t>(new_bytes - old_bytes);  // Modulo 2^32.
    }
    ++writes_.value;
    return true;
}

// implements: REPA-016, REPA-048
bool ReplayArray::remove(std::int64_t index) {
    if (!in_range(index, size())) return false;
    const auto at = static_cast<std::size_t>(index);
    const std::size_t begin = param_offset(at);
    const std::size_t bytes = param_offset(at + 1) - begin;
    params_.splice(begin, bytes, {});
    commands_.splice(at * command_bytes(), command_bytes(), {});
    index_.splice(at, 1, {});
    for (std::size_t i = at; i < size(); ++i) {
        index_.data()[i] -= static_cast<std::uint32_t>(bytes);
    }
    ++writes_.value;
    return true;
}

// implements: REPA-033, REPA-035, REPA-037, O-REPA-10
void ReplayArray::set_command_width(CommandWidth width) {
    if (width == width_) return;
    const Region<std::uint8_t> old = std::move(commands_);
    const std::size_t old_bytes = command_bytes();
    const CommandWidth old_width = width_;
    commands_ = {};
    width_ = width;
    for (std::size_t i = 0; i < size(); ++i) {
        const std::uint8_t* const entry = old.data() + i * old_bytes;
        const std::uint32_t code = detail::load_code(entry, old_width);
        if (width == CommandWidth::k8 && code > 0xFF) {
            warn(kWarnCodeCut, "step " + std::to_string(i) + ": command " + std::to_string(code) +
                                   " is cut to 8 bits");
        }
        std::uint8_t* const out = commands_.claim(command_bytes());
        core::store_le(out, command_word(entry[0], code));
        commands_.set_end(out + command_bytes());
    }
    ++writes_.value;
}

// implements: REPA-010, O-REPA-08
Result<void> ReplayArray::replace_regions(CommandWidth width, core::ByteSpan commands,
                                          core::ByteSpan params) {
    if (params.size() > param_bytes_max_) {
        return refuse(ErrorCode::kOverCap, commands.size(),
                      "a parameter region of " + std::to_string(params.size()) +
                          " bytes, the limit is " + std::to_string(param_bytes_max_));
    }
    Region<std::uint8_t> new_commands;
    Region<std::uint8_t> new_params;
    new_commands.assign(commands);
    new_params.assign(params);
    Result<Region<std::uint32_t>> index =
        build_index(new_commands, width == CommandWidth::k8 ? 2 : 3, new_params);
    if (!index) return refuse(std::move(index.error()));
    width_ = width;
    commands_ = std::move(new_commands);
    params_ = std::move(new_params);
    index_ = std::move(*index);
    ++writes_.value;
    return {};
}

// implements: O-REPA-18
Result<void> ReplayArray::rebuild_index() {
    Result<Region<std::uint32_t>> index = build_index(commands_, command_bytes(), params_);
    if (!index) return refuse(std::move(index.error()));
    index_ = std::move(*index);
    return {};
}

void ReplayArray::reserve(std::size_t steps, std::size_t param_bytes) {
    commands_.reserve(commands_.size() + steps * command_bytes());
    params_.reserve(params_.size() + param_bytes + encode::kNumberBytesMax * kParamsMax);
    index_.reserve(index_.size() + steps);
}

// implements: REPA-038, O-REPA-11
std::optional<Step> ReplayArray::get(std::int64_t index) const {
    if (!in_range(index, size())) return std::nullopt;
    const auto at = static_cast<std::size_t>(index);
    std::size_t param_at = param_offset(at);
    StepView view;
    if (!read_checked(at * command_bytes(), param_at, view)) return std::nullopt;
    view.index = static_cast<std::uint32_t>(at);
    return to_step(view);
}

// implements: REPA-012, O-REPA-09
ReadStream ReplayArray::create_read_stream(std::int64_t start) const {
    if (start < 0 || static_cast<std::uint64_t>(start) > size()) {
        warn(kWarnStreamStartClamped, "a stream cannot start at step " + std::to_string(start));
        start = start < 0 ? 0 : static_cast<std::int64_t>(size());
    }
    ReadStream stream;
    stream.array_ = this;
    stream.writes_ = writes_.value;
    stream.step_ = static_cast<std::size_t>(start);
    stream.total_ = size();
    stream.command_at_ = stream.step_ * command_bytes();
    stream.param_at_ = param_offset(stream.step_);
    return stream;
}

std::size_t ReplayArray::param_offset(std::size_t index) const {
    return index < size() ? index_.data()[index] : params_.size();
}

// implements: REPA-018, O-REPA-04
bool ReplayArray::in_range(std::int64_t index, std::size_t end) const {
    if (index >= 0 && static_cast<std::uint64_t>(index) < end) return true;
    warn(kWarnIndexOutOfRange,
         "step " + std::to_string(index) + " of a replay of " + std::to_string(size()));
    return false;
}

bool ReplayArray::read_checked(std::size_t command_at, std::size_t& param_at, StepView& out) const {
    if (command_at + command_bytes() > commands_.size()) return false;
    const std::uint8_t* const entry = commands_.data() + command_at;
    out.command = detail::load_code(entry, width_);
    out.param_count = entry[0];
    std::size_t at = param_at;
    for (std::size_t i = 0; i < out.param_count; ++i) {
        if (at >= params_.size()) return false;
        const std::uint64_t bytes = ParamDecoder::decode(params_.data() + at, out.storage[i]);
        if (bytes == 0 || bytes > params_.size() - at) return false;
        at += bytes;
    }
    param_at = at;
    return true;
}

void ReplayArray::warn(int code, std::string message) const {
    if (log_) log_({core::Severity::kWarning, code, std::move(message)});
}

void ReplayArray::warn_region_full() const {
    warn(kWarnRegionFull, "the parameter region is full (" + std::to_string(param_bytes_max_) +
                              " bytes); the step is not written");
}

// implements: REPA-044, O-REPA-05
bool ReadStream::read_overtaken(StepView& out) {
    if (expired()) array_->warn(kWarnStreamExpired, "read from an expired stream");
    if (step_ >= total_) return false;
    if (!array_->read_checked(command_at_, param_at_, out)) {
        array_->warn(kWarnStepUnreadable, "step " + std::to_string(step_) + " does not decode");
        return false;
    }
    out.index = static_cast<std::uint32_t>(step_++);
    command_at_ += array_->command_bytes();
    return true;
}

std::optional<Step> ReadStream::read() {
    StepView view;
    if (!read(view)) return std::nullopt;
    return to_step(view);
}

// implements: REPA-045
void ReadStream::destroy() {
    expired_ = expired();
    registered_ = false;
}

}  // namespace maniple::replay
