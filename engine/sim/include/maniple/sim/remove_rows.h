#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace maniple::sim {

/// Calls move(begin, end, to) for every run of rows behind and between the rows `gone`, which
/// ascend: where the run lies and where it comes to lie.
template <class Move>
void for_moved_runs(std::span<const std::size_t> gone, std::size_t row_count, const Move& move) {
    std::size_t to = gone.empty() ? row_count : gone.front();
    for (std::size_t i = 0; i < gone.size(); ++i) {
        const std::size_t begin = gone[i] + 1;
        const std::size_t end = i + 1 < gone.size() ? gone[i + 1] : row_count;
        move(begin, end, to);
        to += end - begin;
    }
}
/// `gone` ascends; the other rows keep their order.
template <class T>
void remove_rows(std::vector<T>& rows, std::span<const std::size_t> gone) {
    for_moved_runs(gone, rows.size(), [&](std::size_t begin, std::size_t end, std::size_t to) {
        std::copy(rows.data() + begin, rows.data() + end, rows.data() + to);
    });
    rows.resize(rows.size() - gone.size());
}

}  // namespace maniple::sim
