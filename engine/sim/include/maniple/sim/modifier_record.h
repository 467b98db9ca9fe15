#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/core/result.h"
#include "maniple/nav/modifier.h"
#include "maniple/sim/describe.h"

namespace maniple::sim {

enum class ModifierShape : std::uint8_t { kBox = 0, kCorridor = 1 };

/// A modifier that a command registered with a field. It is lockstep state: hashed, captured, and
/// registered again before the substrates of a restore are flooded (O-SNAP-23, SNAP-049). What the
/// family does not use stays at its default.
struct ModifierRecord {
    std::int64_t id = 0;  ///< Of the caller's choosing, say the command's sequence; each once.
    std::string field_name;
    nav::ModifierFamily family = nav::ModifierFamily::kDirection;
    std::int32_t priority = 0;
    bool enabled = true;

    ModifierShape shape = ModifierShape::kBox;
    Vec3d centre_cm;                ///< Of a box.
    Vec3d half_extent_cm;           ///< Likewise.
    std::int32_t yaw_centideg = 0;  ///< Likewise.
    std::vector<Vec3d> points;      ///< Of a corridor; at most kModifierPointsMax.
    double half_width_cm = 0;       ///< Likewise.

    nav::CellType cell_type = nav::CellType::kObstacle;  ///< Of kGrid.
    std::uint8_t cell_cost = nav::kImpassableCost;       ///< Likewise.
    bool sets_cost = false;                              ///< Of kCost: else it adds.
    std::int32_t cost = 0;                               ///< Likewise.
    Vec3f direction;                                     ///< Of kDirection.
};
BOOST_DESCRIBE_STRUCT(ModifierRecord, (),
                      (id, field_name, family, priority, enabled, shape, centre_cm, half_extent_cm,
                       yaw_centideg, points, half_width_cm, cell_type, cell_cost, sets_cost, cost,
                       direction))

inline constexpr std::size_t kModifiersMax = 65'536;
inline constexpr std::size_t kModifierPointsMax = 4'096;

/// Whether a record's own values are in their ranges: enumerations, points, finite numbers.
/// @return kBadValue or kOverCap otherwise.
[[nodiscard]] Result<void> check_modifier(const ModifierRecord& record);

/// The modifier of a checked record.
[[nodiscard]] std::shared_ptr<nav::Modifier> make_modifier(const ModifierRecord& record);

}  // namespace maniple::sim
