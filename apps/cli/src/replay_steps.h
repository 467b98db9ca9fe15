#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "maniple/battle_file/battle_reader.h"
#include "maniple/core/result.h"
#include "maniple/replay/replay_array.h"

namespace maniple::cli {

/// One recorded step of a battle and the tick it belongs to: for a TickAdvance the tick it reaches.
struct TickStep {
    std::uint64_t number = 0;  ///< From 0 on over the whole file.
    sim::Tick tick = 0;
    replay::Step step;
};

/// Walks the recorded steps of a battle file, as far as it is whole.
class StepReader {
  public:
    explicit StepReader(const battle_file::BattleReader& reader)
        : reader_(reader), tick_(reader.start_tick()) {}

    /// The next step, valid until the next call; nullptr at the end and after an error.
    const TickStep* next();
    /// Why the walk ended early.
    [[nodiscard]] const std::optional<Error>& error() const { return error_; }
    /// Steps given so far.
    [[nodiscard]] std::uint64_t count() const { return count_; }

  private:
    bool open_range();

    const battle_file::BattleReader& reader_;
    std::size_t range_ = 0;
    std::optional<replay::ReplayArray> steps_;
    std::int64_t in_range_ = 0;
    sim::Tick tick_ = 0;
    std::uint64_t count_ = 0;
    TickStep current_;
    std::optional<Error> error_;
};

/// `{"step","tick","command","name","params"}`; parameters as `replay encode` takes them.
[[nodiscard]] nlohmann::json step_json(const TickStep& step);

}  // namespace maniple::cli
