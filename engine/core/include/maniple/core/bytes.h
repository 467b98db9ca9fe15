#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "maniple/core/assert.h"
#include "maniple/core/result.h"

namespace maniple::core {

using ByteSpan = std::span<const std::uint8_t>;
using Bytes = std::vector<std::uint8_t>;

namespace detail {
template <std::size_t kSize>
using UnsignedOfSize = std::conditional_t<
    kSize == 1, std::uint8_t,
    std::conditional_t<kSize == 2, std::uint16_t,
                       std::conditional_t<kSize == 4, std::uint32_t, std::uint64_t>>>;
}  // namespace detail

/// A value that travels as a fixed number of little-endian bytes.
template <typename T>
concept WireScalar = std::is_arithmetic_v<T> && !std::same_as<T, bool> && sizeof(T) <= 8;

template <WireScalar T>
inline void store_le(std::uint8_t* out, T value) {
    using U = detail::UnsignedOfSize<sizeof(T)>;
    U bits = std::bit_cast<U>(value);
    if constexpr (std::endian::native == std::endian::big && sizeof(T) > 1) {
        std::array<std::uint8_t, sizeof(T)> raw;
        std::memcpy(raw.data(), &bits, sizeof(T));
        for (std::size_t i = 0; i < sizeof(T); ++i) out[i] = raw[sizeof(T) - 1 - i];
    } else {
        std::memcpy(out, &bits, sizeof(T));
    }
}

template <WireScalar T>
[[nodiscard]] inline T load_le(const std::uint8_t* in) {
    using U = detail::UnsignedOfSize<sizeof(T)>;
    std::array<std::uint8_t, sizeof(T)> raw;
    if constexpr (std::endian::native == std::endian::big) {
        for (std::size_t i = 0; i < sizeof(T); ++i) raw[i] = in[sizeof(T) - 1 - i];
    } else {
        std::memcpy(raw.data(), in, sizeof(T));
    }
    U bits;
    std::memcpy(&bits, raw.data(), sizeof(T));
    return std::bit_cast<T>(bits);
}

/// Appends little-endian fields to a byte vector it does not own. Trusts its caller.
class ByteWriter {
  public:
    explicit ByteWriter(Bytes& out) : out_(&out) {}

    template <WireScalar T>
    void put(T value) {
        store_le(grow(sizeof(T)), value);
    }
    void u8(std::uint8_t v) { out_->push_back(v); }
    void u16(std::uint16_t v) { put(v); }
    void u32(std::uint32_t v) { put(v); }
    void u64(std::uint64_t v) { put(v); }
    void i8(std::int8_t v) { put(v); }
    void i32(std::int32_t v) { put(v); }
    void i64(std::int64_t v) { put(v); }
    void f32(float v) { put(v); }
    void f64(double v) { put(v); }
    void bytes(ByteSpan data) { out_->insert(out_->end(), data.begin(), data.end()); }
    /// Appends zeros to write on; the pointer holds until the next write.
    [[nodiscard]] std::uint8_t* grow(std::size_t count) {
        const std::size_t at = out_->size();
        out_->resize(at + count);
        return out_->data() + at;
    }
    /// u32 length, then the UTF-8 bytes.
    void text(std::string_view s) {
        u32(static_cast<std::uint32_t>(s.size()));
        bytes({reinterpret_cast<const std::uint8_t*>(s.data()), s.size()});
    }
    /// u32 length, then the bytes.
    void blob(ByteSpan data) {
        u32(static_cast<std::uint32_t>(data.size()));
        bytes(data);
    }
    [[nodiscard]] std::size_t size() const { return out_->size(); }
    /// Overwrites a field written before, for a count or checksum known only at the end.
    template <WireScalar T>
    void patch(std::size_t at, T value) {
        MANIPLE_ASSERT(at + sizeof(T) <= out_->size());
        store_le(out_->data() + at, value);
    }

  private:
    Bytes* out_;
};

/// Reads little-endian fields from untrusted bytes. The first failure latches: later reads give
/// zeros and leave the position, so a decoder reads a run of fields and checks `ok()` once.
/// Never read two fields inside one argument list: their order would be unspecified.
class ByteReader {
  public:
    explicit ByteReader(ByteSpan data) : data_(data) {}

    template <WireScalar T>
    [[nodiscard]] T get() {
        if (!need(sizeof(T))) return T{};
        const T value = load_le<T>(data_.data() + at_);
        at_ += sizeof(T);
        return value;
    }
    [[nodiscard]] std::uint8_t u8() { return get<std::uint8_t>(); }
    [[nodiscard]] std::uint16_t u16() { return get<std::uint16_t>(); }
    [[nodiscard]] std::uint32_t u32() { return get<std::uint32_t>(); }
    [[nodiscard]] std::uint64_t u64() { return get<std::uint64_t>(); }
    [[nodiscard]] std::int8_t i8() { return get<std::int8_t>(); }
    [[nodiscard]] std::int32_t i32() { return get<std::int32_t>(); }
    [[nodiscard]] std::int64_t i64() { return get<std::int64_t>(); }
    [[nodiscard]] float f32() { return get<float>(); }
    [[nodiscard]] double f64() { return get<double>(); }
    /// The next `size` bytes as a view into the input; empty after a failure.
    [[nodiscard]] ByteSpan bytes(std::uint64_t size) {
        if (!need(size)) return {};
        const ByteSpan view = data_.subspan(at_, static_cast<std::size_t>(size));
        at_ += static_cast<std::size_t>(size);
        return view;
    }
    /// A count of items of at least `item_bytes_min` bytes each: refused when it is over `limit`
    /// (kOverCap) or when the remaining bytes cannot hold it (kTruncated), before any allocation.
    [[nodiscard]] std::uint32_t count(std::uint32_t limit, std::size_t item_bytes_min,
                                      const char* what);
    /// u32 length ≤ limit, then UTF-8 text (kBadText when it is not UTF-8).
    [[nodiscard]] std::string text(std::uint32_t limit, const char* what);
    /// u32 length ≤ limit, then bytes, as a view into the input.
    [[nodiscard]] ByteSpan blob(std::uint32_t limit, const char* what);

    /// Latches a refusal at the byte `at` (the first one wins).
    void fail(ErrorCode code, std::uint64_t at, std::string message);
    /// Latches kTrailing unless every byte was read.
    void expect_end();

    [[nodiscard]] bool ok() const { return error_.code == ErrorCode::kNone; }
    [[nodiscard]] const Error& error() const { return error_; }
    [[nodiscard]] std::size_t at() const { return at_; }
    [[nodiscard]] std::size_t remaining() const { return data_.size() - at_; }

  private:
    bool need(std::uint64_t size);

    ByteSpan data_;
    std::size_t at_ = 0;
    Error error_;
};

/// True if the bytes are well-formed UTF-8 (no overlong forms, no surrogates, ≤ U+10FFFF).
[[nodiscard]] bool is_utf8(std::string_view text);
/// Appends the UTF-8 of a code point, which is at most U+10FFFF and no surrogate.
void append_utf8(char32_t point, std::string& text);

}  // namespace maniple::core
