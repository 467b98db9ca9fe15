#include "replay_verify.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fmt/core.h>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>

#include "maniple/core/hash.h"

#include "exit_status.h"
#include "json_text.h"
#include "progress.h"
#include "refusal.h"
#include "replay_file.h"

namespace maniple::cli {
namespace {

using battle_file::Keyframe;
using battle_file::Simulator;
using battle_file::StateDifference;
using nlohmann::json;

/// Counts the ticks of all simulators for one bar, whatever threads they run on.
class TickCounter {
  public:
    explicit TickCounter(std::int64_t total) : bar_("tick", total) {}
    void add() {
        const std::int64_t done = ++done_;
        if (const std::unique_lock lock(mutex_, std::try_to_lock); lock) bar_.show(done);
    }

  private:
    std::atomic<std::int64_t> done_ = 0;
    std::mutex mutex_;
    ProgressBar bar_;
};

/// A simulator whose ticks are counted.
class CountedSimulator final : public Simulator {
  public:
    CountedSimulator(std::unique_ptr<Simulator> inner, TickCounter& counter)
        : inner_(std::move(inner)), counter_(counter) {}
    Result<std::uint64_t> step(sim::Tick tick, std::span<const sim::Command> commands) override {
        counter_.add();
        return inner_->step(tick, commands);
    }
    Result<std::optional<StateDifference>> compare(const Keyframe& keyframe) override {
        return inner_->compare(keyframe);
    }

