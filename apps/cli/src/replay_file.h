#pragma once

#include <memory>
#include <optional>
#include <string>

#include "maniple/battle_file/battle_reader.h"
#include "maniple/battle_file/verify.h"
#include "maniple/core/result.h"
#include "maniple/sim/registry.h"

namespace maniple::cli {

/// A battle file as every `replay` subcommand opens it. Does not move once it is opened, since the
/// reader looks into its bytes.
class ReplayFile {
  public:
    /// @return kNotFound, kIo, or what BattleReader::open refuses. A damaged file opens.
    [[nodiscard]] static Result<ReplayFile> open(const std::string& path);

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] const battle_file::BattleReader& reader() const { return *reader_; }
    /// Why the file is not whole, with the last good tick in words.
    [[nodiscard]] std::optional<Error> damage() const;

    /// What differs between the build that recorded the file and this one; "" when nothing does.
    [[nodiscard]] std::string origin_note() const;
    /// Whether this build knows the game; without it nothing can be simulated.
    /// @return kRegistryMismatch naming both.
    [[nodiscard]] Result<void> playable() const;
    /// States of another registry cannot be restored: then the battle runs from its start.
    [[nodiscard]] battle_file::Keyframes keyframes() const;
    /// Simulators of the built-in battle, each on so many threads.
    [[nodiscard]] battle_file::MakeSimulator simulators(int threads) const;

  private:
    std::string path_;
    core::Bytes bytes_;
    std::optional<battle_file::BattleReader> reader_;
    std::shared_ptr<const sim::GameDefinition> definition_;
};

}  // namespace maniple::cli
