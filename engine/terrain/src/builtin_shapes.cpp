#include "builtin_shapes.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

#include "integer_noise.h"

namespace maniple::terrain {
namespace {

/// `permille` thousandths of `size`, at least `low`.
std::int32_t part(std::int32_t size, std::int32_t permille, std::int32_t low = 1) {
    return std::max(low, size * permille / 1000);
}

/// A number in [-amplitude, amplitude] that wanders with `along`.
std::int32_t wander(std::uint32_t seed, std::int32_t along, std::int32_t period,
                    std::int32_t amplitude) {
    return (smooth_noise(seed, along, 0, period) - 512) * amplitude / 512;
}

Surface woods_or_ground(std::uint32_t seed, std::int32_t x, std::int32_t y, std::int32_t size) {
    return rough_noise(seed, x, y, part(size, 80, 3)) > 620 ? Surface::kSlow : Surface::kGround;
}

bool is_rock(std::uint32_t seed, std::int32_t x, std::int32_t y, std::int32_t size) {
    return rough_noise(seed, x, y, part(size, 30, 2)) > 800;
}

/// A barrier that runs along Y with openings in it.
struct Barrier {
    std::uint32_t seed;
    std::int32_t x;          ///< Mean position.
    std::int32_t amplitude;  ///< Of its meander.
    std::int32_t half_width;
    std::vector<std::int32_t> openings;  ///< Centres, in Y.
    std::int32_t opening_half_width;
    Surface opening_surface;

