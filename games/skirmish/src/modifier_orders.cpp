#include "modifier_orders.h"

#include <algorithm>
#include <utility>

#include "maniple/core/random.h"

#include "squad_orders.h"

namespace maniple::skirmish {
namespace {

constexpr std::uint32_t kSiteModifier = 17;
constexpr std::int32_t kModifierCells = 6;  ///< A side.

Result<std::int64_t> id_of(const sim::Command& command) {
    const auto* id = command.param<std::int64_t>("id");
    if (id == nullptr) return refuse(ErrorCode::kBadValue, "a modifier without id");
    return *id;
}

// implements: MOD-003, O-MOD-10
Result<void> place_modifier(sim::World& world, const sim::Command& command) {
    const Result<std::int64_t> id = id_of(command);
    if (!id) return refuse(id.error());
    const Result<Wall> cells = wall_of(command);
    if (!cells) return refuse(cells.error());
    const auto* neighbour = command.param<std::int64_t>("neighbour");
    if (neighbour == nullptr || *neighbour < 0 || *neighbour >= std::ssize(nav::kNeighbours)) {
        return refuse(ErrorCode::kBadValue, "no such neighbour");
    }
    const nav::GridGeometry& geometry = world.find_field(kFieldName)->geometry();
    const nav::GridCoord low{cells->low_x, cells->low_y};
    const nav::GridCoord high{cells->high_x, cells->high_y};
    if (!geometry.contains(low) || !geometry.contains(high) || low.x > high.x || low.y > high.y) {
        return refuse(ErrorCode::kBadValue, "a modifier off the grid");
    }
    const Vec2d middle = (geometry.cell_centre(low) + geometry.cell_centre(high)) * 0.5;
    const double half_cell = geometry.cell_size_cm() / 2.0;
    sim::ModifierRecord record;
    record.id = *id;
    record.field_name = kFieldName;
    record.family = nav::ModifierFamily::kDirection;
    record.centre_cm = {middle.x, middle.y, geometry.origin().z};
    // Of any height: INT32_MAX is the farthest that a cell can lie from the origin.
    record.half_extent_cm = {(high.x - low.x + 1) * half_cell, (high.y - low.y + 1) * half_cell,
                             2'147'483'648.0};
    record.yaw_centideg = geometry.yaw_centideg();
    record.direction = geometry.step(static_cast<std::size_t>(*neighbour)).unit;
    return world.register_modifier(std::move(record));
}

// implements: MOD-010, O-MOD-10
Result<void> remove_modifier(sim::World& world, const sim::Command& command) {
    const Result<std::int64_t> id = id_of(command);
    if (!id) return refuse(id.error());
    if (world.unregister_modifier(*id)) return {};
    return refuse(ErrorCode::kNotFound, "no such modifier");
}

sim::Command order(std::uint32_t type, sim::Tick tick, std::int64_t id) {
    sim::Command command;
    command.type = type;
    command.tick = tick;
    command.target = kFieldName;
    command.set("id", id);
    return command;
}

}  // namespace

std::vector<sim::Command> modifier_commands_at(sim::Tick tick, std::int32_t turn,
                                               const MapEdits& edits,
                                               const nav::GridGeometry& geometry,
                                               std::int32_t seed) {
    if (edits.battlefield().empty()) return {};
    if (turn % 2 == 0) return {order(kCommandRemoveModifier, tick, turn - 1)};
    const std::uint64_t random = core::site_random(
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(seed)), turn, 0, kSiteModifier);
    const std::vector<nav::CellIndex>& places = edits.battlefield();
    const nav::GridCoord low = geometry.coord(places[(random >> 3) % places.size()]);
    sim::Command command = order(kCommandPlaceModifier, tick, turn);
    command.set("low_x", std::int64_t{low.x});
    command.set("low_y", std::int64_t{low.y});
    command.set("high_x", std::int64_t{std::min(low.x + kModifierCells, geometry.x_num()) - 1});
    command.set("high_y", std::int64_t{std::min(low.y + kModifierCells, geometry.y_num()) - 1});
    command.set("neighbour", static_cast<std::int64_t>(random & 7));
    return {command};
}

void add_modifier_commands(sim::GameDefinition& definition) {
    definition.add_command({kCommandPlaceModifier, "PlaceModifier", place_modifier});
    definition.add_command({kCommandRemoveModifier, "RemoveModifier", remove_modifier});
}

}  // namespace maniple::skirmish
