#include "crowd.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace maniple::skirmish {
namespace {

constexpr float kFarAway = 1e18F;
using Lanes = std::array<float, kCrowdLanes>;

}  // namespace

void Neighbours::add(const float* xs, const float* ys, const std::int32_t* tasks,
                     std::size_t added) {
    const std::size_t room = count + added + kCrowdLanes;
    if (x.size() < room) {
        x.resize(2 * room);
        y.resize(2 * room);
        arrived_task.resize(2 * room);
    }
    // Whole rows of lanes: what is copied too much the next call or pad() writes over.
    for (std::size_t i = 0; i < added; i += kCrowdLanes) {
        std::memcpy(x.data() + count + i, xs + i, kCrowdLanes * sizeof(float));
        std::memcpy(y.data() + count + i, ys + i, kCrowdLanes * sizeof(float));
        std::memcpy(arrived_task.data() + count + i, tasks + i, kCrowdLanes * sizeof(std::int32_t));
    }
    count += added;
}

void Neighbours::pad() {
    while (count % kCrowdLanes != 0) {
        x[count] = kFarAway;
        y[count] = kFarAway;
        arrived_task[count] = 0;
        ++count;
    }
}

void feel_crowd_reference(const Neighbours& neighbours, std::span<const CrowdQuery> queries,
                          std::span<Crowd> crowds) {
    for (std::size_t q = 0; q < queries.size(); ++q) {
        const CrowdQuery& query = queries[q];
        Lanes push_x{};
        Lanes push_y{};
        Lanes in_the_way{};
        Crowd crowd;
        for (std::size_t i = 0; i < neighbours.count; ++i) {
            const std::size_t lane = i % kCrowdLanes;
            const float off_x = query.x - neighbours.x[i];
            const float off_y = query.y - neighbours.y[i];
            const float square = off_x * off_x + off_y * off_y;
            if (square < kSamePlaceCm * kSamePlaceCm) ++crowd.same_place;
            if (square <= kTouchCm * kTouchCm && neighbours.arrived_task[i] == query.move_task) {
                crowd.touches_arrived = true;
            }
            const bool pushes =
                square >= kSamePlaceCm * kSamePlaceCm && square < kApartCm * kApartCm;
            if (!pushes) continue;
            const float distance = std::sqrt(square);
            const float share = kPushShare * (kApartCm - distance) / distance;
            push_x[lane] += off_x * share;
            push_y[lane] += off_y * share;
            const float ahead = -(off_x * query.heading.x + off_y * query.heading.y) / distance;
            if (ahead > kAheadMin) in_the_way[lane] += ahead;
        }
        crowd.push = {sum_of_lanes(push_x), sum_of_lanes(push_y)};
        crowd.in_the_way = sum_of_lanes(in_the_way);
        crowds[q] = crowd;
    }
}

}  // namespace maniple::skirmish
