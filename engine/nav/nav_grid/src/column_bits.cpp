#include "column_bits.h"

#include "byte_lanes.h"

#if defined(MANIPLE_NAV_SIMD)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "column_bits.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace maniple::nav::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
bool write_bits(const ColumnBytes&, std::size_t, const ColumnBits&) { return false; }
#else

bool write_bits(const ColumnBytes& of_column, std::size_t cells, const ColumnBits& to) {
    const ColumnBytes bytes = of_column;  // which no store can change
    const ColumnBits bits = to;
    const hn::CappedTag<std::uint8_t, 64> d;
    const auto ground = hn::Set(d, static_cast<std::uint8_t>(CellType::kGround));
    const auto impassable = hn::Set(d, kImpassableCost);
    const auto counted = hn::Set(d, bytes.neighbours);
    for (std::size_t w = 0; w < cells / 64; ++w) {
        std::uint64_t words[5] = {};
        for (std::size_t i = 0; i < 64; i += hn::Lanes(d)) {
            const std::size_t y = w * 64 + i;
            const auto put = [&](std::size_t word, hn::Mask<decltype(d)> mask) {
                std::uint64_t found = 0;
                hn::StoreMaskBits(d, mask, reinterpret_cast<std::uint8_t*>(&found));
                words[word] |= found << i;
            };
            const auto moves = hn::And(hn::LoadU(d, bytes.moves + y), counted);
            const auto moves_to = [&](std::uint8_t bit) {
                return hn::Ne(hn::And(moves, hn::Set(d, bit)), hn::Zero(d));
            };
            put(0, hn::And(hn::Eq(hn::LoadU(d, bytes.type + y), ground),
                           hn::Ne(hn::LoadU(d, bytes.cost + y), impassable)));
            put(1, moves_to(1U << 3));
            put(2, moves_to(1U << 2));
            put(3, moves_to(1U << 6));
            put(4, moves_to(1U << 5));
        }
        bits.stands[w] = words[0];
        bits.south[w] = words[1];
        bits.west[w] = words[2];
        bits.south_west[w] = words[3];
        bits.north_west[w] = words[4];
    }
    return true;
}
#endif

}  // namespace maniple::nav::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace maniple::nav {

HWY_EXPORT(write_bits);

bool write_column_bits_simd(const ColumnBytes& bytes, std::size_t cells, const ColumnBits& bits) {
    return HWY_DYNAMIC_DISPATCH(write_bits)(bytes, cells, bits);
}

}  // namespace maniple::nav
#endif

#else

namespace maniple::nav {

bool write_column_bits_simd(const ColumnBytes&, std::size_t, const ColumnBits&) { return false; }

}  // namespace maniple::nav
#endif

#if !defined(MANIPLE_NAV_SIMD) || HWY_ONCE
namespace maniple::nav {

void write_column_bits(const ColumnBytes& bytes, std::size_t cells, const ColumnBits& bits) {
    for (std::size_t w = 0; w * 64 < cells; ++w) {
        bits.stands[w] = bits.south[w] = bits.west[w] = bits.south_west[w] = bits.north_west[w] = 0;
    }
    for (std::size_t y = 0; y < cells; y += 8) {
        const std::uint64_t cost = load_bytes(bytes.cost + y, cells - y, kImpassableCost);
        const std::uint64_t type = load_bytes(bytes.type + y, cells - y);
        const std::uint64_t moves =
            load_bytes(bytes.moves + y, cells - y) & kByteOnes * bytes.neighbours;
        const auto put = [&](std::uint64_t* words, std::uint64_t lanes) {
            words[y / 64] |= gather_bits(lanes) << y % 64;
        };
        put(bits.stands, type & ~lanes_of_255(cost));  // kGround is 1
        put(bits.south, moves >> 3);
        put(bits.west, moves >> 2);
        put(bits.south_west, moves >> 6);
        put(bits.north_west, moves >> 5);
    }
}

}  // namespace maniple::nav
#endif
