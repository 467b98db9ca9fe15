#include "maniple/skirmish/statistics.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "arena.h"
#include "unit_index.h"

namespace maniple::skirmish {
namespace {

constexpr double kStuckCm = 100.0;
constexpr sim::Tick kStuckTicks = 200;
constexpr float kSampleCellCm = 500.0F;
constexpr auto kNearCm = static_cast<float>(kEnemyNearCm);

/// What is remembered of a unit from sample to sample.
struct Watch {
    std::int32_t uid = -1;
    double anchor_x = 0, anchor_y = 0;
    sim::Tick anchor_tick = 0;
    sim::Tick deadline = 0;  ///< Of the first half of the way; 0 = no move is watched.
    std::uint32_t half_dist = 0;
    std::int32_t task_id = 0;
    bool known = false;
    bool stuck = false;
};

/// The columns of one group that are read.
struct Seen {
    std::span<const sim::Uid> uids;
    std::span<const std::uint16_t> tags;
    std::span<const Position> positions;
    std::span<const Unit> units;
    std::span<const Order> orders;
};

}  // namespace

struct BattleStatistics::Sample {
    std::unique_ptr<WayMeter> meter;
    sim::Tick tick = 0;
    std::array<Seen, kGroupCount> groups;
    std::array<std::size_t, kGroupCount> first_rank{};
    std::vector<Place> places;  ///< By rank.
    UnitGrid grid;
    std::array<NearMap, kTeamCount> near;
    std::int32_t uid_cursor = 0;
    std::array<std::vector<Watch>, kGroupCount> watches;  ///< By row, of the last sample.
    std::vector<Watch> followed;

    void view(const sim::World& world);
    void place_units();
    void follow_rows(std::size_t group);
    void watch_units(BattleFigures& figures);
    void watch_move(Watch& watch, std::size_t group, std::size_t row, BattleFigures& figures) const;
    void watch_standing(Watch& watch, std::size_t group, std::size_t row,
                        BattleFigures& figures) const;
    [[nodiscard]] bool meets_enemy(const Place& at) const;
};

BattleStatistics::BattleStatistics(std::unique_ptr<WayMeter> meter)
    : sample_(std::make_unique<Sample>()) {
    sample_->meter = std::move(meter);
}
BattleStatistics::~BattleStatistics() = default;
BattleStatistics::BattleStatistics(BattleStatistics&&) noexcept = default;
BattleStatistics& BattleStatistics::operator=(BattleStatistics&&) noexcept = default;

void BattleStatistics::Sample::view(const sim::World& world) {
    tick = world.tick();
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const sim::TemplateId id = template_of(group);
        const sim::EntityGroup& rows = world.group(id);
        groups[group] = {rows.uids, rows.tags, world.column<Position>(id), world.column<Unit>(id),
                         world.column<Order>(id)};
    }
    uid_cursor = world.state().uid_cursor;
}

void BattleStatistics::Sample::place_units() {
    Box box;
    places.clear();
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const Seen& seen = groups[group];
        first_rank[group] = places.size();
        places.resize(places.size() + seen.uids.size());
        for (std::size_t row = 0; row < seen.uids.size(); ++row) {
            if (!is_fighting(seen.tags[row])) continue;
            Place& place = places[first_rank[group] + row];
            place = {.x = static_cast<float>(seen.positions[row].cm().x),
                     .y = static_cast<float>(seen.positions[row].cm().y),
                     .uid = seen.uids[row].value,
                     .team = seen.units[row].team};
            box.add({place.x, place.y, place.x, place.y});
        }
    }
    core::SerialExecutor executor;
    grid.build(executor, box.grid(kSampleCellCm), places);
    for (std::int32_t team = 0; team < std::ssize(near); ++team) {
        near[static_cast<std::size_t>(team)].build(grid, team, 1, kNearCm);
    }
}

bool BattleStatistics::Sample::meets_enemy(const Place& at) const {
    const std::int32_t enemy = 1 - at.team;
    if (!near[static_cast<std::size_t>(enemy)].may_reach(at.x, at.y)) return false;
    bool met = false;
    grid.for_near(enemy, at.x, at.y, kNearCm, [&](std::uint32_t slot) {
        const float off_x = grid.x()[slot] - at.x;
        const float off_y = grid.y()[slot] - at.y;
        met = off_x * off_x + off_y * off_y <= kNearCm * kNearCm;
        return !met;
    });
    return met;
}

