#pragma once

#include <cstdint>
#include <string_view>

#include "maniple/core/bytes.h"

namespace maniple::substrate {

/// A navmesh tile of one square of 4 x 4 m at (x, 0), as Detour's builder emits it; the tile of the
/// vector `navmesh`. Its neighbours differ in their place alone: the header's x, both corners and
/// the four vertices.
inline core::Bytes golden_tile(std::int32_t x) {
    constexpr std::string_view kHex =
        "56414E4407000000000000000000000000000000000000000100000004000000060000000100000000000000"
        "02000000020000000000000001000000000000400000003F0000003F00000000000000000000000000008040"
        "00000040000080400000803F0000000000000000000000000000000000000000000080400000804000000000"
        "0000804000008040000000000000000000000000000001000200030000000000000000000080000000000000"
        "0100040000000000000000000000000000000000000000000000000000000000000000000000000000000000"
        "0000000000000000000000000000000000000000000000000000000000000000000000000000000000020000"
        "00010205000203140000000000000400000004000000000000000000000000000000000000000000";
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'A' + 10; };
    core::Bytes tile;
    for (std::size_t i = 0; i < kHex.size(); i += 2) {
        tile.push_back(static_cast<std::uint8_t>(16 * digit(kHex[i]) + digit(kHex[i + 1])));
    }
    core::store_le(tile.data() + 8, x);
    for (const std::size_t at : {72, 84, 100, 112, 124, 136}) {
        const auto old = core::load_le<float>(tile.data() + at);
        core::store_le(tile.data() + at, old + 4 * static_cast<float>(x));
    }
    return tile;
}

}  // namespace maniple::substrate
