#include "replay_compare.h"

#include <algorithm>
#include <fmt/core.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "maniple/core/hash.h"

#include "exit_status.h"
#include "json_text.h"
#include "refusal.h"
#include "replay_file.h"
#include "replay_steps.h"

namespace maniple::cli {
namespace {

using nlohmann::json;

/// Names of the header's fields that differ.
std::vector<std::string> header_difference(const battle_file::BattleHeader& a,
                                           const battle_file::BattleHeader& b) {
    std::vector<std::string> names;
    const auto compare = [&](const char* name, bool equal) {
        if (!equal) names.emplace_back(name);
    };
    compare("build", a.build_id == b.build_id);
    compare("game", a.game_id == b.game_id);
    compare("map", a.map_name == b.map_name);
    compare("map_digest", a.map_digest == b.map_digest);
    compare("registry_digest", a.registry_digest == b.registry_digest);
    compare("tick_rate_hz", a.tick_rate_hz == b.tick_rate_hz);
    compare("seed", a.seed == b.seed);
    compare("units", a.units == b.units);
    compare("mode", a.mode == b.mode);
    compare("start_tick", a.start_tick == b.start_tick);
    compare("fields", a.fields == b.fields);
    return names;
}

/// The next command, over `after`. TickAdvances only say how the ticks were chunked.
const TickStep* next_command(StepReader& steps, sim::Tick after) {
    for (;;) {
        const TickStep* const step = steps.next();
        const bool skip = step != nullptr && (step->tick <= after ||
                                              step->step.command == battle_file::kStepTickAdvance);
        if (!skip) return step;
    }
}

/// The first recorded command that differs; null where one side has none.
json step_difference(StepReader& a, StepReader& b, sim::Tick after) {
    for (;;) {
        const TickStep* const left = next_command(a, after);
        const TickStep* const right = next_command(b, after);
        if (left == nullptr && right == nullptr) return nullptr;
        const bool both = left != nullptr && right != nullptr;
        if (both && left->tick == right->tick && left->step.params == right->step.params) continue;
        const TickStep& first =
            left == nullptr || (both && right->tick < left->tick) ? *right : *left;
        return {{"step", first.number},
                {"tick", first.tick},
                {"a", left != nullptr ? step_json(*left) : json(nullptr)},
                {"b", right != nullptr ? step_json(*right) : json(nullptr)}};
    }
}

/// The first tick that both hold and hash differently, or that only one of them holds.
std::optional<sim::Tick> hash_difference(const battle_file::BattleReader& a,
                                         const battle_file::BattleReader& b) {
    const sim::Tick first = std::max(a.start_tick(), b.start_tick()) + 1;
    const sim::Tick last = std::min(a.last_tick(), b.last_tick());
    for (sim::Tick tick = first; tick <= last; ++tick) {
        if (a.hash_of(tick) != b.hash_of(tick)) return tick;
    }
    if (a.last_tick() == b.last_tick()) return std::nullopt;
    return last + 1;
}

void print_difference(const json& difference) {
    if (!difference["header"].empty()) {
        fmt::print("the headers differ in");
        for (const json& name : difference["header"]) fmt::print(" {}", name.get<std::string>());
        fmt::print("\n");
    }
    if (const json& step = difference["step"]; !step.is_null()) {
        fmt::print("step {}, tick {}:\na {}\nb {}\n", step["step"].dump(), step["tick"].dump(),
                   step["a"].dump(), step["b"].dump());
    }
    if (const json& tick = difference["hash_tick"]; !tick.is_null()) {
        fmt::print("the hashes differ from tick {} on\n", tick.dump());
    }
    if (difference["equal"]) fmt::print("no difference\n");
}

int diff(const std::string& path_a, const std::string& path_b, bool as_json) {
    const Result<ReplayFile> a = ReplayFile::open(path_a);
    const Result<ReplayFile> b = ReplayFile::open(path_b);
    if (!a || !b) {
        report_refusal(a ? b.error() : a.error(), a ? path_b : path_a, as_json);
        return kInputRefused;
    }
    const sim::Tick both_after = std::max(a->reader().start_tick(), b->reader().start_tick());
    StepReader steps_a(a->reader());
    StepReader steps_b(b->reader());
    json result{{"header", header_difference(a->reader().header(), b->reader().header())},
                {"step", step_difference(steps_a, steps_b, both_after)},
                {"hash_tick", nullptr}};
    if (const auto tick = hash_difference(a->reader(), b->reader())) result["hash_tick"] = *tick;
    result["equal"] =
        result["header"].empty() && result["step"].is_null() && result["hash_tick"].is_null();
    std::optional<Error> error;
    for (const auto& [file, steps] : {std::pair(&*a, &steps_a), std::pair(&*b, &steps_b)}) {
        const std::optional<Error> damage = steps->error() ? steps->error() : file->damage();
        if (!damage) continue;
        fmt::print(stderr, "{}\n", describe(*damage, file->path()));
        if (!error) error = damage;
    }
    if (error) result["error"] = error_json(*error);
    as_json ? fmt::print("{}\n", json_text(result)) : print_difference(result);
    if (error) return kInputRefused;
    return result["equal"] ? kDone : kCheckFailed;
}

struct CompareOptions {
    std::string a;
    std::string b;
    bool json = false;
};

}  // namespace

void add_replay_compare(CLI::App& replay, int& status) {
    auto options = std::make_shared<CompareOptions>();
    CLI::App* sub = replay.add_subcommand("diff", "The first step in which two battles differ");
    sub->add_option("A", options->a, "A .mrp battle file")->required();
    sub->add_option("B", options->b, "Another")->required();
    sub->add_flag("--json", options->json, "One JSON object on stdout");
    sub->callback([options, &status] { status = diff(options->a, options->b, options->json); });
}

}  // namespace maniple::cli
