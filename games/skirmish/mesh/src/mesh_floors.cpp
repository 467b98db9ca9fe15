#include <bit>
#include <cmath>

#include "mesh_arena.h"

namespace maniple::skirmish {
namespace {

constexpr double kFloorCm = 250;  ///< Farther above or below is another floor.

/// Units as they stood before the tick, with their heights.
struct Floors {
    const sim::World& world;
    const Arena& arena;
    const AllFootings& footings;

    [[nodiscard]] bool shares_floor(sim::Uid uid, double z) const {
        const auto at = find_unit(world, uid);
        return at && std::abs(footings[at->group][at->row].z - z) <= kFloorCm;
    }
    /// The nearest enemy in sight on the floor at `z`, of equals the lowest UID; an invalid aim for
    /// none. A minimum: no order of visits can change it.
    [[nodiscard]] Aim nearest(const Place& from, double z, std::int32_t& uid) const;
};

Aim Floors::nearest(const Place& from, double z, std::int32_t& uid) const {
    const UnitGrid& units = arena.grid;
    std::uint64_t best = ~std::uint64_t{0};
    Aim aim;
    uid = -1;
    units.for_near(1 - from.team, from.x, from.y, kSightCm, [&](std::uint32_t slot) {
        const float off_x = units.x()[slot] - from.x;
        const float off_y = units.y()[slot] - from.y;
        const float square = off_x * off_x + off_y * off_y;
        const std::int32_t other = units.uid()[slot];
        const std::uint64_t key = std::uint64_t{std::bit_cast<std::uint32_t>(square)} << 32 |
                                  static_cast<std::uint32_t>(other);
        if (square > kSightCm * kSightCm || key >= best || !shares_floor({other}, z)) return true;
        best = key;
        uid = other;
        aim = {units.x()[slot], units.y()[slot], std::sqrt(square), true};
        return true;
    });
    return aim;
}

}  // namespace

/// Nobody fights through a floor: who aims at an enemy above or below aims at one of its own floor.
void mind_the_floors(sim::SystemContext& context, MeshArena& mesh_arena) {
    const AllRows all = all_rows(context.world);
    const AllFootings footings = all_footings(context.world);
    Arena& arena = mesh_arena.arena;
    const Floors floors{context.world, arena, footings};
    for (std::size_t group = 0; group < kGroupCount; ++group) {
        const UnitRows& rows = all[group];
        const auto mind = [&](std::size_t row) {
            const std::size_t rank = arena.first_rank[group] + row;
            if (arena.places[rank].team < 0 || !arena.aims[rank].valid) return;
            const double z = footings[group][row].z;
            std::int32_t& target = rows.targets[row].uid;
            if (floors.shares_floor({target}, z)) return;
            arena.aims[rank] = floors.nearest(arena.places[rank], z, target);
        };
        core::for_blocks(context.executor, rows.size(), kBlockRows,
                         [&](std::size_t begin, std::size_t end) {
                             for (std::size_t row = begin; row < end; ++row) mind(row);
                         });
    }
}

}  // namespace maniple::skirmish
