#include "playback.h"

#include <algorithm>
#include <fmt/core.h>
#include <utility>

#include "maniple/core/hash.h"

namespace maniple::cli {
namespace {

struct ByTick {
    bool operator()(const sim::Command& a, sim::Tick b) const { return a.tick < b; }
    bool operator()(sim::Tick a, const sim::Command& b) const { return a < b.tick; }
};

}  // namespace

Result<void> Playback::seek(sim::Tick tick) {
    const sim::Tick target = std::clamp(tick, reader().start_tick(), reader().last_tick());
    auto found =
        battle_file::seek_battle(reader(), target, file_->simulators(1), file_->keyframes());
    if (!found) return refuse(std::move(found.error()));
    simulator_ = std::move(found->simulator);
    hash_ = found->hash;
    ++ground_changes_;
    return {};
}

Result<void> Playback::step() {
    const sim::Tick next = tick() + 1;
    const auto commands = commands_of(next);
    if (!commands) return refuse(commands.error());
    const auto rebuilds = [](const sim::Command& command) {
        return command.type == sim::kCommandRebuildFlowField;
    };
    if (std::any_of(commands->begin(), commands->end(), rebuilds)) ++ground_changes_;
    const Result<std::uint64_t> stepped = simulator_->step(next, *commands);
    if (!stepped) return refuse(stepped.error());
    if (*stepped != reader().hash_of(next)) {
        return refuse(ErrorCode::kStateMismatch,
                      fmt::format("tick {}: hash {}, recorded {}", next, core::hex16(*stepped),
                                  core::hex16(reader().hash_of(next))));
    }
    hash_ = *stepped;
    return {};
}

Result<std::span<const sim::Command>> Playback::commands_of(sim::Tick tick) {
    const std::size_t range = reader().range_of(tick);
    if (range != range_) {
        Result<std::vector<sim::Command>> commands = reader().commands_of(range);
        if (!commands) return refuse(std::move(commands.error()));
        commands_ = *std::move(commands);
        range_ = range;
    }
    const auto [first, last] = std::equal_range(commands_.begin(), commands_.end(), tick, ByTick{});
    return std::span<const sim::Command>(first, last);
}

}  // namespace maniple::cli
