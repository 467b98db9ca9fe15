#include "replay_play.h"

#include <algorithm>
#include <chrono>
#include <fmt/core.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <unistd.h>

#include "maniple/core/hash.h"

#include "exit_status.h"
#include "interrupt.h"
#include "json_text.h"
#include "number_list.h"
#include "playback.h"
#include "refusal.h"
#include "replay_file.h"
#include "replay_viewer.h"

namespace maniple::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct PlayOptions {
    std::string file;
    double speed = 1.0;
    std::int32_t from = 0;
    std::optional<std::uint16_t> http;  ///< Port of the page; 0 picks one.
    bool json = false;
};

/// What a viewer without a picture wants to know: one line a second of battle, drawn over on a
/// terminal.
class PlayStatus {
  public:
    explicit PlayStatus(const Playback& playback)
        : playback_(playback), terminal_(isatty(STDERR_FILENO) != 0) {}
    ~PlayStatus() {
        if (terminal_) fmt::print(stderr, "\n");
    }
    PlayStatus(const PlayStatus&) = delete;
    PlayStatus& operator=(const PlayStatus&) = delete;

    void show() const {
        const int rate_hz = playback_.reader().header().tick_rate_hz;
        const sim::Tick tick = playback_.tick();
        if (tick % rate_hz != 0 && !playback_.at_end()) return;
        const int seconds = tick / rate_hz;
        const char* const before = terminal_ ? "\r\x1b[K" : "";
        const char* const after = terminal_ ? "" : "\n";
        fmt::print(stderr, "{}{:02}:{:02}  tick {}/{}  {} units{}", before, seconds / 60,
                   seconds % 60, tick, playback_.reader().last_tick(),
                   playback_.world().state().occupied_count(), after);
    }

  private:
    const Playback& playback_;
    bool terminal_;
};

/// Sleeps until `due` or an interrupt.
void wait_until(Clock::time_point due) {
    constexpr auto kSlice = std::chrono::milliseconds(100);
    while (!interrupted() && Clock::now() < due) {
        std::this_thread::sleep_until(std::min(due, Clock::now() + kSlice));
    }
}

/// Plays on at the file's rate times `speed`. Never hurries after a slow tick: playback is for
/// eyes.
Result<void> play(Playback& playback, double speed) {
    const std::chrono::duration<double> seconds(1.0 /
                                                (playback.reader().header().tick_rate_hz * speed));
    const auto tick_time = std::chrono::duration_cast<Clock::duration>(seconds);
    const PlayStatus status(playback);
    while (!playback.at_end() && !interrupted()) {
        const auto next_tick_at = Clock::now() + tick_time;
        if (auto stepped = playback.step(); !stepped) return stepped;
        status.show();
        wait_until(next_tick_at);
    }
    return {};
}

int exit_status_of(const Error& error) {
    return error.code == ErrorCode::kStateMismatch ? kCheckFailed : kInputRefused;
}

int run(const PlayOptions& options) {
    const Result<ReplayFile> file = ReplayFile::open(options.file);
    Result<void> playable = file ? file->playable() : Result<void>(refuse(file.error()));
    if (!playable) {
        report_refusal(playable.error(), options.file, options.json);
        return kInputRefused;
    }
    if (options.from > file->reader().last_tick()) {
        const Error beyond{ErrorCode::kNotFound, Error::kNoOffset,
                           fmt::format("tick {} is behind the last one, {}", options.from,
                                       file->reader().last_tick())};
        report_refusal(beyond, options.file, options.json);
        return kInputRefused;
    }
    catch_interrupts();
    Playback playback(*file);
    Result<void> played = playback.seek(options.from);
    const sim::Tick from = played ? playback.tick() : 0;
    if (played) {
        played = options.http ? view_replay(playback, options.speed, *options.http)
                              : play(playback, options.speed);
    }
    if (!played) {
        report_refusal(played.error(), options.file, options.json);
        return exit_status_of(played.error());
    }
    if (options.json) {
        const nlohmann::json object{{"from_tick", from},
                                    {"tick", playback.tick()},
                                    {"hash", core::hex16(playback.hash())},
                                    {"ticks", playback.tick() - from}};
        fmt::print("{}\n", json_text(object));
    } else {
        fmt::print("tick {}  hash {}\n", playback.tick(), core::hex16(playback.hash()));
    }
    if (const auto damage = file->damage(); damage && !interrupted()) {
        fmt::print(stderr, "{}\n", describe(*damage, options.file));
        return kInputRefused;
    }
    return kDone;
}

}  // namespace

void add_replay_play(CLI::App& replay, int& status) {
    auto options = std::make_shared<PlayOptions>();
    CLI::App* sub = replay.add_subcommand("play", "Play a battle again in its own time");
    sub->add_option("FILE", options->file, "A .mrp battle file")->required();
    sub->add_option("--speed", options->speed, "Times the recorded rate")
        ->check(finite_range(0.001, 100'000.0))
        ->capture_default_str();
    sub->add_option("--from", options->from, "Tick to start after; 0 is the start of the file")
        ->check(CLI::Range(0, 1 << 30))
        ->capture_default_str();
    sub->add_option("--http", options->http,
                    "Show it on a page at this port of 127.0.0.1, 0 for a free one, until Ctrl-C");
    sub->add_flag("--json", options->json, "One JSON object on stdout");
    sub->callback([options, &status] { status = run(*options); });
}

}  // namespace maniple::cli
