#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "maniple/nav/grid_types.h"

namespace maniple::nav {

/// The distances of a solved field, 2 bytes a cell where the limit fits in 16 bits, else 4
/// (O-GRID-02). The limit is the value of an unreached cell.
class DistanceField {
  public:
    static constexpr std::uint32_t kNarrowLimitMax = 65'535;

    /// Room for `cells` distances under a limit, their values open.
    void resize(std::size_t cells, std::uint32_t limit) {
        limit_ = limit;
        narrow_.resize(is_narrow() ? cells : 0);
        wide_.resize(is_narrow() ? 0 : cells);
    }
    void fill_unreached() {
        std::fill(narrow_.begin(), narrow_.end(), static_cast<std::uint16_t>(limit_));
        std::fill(wide_.begin(), wide_.end(), limit_);
    }
    [[nodiscard]] bool is_narrow() const { return limit_ <= kNarrowLimitMax; }
    [[nodiscard]] std::uint32_t limit() const { return limit_; }
    [[nodiscard]] std::size_t size() const { return is_narrow() ? narrow_.size() : wide_.size(); }
    [[nodiscard]] std::uint32_t operator[](CellIndex cell) const {
        return is_narrow() ? narrow_[cell] : wide_[cell];
    }
    /// The stored column; Dist is std::uint16_t exactly when is_narrow().
    template <class Dist>
    [[nodiscard]] Dist* column() {
        if constexpr (std::is_same_v<Dist, std::uint16_t>) {
            return narrow_.data();
        } else {
            return wide_.data();
        }
    }
    template <class Dist>
    [[nodiscard]] const Dist* column() const {
        return const_cast<DistanceField*>(this)->column<Dist>();
    }
    friend bool operator==(const DistanceField&, const DistanceField&) = default;

  private:
    std::uint32_t limit_ = kNarrowLimitMax;
    std::vector<std::uint16_t> narrow_;
    std::vector<std::uint32_t> wide_;
};

}  // namespace maniple::nav
