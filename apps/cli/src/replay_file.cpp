#include "replay_file.h"

#include <fmt/core.h>
#include <utility>

#include "maniple/battle_file/world_simulator.h"
#include "maniple/core/hash.h"

#include "file_io.h"
#include "games.h"
#include "recorder.h"

namespace maniple::cli {

Result<ReplayFile> ReplayFile::open(const std::string& path) {
    ReplayFile file;
    file.path_ = path;
    Result<core::Bytes> bytes = read_file(path);
    if (!bytes) return refuse(std::move(bytes.error()));
    file.bytes_ = *std::move(bytes);
    // The bytes' storage stays where it is when the vector moves.
    Result<battle_file::BattleReader> reader = battle_file::BattleReader::open(file.bytes_);
    if (!reader) return refuse(std::move(reader.error()));
    file.reader_ = *std::move(reader);
    file.definition_ = find_game(file.reader_->header().game_id);
    if (file.definition_ == nullptr) file.definition_ = all_games().front();
    return file;
}

std::optional<Error> ReplayFile::damage() const {
    std::optional<Error> damage = reader_->damage();
    if (damage) damage->message += fmt::format("; good up to tick {}", reader_->last_tick());
    return damage;
}

std::string ReplayFile::origin_note() const {
    const battle_file::BattleHeader& header = reader_->header();
    const std::string build = build_name(*definition_);
    if (header.game_id != definition_->game_id()) {
        return fmt::format("recorded from the game \"{}\" by build {}; this is \"{}\", build {}",
                           header.game_id, header.build_id, definition_->game_id(), build);
    }
    if (header.registry_digest != definition_->registry_digest()) {
        return fmt::format("recorded with registry {} by build {}; this is registry {}, build {}",
                           core::hex16(header.registry_digest), header.build_id,
                           core::hex16(definition_->registry_digest()), build);
    }
    if (header.build_id == build) return "";
    return fmt::format("recorded by build {}; this is build {}", header.build_id, build);
}

Result<void> ReplayFile::playable() const {
    if (reader_->header().game_id == definition_->game_id()) return {};
    return refuse(ErrorCode::kRegistryMismatch, origin_note());
}

battle_file::Keyframes ReplayFile::keyframes() const {
    return reader_->header().registry_digest == definition_->registry_digest()
               ? battle_file::Keyframes::kUse
               : battle_file::Keyframes::kIgnore;
}

battle_file::MakeSimulator ReplayFile::simulators(int threads) const {
    return battle_file::simulate_worlds(definition_, core::null_log(), threads);
}

}  // namespace maniple::cli
