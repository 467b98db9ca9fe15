#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace maniple::cli {

/// The value that `share` (0 to 1) of the values do not exceed; 0 of no values.
[[nodiscard]] inline double percentile(std::vector<double> values, double share) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    const auto last = static_cast<double>(values.size() - 1);
    return values[static_cast<std::size_t>(share * last)];
}

}  // namespace maniple::cli
