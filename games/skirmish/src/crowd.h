#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "flat.h"

namespace maniple::skirmish {

inline constexpr float kApartCm = 80.0F;     ///< Units closer than this push each other away.
inline constexpr float kTouchCm = 100.0F;    ///< A unit that touches one that arrived has arrived.
inline constexpr float kSamePlaceCm = 1.0F;  ///< Nearer than this there is no direction to push.
inline constexpr float kPushShare = 0.25F;   ///< Of the overlap, a tick.
inline constexpr float kAheadMin = 0.5F;     ///< Cosine from which on a neighbour is in the way.

/// Sums run over this many lanes, candidate i in lane i modulo kCrowdLanes, whatever the machine's
/// vectors hold: the bits of a sum never depend on the processor.
inline constexpr std::size_t kCrowdLanes = 8;

/// The units around one cell as they stood before the tick, padded to whole rows of lanes.
struct Neighbours {
    std::vector<float> x, y;
    std::vector<std::int32_t> arrived_task;  ///< Of MoveTo, at whose goal it stands; 0 = none.
    std::size_t count = 0;

    void clear() { count = 0; }
    /// Appends `added` units given as columns, of which kCrowdLanes more rows can be read.
    void add(const float* xs, const float* ys, const std::int32_t* tasks, std::size_t added);
    /// Fills the last row with units that are near nobody.
    void pad();
};

/// What a unit asks of its neighbourhood. `move_task` −1 asks for no task.
struct CrowdQuery {
    float x = 0, y = 0;
    Flat heading;
    std::int32_t move_task = -1;
};

/// What the neighbourhood does to a unit.
struct Crowd {
    Flat push;
    float in_the_way = 0;
    std::int32_t same_place = 0;  ///< Units within kSamePlaceCm, itself among them.
    bool touches_arrived = false;
};

/// Answers every query against the same padded neighbours. Both give the same bits: the first is
/// the reference, the second takes the widest vectors of the machine.
void feel_crowd_reference(const Neighbours& neighbours, std::span<const CrowdQuery> queries,
                          std::span<Crowd> crowds);
void feel_crowd(const Neighbours& neighbours, std::span<const CrowdQuery> queries,
                std::span<Crowd> crowds);

/// The fixed order in which lanes are summed.
[[nodiscard]] inline float sum_of_lanes(const std::array<float, kCrowdLanes>& lane) {
    return ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
           ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

}  // namespace maniple::skirmish
