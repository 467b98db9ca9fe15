#include "battle.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/core.h>
#include <memory>
#include <string>
#include <vector>

#include "battle_judgement.h"
#include "battle_options.h"
#include "battle_report.h"
#include "battle_run.h"
#include "battle_text.h"
#include "exit_status.h"
#include "file_io.h"
#include "interrupt.h"
#include "json_text.h"
#include "refusal.h"

namespace maniple::cli {
namespace {

/// The options that are parsed further than CLI11 does.
struct BattleArguments {
    BattleOptions options;
    std::string late_join;
    std::vector<std::string> links;
    std::vector<std::string> corruptions;
    std::string dispatch = "auto";
};

/// A folder for the files nobody asked to keep; removed at the end.
class TemporaryFolder {
  public:
    [[nodiscard]] static Result<std::unique_ptr<TemporaryFolder>> make() {
        std::error_code code;
        std::string name = (std::filesystem::temp_directory_path(code) / "maniple-XXXXXX").string();
        if (code || ::mkdtemp(name.data()) == nullptr) {
            return refuse(ErrorCode::kIo, "no temporary folder can be made");
        }
        return std::unique_ptr<TemporaryFolder>(new TemporaryFolder(std::move(name)));
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

  private:
    explicit TemporaryFolder(std::string path) : path_(std::move(path)) {}
    std::string path_;
};

Result<BattleOptions> complete(const BattleArguments& arguments) {
    BattleOptions options = arguments.options;
    if (arguments.late_join.empty()) {
        if (options.ticks >= 3) options.late_join = options.ticks / 3;
    } else {
        auto late = parse_late_join(arguments.late_join);
        if (!late) return refuse(late.error());
        options.late_join = *late;
    }
    for (const std::string& text : arguments.links) {
        auto link = parse_link(text);
        if (!link) return refuse(link.error());
        options.links.insert_or_assign(link->first, link->second);
    }
    for (const std::string& text : arguments.corruptions) {
        auto order = parse_corruption(text);
        if (!order) return refuse(order.error());
        options.corruptions.push_back(*order);
    }
    options.dispatch = arguments.dispatch == "full"          ? substrate::DispatchMode::kFull
                       : arguments.dispatch == "incremental" ? substrate::DispatchMode::kIncremental
                                                             : substrate::DispatchMode::kAuto;
    if (auto checked = check_options(options); !checked) return refuse(checked.error());
    return options;
}

/// Refuses a file that cannot be written before the battle and not after it.
Result<void> check_writable(const std::string& path) {
    if (path.empty()) return {};
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored) &&
        !std::filesystem::is_regular_file(path, ignored)) {
        return refuse(ErrorCode::kIo, "is no regular file");
    }
    if (auto made = write_file(path, {}); !made) {
        return refuse(made.error());
    }
    return {};
}

int fight(const BattleArguments& arguments) {
    const auto options = complete(arguments);
    if (!options) {
        fmt::print(stderr, "{}\n", options.error().message);
        return kUsage;
    }
    auto setup = prepare_battle(*options);
    if (!setup) {
        report_refusal(setup.error(), options->json);
        return kInputRefused;
    }
    for (const std::string& path : {options->replay, options->hash_trace, options->report}) {
        if (auto writable = check_writable(path); !writable) {
            report_refusal(writable.error(), path, options->json);
            return kInputRefused;
        }
    }
    const auto folder = TemporaryFolder::make();
    if (!folder) {
        report_refusal(folder.error(), "battle", options->json);
        return kInputRefused;
    }
    const BattleFiles files{
        options->replay.empty() ? (*folder)->file("battle.mrp") : options->replay,
        options->hash_trace.empty() ? (*folder)->file("trace") : options->hash_trace};
    catch_interrupts();
    const BattleRun run = options->in_process ? run_battle_in_process(*setup, files)
                                              : run_battle_processes(*setup, files);
    const Judgement judgement = judge_battle(*setup, files, run);
    if (options->json) {
        fmt::print("{}\n", json_text(battle_json(*setup, run, judgement)));
        for (const std::string& failure : judgement.failures) {
            fmt::print(stderr, "battle: {}\n", failure);
        }
    } else {
        fmt::print("{}", battle_table(*setup, run, judgement));
    }
    if (!options->report.empty()) {
        if (auto written = write_battle_report(options->report, *setup, run, judgement); !written) {
            report_refusal(written.error(), options->report, false);
            return kCheckFailed;
        }
    }
    return judgement.failures.empty() ? kDone : kCheckFailed;
}

}  // namespace

void add_battle(CLI::App& app, int& status) {
    auto arguments = std::make_shared<BattleArguments>();
    BattleOptions& options = arguments->options;
    CLI::App* sub = app.add_subcommand(
        "battle", "Fight a battle between a server and clients, each its own process");
    add_ground_options(*sub, options.ground);
    sub->add_option("--units", options.units, "Units over both teams")
        ->check(CLI::Range(1, 1'000'000))
        ->capture_default_str();
    sub->add_option("--ticks", options.ticks, "Ticks to fight, 20 a second of battle")
        ->check(CLI::Range(1, 10'000'000))
        ->capture_default_str();
    sub->add_option("--clients", options.clients, "Clients, numbered from 1")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    sub->add_option("--late-join", arguments->late_join,
                    "Tick the last client joins at, or none (a third of the way)");
    sub->add_option("--link", arguments->links,
                    "CLIENT:latency=MS,jitter=MS,loss=PERCENT: a poor link; repeatable")
        ->allow_extra_args(false);
    sub->add_option("--corrupt", arguments->corruptions,
                    "CLIENT@TICK: flip one field of one unit there; repeatable")
        ->allow_extra_args(false);
    sub->add_option("--edit-map-every", options.edit_map_every,
                    "Ticks between map edits; 0 = never")
        ->check(CLI::Range(0, 10'000'000))
        ->capture_default_str();
    sub->add_option("--modify-every", options.modify_every,
                    "Ticks between changes of the field's modifiers; 0 = none; grids only")
        ->check(CLI::Range(0, 10'000'000))
        ->capture_default_str();
    sub->add_option("--dispatch", arguments->dispatch,
                    "How edits travel: full streams, deltas, or what is smaller")
        ->check(CLI::IsMember({"full", "incremental", "auto"}))
        ->capture_default_str();
    sub->add_option("--seed", options.seed, "Seed of the command plan and the match")
        ->capture_default_str();
    sub->add_option("--threads", options.threads,
                    "Worker threads of each peer; the result never depends on it")
        ->check(CLI::Range(1, 256))
        ->capture_default_str();
    sub->add_flag("--realtime", options.realtime, "Pace at 20 ticks a second");
    sub->add_flag("--in-process", options.in_process, "Memory links and no other processes");
    sub->add_option("--replay", options.replay, "Write the replay to this .mrp file");
    sub->add_option("--hash-trace", options.hash_trace,
                    "Write `tick hash` lines: FILE, and FILE.clientN of each client");
    sub->add_option("--report", options.report, "Write a page with tables and pictures (.html)");
    sub->add_flag("--json", options.json, "One JSON object on stdout");
    sub->callback([arguments, &status] { status = fight(*arguments); });
}

}  // namespace maniple::cli
