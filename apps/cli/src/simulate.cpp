#include "simulate.h"

#include <charconv>
#include <chrono>
#include <fmt/core.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "maniple/core/hash.h"
#include "maniple/skirmish/battle.h"
#include "maniple/snapshot/snapshot.h"

#include "battle_ground.h"
#include "exit_status.h"
#include "file_io.h"
#include "hash_trace.h"
#include "interrupt.h"
#include "json_text.h"
#include "percentile.h"
#include "progress.h"
#include "rebuild_times.h"
#include "recorder.h"
#include "refusal.h"

namespace maniple::cli {
namespace {

/// `--snapshot-at TICK:FILE`; tick 0 where it was not given.
struct SnapshotRequest {
    std::int32_t tick = 0;
    std::string file;
};

std::optional<SnapshotRequest> parse_snapshot_request(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos || colon + 1 == text.size()) return std::nullopt;
    SnapshotRequest request{0, text.substr(colon + 1)};
    const auto [end, error] = std::from_chars(text.data(), text.data() + colon, request.tick);
    if (error != std::errc() || end != text.data() + colon || request.tick < 1) return std::nullopt;
    return request;
}

struct SimulateOptions {
    GroundOptions ground;
    std::int32_t units = 10'000;
    std::int32_t ticks = 1200;
    std::int32_t seed = 1;
    std::int32_t edit_map_every = 200;
    std::int32_t modify_every = 0;
    int threads = 1;
    std::string hash_trace;
    std::string replay;
    SnapshotRequest snapshot;
    bool json = false;
};

/// What a run leaves behind.
struct SimulateResult {
    std::uint64_t final_hash = 0;
    std::vector<double> tick_ms;  ///< Without what runs beside the ticks of a match.
    RebuildTimes rebuilds;
    skirmish::BattleFigures figures;
    [[nodiscard]] std::int32_t alive() const {
        std::int32_t sum = 0;
        for (const std::int32_t team : figures.alive) sum += team;
        return sum;
    }
};

Result<void> write_snapshot(const sim::World& world, const std::string& path) {
    snapshot::Snapshot captured;
    snapshot::capture(world, captured);
    snapshot::add_substrates(world, captured);
    return write_file(path, snapshot::encode_snapshot(world.definition(), captured));
}

/// What is written about each tick besides its execution.
class Outputs {
  public:
    static FileResult<Outputs> open(const SimulateOptions& options, const BattleGround& ground,
                                    const sim::World& world) {
        Outputs outputs(options);
        if (!options.hash_trace.empty()) {
            Result<HashTraceWriter> trace = HashTraceWriter::create(options.hash_trace);
            if (!trace) return tl::unexpected(FileError{trace.error(), options.hash_trace});
            outputs.trace_ = *std::move(trace);
        }
        if (!options.replay.empty()) {
            auto recorder = Recorder::create(options.replay,
                                             battle_header(ground, world, options.units), world);
            if (!recorder) return tl::unexpected(FileError{recorder.error(), options.replay});
            outputs.recorder_ = *std::move(recorder);
        }
        return outputs;
    }

    FileResult<void> write(const skirmish::LocalBattle& battle, std::uint64_t hash) {
        const sim::World& world = battle.world();
        if (trace_) {
            const Result<void> written = trace_->write(world.tick(), hash);
            if (!written) return tl::unexpected(FileError{written.error(), options_->hash_trace});
        }
        if (recorder_) {
            const Result<void> recorded = recorder_->record(world, battle.last_commands(), hash);
            if (!recorded) return tl::unexpected(FileError{recorded.error(), options_->replay});
        }
        if (world.tick() == options_->snapshot.tick) {
            const Result<void> written = write_snapshot(world, options_->snapshot.file);
            if (!written)
                return tl::unexpected(FileError{written.error(), options_->snapshot.file});
        }
        return {};
    }

    FileResult<void> end() {
        using battle_file::EndReason;
        if (!recorder_) return {};
        const Result<void> ended =
            recorder_->end(interrupted() ? EndReason::kStopped : EndReason::kFinished);
        if (!ended) return tl::unexpected(FileError{ended.error(), options_->replay});
        return {};
    }

  private:
    explicit Outputs(const SimulateOptions& options) : options_(&options) {}

