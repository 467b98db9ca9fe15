#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "maniple/battle_file/battle_reader.h"
#include "maniple/battle_file/world_simulator.h"
#include "maniple/sim/world.h"

#include "replay_file.h"

namespace maniple::cli {

/// A recorded battle at one tick, which goes on tick by tick or jumps. `file` outlives it.
class Playback {
  public:
    /// Stands before the first recorded tick until seek() is called.
    explicit Playback(const ReplayFile& file) : file_(&file) {}

    /// Jumps to the nearest tick of the file. On a failure it stays where it was.
    /// @return what battle_file::seek_battle refuses.
    [[nodiscard]] Result<void> seek(sim::Tick tick);
    /// Executes the next tick; only while !at_end(). @return kStateMismatch where its hash is
    /// another than recorded.
    [[nodiscard]] Result<void> step();

    [[nodiscard]] const battle_file::BattleReader& reader() const { return file_->reader(); }
    /// After the first seek().
    [[nodiscard]] const sim::World& world() const { return battle_file::world_of(*simulator_); }
    [[nodiscard]] sim::Tick tick() const { return world().tick(); }
    /// Of the tick it stands on; 0 at the start.
    [[nodiscard]] std::uint64_t hash() const { return hash_; }
    /// Grows whenever the ground may have changed.
    [[nodiscard]] std::uint32_t ground_changes() const { return ground_changes_; }
    [[nodiscard]] bool at_end() const { return tick() >= reader().last_tick(); }

  private:
    /// Those of `tick`, decoded a range of the file at a time.
    [[nodiscard]] Result<std::span<const sim::Command>> commands_of(sim::Tick tick);

    const ReplayFile* file_;
    std::unique_ptr<battle_file::Simulator> simulator_;
    std::uint64_t hash_ = 0;
    std::uint32_t ground_changes_ = 0;
    std::vector<sim::Command> commands_;
    std::size_t range_ = ~std::size_t{0};  ///< That commands_ belongs to.
};

}  // namespace maniple::cli
