#include "box_sweep.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace maniple::terrain {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Axes = std::array<double, 3>;

Axes axes_of(const Vec3d& v) { return {v.x, v.y, v.z}; }

/// The stretch of the way on which all conditions so far hold.
struct Stretch {
    double enter = -kInfinity;
    double leave = kInfinity;

    [[nodiscard]] bool empty() const { return enter > leave; }
    void cut(double t0, double t1) {
        enter = std::max(enter, t0);
        leave = std::min(leave, t1);
    }
    void clear() { leave = -kInfinity; }

    /// low ≤ from + t·way ≤ high.
    void cut_slab(double from, double way, double low, double high) {
        if (way != 0) {
            const double a = (low - from) / way;
            const double b = (high - from) / way;
            cut(std::min(a, b), std::max(a, b));
        } else if (from < low || from > high) {
            clear();
        }
    }
    /// Σ (from + t·way)² ≤ radius² over the given dimensions, `from` relative to the centre.
    void cut_round(double from_squared, double from_way, double way_squared, double radius) {
        const double outside = from_squared - radius * radius;
        if (way_squared == 0) {
            if (outside > 0) clear();
            return;
        }
        const double root = from_way * from_way - way_squared * outside;
        if (root < 0) {
            clear();
            return;
        }
        const double half = std::sqrt(root);
        cut((-from_way - half) / way_squared, (-from_way + half) / way_squared);
    }
};

class BallSweep {
  public:
    BallSweep(const Vec3d& from, const Vec3d& way, double radius, const Box& box)
        : from_(axes_of(from)),
          way_(axes_of(way)),
          low_(axes_of(box.low)),
          high_(axes_of(box.high)),
          radius_(radius) {}

    std::optional<double> run() {
        for (std::size_t grown = 0; grown < 3; ++grown) meet_grown_box(grown);
        if (radius_ > 0) {
            for (std::size_t axis = 0; axis < 3; ++axis) meet_edges(axis);
            for (unsigned corner = 0; corner < 8; ++corner) meet_corner(corner);
        }
        if (first_ == kInfinity) return std::nullopt;
        return first_;
    }

  private:
    void take(const Stretch& stretch) {
        if (stretch.empty() || stretch.enter > 1 || stretch.leave < 0) return;
        first_ = std::min(first_, std::max(stretch.enter, 0.0));
    }

    void meet_grown_box(std::size_t grown) {
        Stretch stretch;
        for (std::size_t a = 0; a < 3; ++a) {
            const double more = a == grown ? radius_ : 0;
            stretch.cut_slab(from_[a], way_[a], low_[a] - more, high_[a] + more);
        }
        take(stretch);
    }

    /// The four cylinders along `axis`.
    void meet_edges(std::size_t axis) {
        const std::size_t b = (axis + 1) % 3;
        const std::size_t c = (axis + 2) % 3;
        for (const double at_b : {low_[b], high_[b]}) {
            for (const double at_c : {low_[c], high_[c]}) {
                if (!std::isfinite(at_b) || !std::isfinite(at_c)) continue;
                const double fb = from_[b] - at_b;
                const double fc = from_[c] - at_c;
                Stretch stretch;
                stretch.cut_slab(from_[axis], way_[axis], low_[axis], high_[axis]);
                stretch.cut_round(fb * fb + fc * fc, fb * way_[b] + fc * way_[c],
                                  way_[b] * way_[b] + way_[c] * way_[c], radius_);
                take(stretch);
            }
        }
    }

    void meet_corner(unsigned corner) {
        double from_squared = 0, from_way = 0, way_squared = 0;
        for (std::size_t a = 0; a < 3; ++a) {
            const double at = (corner >> a & 1U) != 0 ? high_[a] : low_[a];
            if (!std::isfinite(at)) return;
            from_squared += (from_[a] - at) * (from_[a] - at);
            from_way += (from_[a] - at) * way_[a];
            way_squared += way_[a] * way_[a];
        }
        Stretch stretch;
        stretch.cut_round(from_squared, from_way, way_squared, radius_);
        take(stretch);
    }

    Axes from_, way_, low_, high_;
    double radius_;
    double first_ = kInfinity;
};

}  // namespace

std::optional<double> sweep_ball_to_box(const Vec3d& from, const Vec3d& way, double radius,
                                        const Box& box) {
    if (way == Vec3d{} && radius > 0) {
        const Vec3d away = from - nearest_in_box(from, box);
        const double squared = away.x * away.x + away.y * away.y + away.z * away.z;
        return squared <= radius * radius ? std::optional(0.0) : std::nullopt;
    }
    return BallSweep(from, way, radius, box).run();
}

Vec3d nearest_in_box(const Vec3d& point, const Box& box) {
    return {std::clamp(point.x, box.low.x, box.high.x), std::clamp(point.y, box.low.y, box.high.y),
            std::clamp(point.z, box.low.z, box.high.z)};
}

}  // namespace maniple::terrain