    const SimulateOptions* options_;
    std::optional<HashTraceWriter> trace_;
    std::unique_ptr<Recorder> recorder_;
};

FileResult<SimulateResult> run(skirmish::LocalBattle& battle, const SimulateOptions& options,
                               RebuildTimes& rebuilds, JobTimes& prepared, Outputs& outputs) {
    using Clock = std::chrono::steady_clock;
    ProgressBar progress("tick", options.ticks);
    SimulateResult result;
    for (std::int32_t tick = 1; tick <= options.ticks && !interrupted(); ++tick) {
        const auto start = Clock::now();
        const double beside_ms = rebuilds.total_ms;
        const auto hash = battle.step();
        if (!hash) return tl::unexpected(FileError{hash.error(), options.ground.map});
        const std::chrono::duration<double, std::milli> took = Clock::now() - start;
        rebuilds.add_prepared(take_ended(prepared));
        result.tick_ms.push_back(took.count() - (rebuilds.total_ms - beside_ms));
        result.final_hash = *hash;
        if (const auto written = outputs.write(battle, *hash); !written) {
            return tl::unexpected(written.error());
        }
        progress.show(tick);
    }
    if (const auto ended = outputs.end(); !ended) return tl::unexpected(ended.error());
    result.rebuilds = rebuilds;
    result.figures = battle.figures();
    return result;
}

void print_json(const SimulateResult& result) {
    double total_ms = 0;
    for (const double ms : result.tick_ms) total_ms += ms;
    const auto& figures = result.figures;
    std::vector<std::int32_t> lost;
    std::int64_t spawned = 0;
    for (std::size_t team = 0; team < figures.spawned.size(); ++team) {
        lost.push_back(figures.spawned[team] - figures.alive[team]);
        spawned += figures.spawned[team];
    }
    const double agent_ticks = static_cast<double>(spawned) * double(result.tick_ms.size());
    const nlohmann::json object{
        {"ticks", result.tick_ms.size()},
        {"units_spawned", spawned},
        {"units_alive", result.alive()},
        {"units_stuck", figures.units_stuck},
        {"moves",
         {{"judged", figures.moves_judged}, {"half_way_in_time", figures.half_way_in_time}}},
        {"lost", lost},
        {"final_hash", core::hex16(result.final_hash)},
        {"tick_ms", percentiles_of(result.tick_ms)},
        {"rebuild", figures_of(result.rebuilds)},
        {"agents_per_s", total_ms > 0 ? agent_ticks * 1000.0 / total_ms : 0.0}};
    fmt::print("{}\n", json_text(object));
}

void print_table(const SimulateResult& result) {
    const auto& figures = result.figures;
    fmt::print("{:<8}{:>10}{:>10}{:>10}\n", "team", "spawned", "alive", "lost");
    for (std::size_t team = 0; team < figures.spawned.size(); ++team) {
        fmt::print("{:<8}{:>10}{:>10}{:>10}\n", team, figures.spawned[team], figures.alive[team],
                   figures.spawned[team] - figures.alive[team]);
    }
    const Percentiles tick = percentiles_of(result.tick_ms);
    fmt::print("\nticks       {}\nfinal hash  {}\ntick ms     p50 {:.2f}  p95 {:.2f}  max {:.2f}\n",
               result.tick_ms.size(), core::hex16(result.final_hash), tick.p50, tick.p95, tick.max);
    fmt::print("rebuilds    {}\n", describe_rebuilds(figures_of(result.rebuilds)));
    fmt::print("stuck       {}\nmoves       {} of {} half way in time\n", figures.units_stuck,
               figures.half_way_in_time, figures.moves_judged);
}

int simulate(const SimulateOptions& options) {
    if (options.snapshot.tick > options.ticks) {
        fmt::print(stderr, "--snapshot-at: tick {} is after the last, {}\n", options.snapshot.tick,
                   options.ticks);
        return kUsage;
    }
    if (const auto file =
            named_twice({options.ground.map, options.ground.nav_config, options.replay,
                         options.hash_trace, options.snapshot.file})) {
        fmt::print(stderr, "{}: one file for two options\n", *file);
        return kUsage;
    }
    if (auto checked = check_mode(options.ground, options.modify_every); !checked) {
        fmt::print(stderr, "{}\n", checked.error().message);
        return kUsage;
    }
    const auto executor = core::make_executor(options.threads);
    auto ground = prepare_ground(
        options.ground, {options.units, options.seed, options.edit_map_every, options.modify_every},
        *executor);
    if (!ground) {
        report_refusal(ground.error(), options.json);
        return kInputRefused;
    }
    RebuildTimes rebuilds;
    core::InlineBackground worker;
    JobTimes prepared;
    TimedBackground beside_ticks(prepared, worker);
    auto battle =
        skirmish::LocalBattle::make(std::make_unique<TimedScript>(*ground->script, rebuilds),
                                    ground->start, options.seed, *executor, &beside_ticks);
    if (!battle) {
        report_refusal(battle.error(), options.ground.map, options.json);
        return kInputRefused;
    }
    auto outputs = Outputs::open(options, *ground, (*battle)->world());
    if (!outputs) {
        report_refusal(outputs.error(), options.json);
        return kInputRefused;
    }
    catch_interrupts();
    const auto result = run(**battle, options, rebuilds, prepared, *outputs);
    if (!result) {
        report_refusal(result.error(), options.json);
        return kCheckFailed;
    }
    options.json ? print_json(*result) : print_table(*result);
    return kDone;
}

}  // namespace

void add_simulate(CLI::App& app, int& status) {
    auto options = std::make_shared<SimulateOptions>();
    CLI::App* sub = app.add_subcommand("simulate", "Fight a battle in one process, no network");
    add_ground_options(*sub, options->ground);
    sub->add_option("--units", options->units, "Units over both teams")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    sub->add_option("--ticks", options->ticks, "Ticks to run, 20 a second of battle")
        ->check(CLI::Range(1, 10'000'000))
        ->capture_default_str();
    sub->add_option("--seed", options->seed, "Seed of the command plan and the match")
        ->capture_default_str();
    sub->add_option("--edit-map-every", options->edit_map_every,
                    "Ticks between map edits; 0 = never")
        ->check(CLI::Range(0, 10'000'000))
        ->capture_default_str();
    sub->add_option("--modify-every", options->modify_every,
                    "Ticks between changes of the field's modifiers; 0 = none; grids only")
        ->check(CLI::Range(0, 10'000'000))
        ->capture_default_str();
    sub->add_option("--threads", options->threads, "Worker threads; the result never depends on it")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    sub->add_option("--hash-trace", options->hash_trace, "Write `tick hash` lines to this file");
    sub->add_option("--replay", options->replay, "Record the battle into this .mrp file");
    sub->add_option_function<std::string>(
           "--snapshot-at",
           [options](const std::string& text) {
               if (const auto request = parse_snapshot_request(text)) options->snapshot = *request;
           },
           "Write the state after a tick, as TICK:FILE")
        ->check([](const std::string& text) {
            return parse_snapshot_request(text) ? "" : "not TICK:FILE: " + text;
        });
    sub->add_flag("--json", options->json, "One JSON object on stdout");
    sub->callback([options, &status] { status = simulate(*options); });
}

}  // namespace maniple::cli
