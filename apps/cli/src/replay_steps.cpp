#include "replay_steps.h"

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "maniple/battle_file/format.h"
#include "maniple/replay/container.h"
#include "maniple/skirmish/skirmish.h"

#include "param_json.h"

namespace maniple::cli {
namespace {

/// The tick that the step's clock reaches: a TickAdvance's one number added.
sim::Tick advanced(sim::Tick tick, const replay::Step& step) {
    if (step.command != battle_file::kStepTickAdvance || step.params.empty()) return tick;
    const auto* ticks = std::get_if<double>(&step.params.front());
    const bool fits = ticks != nullptr && *ticks >= 1 && *ticks <= battle_file::kRangeTicksMax;
    return fits ? tick + static_cast<sim::Tick>(*ticks) : tick;
}

std::string name_of(const replay::Step& step) {
    if (step.command == battle_file::kStepTickAdvance) return "TickAdvance";
    const auto* type = step.params.empty() ? nullptr : std::get_if<double>(&step.params.front());
    if (type == nullptr || !(*type >= 0 && *type <= UINT32_MAX)) return "?";
    const auto id = static_cast<std::uint32_t>(*type);
    if (id == sim::kCommandRebuildFlowField) return "FF.RebuildFlowField";
    const sim::CommandType* command = skirmish::make_skirmish()->find_command(id);
    return command != nullptr ? command->name : "command " + std::to_string(id);
}

}  // namespace

bool StepReader::open_range() {
    const battle_file::ChunkAddress& range = reader_.ranges()[range_];
    Result<core::Bytes> bytes = reader_.steps_of(range_);
    if (!bytes) {
        error_ = std::move(bytes.error());
        return false;
    }
    Result<replay::ReplayArray> steps = replay::decode_container(*bytes);
    if (!steps) {
        error_ = Error{steps.error().code, range.at_byte, "STEP chunk: " + steps.error().message};
        return false;
    }
    steps_ = *std::move(steps);
    in_range_ = 0;
    tick_ = range.first_tick - 1;
    ++range_;
    return true;
}

const TickStep* StepReader::next() {
    if (error_) return nullptr;
    while (!steps_ || in_range_ == static_cast<std::int64_t>(steps_->size())) {
        if (range_ == reader_.ranges().size() || !open_range()) return nullptr;
    }
    current_.step = *steps_->get(in_range_++);
    tick_ = advanced(tick_, current_.step);
    current_.number = count_++;
    current_.tick = tick_;
    return &current_;
}

nlohmann::json step_json(const TickStep& step) {
    return {{"step", step.number},
            {"tick", step.tick},
            {"command", step.step.command},
            {"name", name_of(step.step)},
            {"params", params_json(step.step.params)}};
}

}  // namespace maniple::cli
