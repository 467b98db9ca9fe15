#include "replay_edit.h"

#include <algorithm>
#include <fmt/core.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "maniple/battle_file/battle_writer.h"
#include "maniple/battle_file/world_simulator.h"
#include "maniple/core/hash.h"

#include "exit_status.h"
#include "file_io.h"
#include "json_text.h"
#include "refusal.h"
#include "replay_file.h"

namespace maniple::cli {
namespace {

struct TrimOptions {
    std::string file;
    std::int32_t from = 1;
    std::int32_t to = 1;
    std::string output;
    bool json = false;
};

/// The state after `tick`, simulated from the keyframe before.
Result<battle_file::Keyframe> state_after(const ReplayFile& file, sim::Tick tick) {
    if (Result<void> playable = file.playable(); !playable) {
        return refuse(std::move(playable.error()));
    }
    const auto found =
        battle_file::seek_battle(file.reader(), tick, file.simulators(1), file.keyframes());
    if (!found) return refuse(found.error());
    const sim::World& world = battle_file::world_of(*found->simulator);
    snapshot::Snapshot captured;
    snapshot::capture(world, captured);
    return battle_file::make_keyframe(world, captured);
}

/// Copies what is recorded of the ticks from … to, and the keyframes among them.
Result<void> copy_ticks(const battle_file::BattleReader& reader, sim::Tick from, sim::Tick to,
                        battle_file::BattleWriter& writer) {
    const auto commands = reader.commands_between(from, to);
    if (!commands) return refuse(commands.error());
    std::span<const sim::Command> left = *commands;
    std::size_t keyframe = 0;
    for (sim::Tick tick = from; tick <= to; ++tick) {
        const auto later = std::find_if(
            left.begin(), left.end(), [tick](const auto& command) { return command.tick > tick; });
        const auto count = static_cast<std::size_t>(later - left.begin());
        Result<void> written = writer.record_tick(tick, left.first(count), reader.hash_of(tick));
        if (!written) return written;
        left = left.subspan(count);
        while (keyframe < reader.keyframes().size() &&
               reader.keyframes()[keyframe].first_tick < tick) {
            ++keyframe;
        }
        if (keyframe == reader.keyframes().size() ||
            reader.keyframes()[keyframe].first_tick != tick) {
            continue;
        }
        const Result<battle_file::Keyframe> state = reader.keyframe(keyframe);
        written = state ? writer.add_keyframe(*state) : Result<void>(refuse(state.error()));
        if (!written) return written;
    }
    return {};
}

Result<core::Bytes> trim(const ReplayFile& file, sim::Tick from, sim::Tick to) {
    const battle_file::BattleReader& reader = file.reader();
    if (from > to || from <= reader.start_tick() || to > reader.last_tick()) {
        return refuse(ErrorCode::kNotFound,
                      fmt::format("ticks {} to {} are not in {} to {}", from, to,
                                  reader.start_tick() + 1, reader.last_tick()));
    }
    battle_file::MemorySink sink;
    battle_file::BattleWriter writer(sink);
    battle_file::BattleHeader header = reader.header();
    header.start_tick = from - 1;
    const bool whole_start = from == 1;
    Result<std::vector<battle_file::FieldSubstrate>> substrates;
    if (whole_start) substrates = reader.start_substrates();
    if (!substrates) return refuse(std::move(substrates.error()));
    Result<void> written = writer.begin(header, *substrates);
    if (written && !whole_start) {
        const Result<battle_file::Keyframe> start = state_after(file, from - 1);
        written = start ? writer.add_keyframe(*start) : Result<void>(refuse(start.error()));
    }
    if (written) written = copy_ticks(reader, from, to, writer);
    if (written) written = writer.end(battle_file::EndReason::kStopped);
    if (!written) return refuse(std::move(written.error()));
    return sink.take();
}

int run(const TrimOptions& options) {
    const Result<ReplayFile> file = ReplayFile::open(options.file);
    if (!file) {
        report_refusal(file.error(), options.file, options.json);
        return kInputRefused;
    }
    if (const auto damage = file->damage()) {
        fmt::print(stderr, "{}\n", describe(*damage, options.file));
    }
    const Result<core::Bytes> part = trim(*file, options.from, options.to);
    if (!part) {
        report_refusal(part.error(), options.file, options.json);
        return part.error().code == ErrorCode::kStateMismatch ? kCheckFailed : kInputRefused;
    }
    if (const Result<void> written = write_file(options.output, *part); !written) {
        report_refusal(written.error(), options.output, options.json);
        return kInputRefused;
    }
    if (options.json) {
        const nlohmann::json object{{"file", options.output},
                                    {"bytes", part->size()},
                                    {"first_tick", options.from},
                                    {"last_tick", options.to}};
        fmt::print("{}\n", json_text(object));
    } else {
        fmt::print("{}: ticks {} to {}, {} bytes\n", options.output, options.from, options.to,
                   part->size());
    }
    return kDone;
}

}  // namespace

void add_replay_edit(CLI::App& replay, int& status) {
    auto options = std::make_shared<TrimOptions>();
    CLI::App* sub = replay.add_subcommand("trim", "Cut a part out of a battle, as a whole file");
    sub->add_option("FILE", options->file, "A .mrp battle file")->required();
    sub->add_option("--from", options->from, "First tick of the part")
        ->required()
        ->check(CLI::PositiveNumber);
    sub->add_option("--to", options->to, "Last tick of the part")
        ->required()
        ->check(CLI::PositiveNumber);
    sub->add_option("-o,--output", options->output, "File to write")->required();
    sub->add_flag("--json", options->json, "One JSON object on stdout");
    sub->callback([options, &status] { status = run(*options); });
}

}  // namespace maniple::cli
