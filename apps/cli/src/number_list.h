#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "maniple/core/math.h"

namespace maniple::cli {

/// The numbers of `X,Y[,Z]` and the like. Throws CLI::ValidationError (usage, exit 2) named after
/// `option` for anything but `count_min` … `count_max` decimal numbers with commas between.
[[nodiscard]] std::vector<double> parse_numbers(const std::string& option, const std::string& text,
                                                std::size_t count_min, std::size_t count_max);
/// The same of whole numbers that fit 32 bits.
[[nodiscard]] std::vector<std::int32_t> parse_integers(const std::string& option,
                                                       const std::string& text,
                                                       std::size_t count_min,
                                                       std::size_t count_max);

/// A place of which the height may be left out.
struct Place {
    Vec3d at;
    bool has_z = false;
};
/// `X,Y[,Z]` in world centimetres. A number that is not finite, or over 10,000 km, is a usage
/// error.
[[nodiscard]] Place parse_place(const std::string& option, const std::string& text);

/// A number from `low` to `high`; NaN is none. (CLI::Range lets it through.)
[[nodiscard]] CLI::Validator finite_range(double low, double high);

}  // namespace maniple::cli
