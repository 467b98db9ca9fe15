#include <algorithm>
#include <array>
#include <cmath>

#include "arena.h"
#include "resize_closely.h"
#include "unit_index.h"

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

void view_field(const nav::FlowField& field, Arena& arena) {
    arena.field = &field;
    const Vec2d centre = field.geometry().cell_centre({0, 0});
    for (std::size_t i = 0; i < arena.compass.size(); ++i) {
        const Vec2d away = field.geometry().cell_centre(nav::kNeighbours[i]) - centre;
        const Vec2d way = core::safe_normal(away);
        arena.compass[i] = {static_cast<float>(way.x), static_cast<float>(way.y)};
    }
}

/// The cells of a block of rows, clamped to the border.
void locate_rows(const UnitRows& rows, const nav::FlowField& field, std::size_t begin,
                 std::span<nav::CellIndex> cells) {
    std::array<double, kBlockRows> xs;
    std::array<double, kBlockRows> ys;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        const Vec2d at = rows.positions[begin + i].cm();
        xs[i] = at.x;
        ys[i] = at.y;
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
        place = place_of(rows, row);
        box.add({place.x, place.y, place.x, place.y});
        place.on_ground = arena.field->passable(arena.cells[first + row]);
    }
    return box;
}

}  // namespace

void index_units(sim::SystemContext& context, Arena& arena) {
    const nav::FlowField& field = *context.world.find_field(kFieldName);
    view_field(field, arena);
    view_tasks(context.world, arena.tasks, [&](const sim::TaskRecord& task, double side) {
        return TaskView{field.find_layer({task.layer_handle}),
                        static_cast<std::uint32_t>(side * 0.8) + 3};
    });
    const AllRows all = all_rows(context.world);
    resize_closely(arena.cells, number_ranks(all, arena));
    index_places(context.executor, all, arena,
                 [&](std::size_t group, std::size_t begin, std::size_t end) {
                     return place_rows(all[group], arena, arena.first_rank[group], begin, end);
                 });
}

}  // namespace maniple::skirmish
