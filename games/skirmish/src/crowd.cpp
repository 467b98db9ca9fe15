#include "crowd.h"

#include <cmath>

namespace maniple::skirmish {

void feel_crowd_reference(std::span<const Neighbours> runs, const CrowdQueries& queries,
                          Crowds& crowds) {
    crowds = {};
    for (std::size_t q = 0; q < kCrowdLanes; ++q) {
        for (const Neighbours& run : runs) {
            for (std::size_t i = 0; i < run.x.size(); ++i) {
                const float off_x = queries.x[q] - run.x[i];
                const float off_y = queries.y[q] - run.y[i];
                const float off_z = run.z.empty() ? 0 : queries.z[q] - run.z[i];
                const float square = off_x * off_x + off_y * off_y + off_z * off_z;
                if (square < kSamePlaceCm * kSamePlaceCm) ++crowds.same_place[q];
                if (square <= kTouchCm * kTouchCm && run.arrived_task[i] == queries.move_task[q]) {
                    crowds.touches_arrived[q] = -1;
                }
                const bool pushes =
                    square >= kSamePlaceCm * kSamePlaceCm && square < kApartCm * kApartCm;
                if (!pushes) continue;
                const float distance = std::sqrt(square);
                const float inverse = 1.0F / distance;
                const float share = (kApartCm - distance) * kPushShare * inverse;
                crowds.push_x[q] += off_x * share;
                crowds.push_y[q] += off_y * share;
                const float along = off_x * queries.heading_x[q] + off_y * queries.heading_y[q];
                const float ahead = -along * inverse;
                if (ahead > kAheadMin) crowds.in_the_way[q] += ahead;
            }
        }
    }
}

}  // namespace maniple::skirmish
