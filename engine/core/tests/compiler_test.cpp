#include <array>
#include <gtest/gtest.h>

namespace maniple::core {
namespace {

void round_pair(const double* in, double* out) {
    const auto x = static_cast<float>(in[0]);
    const auto y = static_cast<float>(in[1]);
    out[0] = x;
    out[1] = y;
}

void round_row(const double* in, double* out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(in[i]);
}

// Called through volatile pointers, so that the compiler knows neither values nor callers.
void (*volatile call_round_pair)(const double*, double*) = round_pair;
void (*volatile call_round_row)(const double*, double*, std::size_t) = round_row;

// Fails under GCC 12 without -fno-tree-slp-vectorize (cmake/Determinism.cmake).
TEST(Compiler, RoundsAPairToFloatAndBack) {
    const std::array<double, 2> in{16384.0 + 1.0 / 1024, 0.1};
    std::array<double, 2> out{};
    call_round_pair(in.data(), out.data());
    EXPECT_EQ(out[0], 16384.0);
    EXPECT_EQ(out[1], 0.100000001490116119384765625);
}

TEST(Compiler, RoundsARowToFloatAndBack) {
    std::array<double, 19> in{};
    std::array<double, 19> out{};
    in.fill(0.1);
    call_round_row(in.data(), out.data(), in.size());
    for (const double value : out) EXPECT_EQ(value, 0.100000001490116119384765625);
}

}  // namespace
}  // namespace maniple::core
