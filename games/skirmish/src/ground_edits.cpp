#include "ground_edits.h"

namespace maniple::skirmish {

sim::Command rebuild_command(sim::Tick tick, substrate::Dispatch dispatch) {
    sim::Command command;
    command.type = sim::kCommandRebuildFlowField;
    command.tick = tick;
    command.target = kFieldName;
    command.set(std::string(sim::kParamVersion), std::int64_t{dispatch.version});
    command.byte_payload = std::move(dispatch.payload);
    return command;
}

sim::Command wall_command(sim::Tick tick, bool raises, const Wall& wall) {
    sim::Command command;
    command.type = raises ? kCommandRaiseWall : kCommandRazeWall;
    command.tick = tick;
    command.set("low_x", std::int64_t{wall.low_x});
    command.set("low_y", std::int64_t{wall.low_y});
    command.set("high_x", std::int64_t{wall.high_x});
    command.set("high_y", std::int64_t{wall.high_y});
    return command;
}

}  // namespace maniple::skirmish
