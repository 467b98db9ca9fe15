#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/core/result.h"

namespace maniple::nav {

/// Most goals of one layer; the wire carries as many (O-SYNC-29).
inline constexpr std::size_t kGoalsMax = 65'536;

/// Process-local name of a layer: never hashed, never on the wire (O-LAY-05). 0 is invalid.
struct LayerHandle {
    std::int32_t id = 0;
    [[nodiscard]] bool valid() const { return id != 0; }
    friend bool operator==(const LayerHandle&, const LayerHandle&) = default;
};

/// Something of the host that a layer leads to, asked where it is when goals are collected. Nothing
/// for a thing that is gone: it is no goal then.
using GoalSource = std::function<std::optional<Vec3d>()>;

/// Goals as the host gives them; sources come first in goal order (O-SYNC-04).
struct GoalSet {
    std::vector<GoalSource> sources;
    std::vector<Vec3d> locations;  ///< World cm.
    /// Where all of them are now (GRID-015).
    [[nodiscard]] std::vector<Vec3d> collect() const;
};

/// @return nothing, or kOverCap for more than kGoalsMax goals, kBadValue for one that is not
/// finite.
[[nodiscard]] Result<void> check_goals(const std::vector<Vec3d>& goals);

/// The hash by which managed layers are found: of the goals in whole centimetres, in their order,
/// and of the field; never 0 (O-LAY-03).
[[nodiscard]] std::uint32_t managed_goal_hash(const std::vector<Vec3d>& goals,
                                              const std::string& field_name);

/// What a layer of a field in either mode has beside its solution (LAY-002).
struct LayerHead {
    std::string name;
    GoalSet given;
    std::vector<Vec3d> goals;  ///< World cm, as collected for the last solve.
    bool solved = false;
    bool auto_release = false;
    std::uint32_t goal_hash = 0;
    std::int32_t user_count = 0;
};

}  // namespace maniple::nav
