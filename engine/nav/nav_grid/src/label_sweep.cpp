#include "label_sweep.h"

#include <array>

#include "flood_rules.h"

#if defined(MANIPLE_NAV_SIMD)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "label_sweep.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace maniple::nav::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
bool sweep_labels(const LabelTask&) { return false; }
#else

using Labels = hn::FixedTag<std::uint16_t, 8>;
using Vector = hn::Vec<Labels>;
constexpr std::ptrdiff_t kLanes = 8;

constexpr std::uint16_t code_of(std::int32_t x, std::int32_t y) {
    for (std::uint16_t n = 0; n < 8; ++n) {
        if (kNeighbours[n].x == x && kNeighbours[n].y == y) return n;
    }
    return kNoDirection;
}

class LabelSweep {
  public:
    explicit LabelSweep(const LabelTask& task) : task_(task) {
        const NeighbourOffsets offsets(static_cast<std::int32_t>(task.y_num));
        for (std::size_t n = 0; n < 8; ++n) step_[n] = offsets.difference(n);
    }

    void run() {
        for (std::ptrdiff_t x = 0; x < task_.x_num; ++x) {
            if (x > 0) take_from_line<-1>(x);
            pass_up(x);
            pass_down(x);
        }
        for (std::ptrdiff_t x = task_.x_num; x-- > 0;) {
            if (x + 1 < task_.x_num) take_from_line<1>(x);
            pass_up(x);
            pass_down(x);
            task_.winds[x] = has_unlabelled(x) ? 1 : 0;
        }
    }

  private:
    void take(std::ptrdiff_t cell) {
        task_.goal[cell] = task_.goal[cell + step_[task_.predecessor[cell]]];
    }
    HWY_INLINE Vector codes(std::ptrdiff_t cell) const {
        const hn::FixedTag<std::uint8_t, 8> bytes;
        return hn::PromoteTo(d_, hn::LoadU(bytes, task_.predecessor + cell));
    }
    /// Calls visit(first cell) for the vectors of line x but its first and last cell, in ascending
    /// order; the last vector overlaps the one before it.
    template <class Visit>
    HWY_INLINE void for_vectors(std::ptrdiff_t x, const Visit& visit) const {
        const std::ptrdiff_t begin = x * task_.y_num + 1;
        const std::ptrdiff_t last = begin + task_.y_num - 2 - kLanes;
        for (std::ptrdiff_t cell = begin; cell < last; cell += kLanes) visit(cell);
        visit(last);
    }
    /// In descending order.
    template <class Visit>
    HWY_INLINE void for_vectors_down(std::ptrdiff_t x, const Visit& visit) const {
        const std::ptrdiff_t begin = x * task_.y_num + 1;
        for (std::ptrdiff_t cell = begin + task_.y_num - 2 - kLanes; cell > begin; cell -= kLanes) {
            visit(cell);
        }
        visit(begin);
    }

