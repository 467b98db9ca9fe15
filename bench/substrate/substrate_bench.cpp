#include <benchmark/benchmark.h>
#include <cstring>
#include <memory>

#include "maniple/core/random.h"
#include "maniple/substrate/delta.h"
#include "maniple/substrate/grid_export.h"
#include "maniple/substrate/grid_records.h"
#include "maniple/substrate/played_field.h"

// Streams of 4096 x 4096 cells, 151 MB, in memory that was touched before. Every figure is to be
// read against CopyTwice of the same run: docs/benchmarks.md.
namespace {
using namespace maniple;

constexpr std::int32_t kSide = 4096;
constexpr std::size_t kCells = std::size_t{kSide} * kSide;

nav::GridSubstrate make_ground() {
    nav::GridSubstrate ground;
    ground.geometry = nav::GridGeometry(0, 0, 0, 0, kSide, kSide, 100);
    ground.cost.resize(kCells);
    ground.type.resize(kCells);
    ground.z_cm.resize(kCells);
    ground.normal.resize(kCells);
    core::RandomStream random(1);
    for (std::size_t i = 0; i < kCells; ++i) {
        const auto r = random.next_below(1U << 30);
        ground.type[i] = r % 8 == 0 ? 2 : 1;
        ground.cost[i] = r % 8 == 0 ? 255 : static_cast<std::uint8_t>(1 + (r >> 3) % 4);
        ground.z_cm[i] = static_cast<std::int32_t>(r >> 10);
        ground.normal[i] = {static_cast<std::int8_t>(r >> 5), 0, 127};
    }
    ground.goals_cm = {{0, 0, 0}};
    return ground;
}

/// The ground, its stream, and a copy of it with every `step`-th cell at another cost.
struct Streams {
    nav::GridSubstrate ground = make_ground();
    substrate::CheckedStream base = substrate::write_grid_stream(ground);

    [[nodiscard]] substrate::CheckedStream changed(std::size_t cells) const {
        return substrate::CheckedStream::write(
            base.identity(), base.view().goals(), base.grid(), [&](std::uint8_t* out) {
                const core::ByteSpan records = base.view().records();
                std::memcpy(out, records.data(), records.size());
                for (std::size_t i = 0; i < cells; ++i) {
                    out[i * (kCells / cells) * substrate::kCellRecordBytes] ^= 1;
                }
            });
    }
};

Streams& streams() {
    static Streams all;
    return all;
}

void report_rate(benchmark::State& state) {
    state.SetBytesProcessed(state.iterations() *
                            static_cast<std::int64_t>(streams().base.bytes().size()));
}

void CopyTwice(benchmark::State& state) {
    const core::ByteSpan from = streams().base.bytes();
    core::Bytes once(from.size(), 1);
    core::Bytes twice(from.size(), 1);
    for (auto _ : state) {
        std::memcpy(once.data(), from.data(), from.size());
        benchmark::ClobberMemory();
        std::memcpy(twice.data(), once.data(), from.size());
        benchmark::ClobberMemory();
    }
    report_rate(state);
}

void ExportRecords(benchmark::State& state) {
    const nav::GridSubstrate& ground = streams().ground;
    core::Bytes out(kCells * substrate::kCellRecordBytes, 1);
    for (auto _ : state) {
        substrate::pack_records({ground.cost, ground.type, ground.z_cm, ground.normal}, out.data());
        benchmark::ClobberMemory();
    }
    report_rate(state);
}

void ImportRecords(benchmark::State& state) {
    nav::GridSubstrate ground = streams().ground;
    const substrate::CheckedView view = streams().base.view();
    for (auto _ : state) {
        substrate::read_grid_stream(view, ground);
        benchmark::ClobberMemory();
    }
    report_rate(state);
}

void ContentHash(benchmark::State& state) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(substrate::content_hash(streams().base.bytes()));
    }
    report_rate(state);
}

