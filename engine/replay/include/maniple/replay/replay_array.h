#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/log.h"
#include "maniple/core/result.h"
#include "maniple/replay/decode.h"
#include "maniple/replay/encode.h"
#include "maniple/replay/param.h"
#include "maniple/replay/region.h"

namespace maniple::replay {

/// Bits of a command code in the command region; a property of the whole replay (REPA-035).
enum class CommandWidth : std::uint8_t { k8 = 8, k16 = 16 };

/// More parameters of one step are cut (REPA-005).
inline constexpr std::size_t kParamsMax = 255;
/// The index region holds u32 offsets (O-REPA-13).
inline constexpr std::size_t kParamRegionBytesMax = 0xFFFF'FFFF;

/// A decoded step that owns its parameters.
struct Step {
    std::uint32_t command = 0;
    std::vector<Param> params;
    std::uint32_t index = 0;  ///< Position in the replay.
    friend bool operator==(const Step&, const Step&) = default;
};

/// A decoded step without copies, for play loops. Reuse one object for the whole loop.
struct StepView {
    std::uint32_t command = 0;
    std::uint32_t index = 0;
    std::uint32_t param_count = 0;
    std::array<ParamView, kParamsMax> storage;
    [[nodiscard]] std::span<const ParamView> params() const {
        return {storage.data(), param_count};
    }
};

class ReadStream;

// implements: O-REPA-16
/// A scalar whose encoding needs no check at run time. 64-bit integers are left out: go through
/// exact_number or BigInt (O-REPA-16).
template <typename T>
concept FastParam = std::same_as<T, bool> || std::same_as<T, double> || std::same_as<T, float> ||
                    (std::signed_integral<T> && sizeof(T) <= 4) ||
                    (std::unsigned_integral<T> && sizeof(T) <= 2 && !std::same_as<T, bool>);

/// A replay: steps of a command code and parameters, in three regions (docs/formats/replay.md).
/// Every successful write expires all read streams. Not thread-safe; needs no clock and no I/O.
// implements: REPA-001, REPA-003, REPA-007, REPA-008, REPA-009, REPA-011
class ReplayArray {
  public:
    /// A step whose parameters would take the parameter region over `param_bytes_max` (at most
    /// kParamRegionBytesMax) is not written; warning 1002.
    explicit ReplayArray(CommandWidth width = CommandWidth::k8,
                         core::LogSink log = core::null_log(),
                         std::size_t param_bytes_max = kParamRegionBytesMax);
    /// Moving is a write to both arrays: it expires their streams.
    ReplayArray(ReplayArray&& other) noexcept = default;
    ReplayArray& operator=(ReplayArray&& other) noexcept = default;

    /// Adopts the two content regions and rebuilds the index. The bytes are untrusted.
    /// @return kTruncated, kBadValue or kTrailing; `at_byte` counts from the start of `commands`
    /// on through `params`, as if they stood one after the other.
    static Result<ReplayArray> from_regions(CommandWidth width, core::ByteSpan commands,
                                            core::ByteSpan params,
                                            core::LogSink log = core::null_log());

    // --- writers: each returns whether the step was written ---

    /// Appends a step.
    bool add(std::int64_t code, std::span<const Param> params);
    // implements: REPA-034
    /// Appends a step of scalars; the fast way to record.
    template <FastParam... Params>
    bool append(std::int64_t code, Params... params);
    /// Inserts before `index`, 0 ≤ index ≤ size(); warning 179 outside.
    bool insert(std::int64_t index, std::int64_t code, std::span<const Param> params);
    /// Replaces the step, 0 ≤ index < size(); warning 179 outside.
    bool set(std::int64_t index, std::int64_t code, std::span<const Param> params);
    /// Deletes the step, 0 ≤ index < size(); warning 179 outside.
    bool remove(std::int64_t index);
    /// Rewrites the command region only. The same width does nothing; narrowing warns 154 for each
    /// code over 255 and keeps its low byte.
    void set_command_width(CommandWidth width);
    /// Replaces the whole content; on a refusal (as from_regions) nothing changes.
    Result<void> replace_regions(CommandWidth width, core::ByteSpan commands,
                                 core::ByteSpan params);
    /// Recomputes the index from the other regions. Streams stay valid (O-REPA-18).
    Result<void> rebuild_index();
    /// Reserves memory for further steps and parameter bytes.
    void reserve(std::size_t steps, std::size_t param_bytes);

