#include "battle_outcome.h"

#include "percentile.h"

namespace maniple::cli {

Percentiles percentiles_of(const std::vector<double>& values) {
    return {percentile(values, 0.5), percentile(values, 0.95), percentile(values, 1.0)};
}

}  // namespace maniple::cli
