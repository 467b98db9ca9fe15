#include <algorithm>
#include <cmath>

#include "maniple/core/random.h"

#include "arena.h"

namespace maniple::skirmish {
namespace {

constexpr sim::Tick kSearchTicks = 8;  ///< A unit looks around every so many ticks.
constexpr std::uint32_t kSiteDamage = 32;
constexpr std::int32_t kVolleyShiftTicks = 7;  ///< From squad to squad.
constexpr std::int32_t kFuryDamage = 2;
constexpr float kGallop = 0.6F;  ///< Share of the speed from which a blow charges.

/// Where the target stands now; invalid when it is gone, dying or out of sight.
Aim aim_at(const sim::World& world, const Arena& arena, std::int32_t uid, const Place& from) {
    if (uid < 0) return {};
    const std::optional<sim::EntityRow> found = find_unit(world, {uid});
    if (!found) return {};
    const Place& to = arena.places[arena.first_rank[found->group] + found->row];
    if (to.team < 0) return {};
    const float dx = to.x - from.x;
    const float dy = to.y - from.y;
    const float distance = std::sqrt(dx * dx + dy * dy);
    return {to.x, to.y, distance, distance <= kSightCm};
}

std::int32_t look_around(const Arena& arena, const Place& from) {
    const std::int32_t enemy = 1 - from.team;
    if (!arena.near[static_cast<std::size_t>(enemy)].may_reach(from.x, from.y)) return -1;
    return arena.grid.nearest(enemy, from.x, from.y, kSightCm);
}

}  // namespace

void choose_targets(sim::SystemContext& context, Arena& arena) {
    const AllRows all = all_rows(context.world);
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const UnitRows& rows = all[group];
        const auto choose = [&](std::size_t row) {
            const std::size_t rank = arena.first_rank[group] + row;
            const Place& place = arena.places[rank];
            if (place.team < 0) return;
            std::int32_t& target = rows.targets[row].uid;
            if ((std::int64_t{context.tick} + place.uid) % kSearchTicks == 0) {
                target = look_around(arena, place);
            }
            arena.aims[rank] = aim_at(context.world, arena, target, place);
            if (!arena.aims[rank].valid) target = -1;
        };
        core::for_blocks(context.executor, rows.size(), kBlockRows,
                         [&](std::size_t begin, std::size_t end) {
                             for (std::size_t row = begin; row < end; ++row) choose(row);
                         });
    }
}

namespace {

using Kits = std::array<sim::SharedView<Kit>, kGroupCount>;

void take_hit(const sim::World& world, const AllRows& all, const Kits& kits, sim::Uid uid,
              std::int32_t damage) {
    const std::optional<sim::EntityRow> found = find_unit(world, uid);
    if (!found) return;
    const UnitRows& rows = all[found->group];
    const std::size_t row = found->row;
    if (!is_fighting(rows.tags[row])) return;
    Unit& unit = rows.units[row];
    const std::int32_t loss = std::max(1, damage - kits[found->group][row].armour);
    unit.health = static_cast<std::int16_t>(std::max(0, unit.health - loss));
    if (unit.health > 0) return;
    unit.phase_ticks = kDyingTicks;
    rows.tags[row] = sim::kTagDying;
    rows.orders[row] = {};
    rows.targets[row] = {};
    rows.motions[row] = {};
}

/// Archers loose with their squad; the others strike when their arm is free.
bool is_ready(const UnitKind& kind, const Unit& unit, sim::Tick tick) {
    if (kind.volley_ticks == 0) return unit.cooldown_ticks == 0;
    const std::int64_t turn = std::int64_t{unit.squad} * kVolleyShiftTicks + tick;
    return turn % kind.volley_ticks == 0;
}

/// By team: what every blow does more while the team fights all out.
std::array<std::int32_t, kTeamCount> fury_of(const sim::World& world) {
    const auto& stances = world.variables<Tactics>(kTacticsKey).stances;
    std::array<std::int32_t, kTeamCount> fury{};
    for (std::size_t team = 0; team < std::min(fury.size(), stances.size()); ++team) {
        fury[team] = stances[team] == Stance::kAllOut ? kFuryDamage : 0;
    }
    return fury;
}

std::int32_t charge_of(const UnitKind& kind, const Motion& motion) {
    const float gallop = kGallop * kind.speed_cm * float{Motion::kStepsPerCm};
    const float x = motion.x;
    const float y = motion.y;
    const float square = x * x + y * y;
    return square >= gallop * gallop ? kind.charge_damage : 0;
}

}  // namespace

void fight(sim::SystemContext& context, Arena& arena) {
    sim::World& world = context.world;
    const auto seed = static_cast<std::uint64_t>(static_cast<std::uint32_t>(world.config().seed));
    const AllRows all = all_rows(world);
    const std::array<std::int32_t, kTeamCount> fury = fury_of(world);
    std::size_t blocks = 0;
    std::array<std::size_t, kGroupCount> first_block{};
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        first_block[group] = blocks;
        blocks += all[group].size() / kBlockRows + 1;
    }
    arena.hits.begin(blocks);
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const UnitRows& rows = all[group];
        const UnitKind& kind = kUnitKinds[group];
        const auto strike = [&](std::size_t block, std::size_t row) {
            Unit& unit = rows.units[row];
            if (unit.cooldown_ticks > 0) --unit.cooldown_ticks;
            const Aim& aim = arena.aims[arena.first_rank[group] + row];
            if (!aim.valid || aim.distance > kind.range_cm) return;
            if (!is_ready(kind, unit, context.tick)) return;
            const std::int32_t uid = rows.uids[row].value;
            const std::uint64_t random = core::site_random(seed, context.tick, uid, kSiteDamage);
            const auto extra =
                static_cast<std::int32_t>(random % static_cast<std::uint64_t>(kind.damage_spread));
            const std::int32_t damage = kind.damage_min + extra +
                                        charge_of(kind, rows.motions[row]) +
                                        fury[static_cast<std::size_t>(unit.team)];
            arena.hits.emit(block, {{rows.targets[row].uid}, {uid}, 0, damage});
            unit.cooldown_ticks = kind.cooldown_ticks;
        };
        core::for_blocks(context.executor, rows.size(), kBlockRows,
                         [&](std::size_t begin, std::size_t end) {
                             const std::size_t block = first_block[group] + begin / kBlockRows;
                             for (std::size_t row = begin; row < end; ++row) {
                                 if (is_fighting(rows.tags[row])) strike(block, row);
                             }
                         });
    }
    const Kits kits{world.shared<Kit>(template_of(0)), world.shared<Kit>(template_of(1)),
                    world.shared<Kit>(template_of(2))};
    arena.hits.drain([&](const auto& hit) { take_hit(world, all, kits, hit.target, hit.payload); });
}

// implements: SNAP-011
void live_and_die(sim::SystemContext& context) {
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        sim::EntityGroup& rows = context.world.group(template_of(group));
        const auto units = context.world.column<Unit>(template_of(group));
        for (std::size_t row = 0; row < rows.size(); ++row) {
            std::uint16_t& tags = rows.tags[row];
            if (tags == 0 || --units[row].phase_ticks > 0) continue;
            const bool dead = (tags & sim::kTagDying) != 0;
            tags = 0;
            if (dead) tags = sim::kTagDestroying;
            if (dead) context.world.queue_destroy(rows.uids[row]);
        }
    }
}

}  // namespace maniple::skirmish
