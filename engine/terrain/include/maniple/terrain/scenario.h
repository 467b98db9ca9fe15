#pragma once

#include <cstddef>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/nav/grid_types.h"

namespace maniple::terrain {

/// One query of a MovingAI scenario: cells of the map, and the shortest way's octile length in
/// cells; 0 where the file names none.
struct ScenarioQuery {
    nav::GridCoord start;
    nav::GridCoord goal;
    double length = 0;
};

/// Queries of one file.
inline constexpr std::size_t kScenarioQueriesMax = 1'000'000;

/// Reads a MovingAI scenario for a grid of the given size: a `version` line, then lines of bucket,
/// map, width, height, start x and y, goal x and y, length. At most `limit` queries. The bytes are
/// untrusted.
/// @return queries, or kBadText, kMapMismatch (another size), kBadValue (off the grid, a negative
/// length) or kOverCap, with the byte of the line.
[[nodiscard]] Result<std::vector<ScenarioQuery>> read_scenario(core::ByteSpan bytes,
                                                               std::int32_t x_num,
                                                               std::int32_t y_num,
                                                               std::size_t limit);

}  // namespace maniple::terrain
