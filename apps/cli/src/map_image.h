#pragma once

#include "maniple/core/bytes.h"
#include "maniple/substrate/checked_stream.h"
#include "maniple/terrain/grid_map.h"

#include "picture.h"

namespace maniple::cli {

inline constexpr Rgb kObstacleColour{52, 56, 66};
inline constexpr Rgb kEmptyColour{20, 26, 40};
inline constexpr Rgb kGoalColour{224, 36, 94};

/// The colour of every cell seen from above: ground from pale to brown by cost, its height as a
/// tint and its slope lit from the north-west; obstacles dark, cells without ground darker.
class GroundShading {
  public:
    explicit GroundShading(const substrate::CheckedView& ground);
    [[nodiscard]] Rgb colour(std::size_t cell) const;

  private:
    substrate::CheckedView ground_;
    double z_low_ = 0;   ///< Of the ground cells, cm.
    double z_span_ = 0;  ///< 0 for a flat map.
};

/// The map from above, grid X to the right and grid Y down, as small as it must be for neither side
/// to exceed `max_pixels` (≥ 1): a pixel is the mean of a square of cells.
[[nodiscard]] Picture map_picture(const substrate::CheckedView& ground, int max_pixels);

/// The same as a PNG file.
[[nodiscard]] core::Bytes map_png(const terrain::GridMap& map, int max_pixels);

}  // namespace maniple::cli
