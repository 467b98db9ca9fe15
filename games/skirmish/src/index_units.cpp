#include <algorithm>
#include <cmath>

#include "arena.h"

namespace maniple::skirmish {
namespace {

void view_tasks(const sim::World& world, Arena& arena) {
    for (auto& views : arena.tasks) views.clear();
    for (const sim::TaskRecord& task : world.state().tasks) {
        const OrderKind kind =
            task.kind == sim::TaskKind::kMoveTo ? OrderKind::kMoveTo : OrderKind::kChaseAttack;
        auto& views = arena.tasks[static_cast<std::size_t>(kind)];
        views.resize(std::max(views.size(), static_cast<std::size_t>(task.id) + 1));
        const double side = std::sqrt(static_cast<double>(task.agent_uids.size()));
        views[static_cast<std::size_t>(task.id)] = {arena.field->find_layer({task.layer_handle}),
                                                    static_cast<std::uint32_t>(side * 0.8) + 3};
    }
}

GridBounds bounds_of(const std::array<std::vector<GridUnit>, kTeamCount>& teams) {
    float low_x = 0, low_y = 0, high_x = 0, high_y = 0;
    bool first = true;
    for (const auto& team : teams) {
        for (const GridUnit& unit : team) {
            low_x = first ? unit.x : std::min(low_x, unit.x);
            low_y = first ? unit.y : std::min(low_y, unit.y);
            high_x = first ? unit.x : std::max(high_x, unit.x);
            high_y = first ? unit.y : std::max(high_y, unit.y);
            first = false;
        }
    }
    GridBounds bounds{low_x, low_y, 1, 1};
    bounds.x_num += static_cast<std::int32_t>((high_x - low_x) / GridBounds::kCellCm);
    bounds.y_num += static_cast<std::int32_t>((high_y - low_y) / GridBounds::kCellCm);
    return bounds;
}

}  // namespace

void index_units(sim::SystemContext& context, Arena& arena) {
    const sim::World& world = context.world;
    arena.field = world.find_field(kFieldName);
    view_tasks(world, arena);
    std::array<std::vector<GridUnit>, kTeamCount> teams;
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const sim::EntityGroup& rows = world.group(template_of(group));
        const auto positions = world.column<Position>(template_of(group));
        const auto units = world.column<Unit>(template_of(group));
        const auto orders = world.column<Order>(template_of(group));
        arena.aims[group].assign(rows.size(), Aim{});
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (!is_fighting(rows.tags[row])) continue;
            const bool stands =
                orders[row].kind == OrderKind::kMoveTo && orders[row].state == OrderState::kArrived;
            teams[static_cast<std::size_t>(units[row].team)].push_back(
                {static_cast<float>(positions[row].x), static_cast<float>(positions[row].y),
                 rows.uids[row].value, stands ? orders[row].task_id : 0});
        }
    }
    const GridBounds bounds = bounds_of(teams);
    for (std::size_t team = 0; team < kTeamCount; ++team) {
        arena.grids[team].build(bounds, teams[team]);
    }
}

}  // namespace maniple::skirmish
