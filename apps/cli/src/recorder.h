#pragma once

#include <memory>
#include <span>
#include <string>

#include "maniple/battle_file/battle_writer.h"
#include "maniple/core/result.h"
#include "maniple/sim/world.h"
#include "maniple/snapshot/snapshot.h"

#include "battle_ground.h"
#include "file_io.h"

namespace maniple::cli {

/// This build as battle files name it: version and registry digest.
[[nodiscard]] std::string build_name(const sim::GameDefinition& definition);

/// The header of a battle that `world` is about to fight on `ground`.
[[nodiscard]] battle_file::BattleHeader battle_header(const BattleGround& ground,
                                                      const sim::World& world, std::int32_t units);

/// Records a battle into a file as it runs, with a keyframe whenever one is due.
class Recorder {
  public:
    /// Makes the file and writes header and start substrates. `world` has not stepped yet.
    /// @return kIo with the system's reason.
    [[nodiscard]] static Result<std::unique_ptr<Recorder>> create(
        const std::string& path, const battle_file::BattleHeader& header, const sim::World& world);

    /// Records the tick that `world` has just executed.
    [[nodiscard]] Result<void> record(const sim::World& world,
                                      std::span<const sim::Command> executed, std::uint64_t hash);
    /// Completes the file; nothing may follow.
    [[nodiscard]] Result<void> end(battle_file::EndReason reason);

    [[nodiscard]] const battle_file::BattleWriter& writer() const { return writer_; }

  private:
    class Sink final : public battle_file::Sink {
      public:
        explicit Sink(OutputFile file) : file_(std::move(file)) {}
        Result<void> write(core::ByteSpan bytes) override { return file_.write(bytes); }

      private:
        OutputFile file_;
    };
    explicit Recorder(OutputFile file) : sink_(std::move(file)), writer_(sink_) {}

    Sink sink_;
    battle_file::BattleWriter writer_;
    snapshot::Snapshot snapshot_;  ///< Kept warm from keyframe to keyframe.
};

}  // namespace maniple::cli