    /// The labels of cells whose predecessors are in line x + dx.
    template <std::int32_t dx>
    void take_from_line(std::ptrdiff_t x) {
        for_vectors(x, [&](std::ptrdiff_t cell) {
            const std::uint16_t* line = task_.goal + cell + dx * task_.y_num;
            const Vector code = codes(cell);
            Vector label = hn::LoadU(d_, task_.goal + cell);
            const auto take_where = [&](std::uint16_t n, const std::uint16_t* from) HWY_ATTR {
                label = hn::IfThenElse(hn::Eq(code, hn::Set(d_, n)), hn::LoadU(d_, from), label);
            };
            take_where(code_of(dx, -1), line - 1);
            take_where(code_of(dx, 0), line);
            take_where(code_of(dx, 1), line + 1);
            hn::StoreU(label, d_, task_.goal + cell);
        });
    }
    /// Hands labels on within line x to cells whose predecessor is the one before: each takes that
    /// of the nearest cell before it which does not pass on, found in steps of 1, 2 and 4 cells.
    void pass_up(std::ptrdiff_t x) {
        take(x * task_.y_num);
        for_vectors(x, [&](std::ptrdiff_t cell) HWY_ATTR {
            const auto passes = hn::Eq(codes(cell), hn::Set(d_, code_of(0, -1)));
            if (hn::AllFalse(d_, passes)) return;
            Vector known = hn::VecFromMask(d_, hn::Not(passes));
            Vector label = hn::And(known, hn::LoadU(d_, task_.goal + cell));
            label = hn::Or(label, hn::AndNot(known, hn::ShiftLeftLanes<1>(d_, label)));
            known = hn::Or(known, hn::ShiftLeftLanes<1>(d_, known));
            label = hn::Or(label, hn::AndNot(known, hn::ShiftLeftLanes<2>(d_, label)));
            known = hn::Or(known, hn::ShiftLeftLanes<2>(d_, known));
            label = hn::Or(label, hn::AndNot(known, hn::ShiftLeftLanes<4>(d_, label)));
            known = hn::Or(known, hn::ShiftLeftLanes<4>(d_, known));
            const Vector before = hn::Set(d_, task_.goal[cell - 1]);
            hn::StoreU(hn::Or(label, hn::AndNot(known, before)), d_, task_.goal + cell);
        });
        take((x + 1) * task_.y_num - 1);
    }
    /// The same from the cell behind.
    void pass_down(std::ptrdiff_t x) {
        take((x + 1) * task_.y_num - 1);
        for_vectors_down(x, [&](std::ptrdiff_t cell) HWY_ATTR {
            const auto passes = hn::Eq(codes(cell), hn::Set(d_, code_of(0, 1)));
            if (hn::AllFalse(d_, passes)) return;
            Vector known = hn::VecFromMask(d_, hn::Not(passes));
            Vector label = hn::And(known, hn::LoadU(d_, task_.goal + cell));
            label = hn::Or(label, hn::AndNot(known, hn::ShiftRightLanes<1>(d_, label)));
            known = hn::Or(known, hn::ShiftRightLanes<1>(d_, known));
            label = hn::Or(label, hn::AndNot(known, hn::ShiftRightLanes<2>(d_, label)));
            known = hn::Or(known, hn::ShiftRightLanes<2>(d_, known));
            label = hn::Or(label, hn::AndNot(known, hn::ShiftRightLanes<4>(d_, label)));
            known = hn::Or(known, hn::ShiftRightLanes<4>(d_, known));
            const Vector behind = hn::Set(d_, task_.goal[cell + kLanes]);
            hn::StoreU(hn::Or(label, hn::AndNot(known, behind)), d_, task_.goal + cell);
        });
        take(x * task_.y_num);
    }
    bool has_unlabelled(std::ptrdiff_t x) const {
        const auto is_unlabelled = [&](std::ptrdiff_t cell) {
            return task_.goal[cell] == 0xFFFF && task_.predecessor[cell] < 8;
        };
        Vector found = hn::Zero(d_);
        for_vectors(x, [&](std::ptrdiff_t cell) HWY_ATTR {
            const auto none = hn::Eq(hn::LoadU(d_, task_.goal + cell), hn::Set(d_, 0xFFFF));
            const auto leads = hn::Lt(codes(cell), hn::Set(d_, 8));
            found = hn::Or(found, hn::VecFromMask(d_, hn::And(none, leads)));
        });
        return !hn::AllFalse(d_, hn::Ne(found, hn::Zero(d_))) || is_unlabelled(x * task_.y_num) ||
               is_unlabelled((x + 1) * task_.y_num - 1);
    }

    const LabelTask& task_;
    Labels d_;
    std::array<std::ptrdiff_t, kNoDirection + 1> step_{};  ///< 0 without a direction.
};

bool sweep_labels(const LabelTask& task) {
    if (task.y_num < kLanes + 2) return false;
    LabelSweep(task).run();
    return true;
}
#endif

}  // namespace maniple::nav::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace maniple::nav {

HWY_EXPORT(sweep_labels);

bool sweep_labels_simd(const LabelTask& task) { return HWY_DYNAMIC_DISPATCH(sweep_labels)(task); }

}  // namespace maniple::nav
#endif

#else

namespace maniple::nav {

bool sweep_labels_simd(const LabelTask&) { return false; }

}  // namespace maniple::nav
#endif