    // --- readers ---

    /// Decodes one step through the index; for editors. nullopt and warning 179 outside.
    [[nodiscard]] std::optional<Step> get(std::int64_t index) const;
    /// A sequential reader from `start`, 0 ≤ start ≤ size(); outside: clamped, warning 1001. The
    /// array must outlive the stream and stay at its address.
    [[nodiscard]] ReadStream create_read_stream(std::int64_t start = 0) const;

    [[nodiscard]] std::size_t size() const { return index_.size(); }
    [[nodiscard]] CommandWidth command_width() const { return width_; }
    /// Bytes of one command entry: 2 or 3.
    [[nodiscard]] std::size_t command_bytes() const { return width_ == CommandWidth::k8 ? 2 : 3; }
    [[nodiscard]] core::ByteSpan commands() const { return commands_.view(); }
    [[nodiscard]] core::ByteSpan params() const { return params_.view(); }
    [[nodiscard]] std::span<const std::uint32_t> index() const { return index_.view(); }

  private:
    friend class ReadStream;

    /// Counts writes. Content that is moved away or replaced counts, so that streams notice.
    struct WriteCount {
        std::uint64_t value = 0;
        WriteCount() = default;
        WriteCount(WriteCount&& other) noexcept { ++other.value; }
        WriteCount& operator=(WriteCount&& other) noexcept {
            ++value;
            ++other.value;
            return *this;
        }
    };

    [[nodiscard]] bool in_range(std::int64_t index, std::size_t end) const;
    [[nodiscard]] std::uint32_t command_word(std::size_t count, std::int64_t code) const;
    std::size_t encode_params(std::span<const Param> params, Region<std::uint8_t>& out) const;
    /// Ends a step whose parameters were encoded at `param_offset`; undoes them if that is too
    /// many.
    bool commit_step(std::size_t param_offset, std::size_t count, std::int64_t code);
    bool splice_step(std::size_t index, std::size_t old_steps, std::int64_t code,
                     std::span<const Param> params);
    [[nodiscard]] std::size_t param_offset(std::size_t index) const;
    /// The step's `count` parameters at the cursor; @return the end. The regions are well-formed,
    /// and so is every cursor of a stream made since the last write: nothing is checked.
    std::size_t read_params(std::size_t param_at, std::size_t count, ParamView* out) const;
    /// The step at any two cursors, which advance `param_at`; false where it does not decode.
    bool read_checked(std::size_t command_at, std::size_t& param_at, StepView& out) const;
    void warn(int code, std::string message) const;
    void warn_region_full() const;

    CommandWidth width_;
    core::LogSink log_;
    std::size_t param_bytes_max_;
    Region<std::uint8_t> commands_;
    Region<std::uint8_t> params_;
    Region<std::uint32_t> index_;
    Region<std::uint8_t> scratch_;  ///< Encoded parameters of insert and set.
    WriteCount writes_;             ///< A stream made at another count is expired.
};

/// Reads steps in order without the index region. It is registered until destroyed: the next write
/// to the array expires it. Reading an expired stream warns 155. After a write, marked or not, it
/// still gives what the old cursors point at, bounds-checked (REPA-044, O-REPA-05).
// implements: REPA-039, REPA-042, REPA-043, REPA-047
class ReadStream {
  public:
    /// The next step, or nullopt at the end and where the bytes do not decode.
    [[nodiscard]] std::optional<Step> read();
    /// The same without copies; @return false where read() gives nullopt.
    bool read(StepView& out);
    /// Unregisters: later writes no longer mark it as expired (REPA-045).
    void destroy();

    /// The step that the next read gives.
    [[nodiscard]] std::size_t current() const { return step_; }
    /// Steps in the array when the stream was made.
    [[nodiscard]] std::size_t total() const { return total_; }
    // implements: O-REPA-19
    [[nodiscard]] bool expired() const { return registered_ ? overtaken() : expired_; }

