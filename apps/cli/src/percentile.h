#pragma once

#include <nlohmann/json.hpp>
#include <vector>

namespace maniple::cli {

struct Percentiles {
    double p50 = 0, p95 = 0, max = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Percentiles, p50, p95, max)
/// Zeros of no values.
[[nodiscard]] Percentiles percentiles_of(std::vector<double> values);

}  // namespace maniple::cli
