#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "flat.h"

namespace maniple::skirmish {

inline constexpr float kApartCm = 80.0F;     ///< Units closer than this push each other away.
inline constexpr float kTouchCm = 100.0F;    ///< A unit that touches one that arrived has arrived.
inline constexpr float kSamePlaceCm = 1.0F;  ///< Nearer than this there is no direction to push.
inline constexpr float kPushShare = 0.25F;   ///< Of the overlap, a tick.
inline constexpr float kAheadMin = 0.5F;     ///< Cosine from which on a neighbour is in the way.

/// So many units ask together.
inline constexpr std::size_t kCrowdLanes = 8;
template <typename T>
using CrowdColumn = std::array<T, kCrowdLanes>;

/// What units ask of their neighbourhood.
struct CrowdQueries {
    alignas(32) CrowdColumn<float> x{}, y{}, z{};
    alignas(32) CrowdColumn<float> heading_x{}, heading_y{};
    alignas(32) CrowdColumn<std::int32_t> move_task{};  ///< −1 asks for no task.
};

/// What the neighbourhood does to them.
struct Crowds {
    alignas(32) CrowdColumn<float> push_x, push_y;
    alignas(32) CrowdColumn<float> in_the_way;
    alignas(32) CrowdColumn<std::int32_t> same_place;  ///< Within kSamePlaceCm, itself among them.
    alignas(32) CrowdColumn<std::int32_t> touches_arrived;  ///< Not 0 = true.
};

/// A run of units as they stood before the tick.
struct Neighbours {
    std::span<const float> x, y;
    std::span<const float> z;                    ///< Empty where all are at one height.
    std::span<const std::int32_t> arrived_task;  ///< Of MoveTo, at whose goal it stands; 0 = none.
};

/// Answers the queries by all runs in their order. Sums take the neighbours one by one, so units
/// out of reach change no bit of them: it does not matter who else is in a run or asks together,
/// nor how wide the machine's vectors are. Both give the same bits: the first is the reference, the
/// second takes the vectors of the machine.
void feel_crowd_reference(std::span<const Neighbours> runs, const CrowdQueries& queries,
                          Crowds& crowds);
void feel_crowd(std::span<const Neighbours> runs, const CrowdQueries& queries, Crowds& crowds);

}  // namespace maniple::skirmish
