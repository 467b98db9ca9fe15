#include "maniple/skirmish/statistics.h"

#include <algorithm>

#include "arena.h"

namespace maniple::skirmish {
namespace {

constexpr double kStuckCm = 100.0;
constexpr sim::Tick kStuckTicks = 200;

const nav::Layer* layer_of(const sim::World& world, const Order& order) {
    for (const sim::TaskRecord& task : world.state().tasks) {
        if (task.kind == sim::TaskKind::kMoveTo && task.id == order.task_id) {
            return world.find_field(kFieldName)->find_layer({task.layer_handle});
        }
    }
    return nullptr;
}

}  // namespace

/// The living of both teams by cell, for "is an enemy within 30 m".
struct BattleStatistics::Enemies {
    explicit Enemies(const sim::World& world) {
        const nav::GridGeometry& geometry = world.find_field(kFieldName)->geometry();
        const double half_x = geometry.x_num() * geometry.cell_size_cm() * 0.5;
        const double half_y = geometry.y_num() * geometry.cell_size_cm() * 0.5;
        const double reach = half_x + half_y;  // Covers the grid under any yaw.
        low = {geometry.origin().x - reach, geometry.origin().y - reach};
        width = static_cast<std::int32_t>(2 * reach / kEnemyNearCm) + 1;
        for (auto& team : tiles) {
            team.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(width));
        }
        for (std::size_t group = 0; group < kGroupCount; ++group) {
            const sim::EntityGroup& rows = world.group(template_of(group));
            const auto units = world.column<Unit>(template_of(group));
            const auto positions = world.column<Position>(template_of(group));
            for (std::size_t row = 0; row < rows.size(); ++row) {
                if (!is_fighting(rows.tags[row])) continue;
                auto& team = tiles[static_cast<std::size_t>(units[row].team)];
                team[tile(column(positions[row].x, low.x), column(positions[row].y, low.y))]
                    .push_back(positions[row]);
            }
        }
    }
    [[nodiscard]] std::int32_t column(double cm, double from) const {
        return core::clamp_to_i32((cm - from) / kEnemyNearCm, 0, width - 1);
    }
    [[nodiscard]] std::size_t tile(std::int32_t x, std::int32_t y) const {
        return static_cast<std::size_t>(x) * static_cast<std::size_t>(width) +
               static_cast<std::size_t>(y);
    }
    [[nodiscard]] bool near(const Position& at, std::int32_t team) const {
        const auto& enemies = tiles[static_cast<std::size_t>(1 - team)];
        const std::int32_t at_x = column(at.x, low.x);
        const std::int32_t at_y = column(at.y, low.y);
        for (std::int32_t x = std::max(at_x - 1, 0); x <= std::min(at_x + 1, width - 1); ++x) {
            for (std::int32_t y = std::max(at_y - 1, 0); y <= std::min(at_y + 1, width - 1); ++y) {
                for (const Position& enemy : enemies[tile(x, y)]) {
                    const Vec2d off{enemy.x - at.x, enemy.y - at.y};
                    if (dot(off, off) <= kEnemyNearCm * kEnemyNearCm) return true;
                }
            }
        }
        return false;
    }

    Vec2d low;
    std::int32_t width = 1;
    std::array<std::vector<std::vector<Position>>, kTeamCount> tiles;
};

void BattleStatistics::watch_move(const sim::World& world, Watch& watch, std::size_t group,
                                  std::size_t row, const Enemies& enemies) {
    const sim::TemplateId id = template_of(group);
    const Order& order = world.column<Order>(id)[row];
    const Position& at = world.column<Position>(id)[row];
    const nav::FlowField& field = *world.find_field(kFieldName);
    const nav::CellIndex cell = cell_at(field, at.x, at.y);
    const bool moving = order.kind == OrderKind::kMoveTo && order.state == OrderState::kUnderWay;
    if (moving && order.task_id != watch.task_id) {
        watch.task_id = order.task_id;
        watch.deadline = 0;
        const nav::Layer* layer = layer_of(world, order);
        if (layer == nullptr || !is_reached(*layer, cell)) return;
        const std::uint32_t dist = layer->solution.dist[cell];
        watch.half_dist = dist / 2;
        const double half_cm = (dist - watch.half_dist) * field.geometry().cell_size_cm() * 1.0;
        watch.deadline = world.tick() + static_cast<sim::Tick>(2 * half_cm / kUnitSpeedCm) + 1;
        return;
    }
    if (watch.deadline == 0) return;
    if (enemies.near(at, world.column<Unit>(id)[row].team)) {
        watch.deadline = 0;
        return;
    }
    bool half_way = order.kind != OrderKind::kMoveTo || order.state == OrderState::kArrived;
    if (!half_way) {
        const nav::Layer* layer = layer_of(world, order);
        half_way = layer != nullptr && is_reached(*layer, cell) &&
                   layer->solution.dist[cell] <= watch.half_dist;
    }
    if (!half_way && world.tick() < watch.deadline) return;
    ++figures_.moves_judged;
    if (half_way) ++figures_.half_way_in_time;
    watch.deadline = 0;
}

void BattleStatistics::watch_standing(Watch& watch, const sim::World& world, std::size_t group,
                                      std::size_t row, const Enemies& enemies) {
    const sim::TemplateId id = template_of(group);
    const Position& at = world.column<Position>(id)[row];
    const Vec2d off{at.x - watch.anchor_x, at.y - watch.anchor_y};
    const bool under_way = world.column<Order>(id)[row].state == OrderState::kUnderWay;
    const bool moved = dot(off, off) > kStuckCm * kStuckCm;
    const bool due = world.tick() - watch.anchor_tick >= kStuckTicks;
    if (!watch.known || moved || !under_way ||
        (due && enemies.near(at, world.column<Unit>(id)[row].team))) {
        watch.anchor_x = at.x;
        watch.anchor_y = at.y;
        watch.anchor_tick = world.tick();
        return;
    }
    if (!due || watch.stuck) return;
    watch.stuck = true;
    ++figures_.units_stuck;
}

void BattleStatistics::observe(const sim::World& world) {
    watches_.resize(static_cast<std::size_t>(world.state().uid_cursor));
    const Enemies enemies(world);
    figures_.alive = {};
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const sim::EntityGroup& rows = world.group(template_of(group));
        const auto units = world.column<Unit>(template_of(group));
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const auto team = static_cast<std::size_t>(units[row].team);
            Watch& watch = watches_[static_cast<std::size_t>(rows.uids[row].value)];
            if (!watch.known) ++figures_.spawned[team];
            if (is_fighting(rows.tags[row])) {
                ++figures_.alive[team];
                watch_standing(watch, world, group, row, enemies);
                watch_move(world, watch, group, row, enemies);
            }
            watch.known = true;
        }
    }
}

}  // namespace maniple::skirmish
