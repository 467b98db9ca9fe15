#include <bit>
#include <cmath>

#include "maniple/core/random.h"

#include "arena.h"

namespace maniple::skirmish {
namespace {

constexpr float kSightCm = 1500.0F;
constexpr sim::Tick kSearchTicks = 4;  ///< A unit looks around every so many ticks.
constexpr std::uint32_t kSiteDamage = 32;

/// The nearest enemy in sight, of equals the lowest UID; −1 for none. The key is a minimum and
/// knows no order of visits.
std::int32_t nearest_enemy(const UnitGrid& enemies, float x, float y) {
    constexpr std::uint64_t kNone = ~std::uint64_t{0};
    std::uint64_t best = kNone;
    enemies.for_near(x, y, kSightCm, [&](const GridUnit& enemy) {
        const float dx = enemy.x - x;
        const float dy = enemy.y - y;
        const float square = dx * dx + dy * dy;
        if (square > kSightCm * kSightCm) return;
        const std::uint64_t key = std::uint64_t{std::bit_cast<std::uint32_t>(square)} << 32 |
                                  static_cast<std::uint32_t>(enemy.uid);
        if (key < best) best = key;
    });
    return best == kNone ? -1 : static_cast<std::int32_t>(best & 0x7FFFFFFF);
}

/// Where the target stands now; invalid when it is gone, dying or out of sight.
Aim aim_at(const sim::World& world, std::int32_t uid, float x, float y) {
    if (uid < 0) return {};
    const std::optional<sim::EntityRow> found = world.find({uid});
    if (!found) return {};
    const sim::TemplateId kind = template_of(found->group);
    if (!is_fighting(world.group(kind).tags[found->row])) return {};
    const Position& at = world.column<Position>(kind)[found->row];
    Aim aim{static_cast<float>(at.x), static_cast<float>(at.y), 0, true};
    const float dx = aim.x - x;
    const float dy = aim.y - y;
    aim.distance = std::sqrt(dx * dx + dy * dy);
    aim.valid = aim.distance <= kSightCm;
    return aim;
}

}  // namespace

void choose_targets(sim::SystemContext& context, Arena& arena) {
    const sim::World& world = context.world;
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const sim::EntityGroup& rows = world.group(template_of(group));
        const auto positions = world.column<Position>(template_of(group));
        const auto units = world.column<Unit>(template_of(group));
        const auto targets = context.world.column<Target>(template_of(group));
        const auto choose = [&](std::size_t row) {
            const auto x = static_cast<float>(positions[row].x);
            const auto y = static_cast<float>(positions[row].y);
            if ((context.tick + rows.uids[row].value) % kSearchTicks == 0) {
                const auto enemy = static_cast<std::size_t>(1 - units[row].team);
                targets[row].uid = nearest_enemy(arena.grids[enemy], x, y);
            }
            arena.aims[group][row] = aim_at(world, targets[row].uid, x, y);
            if (!arena.aims[group][row].valid) targets[row].uid = -1;
        };
        core::for_blocks(context.executor, rows.size(), kBlockRows,
                         [&](std::size_t begin, std::size_t end) {
                             for (std::size_t row = begin; row < end; ++row) {
                                 if (is_fighting(rows.tags[row])) choose(row);
                             }
                         });
    }
}

namespace {

void take_hit(sim::World& world, sim::Uid uid, std::int32_t damage) {
    const std::optional<sim::EntityRow> found = world.find(uid);
    if (!found) return;
    const sim::TemplateId kind = template_of(found->group);
    std::uint16_t& tags = world.group(kind).tags[found->row];
    if (!is_fighting(tags)) return;
    Unit& unit = world.column<Unit>(kind)[found->row];
    unit.health -= damage;
    if (unit.health > 0) return;
    unit.health = 0;
    unit.phase_ticks = kDyingTicks;
    tags = sim::kTagDying;
    world.column<Order>(kind)[found->row] = {};
    world.column<Target>(kind)[found->row] = {};
    world.column<Motion>(kind)[found->row] = {};
}

}  // namespace

void fight(sim::SystemContext& context, Arena& arena) {
    sim::World& world = context.world;
    const auto seed = static_cast<std::uint64_t>(static_cast<std::uint32_t>(world.config().seed));
    std::size_t blocks = 0;
    std::array<std::size_t, kGroupCount> first_block{};
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        first_block[group] = blocks;
        blocks += world.group(template_of(group)).size() / kBlockRows + 1;
    }
    arena.hits.begin(blocks);
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const sim::EntityGroup& rows = world.group(template_of(group));
        const auto units = world.column<Unit>(template_of(group));
        const auto targets = world.column<Target>(template_of(group));
        const UnitKind& kind = kUnitKinds[group];
        const auto strike = [&](std::size_t block, std::size_t row) {
            Unit& unit = units[row];
            if (unit.cooldown_ticks > 0) --unit.cooldown_ticks;
            const Aim& aim = arena.aims[group][row];
            if (unit.cooldown_ticks > 0 || !aim.valid || aim.distance > kind.range_cm) return;
            const std::int32_t uid = rows.uids[row].value;
            const std::uint64_t random = core::site_random(seed, context.tick, uid, kSiteDamage);
            const auto extra =
                static_cast<std::int32_t>(random % static_cast<std::uint64_t>(kind.damage_spread));
            arena.hits.emit(block, {{targets[row].uid}, {uid}, 0, kind.damage_min + extra});
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
    arena.hits.drain([&](const auto& hit) { take_hit(world, hit.target, hit.payload); });
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
