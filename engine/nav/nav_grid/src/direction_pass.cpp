#include "direction_pass.h"

#include <algorithm>
#include <array>
#include <bit>

#include "direction_kernels.h"
#include "flood_rules.h"

namespace maniple::nav {
namespace {

/// Where phase 1 took the same neighbours, the best neighbour is the first whose distance is the
/// cell's own less the step.
template <class Dist>
class ExactCodes {
  public:
    explicit ExactCodes(const DirectionTask<Dist>& task) : task_(task), offsets_(task.y_num) {}

    /// Asks open neighbours only: any cell of the grid.
    void write_checked(std::size_t begin, std::size_t end) {
        for (std::size_t cell = begin; cell < end; ++cell) {
            std::uint32_t open = has_way(cell) ? task_.moves[cell] & task_.neighbours : 0;
            while (open != 0 && !fits(cell, static_cast<std::size_t>(std::countr_zero(open)))) {
                open &= open - 1;
            }
            task_.codes[cell] = first_of(open);
        }
    }
    /// Looks at all eight neighbours, one after the other for a strip of cells: plain loops without
    /// a branch, which compilers turn into vectors.
    void write_unchecked(std::size_t begin, std::size_t end) {
        for (std::size_t cell = begin; cell < end; cell += kStripCells) {
            write_strip(cell, std::min(kStripCells, end - cell));
        }
    }

  private:
    static constexpr std::size_t kStripCells = 512;
    /// What a neighbour's distance must be; where `possible` is 0 no neighbour fits.
    struct Wanted {
        std::array<Dist, kStripCells> dist;
        std::array<std::uint8_t, kStripCells> possible;
    };

    void want(std::size_t first, std::size_t count, std::uint32_t factor, Wanted& wanted) const {
        const Dist* own = task_.dist + first;
        const std::uint8_t* cost = task_.cost + first;
        const auto unit = static_cast<std::uint16_t>(factor);
        const auto limit = static_cast<Dist>(task_.limit);
        for (std::size_t i = 0; i < count; ++i) {
            const auto step = static_cast<std::uint16_t>((cost[i] == 0 ? 1 : cost[i]) * unit);
            const unsigned reached = own[i] == limit ? 0 : 0xFF;
            const unsigned no_goal = own[i] == 0 ? 0 : 0xFF;
            const unsigned far_enough = own[i] >= step ? 0xFF : 0;
            wanted.dist[i] = static_cast<Dist>(own[i] - step);
            wanted.possible[i] = static_cast<std::uint8_t>(reached & no_goal & far_enough);
        }
    }
    /// Last to first, so that the first neighbour that fits stays.
    void write_strip(std::size_t first, std::size_t count) const {
        std::array<Wanted, 2> wanted_by;  // by straight and diagonal steps
        const bool differ = step_factor(task_.metric, 0) != step_factor(task_.metric, 4);
        want(first, count, step_factor(task_.metric, 0), wanted_by[0]);
        if (differ) want(first, count, step_factor(task_.metric, 4), wanted_by[1]);
        std::array<std::uint8_t, kStripCells> codes;
        codes.fill(kNoDirection);
        for (std::size_t n = 8; n-- > 0;) {
            const auto bit = static_cast<std::uint8_t>(task_.neighbours & 1U << n);
            const Wanted& wanted = wanted_by[differ && n >= 4 ? 1 : 0];
            const Dist* from = task_.dist + first + offsets_.difference(n);
            const std::uint8_t* moves = task_.moves + first;
            for (std::size_t i = 0; i < count; ++i) {
                const bool open = (moves[i] & bit & wanted.possible[i]) != 0;
                const auto mask = static_cast<std::uint8_t>((from[i] == wanted.dist[i] ? 0xFF : 0) &
                                                            (open ? 0xFF : 0));
                codes[i] = static_cast<std::uint8_t>((codes[i] & ~mask) | (n & mask));
            }
        }
        std::copy_n(codes.begin(), count, task_.codes + first);
    }
    [[nodiscard]] bool has_way(std::size_t cell) const {
        return task_.dist[cell] != 0 && task_.dist[cell] != task_.limit;
    }
    [[nodiscard]] bool fits(std::size_t cell, std::size_t n) const {
        const std::uint32_t cost = task_.cost[cell] == 0 ? 1 : task_.cost[cell];
        const std::uint32_t from = task_.dist[cell + offsets_.difference(n)];
        return from + cost * step_factor(task_.metric, n) == task_.dist[cell];
    }
    static std::uint8_t first_of(std::uint32_t moves) {
        // Bit 9 stands for kNoDirection.
        return static_cast<std::uint8_t>(std::countr_zero(moves | 1U << kNoDirection));
    }

