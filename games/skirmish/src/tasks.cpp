#include "arena.h"
#include "task_rules.h"

namespace maniple::skirmish {
namespace {

constexpr std::int32_t kChaseTileCells = 16;

/// The grid that both teams fight on.
struct GridGround {
    using Derived = Arena;
    static Arena& arena(Arena& derived) { return derived; }

    explicit GridGround(sim::World& world)
        : field(*world.find_field(kFieldName)), rows(all_rows(world)) {}

    [[nodiscard]] bool is_lost(const nav::Layer& layer, sim::EntityRow at) const {
        const Position& place = rows[at.group].positions[at.row];
        const nav::CellIndex cell = cell_at(field, place.x, place.y);
        // A unit inside a fresh wall walks out first.
        return field.passable(cell) && !is_reached(layer, cell);
    }

    [[nodiscard]] std::vector<Quarry> quarries(std::int32_t team) const {
        std::vector<Quarry> found;
        for (const UnitRows& group : rows) {
            for (std::size_t row = 0; row < group.size(); ++row) {
                if (group.units[row].team == team || !is_fighting(group.tags[row])) continue;
                const Position& at = group.positions[row];
                const nav::CellIndex cell = cell_at(field, at.x, at.y);
                if (!field.passable(cell)) continue;
                const nav::GridCoord c = field.geometry().coord(cell);
                found.push_back({c.x / kChaseTileCells, c.y / kChaseTileCells,
                                 group.uids[row].value, field.world_location(cell)});
            }
        }
        return found;
    }

    nav::FlowField& field;
    AllRows rows;
};

}  // namespace

void register_tasks(sim::GameDefinition& definition, sim::DerivedHandle<Arena> arena) {
    register_tasks_on<GridGround>(definition, arena);
}

}  // namespace maniple::skirmish
