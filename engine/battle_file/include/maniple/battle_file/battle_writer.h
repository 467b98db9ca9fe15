#pragma once

#include <cstdint>
#include <set>
#include <span>

#include "maniple/battle_file/format.h"
#include "maniple/battle_file/sink.h"
#include "maniple/core/result.h"
#include "maniple/replay/replay_array.h"
#include "maniple/sim/command.h"

namespace maniple::battle_file {

struct WriterOptions {
    sim::Tick keyframe_ticks = kKeyframeTicks;
    std::uint64_t size_target_bytes = kDefaultSizeTargetBytes;
};

/// Records a battle as it runs: the header, then tick by tick. Nothing written is ever rewritten.
/// After a failed write every further call gives the same error and writes nothing. Trusts its
/// caller: what it is given is asserted to be in the format's limits. Not thread-safe.
// implements: O-REPS-13, O-GEN-03
class BattleWriter {
  public:
    /// `sink` outlives the writer.
    explicit BattleWriter(Sink& sink, WriterOptions options = {});

    /// Writes the header and the substrates of the start; first, once. A start tick over 0 needs
    /// its keyframe next.
    Result<void> begin(const BattleHeader& header, std::span<const FieldSubstrate> substrates);
    /// Records one executed tick, each one more than the last, from the start tick + 1 on: the
    /// commands executed in it, by ascending sequence, and its root hash. A full range is written
    /// at once.
    Result<void> record_tick(sim::Tick tick, std::span<const sim::Command> executed,
                             std::uint64_t hash);
    /// True once for each keyframe that is due: capture the state of the tick recorded last, then
    /// call add_keyframe, now or some ticks later.
    [[nodiscard]] bool take_keyframe_request();
    /// Appends a state. Ticks ascend from keyframe to keyframe and were recorded before; the start
    /// tick is allowed before the first record_tick.
    Result<void> add_keyframe(const Keyframe& keyframe);
    /// Writes what is left and the end record; nothing may follow.
    Result<void> end(EndReason reason);

    [[nodiscard]] sim::Tick last_tick() const { return last_tick_; }
    [[nodiscard]] std::uint64_t bytes_written() const { return bytes_written_; }
    [[nodiscard]] std::uint64_t steps() const { return steps_written_ + steps_.size(); }
    [[nodiscard]] std::uint32_t keyframes() const { return keyframes_; }

  private:
    struct ChunkContent;
    Result<void> write_chunk(const ChunkContent& chunk);
    Result<void> write_range();
    std::uint64_t attach(core::Bytes bytes);
    void grow_keyframe_distance();

    Sink& sink_;
    WriterOptions options_;
    Error failed_;  ///< The first failed write.
    std::uint32_t range_ticks_ = 0;
    std::uint32_t chunks_ = 0;
    std::uint64_t bytes_written_ = 0;

    sim::Tick last_tick_ = 0;
    std::uint64_t last_hash_ = 0;
    sim::Tick range_first_ = 1;
    sim::Tick clock_ = 0;  ///< Tick that the TickAdvance steps of the range have reached.
    replay::ReplayArray steps_;
    std::vector<std::uint64_t> hashes_;
    std::vector<core::Bytes> new_attachments_;  ///< Named by steps_, not written yet.
    std::set<std::uint64_t> attached_;
    std::uint64_t steps_written_ = 0;

    std::uint32_t keyframes_ = 0;
    sim::Tick last_keyframe_ = -1;
    sim::Tick next_keyframe_ = 0;
    std::uint64_t next_growth_bytes_;
    bool ended_ = false;
};

}  // namespace maniple::battle_file
