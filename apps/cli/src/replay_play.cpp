#include "replay_play.h"

#include <algorithm>
#include <chrono>
#include <fmt/core.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "maniple/battle_file/world_simulator.h"
#include "maniple/core/hash.h"

#include "exit_status.h"
#include "interrupt.h"
#include "json_text.h"
#include "refusal.h"
#include "replay_file.h"

namespace maniple::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct PlayOptions {
    std::string file;
    double speed = 1.0;
    std::int32_t from = 0;
    bool json = false;
};

/// What a viewer without a picture wants to know: one line a second of battle, drawn over on a
/// terminal.
class PlayStatus {
  public:
    PlayStatus(const battle_file::BattleReader& reader, const sim::World& world)
        : reader_(reader), world_(world), terminal_(isatty(STDERR_FILENO) != 0) {}
    ~PlayStatus() {
        if (terminal_) fmt::print(stderr, "\n");
    }
    PlayStatus(const PlayStatus&) = delete;
    PlayStatus& operator=(const PlayStatus&) = delete;

    void show() const {
        const int rate_hz = reader_.header().tick_rate_hz;
        const bool last = world_.tick() == reader_.last_tick();
        if (world_.tick() % rate_hz != 0 && !last) return;
        const int seconds = world_.tick() / rate_hz;
        const char* const before = terminal_ ? "\r\x1b[K" : "";
        const char* const after = terminal_ ? "" : "\n";
        fmt::print(stderr, "{}{:02}:{:02}  tick {}/{}  {} units{}", before, seconds / 60,
                   seconds % 60, world_.tick(), reader_.last_tick(),
                   world_.state().occupied_count(), after);
    }

  private:
    const battle_file::BattleReader& reader_;
    const sim::World& world_;
    bool terminal_;
};

/// The commands of one tick after another, decoded a range at a time.
class CommandFeed {
  public:
    explicit CommandFeed(const battle_file::BattleReader& reader) : reader_(reader) {}
    /// Those of `tick`, which is over the last one asked for.
    Result<std::span<const sim::Command>> at(sim::Tick tick) {
        if (tick > range_last_) {
            const std::size_t range = reader_.range_of(tick);
            Result<std::vector<sim::Command>> commands = reader_.commands_of(range);
            if (!commands) return refuse(std::move(commands.error()));
            commands_ = *std::move(commands);
            range_last_ = reader_.ranges()[range].last_tick;
        }
        const auto [first, last] =
            std::equal_range(commands_.begin(), commands_.end(), tick, Less{});
        return std::span<const sim::Command>(first, last);
    }

  private:
    struct Less {
        bool operator()(const sim::Command& a, sim::Tick b) const { return a.tick < b; }
        bool operator()(sim::Tick a, const sim::Command& b) const { return a < b.tick; }
    };
    const battle_file::BattleReader& reader_;
    std::vector<sim::Command> commands_;
    sim::Tick range_last_ = -1;
};

/// Plays the ticks after the simulator's at the file's rate times `speed`. Never hurries after a
/// slow tick: playback is for eyes. @return the last hash, kStateMismatch where it is another than
/// recorded.
Result<std::uint64_t> play(const battle_file::BattleReader& reader,
                           battle_file::Simulator& simulator, double speed) {
    const sim::World& world = battle_file::world_of(simulator);
    const std::chrono::duration<double> seconds(1.0 / (reader.header().tick_rate_hz * speed));
    const auto tick_time = std::chrono::duration_cast<Clock::duration>(seconds);
    const PlayStatus status(reader, world);
    CommandFeed feed(reader);
    std::uint64_t hash = world.tick() > reader.start_tick() ? reader.hash_of(world.tick()) : 0;
    for (sim::Tick tick = world.tick() + 1; tick <= reader.last_tick() && !interrupted(); ++tick) {
        const auto next_tick_at = Clock::now() + tick_time;
        const auto commands = feed.at(tick);
        if (!commands) return refuse(commands.error());
        const Result<std::uint64_t> stepped = simulator.step(tick, *commands);
        if (!stepped) return stepped;
        if (*stepped != reader.hash_of(tick)) {
            return refuse(ErrorCode::kStateMismatch,
                          fmt::format("tick {}: hash {}, recorded {}", tick, core::hex16(*stepped),
                                      core::hex16(reader.hash_of(tick))));
        }
        hash = *stepped;
        status.show();
        std::this_thread::sleep_until(next_tick_at);
    }
    return hash;
}

int run(const PlayOptions& options) {
    const Result<ReplayFile> file = ReplayFile::open(options.file);
    Result<void> playable = file ? file->playable() : Result<void>(refuse(file.error()));
    if (!playable) {
        report_refusal(playable.error(), options.file, options.json);
        return kInputRefused;
    }
    const battle_file::BattleReader& reader = file->reader();
    const sim::Tick from = std::max(options.from, reader.start_tick());
    const auto found =
        battle_file::seek_battle(reader, from, file->simulators(1), file->keyframes());
    if (!found) {
        report_refusal(found.error(), options.file, options.json);
        return found.error().code == ErrorCode::kStateMismatch ? kCheckFailed : kInputRefused;
    }
    catch_interrupts();
    const Result<std::uint64_t> hash = play(reader, *found->simulator, options.speed);
    if (!hash) {
        report_refusal(hash.error(), options.file, options.json);
        return hash.error().code == ErrorCode::kStateMismatch ? kCheckFailed : kInputRefused;
    }
    const sim::Tick tick = battle_file::world_of(*found->simulator).tick();
    if (options.json) {
        const nlohmann::json object{{"from_tick", from},
                                    {"tick", tick},
                                    {"hash", core::hex16(*hash)},
                                    {"ticks", tick - from}};
        fmt::print("{}\n", json_text(object));
    } else {
        fmt::print("tick {}  hash {}\n", tick, core::hex16(*hash));
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
        ->check(CLI::Range(0.001, 100'000.0))
        ->capture_default_str();
    sub->add_option("--from", options->from, "Tick to start after; 0 is the start of the file")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    sub->add_flag("--json", options->json, "One JSON object on stdout");
    sub->callback([options, &status] { status = run(*options); });
}

}  // namespace maniple::cli