void BattleStatistics::Sample::watch_move(Watch& watch, std::size_t group, std::size_t row,
                                          BattleFigures& figures) const {
    const Order& order = groups[group].orders[row];
    const bool moving = order.kind == OrderKind::kMoveTo && order.state == OrderState::kUnderWay;
    const bool begins = moving && order.task_id != watch.task_id;
    if (!begins && watch.deadline == 0) return;
    const std::optional<std::uint32_t> left = meter->left(order, group, row);
    if (begins) {
        watch.task_id = order.task_id;
        watch.deadline = 0;
        if (!left) return;
        watch.half_dist = *left / 2;
        const double half_cm = (*left - watch.half_dist) * meter->unit_cm();
        watch.deadline = tick + static_cast<sim::Tick>(2 * half_cm / kUnitSpeedCm) + 1;
        return;
    }
    if (meets_enemy(places[first_rank[group] + row])) {
        watch.deadline = 0;
        return;
    }
    const bool ended = order.kind != OrderKind::kMoveTo || order.state == OrderState::kArrived;
    const bool half_way = ended || (left && *left <= watch.half_dist);
    if (!half_way && tick + kSampleTicks <= watch.deadline) return;
    ++figures.moves_judged;
    if (half_way) ++figures.half_way_in_time;
    watch.deadline = 0;
}

void BattleStatistics::Sample::watch_standing(Watch& watch, std::size_t group, std::size_t row,
                                              BattleFigures& figures) const {
    const Vec2d at = groups[group].positions[row].cm();
    const Vec2d off{at.x - watch.anchor_x, at.y - watch.anchor_y};
    const bool under_way = groups[group].orders[row].state == OrderState::kUnderWay;
    const bool moved = dot(off, off) > kStuckCm * kStuckCm;
    const bool due = tick - watch.anchor_tick >= kStuckTicks;
    if (!watch.known || moved || !under_way ||
        (due && meets_enemy(places[first_rank[group] + row]))) {
        watch.anchor_x = at.x;
        watch.anchor_y = at.y;
        watch.anchor_tick = tick;
        return;
    }
    if (!due || watch.stuck) return;
    watch.stuck = true;
    ++figures.units_stuck;
}

/// Gives every row of the group the watch of its unit; both ascend by UID.
void BattleStatistics::Sample::follow_rows(std::size_t group) {
    const std::span<const sim::Uid> uids = groups[group].uids;
    const std::vector<Watch>& before = watches[group];
    followed.assign(uids.size(), {});
    std::size_t next = 0;
    for (std::size_t row = 0; row < uids.size(); ++row) {
        while (next < before.size() && before[next].uid < uids[row].value) ++next;
        const bool is_known = next < before.size() && before[next].uid == uids[row].value;
        if (is_known) followed[row] = before[next];
        followed[row].uid = uids[row].value;
    }
    watches[group].swap(followed);
}

void BattleStatistics::Sample::watch_units(BattleFigures& figures) {
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        follow_rows(group);
        for (std::size_t row = 0; row < groups[group].uids.size(); ++row) {
            Watch& watch = watches[group][row];
            if (is_fighting(groups[group].tags[row])) {
                watch_standing(watch, group, row, figures);
                watch_move(watch, group, row, figures);
            }
            watch.known = true;
        }
    }
}

void BattleStatistics::observe(const sim::World& world) {
    Sample& sample = *sample_;
    const std::int32_t cursor_before = sample.uid_cursor;
    sample.view(world);
    figures_.alive = {};
    for (const Seen& seen : sample.groups) {
        for (std::size_t row = 0; row < seen.uids.size(); ++row) {
            const auto team = static_cast<std::size_t>(seen.units[row].team);
            if (seen.uids[row].value >= cursor_before) ++figures_.spawned[team];
            if (is_fighting(seen.tags[row])) ++figures_.alive[team];
        }
    }
    if (world.tick() % kSampleTicks != 0) return;
    sample.meter->view(world);
    sample.place_units();
    sample.watch_units(figures_);
}

}  // namespace maniple::skirmish
