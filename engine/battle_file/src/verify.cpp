#include "maniple/battle_file/verify.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "maniple/core/hash.h"
#include "maniple/replay/container.h"

namespace maniple::battle_file {
namespace {

/// A stretch of ticks between two states: (first keyframe's tick, last_tick].
struct Stretch {
    std::optional<std::size_t> from;  ///< Keyframe it starts at; nullopt for the battle's start.
    std::optional<std::size_t> to;    ///< Keyframe at its end; nullopt where the file ends.
    sim::Tick after_tick = 0;
    sim::Tick last_tick = 0;
};

struct StretchResult {
    sim::Tick ticks = 0;
    std::optional<Mismatch> mismatch;
    std::optional<Error> error;
};

/// The keyframes to simulate from; the start state of a part is always needed.
std::size_t keyframe_count(const BattleReader& reader, Keyframes keyframes) {
    const std::size_t count = reader.keyframes().size();
    if (keyframes == Keyframes::kUse) return count;
    return reader.start_tick() > 0 ? std::min<std::size_t>(count, 1) : 0;
}

std::vector<Stretch> stretches_of(const BattleReader& reader, Keyframes keyframes) {
    std::vector<Stretch> stretches;
    Stretch next;
    next.after_tick = reader.start_tick();
    for (std::size_t i = 0; i < keyframe_count(reader, keyframes); ++i) {
        const sim::Tick tick = reader.keyframes()[i].first_tick;
        if (tick > reader.start_tick()) {
            next.to = i;
            next.last_tick = tick;
            stretches.push_back(next);
        }
        next = {i, std::nullopt, tick, tick};
    }
    if (next.after_tick < reader.last_tick()) {
        next.last_tick = reader.last_tick();
        stretches.push_back(next);
    }
    return stretches;
}

/// Re-simulates one stretch.
class StretchRun {
  public:
    StretchRun(const BattleReader& reader, const Stretch& stretch, const MakeSimulator& make)
        : reader_(reader), stretch_(stretch), make_(make) {}

    StretchResult run() {
        if (start() && simulate() && stretch_.to) compare_end();
        return std::move(result_);
    }

  private:
    bool start() {
        Keyframe keyframe;
        if (stretch_.from) {
            Result<Keyframe> read = reader_.keyframe(*stretch_.from);
            if (!read) return differ(stretch_.after_tick, "the keyframe: " + read.error().message);
            keyframe = *std::move(read);
        }
        Result<std::unique_ptr<Simulator>> made =
            make_(reader_, stretch_.from ? &keyframe : nullptr);
        if (made) {
            simulator_ = *std::move(made);
            return true;
        }
        if (stretch_.from) {
            return differ(stretch_.after_tick, "the keyframe: " + made.error().message);
        }
        result_.error = std::move(made.error());
        return false;
    }

    bool simulate() {
        const std::size_t first = reader_.range_of(stretch_.after_tick + 1);
        const std::size_t last = reader_.range_of(stretch_.last_tick);
        for (std::size_t range = first; range <= last; ++range) {
            Result<std::vector<sim::Command>> commands = reader_.commands_of(range);
            if (!commands) {
                result_.error = std::move(commands.error());
                return false;
            }
            if (!simulate_range(reader_.ranges()[range], *commands)) return false;
        }
        return true;
    }

    bool simulate_range(const ChunkAddress& range, std::span<const sim::Command> commands) {
        const sim::Tick last = std::min(range.last_tick, stretch_.last_tick);
        for (sim::Tick tick = range.first_tick; tick <= last; ++tick) {
            std::size_t count = 0;
            while (count < commands.size() && commands[count].tick == tick) ++count;
            const std::span<const sim::Command> executed = commands.first(count);
            commands = commands.subspan(count);
            if (tick <= stretch_.after_tick) continue;
            const Result<std::uint64_t> hash = simulator_->step(tick, executed);
            if (!hash) return differ(tick, "the tick cannot run: " + hash.error().message);
            ++result_.ticks;
            if (const std::uint64_t recorded = reader_.hash_of(tick); *hash != recorded) {
                differ(tick, "hash " + core::hex16(*hash) + ", recorded " + core::hex16(recorded));
            }
        }
        return true;
    }

    /// The simulated state against the recorded one at the stretch's end: names what differs after
    /// a mismatch, and finds a keyframe that is not the battle's.
    void compare_end() {
        const Result<Keyframe> keyframe = reader_.keyframe(*stretch_.to);
        if (!keyframe) {
            differ(stretch_.last_tick, "the keyframe: " + keyframe.error().message);
            return;
        }
        const Result<std::optional<StateDifference>> compared = simulator_->compare(*keyframe);
        if (!compared) {
            differ(stretch_.last_tick, "the keyframe: " + compared.error().message);
            return;
        }
        if (*compared) differ(stretch_.last_tick, "the keyframe's state differs");
        if (!result_.mismatch) return;
        result_.mismatch->state_tick = stretch_.last_tick;
        result_.mismatch->difference = *compared;
    }

