#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/substrate/checked_stream.h"

namespace maniple::terrain {

/// A grid map ready to fight on. Whatever it came from, its ground is one full substrate stream:
/// what peers receive, what a field imports and what the digest covers are the same bytes.
struct GridMap {
    std::string name;  ///< As given: a path or `builtin:valley:512`.
    substrate::CheckedStream stream;

    /// XXH3-64 over the whole stream: equal digests mean equal ground and goals.
    [[nodiscard]] std::uint64_t digest() const;
    /// Cells that a unit may stand on: type Ground and cost below 255.
    [[nodiscard]] std::uint64_t passable_cells() const;
};

/// Reads a MovingAI grid (docs/formats/maps.md §1). Cells are 100 cm, every height is 0, the centre
/// of cell (x, y) of the file is the world point (100 x, 100 y). The bytes are untrusted.
/// @return map, or kTruncated, kTrailing, kBadText (a header line), kBadValue or kOverCap (the
/// size) with the byte.
[[nodiscard]] Result<GridMap> read_movingai_map(core::ByteSpan bytes, std::string name);

/// Reads a substrate stream as a map, its goals with it. The bytes are taken by move.
/// @return map, or as substrate::CheckedStream::check.
[[nodiscard]] Result<GridMap> read_substrate_map(core::Bytes bytes, std::string name);

/// True for names that start with `builtin:`: they are generated and need no bytes.
[[nodiscard]] bool is_builtin_map(std::string_view name);

/// Generates `builtin:NAME` or `builtin:NAME:SIZE` (docs/formats/maps.md §3) from integers alone:
/// SIZE × SIZE cells, 512 without SIZE. All passable cells are one connected component.
/// is_builtin_map(name) holds.
/// @return map, or kNotFound (no such name) or kBadValue (a size that is no number in 32 … 4096).
[[nodiscard]] Result<GridMap> make_builtin_map(std::string_view name);

/// Makes the map that `name` stands for: `builtin:…` generated, `.map` and `.ffs` read from
/// `bytes`.
/// @return map, or the maker's refusal, or kUnsupported for another extension.
[[nodiscard]] Result<GridMap> read_map(std::string_view name, core::Bytes bytes);

}  // namespace maniple::terrain
