#include "snapshot_tools.h"

#include <fmt/core.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "maniple/core/hash.h"
#include "maniple/snapshot/snapshot.h"

#include "exit_status.h"
#include "file_io.h"
#include "games.h"
#include "json_text.h"
#include "refusal.h"
#include "snapshot_diff.h"

namespace maniple::cli {
namespace {

using nlohmann::json;

/// A snapshot and the game it is of: that with its registry, else the first one.
struct LoadedSnapshot {
    Game game;
    snapshot::Snapshot snapshot;
};

Result<LoadedSnapshot> decode(core::ByteSpan bytes) {
    std::optional<Result<LoadedSnapshot>> first;
    for (const Game& game : all_games()) {
        auto snapshot = snapshot::decode_snapshot(*game, bytes, snapshot::Policy::kLoad);
        const bool own = snapshot && snapshot->registry_digest == game->registry_digest();
        if (own) return LoadedSnapshot{game, std::move(*snapshot)};
        if (first) continue;
        first = snapshot ? Result<LoadedSnapshot>(LoadedSnapshot{game, std::move(*snapshot)})
                         : refuse(std::move(snapshot.error()));
    }
    return *std::move(first);
}

/// A snapshot file of a game, maybe of another build; what that skips is said on stderr.
Result<LoadedSnapshot> load(const std::string& path, std::size_t& file_bytes) {
    const Result<core::Bytes> bytes = read_file(path);
    if (!bytes) return refuse(bytes.error());
    file_bytes = bytes->size();
    Result<LoadedSnapshot> loaded = decode(*bytes);
    if (!loaded) return loaded;
    for (const std::string& warning : loaded->snapshot.warnings) {
        fmt::print(stderr, "{}: {}\n", path, warning);
    }
    return loaded;
}

json info_json(const LoadedSnapshot& loaded, const std::string& path, std::size_t file_bytes) {
    const snapshot::Snapshot& snapshot = loaded.snapshot;
    const sim::GameDefinition& definition = *loaded.game;
    json templates = json::array();
    for (std::size_t i = 0; i < snapshot.state.groups.size(); ++i) {
        const sim::EntityGroup& group = snapshot.state.groups[i];
        templates.push_back(
            {{"template", definition.templates()[i].key}, {"entities", group.size()}});
    }
    json fragments = json::array();
    for (const sim::FragmentType& fragment : definition.fragments()) {
        fragments.push_back(
            {{"fragment", fragment.name}, {"wire_bytes", fragment.layout.wire_bytes}});
    }
    json substrates = json::array();
    for (const snapshot::SubstrateEntry& entry : snapshot.substrates) {
        substrates.push_back({{"field", entry.field_name}, {"bytes", entry.bytes.size()}});
    }
    return {{"file", path},
            {"bytes", file_bytes},
            {"tick", snapshot.state.tick},
            {"hash", core::hex16(snapshot.hash_at_capture)},
            {"registry_digest", core::hex16(snapshot.registry_digest)},
            {"seed", snapshot.config.seed},
            {"tick_rate_hz", snapshot.config.tick_rate_hz},
            {"entities", snapshot.state.occupied_count()},
            {"templates", templates},
            {"fragments", fragments},
            {"substrates", substrates},
            {"next_uid", snapshot.state.uid_cursor},
            {"tasks", snapshot.state.tasks.size()},
            {"pending_commands", snapshot.state.pending.size()},
            {"gap_commands", snapshot.gap_commands.size()},
            {"warnings", snapshot.warnings}};
}

void print_info(const json& info) {
    for (const char* key : {"tick", "hash", "seed", "tick_rate_hz", "registry_digest", "entities",
                            "tasks", "pending_commands", "gap_commands", "bytes"}) {
        const json& value = info[key];
        fmt::print("{:<17} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
    }
    for (const json& entry : info["templates"]) {
        fmt::print("{:<17} {} {}\n", "template", entry["template"].get<std::string>(),
                   entry["entities"].dump());
    }
    for (const json& entry : info["substrates"]) {
        fmt::print("{:<17} {} {} bytes\n", "substrate", entry["field"].get<std::string>(),
                   entry["bytes"].dump());
    }
}

int info(const std::string& path, bool as_json) {
    std::size_t file_bytes = 0;
    const Result<LoadedSnapshot> loaded = load(path, file_bytes);
    if (!loaded) {
        report_refusal(loaded.error(), path, as_json);
        return kInputRefused;
    }
    const json object = info_json(*loaded, path, file_bytes);
    as_json ? fmt::print("{}\n", json_text(object)) : print_info(object);
    return kDone;
}

void print_difference(const json& difference) {
    if (difference["equal"]) {
        fmt::print("no difference\n");
        return;
    }
    const json& entities = difference["entities"];
    fmt::print("ticks {}, entities {} and {}, {} only in a, {} only in b\n",
               difference["tick"].dump(), entities["a"].dump(), entities["b"].dump(),
               entities["only_a"].dump(), entities["only_b"].dump());
    const auto values = [](const json& first) {
        return fmt::format("{} {} and {}", first["field"].get<std::string>(), first["a"].dump(),
                           first["b"].dump());
    };
    for (const json& part : difference["fragments"]) {
        fmt::print("{:<12} {:>7} differ, first unit {}: {}\n", part["fragment"].get<std::string>(),
                   part["differing"].dump(), part["first"]["uid"].dump(), values(part["first"]));
    }
    for (const json& part : difference["sections"]) {
        fmt::print("{}: {}\n", part["section"].get<std::string>(), values(part["first"]));
    }
    for (const json& name : difference["substrates"]) {
        fmt::print("substrate {}\n", name.get<std::string>());
    }
}

int diff(const std::string& path_a, const std::string& path_b, bool as_json) {
    std::size_t file_bytes = 0;
    const Result<LoadedSnapshot> a = load(path_a, file_bytes);
    const Result<LoadedSnapshot> b = load(path_b, file_bytes);
    if (!a || !b) {
        report_refusal(a ? b.error() : a.error(), a ? path_b : path_a, as_json);
        return kInputRefused;
    }
    if (a->game != b->game) {
        const Error error{ErrorCode::kRegistryMismatch, Error::kNoOffset,
                          "of the game \"" + b->game->game_id() + "\", the other of \"" +
                              a->game->game_id() + "\""};
        report_refusal(error, path_b, as_json);
        return kInputRefused;
    }
    const json difference = diff_snapshots(*a->game, a->snapshot, b->snapshot);
    as_json ? fmt::print("{}\n", json_text(difference)) : print_difference(difference);
    return difference["equal"] ? kDone : kCheckFailed;
}

struct SnapshotOptions {
    std::string a;
    std::string b;
    bool json = false;
};

}  // namespace

void add_snapshot(CLI::App& app, int& status) {
    CLI::App* group = app.add_subcommand("snapshot", "Look into states written as MPSS files");
    group->require_subcommand(1);
    auto options = std::make_shared<SnapshotOptions>();
    CLI::App* informer = group->add_subcommand("info", "What a state holds");
    informer->add_option("FILE", options->a, "A snapshot file")->required();
    informer->add_flag("--json", options->json, "One JSON object on stdout");
    informer->callback([options, &status] { status = info(options->a, options->json); });
    CLI::App* differ = group->add_subcommand("diff", "Where two states differ, by fragment");
    differ->add_option("A", options->a, "A snapshot file")->required();
    differ->add_option("B", options->b, "Another")->required();
    differ->add_flag("--json", options->json, "One JSON object on stdout");
    differ->callback([options, &status] { status = diff(options->a, options->b, options->json); });
}

}  // namespace maniple::cli