  private:
    std::unique_ptr<Simulator> inner_;
    TickCounter& counter_;
};

battle_file::MakeSimulator counted(battle_file::MakeSimulator make, TickCounter& counter) {
    return [make = std::move(make), &counter](
               const battle_file::BattleReader& reader,
               const Keyframe* start) -> Result<std::unique_ptr<Simulator>> {
        Result<std::unique_ptr<Simulator>> made = make(reader, start);
        if (!made) return made;
        return std::make_unique<CountedSimulator>(*std::move(made), counter);
    };
}

battle_file::VerifyReport verify_file(const ReplayFile& file, int threads) {
    battle_file::VerifyReport report;
    if (Result<void> playable = file.playable(); !playable) {
        // Without the game's rules the chunks are still there to check, which opening has done.
        report.error = file.damage() ? *file.damage() : std::move(playable.error());
        return report;
    }
    const battle_file::BattleReader& reader = file.reader();
    TickCounter counter(reader.last_tick() - reader.start_tick());
    const auto executor = core::make_executor(threads);
    report = battle_file::verify_battle(reader, counted(file.simulators(1), counter), *executor,
                                        file.keyframes());
    if (const std::optional<Error> damage = file.damage()) report.error = damage;
    return report;
}

json mismatch_json(const battle_file::VerifyReport& report) {
    if (!report.mismatch) return nullptr;
    const battle_file::Mismatch& mismatch = *report.mismatch;
    json object{{"tick", mismatch.tick}, {"state_tick", nullptr}, {"fragment", nullptr},
                {"uid", nullptr},        {"field", nullptr},      {"message", mismatch.message}};
    if (mismatch.state_tick) object["state_tick"] = *mismatch.state_tick;
    if (const auto& difference = mismatch.difference) {
        object["fragment"] = difference->fragment;
        if (difference->uid != sim::kNoUid) object["uid"] = difference->uid.value;
        if (!difference->field.empty()) object["field"] = difference->field;
    }
    return object;
}

json verify_json(const battle_file::VerifyReport& report, const std::string& note) {
    json object{{"ok", report.ok()},
                {"ticks", report.ticks},
                {"first_hash", core::hex16(report.first_hash)},
                {"last_hash", core::hex16(report.last_hash)},
                {"mismatch", mismatch_json(report)}};
    if (report.error) object["error"] = error_json(*report.error);
    if (!note.empty()) object["note"] = note;
    return object;
}

void print_mismatch(const std::string& path, const battle_file::Mismatch& mismatch) {
    fmt::print(stderr, "{}: tick {}: {}\n", path, mismatch.tick, mismatch.message);
    if (!mismatch.state_tick) {
        fmt::print(stderr, "{}: no keyframe follows to compare the states at\n", path);
    } else if (!mismatch.difference) {
        fmt::print(stderr, "{}: the states are equal at keyframe {}\n", path, *mismatch.state_tick);
    } else {
        const StateDifference& at = *mismatch.difference;
        const std::string entity =
            at.uid == sim::kNoUid ? "" : fmt::format(" of unit {}", at.uid.value);
        fmt::print(stderr, "{}: at keyframe {} the states differ in {} {}{}\n", path,
                   *mismatch.state_tick, at.fragment, at.field, entity);
    }
}

int verify(const std::string& path, int threads, bool as_json) {
    const Result<ReplayFile> file = ReplayFile::open(path);
    battle_file::VerifyReport report;
    std::string note;
    if (file) {
        note = file->origin_note();
        if (!note.empty()) fmt::print(stderr, "{}: {}\n", path, note);
        report = verify_file(*file, threads);
    } else {
        report.error = file.error();
    }
    if (report.mismatch) print_mismatch(path, *report.mismatch);
    if (report.error) fmt::print(stderr, "{}\n", describe(*report.error, path));
    if (as_json) {
        fmt::print("{}\n", json_text(verify_json(report, note)));
    } else if (report.ok()) {
        fmt::print("{}: {} ticks verified, last hash {}\n", path, report.ticks,
                   core::hex16(report.last_hash));
    }
    if (report.mismatch) return kCheckFailed;
    return report.error ? kInputRefused : kDone;
}

int seek(const std::string& path, std::int32_t tick, int threads, bool as_json) {
    const auto begin = std::chrono::steady_clock::now();
    const Result<ReplayFile> file = ReplayFile::open(path);
    if (!file) {
        report_refusal(file.error(), path, as_json);
        return kInputRefused;
    }
    if (const Result<void> playable = file->playable(); !playable) {
        report_refusal(playable.error(), path, as_json);
        return kInputRefused;
    }
    const auto found = battle_file::seek_battle(file->reader(), tick, file->simulators(threads),
                                                file->keyframes());
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    if (!found) {
        report_refusal(found.error(), path, as_json);
        return found.error().code == ErrorCode::kStateMismatch ? kCheckFailed : kInputRefused;
    }
    if (as_json) {
        json object{{"tick", tick},
                    {"hash", core::hex16(found->hash)},
                    {"ms", took.count()},
                    {"from_keyframe", nullptr}};
        if (found->from_keyframe) object["from_keyframe"] = *found->from_keyframe;
        fmt::print("{}\n", json_text(object));
    } else {
        fmt::print("tick {}  hash {}  {:.1f} ms from {}\n", tick, core::hex16(found->hash),
                   took.count(),
                   found->from_keyframe ? fmt::format("keyframe {}", *found->from_keyframe)
                                        : std::string("the start"));
    }
    return kDone;
}

struct VerifyOptions {
    std::string file;
    int threads = 1;
    std::int32_t tick = 0;
    bool json = false;
};

}  // namespace

void add_replay_verify(CLI::App& replay, int& status) {
    const auto add = [&](const char* name, const char* description) {
        auto options = std::make_shared<VerifyOptions>();
        options->threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        CLI::App* sub = replay.add_subcommand(name, description);
        sub->add_option("FILE", options->file, "A .mrp battle file")->required();
        sub->add_option("--threads", options->threads,
                        "Worker threads; the default is every core, the result never depends on it")
            ->check(CLI::Range(1, 256))
            ->capture_default_str();
        sub->add_flag("--json", options->json, "One JSON object on stdout");
        return std::pair(sub, options);
    };
    const auto [verifier, verified] =
        add("verify", "Simulate the battle again and compare every tick's hash");
    verifier->callback([options = verified, &status] {
        status = verify(options->file, options->threads, options->json);
    });
    const auto [seeker, sought] = add("seek", "The battle at a tick, from the keyframe before it");
    seeker->add_option("--tick", sought->tick, "Tick to go to")
        ->required()
        ->check(CLI::Range(0, 1 << 30));
    seeker->callback([options = sought, &status] {
        status = seek(options->file, options->tick, options->threads, options->json);
    });
}

}  // namespace maniple::cli