    [[nodiscard]] std::int32_t distance(std::int32_t cell_x, std::int32_t cell_y,
                                        std::int32_t size) const {
        return std::abs(cell_x - x - wander(seed, cell_y, part(size, 250, 4), amplitude));
    }
    [[nodiscard]] bool is_open_at(std::int32_t cell_y) const {
        return std::ranges::any_of(openings, [&](std::int32_t centre) {
            return std::abs(cell_y - centre) <= opening_half_width;
        });
    }
};

/// `count` openings, one in each equal stretch of the barrier, none at the same place twice.
std::vector<std::int32_t> spread_openings(std::uint32_t seed, std::int32_t size,
                                          std::int32_t count) {
    std::vector<std::int32_t> centres;
    const std::int32_t stretch = size / count;
    for (std::int32_t i = 0; i < count; ++i) {
        const auto jitter = static_cast<std::int32_t>(
            lattice_hash(seed, i, count) % static_cast<std::uint32_t>(part(stretch, 500)));
        centres.push_back(i * stretch + stretch / 4 + jitter);
    }
    return centres;
}

}  // namespace

SurfaceGrid shape_valley(std::int32_t size) {
    constexpr std::uint32_t kSeed = 0x7a11e700;
    const std::array<Barrier, 3> barriers = {{
        {kSeed + 1, part(size, 270), part(size, 50), part(size, 14),
         spread_openings(kSeed + 1, size, 3), part(size, 60), Surface::kGround},
        {kSeed + 2, part(size, 500), part(size, 90), part(size, 20),
         spread_openings(kSeed + 2, size, 4), part(size, 40), Surface::kSlow},
        {kSeed + 3, part(size, 730), part(size, 50), part(size, 14),
         spread_openings(kSeed + 3, size, 3), part(size, 60), Surface::kGround},
    }};
    const std::int32_t apron = part(size, 40);  // Kept free of rocks on both sides of a barrier.
    const std::int32_t camp = part(size, 120);  // And where the armies start.
    SurfaceGrid grid(size, size, Surface::kGround);
    for (std::int32_t x = 0; x < size; ++x) {
        for (std::int32_t y = 0; y < size; ++y) {
            Surface surface = woods_or_ground(kSeed + 4, x, y, size);
            bool rocks_allowed = x >= camp && x < size - camp;
            for (const Barrier& barrier : barriers) {
                const std::int32_t distance = barrier.distance(x, y, size);
                if (distance <= barrier.half_width + apron) rocks_allowed = false;
                if (distance > barrier.half_width) continue;
                surface = barrier.is_open_at(y) ? barrier.opening_surface : Surface::kObstacle;
            }
            if (rocks_allowed && is_rock(kSeed + 5, x, y, size)) surface = Surface::kObstacle;
            grid.set(x, y, surface);
        }
    }
    return grid;
}

SurfaceGrid shape_fortress(std::int32_t size) {
    constexpr std::uint32_t kSeed = 0xf0127e55;
    const std::int32_t wall = part(size, 16);
    const std::int32_t outer = part(size, 330);
    const std::int32_t inner = part(size, 150);
    const std::int32_t keep = part(size, 40);
    const std::int32_t tower = part(size, 34, 2);
    const std::int32_t ditch = part(size, 40);
    const std::int32_t gate = part(size, 32);
    const std::int32_t outer_gate_at = part(size, 160);
    const std::int32_t camp = part(size, 120);
    SurfaceGrid grid(size, size, Surface::kGround);
    for (std::int32_t x = 0; x < size; ++x) {
        for (std::int32_t y = 0; y < size; ++y) {
            // From the centre, by the longer axis; `along` runs along the side.
            const std::int32_t dx = std::abs(2 * x + 1 - size) / 2;
            const std::int32_t dy = std::abs(2 * y + 1 - size) / 2;
            const std::int32_t out = std::max(dx, dy);
            const std::int32_t along = std::min(dx, dy);
            const bool in_outer_gate = std::abs(along - outer_gate_at) <= gate;
            const bool in_inner_gate = along <= gate;
            Surface surface = woods_or_ground(kSeed + 1, x, y, size);
            if (out > outer + ditch && x >= camp && x < size - camp &&
                is_rock(kSeed + 2, x, y, size)) {
                surface = Surface::kObstacle;
            }
            if (out > outer && out <= outer + ditch) surface = Surface::kSlow;
            if (out <= outer && out > outer - wall) {
                surface = in_outer_gate ? Surface::kGround : Surface::kObstacle;
            }
            if (std::abs(dx - outer) <= tower && std::abs(dy - outer) <= tower) {
                surface = Surface::kObstacle;
            }
            if (out <= inner && out > inner - wall) {
                surface = in_inner_gate ? Surface::kGround : Surface::kObstacle;
            }
            if (out <= keep) surface = Surface::kObstacle;
            grid.set(x, y, surface);
        }
    }
    return grid;
}

namespace {

struct Island {
    std::int32_t x, y, radius;
};

/// Paints a strip of ground of the given half width around the segment between two islands.
void paint_causeway(SurfaceGrid& grid, const Island& a, const Island& b, std::int32_t half_width) {
    const std::int64_t dx = b.x - a.x;
    const std::int64_t dy = b.y - a.y;
    const std::int64_t length_squared = dx * dx + dy * dy;
    const std::int32_t x0 = std::min(a.x, b.x) - half_width;
    const std::int32_t x1 = std::max(a.x, b.x) + half_width;
    const std::int32_t y0 = std::min(a.y, b.y) - half_width;
    const std::int32_t y1 = std::max(a.y, b.y) + half_width;
    for (std::int32_t x = x0; x <= x1; ++x) {
        for (std::int32_t y = y0; y <= y1; ++y) {
            if (!grid.contains(x, y) || grid.at(x, y) != Surface::kObstacle) continue;
            const std::int64_t cross = dx * (y - a.y) - dy * (x - a.x);
            if (cross * cross <= std::int64_t{half_width} * half_width * length_squared) {
                grid.set(x, y, Surface::kGround);
            }
        }
    }
}

/// Raises one island out of the sea: a ragged disc with a beach of slow ground.
void paint_island(SurfaceGrid& grid, std::uint32_t seed, const Island& island, std::int32_t pitch) {
    const std::int32_t size = grid.width();
    const std::int32_t beach = part(pitch, 60);
    const std::int32_t reach = island.radius + part(pitch, 80);
    for (std::int32_t x = island.x - reach; x <= island.x + reach; ++x) {
        for (std::int32_t y = island.y - reach; y <= island.y + reach; ++y) {
            if (!grid.contains(x, y)) continue;
            const std::int32_t ragged =
                island.radius +
                (smooth_noise(seed, x, y, part(pitch, 120, 2)) - 512) * part(pitch, 80) / 512;
            const std::int64_t dx = x - island.x;
            const std::int64_t dy = y - island.y;
            const std::int64_t squared = dx * dx + dy * dy;
            if (squared > std::int64_t{ragged} * ragged) continue;
            const std::int64_t dry = std::max(0, ragged - beach);
            const Surface inland = woods_or_ground(seed + 1, x, y, size);
            grid.set(x, y, squared > dry * dry ? Surface::kSlow : inland);
        }
    }
}

}  // namespace

SurfaceGrid shape_archipelago(std::int32_t size) {
    constexpr std::uint32_t kSeed = 0xa2c417e1;
    const std::int32_t side = size >= 48 ? 4 : 2;  // Islands along one axis.
    const std::int32_t pitch = size / side;
    std::vector<Island> islands;
    for (std::int32_t i = 0; i < side; ++i) {
        for (std::int32_t j = 0; j < side; ++j) {
            const std::uint32_t h = lattice_hash(kSeed, i, j);
            const auto spread = [&](std::uint32_t bits, std::int32_t range) {
                return static_cast<std::int32_t>(bits % static_cast<std::uint32_t>(range));
            };
            const std::int32_t jitter = part(pitch, 120);
            islands.push_back({i * pitch + pitch / 2 + spread(h, jitter) - jitter / 2,
                               j * pitch + pitch / 2 + spread(h >> 10, jitter) - jitter / 2,
                               part(pitch, 360) + spread(h >> 20, part(pitch, 90))});
        }
    }
    SurfaceGrid grid(size, size, Surface::kObstacle);
    for (const Island& island : islands) paint_island(grid, kSeed + 1, island, pitch);
    const std::int32_t half_width = part(size, 14);
    const auto island_at = [&](std::int32_t i, std::int32_t j) {
        return islands[static_cast<std::size_t>(i * side + j)];
    };
    for (std::int32_t i = 0; i < side; ++i) {
        for (std::int32_t j = 0; j < side; ++j) {
            if (i + 1 < side) {
                paint_causeway(grid, island_at(i, j), island_at(i + 1, j), half_width);
            }
            // Along Y the outer columns are joined, of the others two in three.
            const bool joined = i == 0 || i + 1 == side || lattice_hash(kSeed + 3, i, j) % 3 != 0;
            if (j + 1 < side && joined) {
                paint_causeway(grid, island_at(i, j), island_at(i, j + 1), half_width);
            }
        }
    }
    return grid;
}

}  // namespace maniple::terrain
