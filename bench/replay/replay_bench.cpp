// Append and decode rates of the replay array, in steps per second (items_per_second). "Small"
// steps have two int8 parameters, 10 bytes with command and index; "mixed" steps have 0 to 5
// parameters of all kinds but bigint, 19 bytes on average. Memory is reserved unless the name says
// otherwise.
#include <array>
#include <benchmark/benchmark.h>
#include <vector>

#include "maniple/core/random.h"
#include "maniple/replay/replay_array.h"

namespace {

using namespace maniple;
using replay::CommandWidth;
using replay::Param;
using replay::ReplayArray;

constexpr std::size_t kSteps = 1'000'000;
constexpr std::size_t kPatterns = 4096;

std::vector<std::vector<Param>> mixed_steps() {
    core::RandomStream random(7);
    const auto pick = [&](std::uint32_t bound) { return random.next_below(bound); };
    std::vector<std::vector<Param>> steps(kPatterns);
    for (std::vector<Param>& step : steps) {
        for (std::uint32_t left = pick(6); left > 0; --left) {
            const auto small = static_cast<double>(pick(100));
            switch (pick(6)) {
                case 0: step.emplace_back(pick(2) == 1); break;
                case 1: step.emplace_back(small); break;
                case 2: step.emplace_back(1000 + small); break;
                case 3: step.emplace_back(100'000 + small); break;
                case 4: step.emplace_back(0.5 + small); break;
                default: step.emplace_back(std::string(3 + pick(10), 'u')); break;
            }
        }
    }
    return steps;
}

void report(benchmark::State& state) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kSteps));
}

/// Reserving touches the pages, so the timed loop does not.
ReplayArray reserved_array(std::size_t param_bytes) {
    ReplayArray array(CommandWidth::k8);
    array.reserve(kSteps, kSteps * param_bytes);
    return array;
}

void append_small(benchmark::State& state) {
    for (auto _ : state) {
        state.PauseTiming();
        ReplayArray array = reserved_array(4);
        state.ResumeTiming();
        for (std::size_t i = 0; i < kSteps; ++i) {
            array.append(42, static_cast<std::int8_t>(i), static_cast<std::int8_t>(i >> 8));
        }
        benchmark::DoNotOptimize(array.params().data());
    }
    report(state);
}
BENCHMARK(append_small);

void append_small_growing(benchmark::State& state) {
    for (auto _ : state) {
        ReplayArray array;
        for (std::size_t i = 0; i < kSteps; ++i) {
            array.append(42, static_cast<std::int8_t>(i), static_cast<std::int8_t>(i >> 8));
        }
        benchmark::DoNotOptimize(array.params().data());
    }
    report(state);
}
BENCHMARK(append_small_growing);

void append_small_numbers(benchmark::State& state) {
    for (auto _ : state) {
        state.PauseTiming();
        ReplayArray array = reserved_array(4);
        state.ResumeTiming();
        for (std::size_t i = 0; i < kSteps; ++i) {
            array.append(42, static_cast<double>(i & 127), static_cast<double>(i >> 8 & 127));
        }
        benchmark::DoNotOptimize(array.params().data());
    }
    report(state);
}
BENCHMARK(append_small_numbers);

void append_mixed(benchmark::State& state) {
    const std::vector<std::vector<Param>> steps = mixed_steps();
    for (auto _ : state) {
        state.PauseTiming();
        ReplayArray array = reserved_array(32);
        state.ResumeTiming();
        for (std::size_t i = 0; i < kSteps; ++i) array.add(42, steps[i % kPatterns]);
        benchmark::DoNotOptimize(array.params().data());
    }
    report(state);
}
BENCHMARK(append_mixed);

void decode(benchmark::State& state, const ReplayArray& array) {
    replay::StepView step;
    for (auto _ : state) {
        std::uint64_t sum = 0;
        replay::ReadStream stream = array.create_read_stream();
        while (stream.read(step)) {
            for (const replay::ParamView& param : step.params()) {
                sum += static_cast<std::uint64_t>(param.payload_bits()) + param.type_code();
            }
        }
        benchmark::DoNotOptimize(sum);
    }
    report(state);
}

void decode_small(benchmark::State& state) {
    ReplayArray array;
    for (std::size_t i = 0; i < kSteps; ++i) {
        array.append(42, static_cast<std::int8_t>(i), static_cast<std::int8_t>(i >> 8));
    }
    decode(state, array);
}
BENCHMARK(decode_small);

void decode_mixed(benchmark::State& state) {
    const std::vector<std::vector<Param>> steps = mixed_steps();
    ReplayArray array;
    for (std::size_t i = 0; i < kSteps; ++i) array.add(42, steps[i % kPatterns]);
    decode(state, array);
    state.counters["bytes_per_step"] = static_cast<double>(array.params().size()) / kSteps;
}
BENCHMARK(decode_mixed);

void rebuild_index(benchmark::State& state) {
    ReplayArray array;
    for (std::size_t i = 0; i < kSteps; ++i) array.append(42, static_cast<std::int8_t>(i), 1000);
    for (auto _ : state) benchmark::DoNotOptimize(array.rebuild_index().has_value());
    report(state);
}
BENCHMARK(rebuild_index);

}  // namespace
