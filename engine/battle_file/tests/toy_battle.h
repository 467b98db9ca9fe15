#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "maniple/battle_file/battle_writer.h"
#include "maniple/battle_file/verify.h"
#include "maniple/core/hash.h"

namespace maniple::battle_file::toy {

constexpr std::size_t kUnits = 8;
constexpr std::uint32_t kCommandPush = 64;

/// A battle small enough to check by eye: eight numbers that change every tick, and a command that
/// adds to one of them.
class Battle final : public Simulator {
  public:
    Battle() { values_.fill(1); }

    Result<std::uint64_t> step(sim::Tick tick, std::span<const sim::Command> commands) override {
        for (const sim::Command& command : commands) {
            const auto* unit = command.param<std::int64_t>("unit");
            const auto* amount = command.param<std::int64_t>("amount");
            if (unit == nullptr || amount == nullptr || command.tick != tick) {
                return refuse(ErrorCode::kBadValue, "not a push of this tick");
            }
            values_[static_cast<std::size_t>(*unit)] += static_cast<std::uint64_t>(*amount);
        }
        for (std::uint64_t& value : values_) value = value * 3 + 1;
        return hash();
    }

    Result<std::optional<StateDifference>> compare(const Keyframe& keyframe) override {
        Result<Battle> other = restore(keyframe);
        if (!other) return refuse(std::move(other.error()));
        for (std::size_t i = 0; i < kUnits; ++i) {
            if (values_[i] == other->values_[i]) continue;
            return StateDifference{"Number", {static_cast<std::int32_t>(i)}, "value"};
        }
        return std::nullopt;
    }

    [[nodiscard]] std::uint64_t hash() const { return core::xxh3_64(bytes()); }

    [[nodiscard]] Keyframe capture(sim::Tick tick) const { return {tick, {}, bytes()}; }

    static Result<Battle> restore(const Keyframe& keyframe) {
        core::ByteReader in(keyframe.frame);
        Battle battle;
        for (std::uint64_t& value : battle.values_) value = in.u64();
        in.expect_end();
        if (!in.ok()) return refuse(in.error());
        return battle;
    }

  private:
    [[nodiscard]] core::Bytes bytes() const {
        core::Bytes bytes;
        core::ByteWriter out(bytes);
        for (const std::uint64_t value : values_) out.u64(value);
        return bytes;
    }

    std::array<std::uint64_t, kUnits> values_;
};

inline Result<std::unique_ptr<Simulator>> make_battle(const BattleReader&, const Keyframe* start) {
    if (start == nullptr) return std::make_unique<Battle>();
    Result<Battle> battle = Battle::restore(*start);
    if (!battle) return refuse(std::move(battle.error()));
    return std::make_unique<Battle>(*std::move(battle));
}

inline BattleHeader header() {
    BattleHeader header;
    header.build_id = "toy 1";
    header.game_id = "toy";
    header.map_name = "builtin:nowhere";
    header.map_digest = 0x1122334455667788;
    header.registry_digest = 0x99AABBCCDDEEFF00;
    header.tick_rate_hz = 20;
    header.seed = -7;
    header.units = kUnits;
    header.range_ticks = 10;
    header.fields = {{"ground", 42}};
    return header;
}

inline FieldSubstrate substrate() { return {"ground", core::Bytes(5000, 0x5A)}; }

inline sim::Command push(sim::Tick tick, std::int64_t sequence) {
    sim::Command command;
    command.type = kCommandPush;
    command.tick = tick;
    command.server_exec_sequence = sequence;
    command.issuer_slot = static_cast<std::int32_t>(sequence % 2);
    command.set("unit", std::int64_t{sequence % 8});
    command.set("amount", std::int64_t{1000 + sequence});
    return command;
}

/// The commands of a tick: two in each third tick, none else.
inline std::vector<sim::Command> commands_at(sim::Tick tick) {
    if (tick % 3 != 0) return {};
    return {push(tick, 2 * tick), push(tick, 2 * tick + 1)};
}

struct Recorded {
    core::Bytes file;
    std::vector<std::uint64_t> hashes;  ///< Of tick 1, 2, …
};

/// The part of the battle after tick 20, as a file of its own.
inline Recorded record_part(sim::Tick last) {
    MemorySink sink;
    BattleWriter writer(sink, {.keyframe_ticks = 20});
    BattleHeader part = header();
    part.start_tick = 20;
    Recorded recorded;
    Battle battle;
    static_cast<void>(writer.begin(part, {}));
    for (sim::Tick tick = 1; tick <= last; ++tick) {
        const std::vector<sim::Command> commands = commands_at(tick);
        recorded.hashes.push_back(*battle.step(tick, commands));
        if (tick > 20) {
            static_cast<void>(writer.record_tick(tick, commands, recorded.hashes.back()));
        }
        if (tick == 20 || writer.take_keyframe_request()) {
            static_cast<void>(writer.add_keyframe(battle.capture(tick)));
        }
    }
    static_cast<void>(writer.end(EndReason::kFinished));
    recorded.file = sink.take();
    return recorded;
}

/// Records `ticks` ticks in ranges of 10 with keyframes every 20, without an end record if killed.
inline Recorded record(sim::Tick ticks, bool killed = false) {
    MemorySink sink;
    BattleWriter writer(sink, {.keyframe_ticks = 20});
    const std::array substrates = {substrate()};
    Recorded recorded;
    Battle battle;
    static_cast<void>(writer.begin(header(), substrates));
    for (sim::Tick tick = 1; tick <= ticks; ++tick) {
        const std::vector<sim::Command> commands = commands_at(tick);
        recorded.hashes.push_back(*battle.step(tick, commands));
        static_cast<void>(writer.record_tick(tick, commands, recorded.hashes.back()));
        if (!writer.take_keyframe_request()) continue;
        Keyframe keyframe = battle.capture(tick);
        keyframe.substrates = {substrate()};
        static_cast<void>(writer.add_keyframe(keyframe));
    }
    if (!killed) static_cast<void>(writer.end(EndReason::kFinished));
    recorded.file = sink.take();
    return recorded;
}

}  // namespace maniple::battle_file::toy
