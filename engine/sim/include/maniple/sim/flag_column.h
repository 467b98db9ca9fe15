#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "maniple/sim/remove_rows.h"

namespace maniple::sim {

/// One word of flags a row. While all are 0, as in a game without tags, none is stored.
class FlagColumn {
  public:
    [[nodiscard]] std::size_t size() const { return size_; }
    /// Stores no word: all are 0. Those that are stored may be 0 as well.
    [[nodiscard]] bool is_bare() const { return words_.empty(); }
    [[nodiscard]] std::int64_t operator[](std::size_t row) const {
        return words_.empty() ? 0 : words_[row];
    }
    void set(std::size_t row, std::int64_t word) {
        if (words_.empty() && word == 0) return;
        words_.resize(size_);
        words_[row] = word;
    }
    void push_back(std::int64_t word) {
        ++size_;
        if (word != 0 || !words_.empty()) words_.resize(size_);
        if (word != 0) words_.back() = word;
    }
    /// New rows have 0.
    void resize(std::size_t size) {
        size_ = size;
        if (!words_.empty()) words_.resize(size);
    }
    void assign(std::vector<std::int64_t> words) {
        size_ = words.size();
        words_ = std::move(words);
        if (std::all_of(words_.begin(), words_.end(), [](std::int64_t w) { return w == 0; })) {
            words_ = {};
        }
    }
    /// `gone` ascends; the other rows keep their order.
    void remove_rows(std::span<const std::size_t> gone) {
        size_ -= gone.size();
        if (!words_.empty()) sim::remove_rows(words_, gone);
    }

  private:
    std::size_t size_ = 0;
    std::vector<std::int64_t> words_;  ///< None or one a row.
};

}  // namespace maniple::sim
