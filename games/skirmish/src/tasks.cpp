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
        const Vec2d place = rows[at.group].positions[at.row].cm();
        const nav::CellIndex cell = cell_at(field, place.x, place.y);
        // A unit inside a fresh wall walks out first.
        return field.passable(cell) && !is_reached(layer, cell);
    }

    /// Of each tile only the enemy with the lowest UID.
    [[nodiscard]] std::vector<Quarry> quarries(std::int32_t team) const {
        const nav::GridGeometry& geometry = field.geometry();
        const std::int32_t y_tiles = geometry.y_num() / kChaseTileCells + 1;
        const std::int32_t x_tiles = geometry.x_num() / kChaseTileCells + 1;
        constexpr std::int32_t kNobody = INT32_MAX;
        std::vector<Quarry> tiles(
            static_cast<std::size_t>(x_tiles) * static_cast<std::size_t>(y_tiles),
            {0, 0, kNobody, {}});
        for (const UnitRows& group : rows) {
            for (std::size_t row = 0; row < group.size(); ++row) {
                if (group.units[row].team == team || !is_fighting(group.tags[row])) continue;
                const nav::GridCoord c = geometry.world_to_grid(group.positions[row].cm()).coord;
                if (!field.passable(geometry.index(c))) continue;
                const std::int32_t x = c.x / kChaseTileCells;
                const std::int32_t y = c.y / kChaseTileCells;
                Quarry& quarry = tiles[static_cast<std::size_t>(x * y_tiles + y)];
                const std::int32_t uid = group.uids[row].value;
                if (uid < quarry.uid) quarry = {x, y, uid, field.world_location(geometry.index(c))};
            }
        }
        std::erase_if(tiles, [](const Quarry& quarry) { return quarry.uid == kNobody; });
        return tiles;
    }

    nav::FlowField& field;
    AllRows rows;
};

}  // namespace

void register_tasks(sim::GameDefinition& definition, sim::DerivedHandle<Arena> arena) {
    register_tasks_on<GridGround>(definition, arena);
}

}  // namespace maniple::skirmish
