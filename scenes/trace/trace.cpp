// Plays the built-in battle on builtin:valley and prints `decimal_tick hash16` for every tick: two
// builds, machines or thread counts agree exactly when these lines do.
//
//     maniple_trace [--threads N] [--ticks N] [--units N] [--seed N]
#include <cstdint>
#include <cstdio>

#include "maniple/core/executor.h"
#include "maniple/core/hash.h"
#include "maniple/skirmish/battle.h"
#include "maniple/terrain/grid_map.h"

#include "trace_options.h"

namespace {

int fail(const maniple::Error& error) {
    std::fprintf(stderr, "%s\n", maniple::describe(error, "builtin:valley").c_str());
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    TraceOptions options;
    if (!options.parse(argc - 1, argv + 1)) {
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
