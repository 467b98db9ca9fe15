#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>

#include "maniple/nav/solver.h"

#include "column_bits.h"
#include "flood_rules.h"

namespace maniple::nav {
namespace {

/// Union-find over provisional labels; the root of a set is its lowest label.
class LabelSets {
  public:
    /// Every label below `count` that is not there yet, in a set of its own.
    void make_below(std::size_t count) {
        const std::size_t first = parent_.size();
        parent_.resize(count);
        std::iota(parent_.begin() + static_cast<std::ptrdiff_t>(first), parent_.end(),
                  static_cast<std::uint32_t>(first));
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

/// Cells of one column that follow each other by steps north.
struct Run {
    CellIndex first;
    CellIndex end;
};

/// Finds the runs of every column and joins those between which a step leads.
class RunLabeller {
  public:
    RunLabeller(const GridSubstrate& ground, const FieldConfig& config, const MoveMap& moves)
        : ground_(ground),
          neighbours_(flood_neighbours(config)),
          moves_(moves.data()),
          y_num_(static_cast<std::size_t>(ground.geometry.y_num())),
          word_count_(y_num_ / 64 + 1),
          words_(5 * word_count_),
          bits_(part(0)) {}

    void run(Components& result) {
        std::size_t previous = 0;
        for (std::int32_t x = 0; x < ground_.geometry.x_num(); ++x) {
            const std::size_t begin = count_;
            const CellIndex column = ground_.geometry.index({x, 0});
            read_column(column);
            find_runs(column);
            sets_.make_below(count_);
            if (x > 0) join_columns(previous, begin, column);
            previous = begin;
        }
        write_labels(result);
    }

  private:
    /// The bits from a word on.
    ColumnBits part(std::size_t word) {
        std::uint64_t* first = words_.data() + word;
        return {first, first + word_count_, first + 2 * word_count_, first + 3 * word_count_,
                first + 4 * word_count_};
    }
    void read_column(CellIndex column) {
        const auto bytes = [&](std::size_t y) {
            return ColumnBytes{ground_.cost.data() + column + y, ground_.type.data() + column + y,
                               moves_ + column + y, neighbours_};
        };
        const std::size_t whole = y_num_ / 64 * 64;
        const bool done = write_column_bits_simd(bytes(0), whole, bits_);
        const std::size_t rest = done ? whole : 0;
        write_column_bits(bytes(rest), y_num_ - rest, part(rest / 64));
    }
    void find_runs(CellIndex column) {
        // Room for a run a cell.
        if (runs_.size() < count_ + y_num_) runs_.resize(2 * runs_.size() + y_num_);
        // Starts and ends for themselves: the n-th end is that of the n-th start.
        Run* start = runs_.data() + count_;
        Run* end = start;
        std::uint64_t before = 0;  // whether the cell before the word stands
        for (std::size_t w = 0; w < word_count_; ++w) {
            const std::uint64_t stands = bits_.stands[w];
            const std::uint64_t follows = stands & bits_.south[w] & (stands << 1 | before);
            const auto at = static_cast<CellIndex>(column + w * 64);
            for (std::uint64_t left = stands & ~follows; left != 0; left &= left - 1) {
                (start++)->first = at + static_cast<CellIndex>(std::countr_zero(left));
            }
            for (std::uint64_t left = ~follows & (stands << 1 | before); left != 0;
                 left &= left - 1) {
                (end++)->end = at + static_cast<CellIndex>(std::countr_zero(left));
            }
            before = stands >> 63;
        }
        count_ = static_cast<std::size_t>(start - runs_.data());
    }
    void join_columns(std::size_t west_begin, std::size_t begin, CellIndex column) {
        const auto y_num = static_cast<CellIndex>(y_num_);
        std::size_t other = west_begin;
        for (std::size_t run = begin; run < count_; ++run) {
            const CellIndex first = runs_[run].first - column;
            const CellIndex end = runs_[run].end - column;
            const auto west = [&](std::size_t i) {
                return Run{runs_[i].first + y_num - column, runs_[i].end + y_num - column};
            };
            while (other < begin && west(other).end < first) ++other;
            for (std::size_t i = other; i < begin && west(i).first <= end; ++i) {
                if (touches({first, end}, west(i))) {
                    sets_.unite(static_cast<std::uint32_t>(run), static_cast<std::uint32_t>(i));
                }
            }
        }
    }
    /// Whether a step leads from one of the cells to one of the cells `west` of them.
    [[nodiscard]] bool touches(Run run, Run west) const {
        const auto any = [&](const std::uint64_t* words, CellIndex first, CellIndex end) {
            first = std::max(first, run.first);
            end = std::min(end, run.end);
            return first < end && any_bit(words, first, end);
        };
        return any(bits_.west, west.first, west.end) ||
               any(bits_.south_west, west.first + 1, west.end + 1) ||
               any(bits_.north_west, west.first == 0 ? 0 : west.first - 1, west.end - 1);
    }
    static bool any_bit(const std::uint64_t* words, std::size_t begin, std::size_t end) {
        for (std::size_t w = begin / 64; w * 64 < end; ++w) {
            std::uint64_t bits = words[w];
            if (w == begin / 64) bits &= ~std::uint64_t{0} << begin % 64;
            if (w == end / 64) bits &= (std::uint64_t{1} << end % 64) - 1;
            if (bits != 0) return true;
        }
        return false;
    }

    void write_labels(Components& result) {
        result.label.resize(ground_.geometry.cell_count());
        result.cell_count.assign(sets_.number_sets(), 0);
        std::uint32_t* const labels = result.label.data();
        std::uint32_t* const labels_end = labels + result.label.size();
        std::uint32_t* done = labels;
        for (const Run* run = runs_.data(); run != runs_.data() + count_; ++run) {
            const std::uint32_t label =
                sets_.number(static_cast<std::uint32_t>(run - runs_.data()));
            write_ahead(done, labels + run->first, labels_end, Components::kNone);
            done = labels + run->end;
            write_ahead(labels + run->first, done, labels_end, label);
            result.cell_count[label] += run->end - run->first;
        }
        std::fill(done, labels_end, Components::kNone);
    }
    /// Fills from `begin` to `end` in steps of eight, and a few cells more, which are written next.
    static void write_ahead(std::uint32_t* begin, std::uint32_t* end,
                            const std::uint32_t* labels_end, std::uint32_t label) {
        if (labels_end - end < 8) {
            std::fill(begin, end, label);
            return;
        }
        const std::uint64_t two = label * 0x1'0000'0001U;  // two labels a store
        for (; begin < end; begin += 8) {
            for (std::size_t i = 0; i < 8; i += 2) std::memcpy(begin + i, &two, sizeof two);
        }
    }

    const GridSubstrate& ground_;
    std::uint8_t neighbours_;
    const std::uint8_t* moves_;
    std::size_t y_num_;
    std::size_t word_count_;  ///< Of a column, with one behind the last cell.
    std::vector<std::uint64_t> words_;
    ColumnBits bits_;
    std::vector<Run> runs_;
    std::size_t count_ = 0;  ///< Of runs.
    LabelSets sets_;
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
    Components components;
    label_components(substrate, config, moves, components);
    return components;
}

void label_components(const GridSubstrate& substrate, const FieldConfig& config,
                      const MoveMap& moves, Components& components) {
    RunLabeller(substrate, config, moves).run(components);
}

Components label_components(const GridSubstrate& substrate, const FieldConfig& config) {
    MoveMap moves;
    moves.build(substrate, config);
    return label_components(substrate, config, moves);
}

}  // namespace maniple::nav
