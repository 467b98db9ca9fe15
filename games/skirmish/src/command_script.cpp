#include "maniple/skirmish/command_script.h"

#include <utility>

#include "maniple/skirmish/skirmish.h"

namespace maniple::skirmish {

std::vector<sim::Command> CommandScript::commands_for_tick(sim::Tick tick) {
    std::vector<sim::Command> commands = server_commands_at(tick);
    for (std::int32_t team = 0; team < kTeamCount; ++team) {
        for (sim::Command& command : plan_commands_at(team, tick)) {
            commands.push_back(std::move(command));
        }
    }
    for (sim::Command& command : commands) command.server_exec_sequence = next_sequence_++;
    return commands;
}

}  // namespace maniple::skirmish
