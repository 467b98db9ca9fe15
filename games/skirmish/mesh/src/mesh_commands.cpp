#include <utility>
#include <vector>

#include "mesh_arena.h"
#include "squad_orders.h"
#include "value_checks.h"

namespace maniple::skirmish {
namespace {

constexpr std::size_t kAxes = 3;

Vec3d place_in(const sim::Int32List& places, std::size_t i) {
    return {double(places[kAxes * i]), double(places[kAxes * i + 1]),
            double(places[kAxes * i + 2])};
}

Result<void> spawn_squad(sim::World& world, const sim::Command& command) {
    const auto* numbers = command.param<sim::Int32List>("places");
    if (numbers == nullptr || numbers->size() % kAxes != 0) {
        return refuse(ErrorCode::kBadValue, "places missing");
    }
    std::vector<Vec3d> places;
    for (std::size_t i = 0; i < numbers->size() / kAxes; ++i) {
        places.push_back(place_in(*numbers, i));
        if (!is_place(places.back())) return refuse(ErrorCode::kBadValue, "a place beyond the map");
    }
    return request_squad(world, command, std::move(places));
}

Result<void> move_to(sim::World& world, const sim::Command& command) {
    const auto* goal = command.param<sim::Int32List>("goal");
    if (goal == nullptr || goal->size() != kAxes) {
        return refuse(ErrorCode::kBadValue, "the goal is no place");
    }
    if (!is_place(place_in(*goal, 0))) {
        return refuse(ErrorCode::kBadValue, "the goal is beyond the map");
    }
    return start_move(world, command, place_in(*goal, 0), mesh_field(world));
}

}  // namespace

void place_on_mesh(sim::World& world, sim::Uid uid, const sim::SpawnRequest& request,
                   const Vec3d& location) {
    place_unit(world, uid, request, location);
    world.fragment<Footing>(uid)->z = location.z;
}

void register_mesh_commands(sim::GameDefinition& definition) {
    add_commands(definition, {spawn_squad, move_to});
}

}  // namespace maniple::skirmish
