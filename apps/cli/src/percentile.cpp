#include "percentile.h"

#include <algorithm>
#include <cstddef>

namespace maniple::cli {

Percentiles percentiles_of(std::vector<double> values) {
    if (values.empty()) return {};
    std::sort(values.begin(), values.end());
    const auto last = static_cast<double>(values.size() - 1);
    const auto at = [&](double share) { return values[static_cast<std::size_t>(share * last)]; };
    return {at(0.5), at(0.95), values.back()};
}

}  // namespace maniple::cli
