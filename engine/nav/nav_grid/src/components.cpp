#include <algorithm>
#include <array>

#include "maniple/nav/solver.h"

#include "dial_flood.h"

namespace maniple::nav {
namespace {

/// Union-find over provisional labels; the root of a set is its lowest label.
class LabelSets {
  public:
    std::uint32_t make() {
        parent_.push_back(static_cast<std::uint32_t>(parent_.size()));
        return parent_.back();
    }
    std::uint32_t find(std::uint32_t label) {
        while (parent_[label] != label) {
            parent_[label] = parent_[parent_[label]];
            label = parent_[label];
        }
        return label;
    }
    std::uint32_t unite(std::uint32_t a, std::uint32_t b) {
        a = find(a);
        b = find(b);
        parent_[std::max(a, b)] = std::min(a, b);
        return std::min(a, b);
    }
    /// Replaces every label's parent by the number of its set, counted by lowest label.
    std::uint32_t number_sets() {
        std::uint32_t count = 0;
        for (std::uint32_t label = 0; label < parent_.size(); ++label) {
            const std::uint32_t parent = parent_[label];
            parent_[label] = parent == label ? count++ : parent_[parent];
        }
        return count;
    }
    [[nodiscard]] std::uint32_t number(std::uint32_t label) const { return parent_[label]; }

  private:
    std::vector<std::uint32_t> parent_;
};

}  // namespace

std::uint32_t Components::largest() const {
    const auto most = std::max_element(cell_count.begin(), cell_count.end());
    return most == cell_count.end()
               ? kNone
               : static_cast<std::uint32_t>(std::distance(cell_count.begin(), most));
}

Components label_components(const GridSubstrate& substrate, const FieldConfig& config,
                            const MoveMap& moves) {
    // Neighbours with a lower index: S, W, SW and NW.
    const std::uint32_t earlier = flood_neighbours(config) & 0b0110'1100U;
    const NeighbourOffsets offsets(substrate.geometry.y_num());
    const std::size_t cells = substrate.geometry.cell_count();
    Components result;
    result.label.resize(cells);
    LabelSets sets;
    for (CellIndex cell = 0; cell < cells; ++cell) {
        std::uint32_t& label = result.label[cell];
        label = Components::kNone;
        if (static_cast<CellType>(substrate.type[cell]) != CellType::kGround ||
            substrate.cost[cell] == kImpassableCost) {
            continue;
        }
        for (std::uint32_t left = moves[cell] & earlier; left != 0; left &= left - 1) {
            const auto n = static_cast<std::size_t>(std::countr_zero(left));
            const std::uint32_t other = result.label[cell + offsets[n]];
            if (other == label || other == Components::kNone) continue;
            label = label == Components::kNone ? other : sets.unite(label, other);
        }
        if (label == Components::kNone) label = sets.make();
    }
    result.cell_count.assign(sets.number_sets(), 0);
    for (std::uint32_t& label : result.label) {
        if (label == Components::kNone) continue;
        label = sets.number(label);
        ++result.cell_count[label];
    }
    return result;
}

Components label_components(const GridSubstrate& substrate, const FieldConfig& config) {
    MoveMap moves;
    moves.build(substrate, config);
    return label_components(substrate, config, moves);
}

}  // namespace maniple::nav