/// What bytes from outside cost before anything is imported: layout, hash and every cell type.
void CheckStream(benchmark::State& state) {
    for (auto _ : state) {
        const auto view = substrate::CheckedView::check(streams().base.bytes());
        if (!view) state.SkipWithError("refused");
    }
    report_rate(state);
}

void BuildDelta(benchmark::State& state) {
    const auto cells = static_cast<std::size_t>(state.range(0));
    const substrate::CheckedStream next = streams().changed(cells);
    for (auto _ : state) {
        const auto build = substrate::build_substrate_delta(streams().base.view(), next.view());
        if (!build || build->changed_cells != cells) state.SkipWithError("another delta");
        benchmark::DoNotOptimize(build);
    }
    report_rate(state);
}

/// A delta from outside, checked, its new hash proved, and written into the standing stream; then
/// the one that leads back.
void ApplyDelta(benchmark::State& state) {
    const auto cells = static_cast<std::size_t>(state.range(0));
    substrate::CheckedStream standing = streams().changed(cells);
    const auto there = substrate::build_substrate_delta(standing.view(), streams().base.view());
    const auto back = substrate::build_substrate_delta(streams().base.view(), standing.view());
    bool is_back = true;
    for (auto _ : state) {
        const core::Bytes& bytes = is_back ? there->bytes : back->bytes;
        is_back = !is_back;
        const auto delta = substrate::DeltaView::check(bytes);
        if (!delta || substrate::check_delta_fits(standing.view(), *delta)) {
            state.SkipWithError("refused");
            break;
        }
        substrate::apply_delta(standing, *delta);
    }
}

/// The same into a played field of 1024 x 1024 cells, with everything that follows: its columns and
/// its flood.
void ApplyDeltaToPlayedField(benchmark::State& state) {
    constexpr std::int32_t kFieldSide = 1024;
    nav::GridSubstrate ground;
    ground.geometry = nav::GridGeometry(0, 0, 0, 0, kFieldSide, kFieldSide, 100);
    ground.cost.assign(ground.geometry.cell_count(), 1);
    ground.type.assign(ground.geometry.cell_count(), 1);
    ground.z_cm.assign(ground.geometry.cell_count(), 0);
    ground.normal.assign(ground.geometry.cell_count(), {0, 0, 127});
    ground.goals_cm = {{0, 0, 0}};
    const substrate::CheckedStream open = substrate::write_grid_stream(ground);
    for (std::int32_t x = 200; x < 210; ++x) {
        for (std::int32_t y = 200; y < 210; ++y) ground.cost[ground.geometry.index({x, y})] = 4;
    }
    const substrate::CheckedStream slow = substrate::write_grid_stream(ground);
    const auto there = substrate::build_substrate_delta(open.view(), slow.view());
    const auto back = substrate::build_substrate_delta(slow.view(), open.view());
    substrate::PlayedField field("ground", {});
    static_cast<void>(field.import(open.bytes()));
    bool is_back = true;
    for (auto _ : state) {
        const auto report = field.import(is_back ? there->bytes : back->bytes);
        is_back = !is_back;
        if (!report || !report->applied) state.SkipWithError("refused");
    }
}

constexpr double kSeconds = 0.5;
BENCHMARK(CopyTwice)->Unit(benchmark::kMillisecond)->MinTime(kSeconds);
BENCHMARK(ExportRecords)->Unit(benchmark::kMillisecond)->MinTime(kSeconds);
BENCHMARK(ImportRecords)->Unit(benchmark::kMillisecond)->MinTime(kSeconds);
BENCHMARK(ContentHash)->Unit(benchmark::kMillisecond)->MinTime(kSeconds);
BENCHMARK(CheckStream)->Unit(benchmark::kMillisecond)->MinTime(kSeconds);
BENCHMARK(BuildDelta)->Arg(100)->Arg(kCells / 100)->Unit(benchmark::kMillisecond);
BENCHMARK(ApplyDelta)->Arg(100)->Arg(kCells / 100)->Unit(benchmark::kMicrosecond);
BENCHMARK(ApplyDeltaToPlayedField)->Unit(benchmark::kMillisecond);

}  // namespace
