// Imports the largest grid that the format allows, twice, and holds the peak memory of the process
// against the promise of O-SYNC-40: two streams and 26 bytes a cell. Exit 1 when it is over.
#include <cstdio>
#include <cstring>
#include <sys/resource.h>
#include <utility>

#include "maniple/substrate/played_field.h"

namespace {
using namespace maniple;

constexpr std::int32_t kSide = 8192;
constexpr std::size_t kCells = std::size_t{kSide} * kSide;
static_assert(kCells == substrate::kCellsMax);
constexpr double kCellBytesMax = 26;
constexpr double kProcessBytes = 32e6;  ///< Code, libraries and small allocations.

/// Ground of one cost with a goal in the corner and a wall across it, open at one end.
core::Bytes make_stream(std::uint8_t cost) {
    const substrate::GoalCm goal{0, 0, 0};
    auto stream = substrate::CheckedStream::write(
        {}, {&goal, 1}, {kSide, kSide, 100}, [cost](std::uint8_t* out) {
            for (std::size_t i = 0; i < kCells; ++i, out += substrate::kCellRecordBytes) {
                const bool wall = i / kSide == kSide / 2 && i % kSide > 0;
                const std::uint8_t record[] = {wall ? std::uint8_t{255} : cost,
                                               wall ? std::uint8_t{2} : std::uint8_t{1},
                                               0,
                                               0,
                                               0,
                                               0,
                                               0,
                                               0,
                                               127};
                std::memcpy(out, record, sizeof record);
            }
        });
    return std::move(stream).release();
}

double peak_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * static_cast<double>(usage.ru_maxrss);
}
}  // namespace

int main() {
    substrate::PlayedField field("ground", {});
    double stream_bytes = 0;
    for (const std::uint8_t cost : {std::uint8_t{1}, std::uint8_t{2}}) {
        core::Bytes stream = make_stream(cost);
        stream_bytes = static_cast<double>(stream.size());
        const auto report = field.import(std::move(stream));
        if (!report || !report->applied) {
            std::printf("refused: %s\n", report ? "not applied" : report.error().message.c_str());
            return 1;
        }
    }
    const double cell_bytes =
        (peak_bytes() - kProcessBytes - 2 * stream_bytes) / static_cast<double>(kCells);
    std::printf("%zu cells: peak %.0f MB, two streams of %.0f MB and %.1f bytes a cell\n", kCells,
                peak_bytes() / 1e6, stream_bytes / 1e6, cell_bytes);
    return cell_bytes <= kCellBytesMax ? 0 : 1;
}
