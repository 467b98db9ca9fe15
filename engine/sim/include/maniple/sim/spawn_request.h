#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/sim/describe.h"
#include "maniple/sim/ids.h"

namespace maniple::sim {

// implements: O-SNAP-05
/// Which way a spawned agent looks.
enum class InitialRotation : std::uint8_t { kFacePlayer = 0, kFaceForward = 1, kCustom = 2 };

/// Degrees.
struct Rotator {
    float pitch = 0, yaw = 0, roll = 0;
    friend bool operator==(const Rotator&, const Rotator&) = default;
};
BOOST_DESCRIBE_STRUCT(Rotator, (), (pitch, yaw, roll))

// implements: O-SNAP-04
struct SpawnMultipliers {
    float health = 1, damage = 1, speed = 1, scale = 1, count = 1;
    friend bool operator==(const SpawnMultipliers&, const SpawnMultipliers&) = default;
};
BOOST_DESCRIBE_STRUCT(SpawnMultipliers, (), (health, damage, speed, scale, count))

struct SpawnVelocity {
    float x = 0, y = 0;
    friend bool operator==(const SpawnVelocity&, const SpawnVelocity&) = default;
};
BOOST_DESCRIBE_STRUCT(SpawnVelocity, (), (x, y))

/// Agents of one request, and of all requests of one snapshot.
inline constexpr std::int32_t kSpawnQuantityMax = 1 << 20;
inline constexpr std::size_t kSpawnRequestsMax = 1 << 16;  ///< That wait or are under way.

// implements: SNAP-014, SNAP-015, SNAP-017
/// A batched spawn: `quantity` agents over `locations`, emitted in step 1 of `substeps` ticks, one
/// batch each (0: at once). Lockstep state until its last batch is out.
struct SpawnRequest {
    std::string template_key;
    std::vector<Vec3d> locations;
    std::int32_t quantity = 0;  ///< Agents in all, spread evenly over the locations (O-SNAP-19).
    std::int32_t team = 0;
    SpawnVelocity launch_velocity;
    InitialRotation initial_rotation = InitialRotation::kFacePlayer;
    Rotator custom_rotation;  ///< Used with kCustom.
    SpawnMultipliers multipliers;
    /// Traces and obstacle tests are host state: in lockstep they are refused with a warning and
    /// the location's own height is used (O-GEN-09). The numbers are opaque.
    std::uint8_t ground_trace_channel = 0;
    SpawnVelocity ground_trace_height_range{1000, -1000};
    std::vector<std::uint8_t> ground_object_types;
    std::vector<std::uint8_t> obstacle_object_types;
    float max_slope_cosine = 0;
    bool auto_activated = true;
    std::int32_t substeps = 0;
    bool first_tick_pending = false;  ///< Skip the next tick once.
    std::int32_t current_substep_index = 0;
    std::int32_t next_location_index = 0;
    std::vector<std::int32_t> accumulated_uids;  ///< Kept whole, the dead included (O-SNAP-20).
    /// Of the command that asked for it, stamped by request_spawn; for kFacePlayer.
    std::int32_t issuer_slot = -1;
    friend bool operator==(const SpawnRequest&, const SpawnRequest&) = default;
};
BOOST_DESCRIBE_STRUCT(SpawnRequest, (),
                      (template_key, locations, quantity, team, launch_velocity, initial_rotation,
                       custom_rotation, multipliers, ground_trace_channel,
                       ground_trace_height_range, ground_object_types, obstacle_object_types,
                       max_slope_cosine, auto_activated, substeps, first_tick_pending,
                       current_substep_index, next_location_index, accumulated_uids, issuer_slot))

/// How many agents stand at location `index` of `location_count` when `quantity` are spread evenly:
/// floor((i + 1) · q / n) − floor(i · q / n).
[[nodiscard]] constexpr std::int64_t agents_at(std::int64_t index, std::int64_t location_count,
                                               std::int64_t quantity) {
    return (index + 1) * quantity / location_count - index * quantity / location_count;
}
/// Locations that one batch serves: ceil(remaining / substeps left) (O-SNAP-19).
[[nodiscard]] constexpr std::int64_t batch_locations(std::int64_t remaining,
                                                     std::int64_t substeps_left) {
    return substeps_left <= 1 ? remaining : (remaining + substeps_left - 1) / substeps_left;
}

/// Which way an agent of the request looks that is put at `at`: a level unit vector. kFacePlayer
/// looks at `player`, the place of World::player_agent(issuer_slot), and without one the way of the
/// template, as kFaceForward does; kCustom looks along its yaw (SNAP-053).
[[nodiscard]] Vec2d spawn_facing(const SpawnRequest& request, Vec2d at, std::optional<Vec2d> player,
                                 Vec2d template_way);

}  // namespace maniple::sim
