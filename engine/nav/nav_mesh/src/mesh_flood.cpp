#include <algorithm>
#include <array>

#include "maniple/nav/mesh_solver.h"

#include "mesh_scratch.h"

// With Highway once for each target.
#if defined(MANIPLE_NAV_SIMD)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "mesh_flood.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace maniple::nav::HWY_NAMESPACE {
#else
namespace maniple::nav::plain {
#endif

constexpr std::size_t kLanes = std::tuple_size_v<decltype(MeshSteps::Row::from)>;

/// Where the next polygons of both lists are written.
struct ListEnds {
    PolygonIndex* near;
    PolygonIndex* far;
};

#if defined(MANIPLE_NAV_SIMD) && HWY_TARGET <= HWY_AVX2
namespace hn = hwy::HWY_NAMESPACE;

/// Makes the ways of a row as short as those over a polygon at distance `here`. The polygons whose
/// ways became shorter go to the lists: below `window_end` to the near ones.
HWY_INLINE void relax(const MeshSteps::Row& row, std::uint32_t here, std::uint32_t window_end,
                      std::uint32_t* dist, ListEnds& ends) {
    const hn::CappedTag<std::uint32_t, kLanes> d;
    const hn::RebindToSigned<decltype(d)> di;
    const auto from = hn::Load(d, row.from.data());
    const auto known = hn::GatherIndex(d, dist, hn::BitCast(di, from));
    const auto step = hn::Min(hn::Load(d, row.weight.data()), hn::Set(d, kUncovered - here));
    const auto over = hn::Add(hn::Set(d, here), step);
    alignas(32) std::array<std::uint32_t, kLanes> shortest;
    hn::Store(hn::Min(over, known), d, shortest.data());
    for (std::size_t i = 0; i < kLanes; ++i) dist[row.from[i]] = shortest[i];
    const auto shorter = hn::Lt(over, known);
    const auto is_near = hn::Lt(over, hn::Set(d, window_end));
    ends.near += hn::CompressStore(from, hn::And(shorter, is_near), d, ends.near);
    ends.far += hn::CompressStore(from, hn::AndNot(is_near, shorter), d, ends.far);
}
#else
inline void relax(const MeshSteps::Row& row, std::uint32_t here, std::uint32_t window_end,
                  std::uint32_t* dist, ListEnds& ends) {
    for (std::size_t i = 0; i < kLanes; ++i) {
        const std::uint32_t over = here + std::min(row.weight[i], kUncovered - here);
        std::uint32_t& known = dist[row.from[i]];
        const bool shorter = over < known;
        const bool is_near = over < window_end;
        known = std::min(known, over);
        *ends.near = row.from[i];
        *ends.far = row.from[i];
        ends.near += shorter & is_near;
        ends.far += shorter & !is_near;
    }
}
#endif

/// Label-correcting, one window of distances after the other: a window is worked off, first in
/// first out, until nothing in it is new. The distances are those of any other order. No branch
/// asks whether a way is shorter, or how many there are, which nothing foretells.
class Flood {
  public:
    Flood(const MeshWeights& weights, MeshScratch::Parts& parts, std::vector<std::uint32_t>& dist)
        : weights_(weights),
          near_(parts.near),
          far_(parts.far),
          dist_(dist),
          end_(weights.window) {}

    void run(std::span<const MeshGoal> goals) {
        make_room(goals.size());
        for (const MeshGoal& goal : goals) {
            if (dist_[goal.polygon] == 0) continue;
            dist_[goal.polygon] = 0;
            near_[near_count_++] = goal.polygon;
        }
        while (near_count_ > 0) {
            for (std::size_t i = 0; i < near_count_; ++i) follow(near_[i]);
            near_count_ = 0;
            if (far_count_ > 0) move_window();
        }
    }

  private:
    /// In both lists for `count` more and for a vector behind them.
    void make_room(std::size_t count) {
        const std::size_t room = std::max(near_count_, far_count_) + count + kLanes;
        if (near_.size() < room) near_.resize(2 * room);
        if (far_.size() < room) far_.resize(2 * room);
    }

    void follow(PolygonIndex polygon) {
        const std::span<const MeshSteps::Row> rows = weights_.steps.into(polygon);
        make_room(rows.size() * kLanes);
        ListEnds ends{near_.data() + near_count_, far_.data() + far_count_};
        const auto window_end =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(end_, kUncovered));
        for (const MeshSteps::Row& row : rows) {
            relax(row, dist_[polygon], window_end, dist_.data(), ends);
        }
        near_count_ = static_cast<std::size_t>(ends.near - near_.data());
        far_count_ = static_cast<std::size_t>(ends.far - far_.data());
    }

    /// To the nearest of the far polygons. Those that the last window reached meanwhile are done.
    void move_window() {
        const std::uint64_t begin = end_;
        std::uint64_t nearest = kUncovered;
        for (std::size_t i = 0; i < far_count_; ++i) {
            const std::uint32_t dist = dist_[far_[i]];
            if (dist >= begin) nearest = std::min<std::uint64_t>(nearest, dist);
        }
        end_ = nearest + weights_.window;
        make_room(0);
        std::size_t kept = 0;
        for (std::size_t i = 0; i < far_count_; ++i) {
            const PolygonIndex polygon = far_[i];
            const std::uint32_t dist = dist_[polygon];
            const bool waits = dist >= begin;
            const bool is_near = dist < end_;
            near_[near_count_] = polygon;
            far_[kept] = polygon;
            near_count_ += waits & is_near;
            kept += waits & !is_near;
        }
        far_count_ = kept;
    }

    const MeshWeights& weights_;
    std::vector<PolygonIndex>& near_;
    std::vector<PolygonIndex>& far_;
    std::vector<std::uint32_t>& dist_;
    std::size_t near_count_ = 0;
    std::size_t far_count_ = 0;
    std::uint64_t end_;  ///< Of the window: distances below it are near.
};

void flood(const MeshWeights& weights, std::span<const MeshGoal> goals, MeshScratch::Parts& parts,
           std::vector<std::uint32_t>& dist) {
    Flood(weights, parts, dist).run(goals);
}

#if defined(MANIPLE_NAV_SIMD)
}  // namespace maniple::nav::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#else
}  // namespace maniple::nav::plain
#endif

#if !defined(MANIPLE_NAV_SIMD) || HWY_ONCE
namespace maniple::nav {

#if defined(MANIPLE_NAV_SIMD)
HWY_EXPORT(flood);
#endif

// implements: NAVM-011, NAVM-013, O-NAVM-18, O-NAVM-20
void flood_mesh(const MeshWeights& weights, std::span<const MeshGoal> goals, MeshScratch& scratch,
                std::vector<std::uint32_t>& dist) {
    dist.assign(weights.steps.polygons(), kUncovered);
#if defined(MANIPLE_NAV_SIMD)
    HWY_DYNAMIC_DISPATCH(flood)(weights, goals, scratch.parts(), dist);
#else
    plain::flood(weights, goals, scratch.parts(), dist);
#endif
}

}  // namespace maniple::nav
#endif
