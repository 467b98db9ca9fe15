#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "arena.h"

namespace maniple::skirmish {

AllRows all_rows(sim::World& world) {
    AllRows all;
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const sim::TemplateId id = template_of(group);
        sim::EntityGroup& rows = world.group(id);
        all[group] = {rows.uids,
                      rows.tags,
                      world.column<Position>(id),
                      world.column<Motion>(id),
                      world.column<Unit>(id),
                      world.column<Order>(id),
                      world.column<Target>(id)};
    }
    return all;
}

namespace {

constexpr float kGridCellCm = 100.0F;  ///< Three cells cover kTouchCm and kApartCm around a unit.
constexpr std::int32_t kTileCells = 5;

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

void view_field(const nav::FlowField& field, Arena& arena) {
    arena.field = &field;
    const Vec2d centre = field.geometry().cell_centre({0, 0});
    for (std::size_t i = 0; i < arena.compass.size(); ++i) {
        const Vec2d away = field.geometry().cell_centre(nav::kNeighbours[i]) - centre;
        const Vec2d way = core::safe_normal(away);
        arena.compass[i] = {static_cast<float>(way.x), static_cast<float>(way.y)};
    }
}

/// The rectangle of the places of one block; empty while low > high.
struct Box {
    float low_x = std::numeric_limits<float>::max();
    float low_y = std::numeric_limits<float>::max();
    float high_x = std::numeric_limits<float>::lowest();
    float high_y = std::numeric_limits<float>::lowest();

    void add(const Box& other) {
        low_x = std::min(low_x, other.low_x);
        low_y = std::min(low_y, other.low_y);
        high_x = std::max(high_x, other.high_x);
        high_y = std::max(high_y, other.high_y);
    }
};

/// The cells of a block of rows, clamped to the border.
void locate_rows(const UnitRows& rows, const nav::FlowField& field, std::size_t begin,
                 std::span<nav::CellIndex> cells) {
    std::array<double, kBlockRows> xs;
    std::array<double, kBlockRows> ys;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        xs[i] = rows.positions[begin + i].x;
        ys[i] = rows.positions[begin + i].y;
    }
    field.geometry().locate({xs.data(), cells.size()}, {ys.data(), cells.size()}, cells);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] == nav::kNoCell) cells[i] = cell_at(field, xs[i], ys[i]);
    }
}

/// Writes the place and the cell of every row of a block; `first` is the rank of row 0.
Box place_rows(const UnitRows& rows, Arena& arena, std::size_t first, std::size_t begin,
               std::size_t end) {
    locate_rows(rows, *arena.field, begin,
                std::span(arena.cells).subspan(first + begin, end - begin));
    Box box;
    for (std::size_t row = begin; row < end; ++row) {
        Place& place = arena.places[first + row];
        place = {};
        if (!is_fighting(rows.tags[row])) continue;
        const Position& at = rows.positions[row];
        const Order& order = rows.orders[row];
        const bool stands = order.kind == OrderKind::kMoveTo && order.state == OrderState::kArrived;
        place = {static_cast<float>(at.x), static_cast<float>(at.y), rows.uids[row].value,
                 rows.units[row].team, stands ? order.task_id : 0};
        box.add({place.x, place.y, place.x, place.y});
        place.on_ground = arena.field->passable(arena.cells[first + row]);
    }
    return box;
}

GridBounds place_units(sim::SystemContext& context, Arena& arena) {
    const AllRows all = all_rows(context.world);
    std::size_t ranks = 0;
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        arena.first_rank[group] = ranks;
        ranks += all[group].size();
    }
    arena.places.resize(ranks);
    arena.cells.resize(ranks);
    arena.aims.resize(ranks);
    arena.strides.resize(ranks);
    Box box;
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const std::size_t count = all[group].size();
        const std::size_t first = arena.first_rank[group];
        std::vector<Box> boxes(count / kBlockRows + 1);
        core::for_blocks(
            context.executor, count, kBlockRows, [&](std::size_t begin, std::size_t end) {
                boxes[begin / kBlockRows] = place_rows(all[group], arena, first, begin, end);
            });
        for (const Box& part : boxes) box.add(part);
    }
    if (box.low_x > box.high_x) return {};
    return GridBounds::around(box.low_x, box.low_y, box.high_x, box.high_y, kGridCellCm);
}

}  // namespace

void index_units(sim::SystemContext& context, Arena& arena) {
    view_field(*context.world.find_field(kFieldName), arena);
    view_tasks(context.world, arena);
    const GridBounds bounds = place_units(context, arena);
    context.executor.run(kTeamCount, [&](std::size_t team) {
        arena.grids[team].build(bounds, arena.places, static_cast<std::int32_t>(team));
        arena.near[team].build(arena.grids[team], kTileCells, kSightCm);
    });
}

}  // namespace maniple::skirmish