  private:
    friend class ReplayArray;
    /// Whether the array was written to since the stream was made.
    [[nodiscard]] bool overtaken() const { return array_->writes_.value != writes_; }
    bool read_overtaken(StepView& out);

    const ReplayArray* array_ = nullptr;
    std::uint64_t writes_ = 0;
    std::size_t step_ = 0;
    std::size_t total_ = 0;
    std::size_t command_at_ = 0;
    std::size_t param_at_ = 0;
    bool registered_ = true;
    bool expired_ = false;
};

namespace detail {
template <FastParam T>
inline std::uint8_t* put_fast(std::uint8_t* out, T value) {
    if constexpr (std::same_as<T, bool>)
        return encode::put(out, value);
    else if constexpr (std::floating_point<T>)
        return encode::put(out, static_cast<double>(value));
    else
        return encode::put(out, static_cast<std::int32_t>(value));
}
}  // namespace detail

inline std::uint32_t ReplayArray::command_word(std::size_t count, std::int64_t code) const {
    const auto low = static_cast<std::uint32_t>(code);
    const std::uint32_t stored =
        width_ == CommandWidth::k8 ? low & 0xFF : (low >> 8 & 0xFF) | (low & 0xFF) << 8;
    return static_cast<std::uint32_t>(count) | stored << 8;
}

template <FastParam... Params>
bool ReplayArray::append(std::int64_t code, Params... params) {
    static_assert(sizeof...(Params) <= kParamsMax);
    constexpr std::size_t kBytesMax = sizeof...(Params) * encode::kNumberBytesMax;
    const std::size_t offset = params_.size();
    std::uint8_t* out = params_.claim(kBytesMax);
    ((out = detail::put_fast(out, params)), ...);
    params_.set_end(out);
    return commit_step(offset, sizeof...(Params), code);
}

inline bool ReplayArray::commit_step(std::size_t param_offset, std::size_t count,
                                     std::int64_t code) {
    if (params_.size() > param_bytes_max_) [[unlikely]] {
        params_.truncate(param_offset);
        warn_region_full();
        return false;
    }
    std::uint8_t* const command = commands_.claim(command_bytes());
    core::store_le(command, command_word(count, code));  // The fourth byte falls into the slack.
    commands_.set_end(command + command_bytes());
    index_.push_back(static_cast<std::uint32_t>(param_offset));
    ++writes_.value;
    return true;
}

namespace detail {
[[nodiscard]] inline std::uint32_t load_code(const std::uint8_t* entry, CommandWidth width) {
    return width == CommandWidth::k8 ? entry[1] : encode::load_be<std::uint16_t>(entry + 1);
}
}  // namespace detail

inline std::size_t ReplayArray::read_params(std::size_t param_at, std::size_t count,
                                            ParamView* out) const {
    const std::uint8_t* const base = params_.data();
    const std::uint8_t* at = base + param_at;
    for (const ParamView* const end = out + count; out != end; ++out) {
        at = ParamDecoder::decode_whole(at, *out);
    }
    return static_cast<std::size_t>(at - base);
}

// implements: REPA-040, REPA-041
inline bool ReadStream::read(StepView& out) {
    if (overtaken()) [[unlikely]]
        return read_overtaken(out);
    if (step_ >= total_) return false;
    // Each member is read once: the compiler must assume that a store to `out` changes it.
    const ReplayArray& array = *array_;
    const std::uint8_t* const entry = array.commands_.data() + command_at_;
    const std::size_t param_at = param_at_;
    const std::size_t count = entry[0];
    if (array.width_ == CommandWidth::k8) {  // One branch for code and cursor.
        out.command = entry[1];
        command_at_ += 2;
    } else {
        out.command = encode::load_be<std::uint16_t>(entry + 1);
        command_at_ += 3;
    }
    out.index = static_cast<std::uint32_t>(step_++);
    out.param_count = static_cast<std::uint32_t>(count);
    param_at_ = array.read_params(param_at, count, out.storage.data());
    return true;
}

}  // namespace maniple::replay
