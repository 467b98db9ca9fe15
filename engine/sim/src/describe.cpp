#include "maniple/sim/describe.h"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace maniple::sim {

namespace {

constexpr bool kLittleEndian = std::endian::native == std::endian::little;

/// One scalar of every row, memory to wire. The byte order turns around on big-endian machines.
template <std::size_t kBytes>
void copy_scalars(const std::uint8_t* from, std::size_t from_stride, std::uint8_t* to,
                  std::size_t to_stride, std::size_t row_count) {
    for (std::size_t row = 0; row < row_count; ++row) {
        if constexpr (kLittleEndian) {
            std::memcpy(to, from, kBytes);
        } else {
            std::reverse_copy(from, from + kBytes, to);
        }
        from += from_stride;
        to += to_stride;
    }
}

void copy_leaf(ScalarType type, const std::uint8_t* from, std::size_t from_stride, std::uint8_t* to,
               std::size_t to_stride, std::size_t row_count) {
    switch (scalar_bytes(type)) {
        case 1: return copy_scalars<1>(from, from_stride, to, to_stride, row_count);
        case 2: return copy_scalars<2>(from, from_stride, to, to_stride, row_count);
        case 4: return copy_scalars<4>(from, from_stride, to, to_stride, row_count);
        default: return copy_scalars<8>(from, from_stride, to, to_stride, row_count);
    }
}

bool is_float(const FieldLeaf& leaf) {
    return leaf.type == ScalarType::kF32 || leaf.type == ScalarType::kF64;
}

/// All leaves of one type: rows are one dense array of it.
bool is_uniform(const FieldLayout& layout) {
    return std::all_of(layout.leaves.begin(), layout.leaves.end(), [&](const FieldLeaf& leaf) {
        return leaf.type == layout.leaves.front().type;
    });
}

// implements: O-VAR-06
/// Without the sign, zeros are 0 and NaNs are above infinity: both float widths work alike, on
/// bits.
template <typename Bits, Bits kInfinity, Bits kQuietNan>
Bits canonical_bits(Bits bits) {
    const Bits magnitude = static_cast<Bits>(bits << 1) >> 1;
    if (magnitude > kInfinity) return kQuietNan;
    return magnitude == 0 ? Bits{0} : bits;
}

template <typename Bits, Bits kInfinity, Bits kQuietNan>
void canonicalise(std::uint8_t* at, std::size_t stride, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i, at += stride) {
        core::store_le(at, canonical_bits<Bits, kInfinity, kQuietNan>(core::load_le<Bits>(at)));
    }
}

constexpr std::uint32_t kInfinity32 = 0x7F800000;
constexpr std::uint32_t kNan32 = 0x7FC00000;
constexpr std::uint64_t kInfinity64 = 0x7FF0000000000000;
constexpr std::uint64_t kNan64 = 0x7FF8000000000000;

/// Of a dense column, without a branch a value.
template <typename Bits, Bits kInfinity>
bool are_canonical_floats(const std::byte* at, std::size_t count) {
    constexpr Bits kMinusZero = Bits{1} << (8 * sizeof(Bits) - 1);
    Bits others = 0;
    for (std::size_t i = 0; i < count; ++i) {
        Bits bits = 0;
        std::memcpy(&bits, at + i * sizeof(Bits), sizeof(Bits));
        const bool is_nan = (bits & ~kMinusZero) > kInfinity;
        others |= static_cast<Bits>(is_nan) | static_cast<Bits>(bits == kMinusZero);
    }
    return others == 0;
}

#if defined(__SSE2__)
constexpr std::size_t kVectorBytes = sizeof(__m128);
/// The same for whole vectors; of each lane the sign bit tells.
bool are_canonical_vectors(ScalarType type, const std::byte* at, std::size_t bytes) {
    __m128 others = _mm_setzero_ps();
    for (std::size_t i = 0; i < bytes; i += sizeof(__m128)) {
        const __m128 value = _mm_loadu_ps(reinterpret_cast<const float*>(at + i));
        __m128 is_nan, is_zero;
        if (type == ScalarType::kF32) {
            is_nan = _mm_cmpunord_ps(value, value);
            is_zero = _mm_cmpeq_ps(value, _mm_setzero_ps());
        } else {
            const __m128d wide = _mm_castps_pd(value);
            is_nan = _mm_castpd_ps(_mm_cmpunord_pd(wide, wide));
            is_zero = _mm_castpd_ps(_mm_cmpeq_pd(wide, _mm_setzero_pd()));
        }
        others = _mm_or_ps(others, _mm_or_ps(is_nan, _mm_and_ps(is_zero, value)));
    }
    const int signs =
        type == ScalarType::kF32 ? _mm_movemask_ps(others) : _mm_movemask_pd(_mm_castps_pd(others));
    return signs == 0;
}
#else
constexpr std::size_t kVectorBytes = 0;
bool are_canonical_vectors(ScalarType, const std::byte*, std::size_t bytes) { return bytes == 0; }
#endif

