// Plays the built-in battle on a navmesh that changes between two streams, and prints
// `decimal_tick hash16` for every tick, as maniple_trace does. The streams are given, so that
// nothing here depends on Recast.
//
//     maniple_mesh_trace STREAM OTHER [--threads N] [--ticks N] [--units N] [--seed N]
#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/core/hash.h"
#include "maniple/sim/world.h"
#include "maniple/skirmish/mesh_plan.h"
#include "maniple/skirmish/mesh_skirmish.h"
#include "maniple/skirmish/skirmish.h"
#include "maniple/substrate/stream_dispatcher.h"

#include "trace_options.h"

namespace maniple {
namespace {

using substrate::NavMeshStream;

constexpr sim::Tick kChangeEvery = 40;

int fail(const Error& error, const char* source) {
    std::fprintf(stderr, "%s\n", describe(error, source).c_str());
    return 1;
}

core::Bytes read_file(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Both teams' orders, and the ground that becomes the other one and back.
class Script {
  public:
    /// Both grounds are checked streams.
    Script(skirmish::MeshPlan plan, std::array<core::Bytes, 2> grounds)
        : plan_(std::move(plan)),
          grounds_(std::move(grounds)),
          dispatcher_(*NavMeshStream::check(grounds_[0])) {}

    std::vector<sim::Command> commands_at(sim::Tick tick) {
        std::vector<sim::Command> commands;
        if (tick % kChangeEvery == 0) {
            const core::Bytes& ground = grounds_[static_cast<std::size_t>(tick / kChangeEvery % 2)];
            if (auto dispatch = dispatcher_.dispatch(tick, *NavMeshStream::check(ground))) {
                sim::Command& change = commands.emplace_back();
                change.type = sim::kCommandRebuildFlowField;
                change.tick = tick;
                change.target = skirmish::kFieldName;
                change.byte_payload = std::move(dispatch->payload);
            }
        }
        for (std::int32_t team = 0; team < skirmish::kTeamCount; ++team) {
            auto orders = plan_.commands_at(team, tick);
            std::move(orders.begin(), orders.end(), std::back_inserter(commands));
        }
        for (sim::Command& command : commands) command.server_exec_sequence = ++sequence_;
        return commands;
    }

  private:
    skirmish::MeshPlan plan_;
    std::array<core::Bytes, 2> grounds_;
    substrate::StreamDispatcher<NavMeshStream> dispatcher_;
    std::int64_t sequence_ = 0;
};

Result<void> play(sim::World& world, Script& script, std::int32_t ticks) {
    for (sim::Tick tick = 1; tick <= ticks; ++tick) {
        for (sim::Command& command : script.commands_at(tick)) {
            if (auto queued = world.queue(std::move(command)); !queued) return queued;
        }
        const auto hash = world.step();
        if (!hash) return refuse(hash.error());
        std::printf("%d %s\n", tick, core::hex16(*hash).c_str());
    }
    return {};
}

int run(const std::array<const char*, 2>& paths, const TraceOptions& options) {
    std::array<core::Bytes, 2> grounds;
    for (std::size_t i = 0; i < 2; ++i) {
        grounds[i] = read_file(paths[i]);
        const auto checked = NavMeshStream::check(grounds[i]);
        if (!checked) return fail(checked.error(), paths[i]);
    }
    const auto facts = skirmish::MeshFacts::of(NavMeshStream::check(grounds[0])->view(),
                                               static_cast<std::size_t>(options.units));
    if (!facts) return fail(facts.error(), paths[0]);
    const auto executor = core::make_executor(options.threads);
    sim::World world(skirmish::make_mesh_skirmish(), {.seed = options.seed}, *executor);
    const auto imported = world.import_substrate(skirmish::kFieldName, grounds[0]);
    if (!imported) return fail(imported.error(), paths[0]);
    Script script({*facts, options.units, options.seed}, std::move(grounds));
    const auto played = play(world, script, options.ticks);
    return played ? 0 : fail(played.error(), paths[1]);
}

}  // namespace
}  // namespace maniple

int main(int argc, char** argv) {
    TraceOptions options;
    if (argc < 3 || !options.parse(argc - 3, argv + 3)) {
        std::fputs(
            "usage: maniple_mesh_trace STREAM OTHER [--threads N] [--ticks N] [--units N] "
            "[--seed N]\n",
            stderr);
        return 2;
    }
    return maniple::run({argv[1], argv[2]}, options);
}
