#include "locate_kernel.h"

#if defined(MANIPLE_NAV_SIMD)

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "locate_kernel.cpp"
#include "hwy/foreach_target.h"
// After foreach_target.h, which compiles this file once for each target.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace maniple::nav::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
std::size_t locate(const GridFrame&, const double*, const double*, std::size_t, CellIndex*) {
    return 0;
}
#else

/// The operations of world_to_grid() in their order; the index is exact in a double.
std::size_t locate(const GridFrame& frame, const double* xs, const double* ys, std::size_t count,
                   CellIndex* cells) {
    const hn::CappedTag<double, 8> d;
    const hn::Rebind<std::int32_t, decltype(d)> di;
    const std::size_t lanes = hn::Lanes(d);
    const auto set = [&](double value) { return hn::Set(d, value); };
    const auto zero = hn::Zero(d);
    std::size_t i = 0;
    for (; i + lanes <= count; i += lanes) {
        const auto px = hn::Sub(hn::LoadU(d, xs + i), set(frame.origin_x));
        const auto py = hn::Sub(hn::LoadU(d, ys + i), set(frame.origin_y));
        const auto along_x =
            hn::Add(hn::Mul(px, set(frame.cos_yaw)), hn::Mul(py, set(frame.sin_yaw)));
        const auto along_y =
            hn::Add(hn::Mul(hn::Neg(px), set(frame.sin_yaw)), hn::Mul(py, set(frame.cos_yaw)));
        const auto grid_x = hn::Add(hn::Div(along_x, set(frame.cell_cm)), set(frame.middle_x));
        const auto grid_y = hn::Add(hn::Div(along_y, set(frame.cell_cm)), set(frame.middle_y));
        const auto rx = hn::Floor(hn::Add(grid_x, set(0.5)));
        const auto ry = hn::Floor(hn::Add(grid_y, set(0.5)));
        const auto inside_x = hn::And(hn::Ge(rx, zero), hn::Le(rx, set(frame.x_last)));
        const auto inside_y = hn::And(hn::Ge(ry, zero), hn::Le(ry, set(frame.y_last)));
        const auto index = hn::Add(hn::Mul(rx, set(frame.y_last + 1)), ry);
        const auto cell = hn::IfThenElse(hn::And(inside_x, inside_y), index, set(-1));
        hn::StoreU(hn::DemoteTo(di, cell), di, reinterpret_cast<std::int32_t*>(cells + i));
    }
    return i;
}
#endif

}  // namespace maniple::nav::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace maniple::nav {

HWY_EXPORT(locate);

std::size_t locate_simd(const GridFrame& frame, const double* xs, const double* ys,
                        std::size_t count, CellIndex* cells) {
    return HWY_DYNAMIC_DISPATCH(locate)(frame, xs, ys, count, cells);
}

}  // namespace maniple::nav
#endif

#else

namespace maniple::nav {

std::size_t locate_simd(const GridFrame&, const double*, const double*, std::size_t, CellIndex*) {
    return 0;
}

}  // namespace maniple::nav
#endif
