#include "surface_grid.h"

#include <array>

namespace maniple::terrain {
namespace {

constexpr std::uint32_t kUnlabelled = 0;

/// Labels the component of `seed` and gives its size.
std::size_t label_component(const SurfaceGrid& grid, std::vector<std::uint32_t>& labels,
                            std::size_t seed, std::uint32_t label,
                            std::vector<std::size_t>& frontier) {
    const auto height = static_cast<std::size_t>(grid.height());
    const std::size_t count = grid.cells().size();
    std::size_t size = 0;
    const auto visit = [&](std::size_t cell) {
        if (grid.cells()[cell] == Surface::kObstacle || labels[cell] != kUnlabelled) return;
        labels[cell] = label;
        frontier.push_back(cell);
        ++size;
    };
    visit(seed);
    while (!frontier.empty()) {
        const std::size_t cell = frontier.back();
        frontier.pop_back();
        if (cell >= height) visit(cell - height);
        if (cell + height < count) visit(cell + height);
        if (cell % height != 0) visit(cell - 1);
        if (cell % height != height - 1) visit(cell + 1);
    }
    return size;
}

}  // namespace

void keep_largest_component(SurfaceGrid& grid) {
    std::vector<std::uint32_t> labels(grid.cells().size(), kUnlabelled);
    std::vector<std::size_t> frontier;
    std::uint32_t label = kUnlabelled;
    std::uint32_t largest = kUnlabelled;
    std::size_t largest_size = 0;
    for (std::size_t cell = 0; cell < labels.size(); ++cell) {
        if (labels[cell] != kUnlabelled || grid.cells()[cell] == Surface::kObstacle) continue;
        const std::size_t size = label_component(grid, labels, cell, ++label, frontier);
        if (size > largest_size) {
            largest_size = size;
            largest = label;
        }
    }
    for (std::size_t cell = 0; cell < labels.size(); ++cell) {
        if (labels[cell] != largest) grid.cells()[cell] = Surface::kObstacle;
    }
}

}  // namespace maniple::terrain