void canonicalise_scalars(ScalarType type, std::uint8_t* at, std::size_t stride,
                          std::size_t count) {
    if (type == ScalarType::kF32) {
        canonicalise<std::uint32_t, kInfinity32, kNan32>(at, stride, count);
    } else if (type == ScalarType::kF64) {
        canonicalise<std::uint64_t, kInfinity64, kNan64>(at, stride, count);
    }
}

}  // namespace

bool is_wire_in_memory(const FieldLayout& layout) { return kLittleEndian && layout.packed; }

void rows_to_wire(const FieldLayout& layout, const std::byte* rows, std::size_t row_count,
                  std::uint8_t* out) {
    if (layout.wire_bytes == 0 || row_count == 0) return;
    if (is_wire_in_memory(layout)) {
        std::memcpy(out, rows, row_count * layout.wire_bytes);
        return;
    }
    const auto* memory = reinterpret_cast<const std::uint8_t*>(rows);
    for (const FieldLeaf& leaf : layout.leaves) {
        copy_leaf(leaf.type, memory + leaf.memory_offset, layout.memory_bytes,
                  out + leaf.wire_offset, layout.wire_bytes, row_count);
    }
}

void rows_to_canonical_wire(const FieldLayout& layout, const std::byte* rows, std::size_t row_count,
                            std::uint8_t* out) {
    rows_to_wire(layout, rows, row_count, out);
    canonicalise_wire(layout, row_count, out);
}

// implements: VAR-007, O-VAR-04, HASH-005
void canonicalise_wire(const FieldLayout& layout, std::size_t row_count, std::uint8_t* out) {
    if (layout.leaves.empty()) return;
    const ScalarType first = layout.leaves.front().type;
    if (is_uniform(layout)) {  // one dense pass, which vectorises
        canonicalise_scalars(first, out, scalar_bytes(first), row_count * layout.leaves.size());
        return;
    }
    for (const FieldLeaf& leaf : layout.leaves) {
        canonicalise_scalars(leaf.type, out + leaf.wire_offset, layout.wire_bytes, row_count);
    }
}

bool are_canonical(const FieldLayout& layout, const std::byte* rows, std::size_t row_count) {
    if (!is_wire_in_memory(layout)) return false;
    if (std::none_of(layout.leaves.begin(), layout.leaves.end(), is_float)) return true;
    if (!is_uniform(layout)) return false;
    const ScalarType type = layout.leaves.front().type;
    const std::size_t bytes = row_count * layout.wire_bytes;
    const std::size_t vectors = kVectorBytes == 0 ? 0 : bytes / kVectorBytes * kVectorBytes;
    if (!are_canonical_vectors(type, rows, vectors)) return false;
    const std::size_t rest = (bytes - vectors) / scalar_bytes(type);
    return type == ScalarType::kF32
               ? are_canonical_floats<std::uint32_t, kInfinity32>(rows + vectors, rest)
               : are_canonical_floats<std::uint64_t, kInfinity64>(rows + vectors, rest);
}

bool rows_from_wire(const FieldLayout& layout, const std::uint8_t* wire, std::size_t row_count,
                    std::byte* rows) {
    if (row_count == 0) return true;
    if (is_wire_in_memory(layout) && layout.wire_bytes != 0) {
        std::memcpy(rows, wire, row_count * layout.wire_bytes);
        return true;
    }
    for (const FieldLeaf& leaf : layout.leaves) {
        if (leaf.type != ScalarType::kBool) continue;
        for (std::size_t row = 0; row < row_count; ++row) {
            if (wire[row * layout.wire_bytes + leaf.wire_offset] > 1) return false;
        }
    }
    std::memset(rows, 0, row_count * layout.memory_bytes);
    auto* memory = reinterpret_cast<std::uint8_t*>(rows);
    for (const FieldLeaf& leaf : layout.leaves) {
        copy_leaf(leaf.type, wire + leaf.wire_offset, layout.wire_bytes,
                  memory + leaf.memory_offset, layout.memory_bytes, row_count);
    }
    return true;
}

}  // namespace maniple::sim
