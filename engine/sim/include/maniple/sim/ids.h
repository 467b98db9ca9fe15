#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>

namespace maniple::sim {

/// Stable identity of a networked entity: minted in ascending order, never reused (UID-001).
struct Uid {
    std::int32_t value = -1;
    [[nodiscard]] constexpr bool valid() const { return value >= 0; }
    friend constexpr auto operator<=>(const Uid&, const Uid&) = default;
};
inline constexpr Uid kNoUid{-1};

/// A simulation tick. 0 is the state before the first tick; the first executed tick is 1.
using Tick = std::int32_t;

/// Where an entity lives right now; good until the next structural change.
struct EntityRow {
    std::size_t group = 0;
    std::size_t row = 0;
};

/// Position of a fragment in its registry, and of a template in registration order.
struct FragmentId {
    std::uint16_t index = 0;
    friend constexpr auto operator<=>(const FragmentId&, const FragmentId&) = default;
};

/// Identity of one task among its kind; ids start at 1 (SNAP-033).
using TaskId = std::int32_t;
enum class TaskKind : std::uint8_t { kMoveTo = 0, kChaseAttack = 1, kOther = 2 };

// implements: SNAP-010, O-SNAP-05
/// The authoritative main category of an entity.
enum class EntityType : std::uint8_t { kAgent = 0, kObstacle = 1, kProjectile = 2, kOther = 3 };

/// Life-cycle tags, the bits of TagDelta (SNAP-011).
enum : std::uint16_t { kTagAppearing = 1U << 0, kTagDying = 1U << 1, kTagDestroying = 1U << 2 };
inline constexpr std::uint16_t kTagMask = kTagAppearing | kTagDying | kTagDestroying;

}  // namespace maniple::sim