    /// Keeps the first mismatch. Always false, for the callers that end with it.
    bool differ(sim::Tick tick, std::string message) {
        if (!result_.mismatch) {
            result_.mismatch = Mismatch{tick, std::nullopt, std::nullopt, std::move(message)};
        }
        return false;
    }

    const BattleReader& reader_;
    const Stretch& stretch_;
    const MakeSimulator& make_;
    std::unique_ptr<Simulator> simulator_;
    StretchResult result_;
};

/// The end record's step count, which opening does not check since it means unpacking all steps.
std::optional<Error> check_step_count(const BattleReader& reader) {
    if (!reader.end_record()) return std::nullopt;
    std::uint64_t steps = 0;
    for (std::size_t range = 0; range < reader.ranges().size(); ++range) {
        const Result<core::Bytes> bytes = reader.steps_of(range);
        if (!bytes) return bytes.error();
        const Result<replay::ReplayArray> array = replay::decode_container(*bytes);
        if (!array)
            return Error{array.error().code, reader.ranges()[range].at_byte,
                         "STEP chunk: " + array.error().message};
        steps += array->size();
    }
    if (steps == reader.end_record()->steps) return std::nullopt;
    return Error{ErrorCode::kBadValue, Error::kNoOffset,
                 "the end record states " + std::to_string(reader.end_record()->steps) +
                     " steps, there are " + std::to_string(steps)};
}

}  // namespace

VerifyReport verify_battle(const BattleReader& reader, const MakeSimulator& make,
                           core::Executor& executor, Keyframes keyframes) {
    const std::vector<Stretch> stretches = stretches_of(reader, keyframes);
    std::vector<StretchResult> results(stretches.size());
    executor.run(stretches.size(), [&](std::size_t i) {
        const core::OutsideStage outside;  // each stretch has a world of its own
        results[i] = StretchRun(reader, stretches[i], make).run();
    });
    VerifyReport report;
    report.error = reader.damage();
    if (!report.error) report.error = check_step_count(reader);
    for (StretchResult& result : results) {
        report.ticks += result.ticks;
        if (result.error && !report.error) report.error = std::move(result.error);
        // A stretch's first mismatch may be the keyframe it shares with the one before.
        if (result.mismatch &&
            (!report.mismatch || result.mismatch->tick < report.mismatch->tick)) {
            report.mismatch = std::move(result.mismatch);
        }
    }
    if (reader.last_tick() > reader.start_tick()) {
        report.first_hash = reader.hash_of(reader.start_tick() + 1);
        report.last_hash = reader.hash_of(reader.last_tick());
    }
    return report;
}

Result<SeekResult> seek_battle(const BattleReader& reader, sim::Tick tick,
                               const MakeSimulator& make, Keyframes keyframes) {
    if (tick < reader.start_tick() || tick > reader.last_tick()) {
        return refuse(ErrorCode::kNotFound, "tick " + std::to_string(tick) + " is not in " +
                                                std::to_string(reader.start_tick()) + " to " +
                                                std::to_string(reader.last_tick()));
    }
    Stretch stretch;
    Keyframe keyframe;
    for (std::size_t i = 0; i < keyframe_count(reader, keyframes); ++i) {
        if (reader.keyframes()[i].first_tick <= tick) stretch.from = i;
    }
    if (reader.start_tick() > 0 && !stretch.from) {
        return refuse(ErrorCode::kTruncated, "the start state is missing");
    }
    SeekResult result;
    if (stretch.from) {
        Result<Keyframe> read = reader.keyframe(*stretch.from);
        if (!read) return refuse(std::move(read.error()));
        keyframe = *std::move(read);
        result.from_keyframe = keyframe.tick;
    }
    Result<std::unique_ptr<Simulator>> made = make(reader, stretch.from ? &keyframe : nullptr);
    if (!made) return refuse(std::move(made.error()));
    result.simulator = *std::move(made);
    if (tick > reader.start_tick()) result.hash = reader.hash_of(tick);
    if (tick == keyframe.tick) return result;
    Result<std::vector<sim::Command>> commands = reader.commands_between(keyframe.tick + 1, tick);
    if (!commands) return refuse(std::move(commands.error()));
    std::span<const sim::Command> left = *commands;
    for (sim::Tick next = keyframe.tick + 1; next <= tick; ++next) {
        std::size_t count = 0;
        while (count < left.size() && left[count].tick == next) ++count;
        const Result<std::uint64_t> hash = result.simulator->step(next, left.first(count));
        if (!hash) return refuse(hash.error());
        if (*hash != reader.hash_of(next)) {
            return refuse(ErrorCode::kStateMismatch,
                          "tick " + std::to_string(next) + " has another hash than recorded");
        }
        left = left.subspan(count);
    }
    return result;
}

}  // namespace maniple::battle_file
