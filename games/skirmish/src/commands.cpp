#include <string>
#include <utility>

#include "arena.h"
#include "modifier_orders.h"
#include "squad_orders.h"

namespace maniple::skirmish {
namespace {

Result<void> spawn_squad(sim::World& world, const sim::Command& command) {
    const auto* cells = command.param<sim::Int32List>("cells");
    if (cells == nullptr) return refuse(ErrorCode::kBadValue, "cells missing");
    const nav::FlowField& field = *world.find_field(kFieldName);
    std::vector<Vec3d> places;
    for (const std::int32_t cell : *cells) {
        const bool inside =
            cell >= 0 && static_cast<std::size_t>(cell) < field.geometry().cell_count();
        if (!inside || !field.passable(static_cast<nav::CellIndex>(cell))) {
            return refuse(ErrorCode::kBadValue, "cell " + std::to_string(cell) + " is no ground");
        }
        places.push_back(field.world_location(static_cast<nav::CellIndex>(cell)));
    }
    return request_squad(world, command, std::move(places));
}

Result<void> move_to(sim::World& world, const sim::Command& command) {
    nav::FlowField& field = *world.find_field(kFieldName);
    const auto* goal = command.param<std::int64_t>("goal");
    if (goal == nullptr || *goal < 0 ||
        static_cast<std::size_t>(*goal) >= field.geometry().cell_count()) {
        return refuse(ErrorCode::kBadValue, "the goal is no cell of the field");
    }
    return start_move(world, command, field.world_location(static_cast<nav::CellIndex>(*goal)),
                      field);
}

}  // namespace

void register_commands(sim::GameDefinition& definition) {
    add_commands(definition, {spawn_squad, move_to});
    add_modifier_commands(definition);
}

}  // namespace maniple::skirmish
