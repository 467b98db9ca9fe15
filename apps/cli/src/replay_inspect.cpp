#include "replay_inspect.h"

#include <fmt/core.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "maniple/core/hash.h"

#include "exit_status.h"
#include "json_text.h"
#include "printable.h"
#include "refusal.h"
#include "replay_file.h"
#include "replay_steps.h"

namespace maniple::cli {
namespace {

using nlohmann::json;

const char* reason_name(battle_file::EndReason reason) {
    switch (reason) {
        case battle_file::EndReason::kFinished: return "finished";
        case battle_file::EndReason::kStopped: return "stopped";
        case battle_file::EndReason::kPeerLost: return "peer_lost";
    }
    return "?";
}

json info_json(const ReplayFile& file, std::uint64_t steps) {
    const battle_file::BattleReader& reader = file.reader();
    const battle_file::BattleHeader& header = reader.header();
    const battle_file::ChunkBytes bytes = reader.chunk_bytes();
    std::vector<sim::Tick> keyframe_ticks;
    for (const battle_file::ChunkAddress& keyframe : reader.keyframes()) {
        keyframe_ticks.push_back(keyframe.first_tick);
    }
    json fields = json::array();
    for (const battle_file::FieldConfig& field : header.fields) {
        fields.push_back(
            {{"name", field.name}, {"config_digest", core::hex16(field.config_digest)}});
    }
    json object{{"file", file.path()},
                {"bytes", reader.size_bytes()},
                {"format_version", battle_file::kFormatVersion},
                {"build", header.build_id},
                {"game", header.game_id},
                {"map", header.map_name},
                {"map_digest", core::hex16(header.map_digest)},
                {"registry_digest", core::hex16(header.registry_digest)},
                {"mode", header.mode == battle_file::Mode::kGrid ? "grid" : "navmesh"},
                {"tick_rate_hz", header.tick_rate_hz},
                {"seed", header.seed},
                {"units", header.units},
                {"fields", fields},
                {"start_tick", reader.start_tick()},
                {"last_tick", reader.last_tick()},
                {"ticks", reader.last_tick() - reader.start_tick()},
                {"steps", steps},
                {"keyframes", keyframe_ticks.size()},
                {"keyframe_ticks", keyframe_ticks},
                {"chunk_bytes",
                 {{"substrates", bytes.substrates},
                  {"steps", bytes.steps},
                  {"hashes", bytes.hashes},
                  {"keyframes", bytes.keyframes},
                  {"attachments", bytes.attachments}}},
                {"end", nullptr}};
    if (const auto& end = reader.end_record()) {
        object["end"] = {{"reason", reason_name(end->reason)},
                         {"last_hash", core::hex16(end->last_hash)}};
    }
    if (const std::string note = file.origin_note(); !note.empty()) object["note"] = note;
    return object;
}

void print_info(const ReplayFile& file, std::uint64_t steps) {
    const battle_file::BattleReader& reader = file.reader();
    const battle_file::BattleHeader& header = reader.header();
    const auto line = [](const char* name, const std::string& value) {
        fmt::print("{:<10} {}\n", name, printable(value));
    };
    line("map", fmt::format("{} ({})", header.map_name, core::hex16(header.map_digest)));
    line("battle",
         fmt::format("{} units, seed {}, {} Hz", header.units, header.seed, header.tick_rate_hz));
    line("build", fmt::format("{}, game {}", header.build_id, header.game_id));
    line("ticks", fmt::format("{} to {}", reader.start_tick() + 1, reader.last_tick()));
    line("steps", std::to_string(steps));
    line("keyframes", std::to_string(reader.keyframes().size()));
    line("bytes", std::to_string(reader.size_bytes()));
    line("end", reader.end_record() ? reason_name(reader.end_record()->reason) : "none");
}

/// What a damaged file leaves to say after its good part was shown.
int report_damage(const ReplayFile& file) {
    const std::optional<Error> damage = file.damage();
    if (!damage) return kDone;
    fmt::print(stderr, "{}\n", describe(*damage, file.path()));
    return kInputRefused;
}

int info(const std::string& path, bool as_json) {
    const Result<ReplayFile> file = ReplayFile::open(path);
    if (!file) {
        report_refusal(file.error(), path, as_json);
        return kInputRefused;
    }
    StepReader steps(file->reader());
    while (steps.next() != nullptr) {
    }
    const std::string note = file->origin_note();
    if (!note.empty()) fmt::print(stderr, "{}: {}\n", path, note);
    std::optional<Error> error = file->damage();
    if (!error) error = steps.error();
    if (as_json) {
        json object = info_json(*file, steps.count());
        if (error) object["error"] = error_json(*error);
        fmt::print("{}\n", json_text(object));
    } else {
        print_info(*file, steps.count());
    }
    if (!error) return kDone;
    fmt::print(stderr, "{}\n", describe(*error, path));
    return kInputRefused;
}

int export_steps(const std::string& path, bool as_json) {
    const Result<ReplayFile> file = ReplayFile::open(path);
    if (!file) {
        report_refusal(file.error(), path, as_json);
        return kInputRefused;
    }
    StepReader steps(file->reader());
    if (as_json) fmt::print("{{\"steps\":[");
    while (const TickStep* step = steps.next()) {
        const char* before = as_json && step->number > 0 ? "," : "";
        fmt::print("{}{}{}", before, json_text(step_json(*step)), as_json ? "" : "\n");
    }
    if (as_json) fmt::print("]}}\n");
    if (!steps.error()) return report_damage(*file);
    fmt::print(stderr, "{}\n", describe(*steps.error(), path));
    return kInputRefused;
}

struct InspectOptions {
    std::string file;
    bool json = false;
};

}  // namespace

void add_replay_inspect(CLI::App& replay, int& status) {
    const auto add = [&](const char* name, const char* description,
                         int (*run)(const std::string&, bool), const char* json_description) {
        auto options = std::make_shared<InspectOptions>();
        CLI::App* sub = replay.add_subcommand(name, description);
        sub->add_option("FILE", options->file, "A .mrp battle file")->required();
        sub->add_flag("--json", options->json, json_description);
        sub->callback([options, &status, run] { status = run(options->file, options->json); });
    };
    add("info", "What battle a file holds, and whether it is whole", info,
        "One JSON object on stdout");
    add("export", "The recorded steps, one JSON object a line", export_steps,
        "One JSON object that holds them all");
}

}  // namespace maniple::cli
