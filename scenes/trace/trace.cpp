// Plays the built-in battle on builtin:valley and prints `decimal_tick hash16` for every tick: two
// builds, machines or thread counts agree exactly when these lines do.
//
//     maniple_trace [--threads N] [--ticks N] [--units N] [--seed N]
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "maniple/core/executor.h"
#include "maniple/core/hash.h"
#include "maniple/skirmish/battle.h"
#include "maniple/terrain/grid_map.h"

namespace {

struct Options {
    std::int32_t threads = 1;
    std::int32_t ticks = 300;
    std::int32_t units = 2000;
    std::int32_t seed = 1;
};

std::int32_t* find_option(Options& options, std::string_view name) {
    if (name == "--threads") return &options.threads;
    if (name == "--ticks") return &options.ticks;
    if (name == "--units") return &options.units;
    if (name == "--seed") return &options.seed;
    return nullptr;
}

bool parse(int argc, char** argv, Options& options) {
    for (int i = 1; i < argc; i += 2) {
        std::int32_t* value = find_option(options, argv[i]);
        if (value == nullptr || i + 1 == argc) return false;
        const std::string_view text = argv[i + 1];
        const char* end = text.data() + text.size();
        const auto [at, error] = std::from_chars(text.data(), end, *value);
        if (error != std::errc{} || at != end) return false;
    }
    return options.threads >= 1 && options.ticks >= 1 && options.units >= 1;
}

int fail(const maniple::Error& error) {
    std::fprintf(stderr, "%s\n", maniple::describe(error, "builtin:valley").c_str());
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    Options options;
    if (!parse(argc, argv, options)) {
        std::fputs("usage: maniple_trace [--threads N] [--ticks N] [--units N] [--seed N]\n",
                   stderr);
        return 2;
    }
    const auto map = maniple::terrain::make_builtin_map("builtin:valley");
    if (!map) return fail(map.error());
    const auto executor = maniple::core::make_executor(options.threads);
    auto battle = maniple::skirmish::LocalBattle::make(
        *map, {.units = options.units, .seed = options.seed}, *executor);
    if (!battle) return fail(battle.error());
    for (std::int32_t i = 0; i < options.ticks; ++i) {
        const auto hash = (*battle)->step();
        if (!hash) return fail(hash.error());
        std::printf("%d %s\n", (*battle)->world().tick(), maniple::core::hex16(*hash).c_str());
    }
    return 0;
}