    const DirectionTask<Dist>& task_;
    NeighbourOffsets offsets_;
};

/// Calls body(begin, end) for blocks of a range, each on some thread: every cell reads what phase 1
/// left and writes its own code.
// implements: GRID-041
template <class Body>
void over_blocks(core::Executor* executor, std::size_t begin, std::size_t end, const Body& body) {
    constexpr std::size_t kBlockCells = 65'536;
    if (executor == nullptr) return body(begin, end);
    core::for_blocks(*executor, end - begin, kBlockCells,
                     [&](std::size_t from, std::size_t to) { body(begin + from, begin + to); });
}

template <class Dist>
void write_exact_codes(const DirectionTask<Dist>& task, bool simd, core::Executor* executor) {
    ExactCodes<Dist> scalar(task);
    const std::size_t border = static_cast<std::size_t>(task.y_num) + 1;
    const std::size_t cells = task.end;
    if (cells <= 2 * border) return scalar.write_checked(0, cells);
    scalar.write_checked(0, border);
    over_blocks(executor, border, cells - border, [&](std::size_t begin, std::size_t end) {
        DirectionTask<Dist> block = task;
        block.begin = begin;
        block.end = end;
        if (!simd || !write_codes_simd(block)) ExactCodes<Dist>(block).write_unchecked(begin, end);
    });
    scalar.write_checked(cells - border, cells);
}

/// Candidate order of the label and direction passes (O-GRID-07).
constexpr std::array<std::uint8_t, 8> candidate_order(Style style) {
    if (style == Style::kAdjacentFirst) return {0, 1, 2, 3, 4, 5, 6, 7};
    return {4, 5, 6, 7, 0, 1, 2, 3};
}

/// Compares all open neighbours: for more neighbours than phase 1 took.
template <class Dist>
void write_compared_codes(const DirectionTask<Dist>& task, Style style) {
    const std::array<std::uint8_t, 8> order = candidate_order(style);
    const NeighbourOffsets offsets(task.y_num);
    for (std::size_t cell = task.begin; cell < task.end; ++cell) {
        task.codes[cell] = kNoDirection;
        const std::uint64_t own = task.dist[cell];
        if (own == task.limit) continue;
        // The key of a candidate with its rank below it: the least of all keys is the answer.
        std::uint64_t best = ~std::uint64_t{0};
        const std::uint32_t open = task.moves[cell] & task.neighbours;
        const std::uint64_t cost = task.cost[cell] == 0 ? 1 : task.cost[cell];
        for (std::uint64_t rank = 0; rank < 8; ++rank) {
            const std::size_t n = order[rank];
            if ((open >> n & 1) == 0) continue;
            const std::uint64_t to = task.dist[cell + offsets.difference(n)];
            if (to >= own) continue;
            const std::uint64_t step =
                task.metric == Metric::kCells ? 0 : cost * step_factor(task.metric, n);
            best = std::min(best, (to + step) << 3 | rank);
        }
        if (best != ~std::uint64_t{0}) task.codes[cell] = order[best & 7];
    }
}

template <class Write>
void with_column(const DistanceField& dist, Write write) {
    if (dist.is_narrow()) {
        write(dist.column<std::uint16_t>());
    } else {
        write(dist.column<std::uint32_t>());
    }
}

template <class Dist>
DirectionTask<Dist> task_of(const GridSubstrate& ground, const std::uint8_t* moves,
                            const FieldConfig& config, const Dist* column, std::uint8_t* codes) {
    return {.dist = column,
            .cost = ground.cost.data(),
            .moves = moves,
            .neighbours = 0xFF,
            .metric = config.metric,
            .limit = config.distance_limit,
            .y_num = ground.geometry.y_num(),
            .begin = 0,
            .end = ground.geometry.cell_count(),
            .codes = codes};
}

}  // namespace

// implements: GRID-044, O-GRID-07, O-GRID-09, O-GRID-29
void write_best_neighbours(const GridSubstrate& ground, const std::uint8_t* moves,
                           const FieldConfig& config, std::uint8_t neighbours,
                           const DistanceField& dist, std::uint8_t* codes, bool simd,
                           core::Executor* executor) {
    with_column(dist, [&](const auto* column) {
        auto task = task_of(ground, moves, config, column, codes);
        task.neighbours = neighbours;
        if (neighbours == flood_neighbours(config)) {
            write_exact_codes(task, simd, executor);
        } else {
            over_blocks(executor, task.begin, task.end, [&](std::size_t begin, std::size_t end) {
                auto block = task;
                block.begin = begin;
                block.end = end;
                write_compared_codes(block, config.style);
            });
        }
    });
}

void write_best_neighbours_of(const GridSubstrate& ground, const std::uint8_t* moves,
                              const FieldConfig& config, const DistanceField& dist, CellIndex begin,
                              CellIndex end, std::uint8_t* codes) {
    with_column(dist, [&](const auto* column) {
        auto task = task_of(ground, moves, config, column, codes);
        task.begin = begin;
        task.end = end;
        if (flood_neighbours(config) == 0xFF) {
            ExactCodes(task).write_checked(begin, end);
        } else {
            write_compared_codes(task, config.style);
        }
    });
}

}  // namespace maniple::nav
