#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "maniple/core/random.h"
#include "maniple/nav/mesh_field.h"
#include "maniple/nav/mesh_path.h"
#include "maniple/nav/mesh_replica.h"
#include "maniple/substrate/navmesh_delta.h"
#include "maniple/substrate/navmesh_stream.h"

#include "detour_reference.h"
#include "mesh_worlds.h"
#include "replica_impl.h"

namespace maniple::substrate {
namespace {

using tests::at;
using tests::BakedMesh;

constexpr int kSide = 3;
constexpr std::int32_t kSlots = 16;

/// The same nine places baked four times. The first is a plain, where many ways cost the same and
/// only the order of Detour's links decides between them.
const std::array<BakedMesh, 4>& pool() {
    static const auto baked = [] {
        std::array<BakedMesh, 4> all;
        for (std::uint32_t i = 0; i < all.size(); ++i) {
            tests::BakeSettings settings{.tiles_x = kSide, .tiles_z = kSide};
            settings.height = i == 0 ? tests::flat : tests::pillars(i);
            settings.off_mesh = i % 2 == 1;
            settings.links = {{{6, 0, 6}, {10, 0, 10}, i % 2 == 0}};
            all[i] = tests::bake(settings);
            all[i].params.tiles_max = kSlots;
        }
        return all;
    }();
    return baked;
}

/// What a navmesh stream can say, drawn at random.
struct Content {
    struct Tile {
        std::size_t place;
        std::size_t variant;
    };
    std::map<std::int32_t, Tile> tiles;  ///< By slot.
    std::vector<GoalCm> goals = {{-1200, -1200, 0}};
    AreaCosts costs = tests::even_costs();

    static Content whole() {
        Content content;
        for (std::size_t place = 0; place < kSide * kSide; ++place) {
            content.tiles[static_cast<std::int32_t>(place)] = {place, 0};
        }
        return content;
    }
    [[nodiscard]] bool has(std::size_t place) const {
        return std::ranges::any_of(tiles, [&](const auto& t) { return t.second.place == place; });
    }
    void edit(core::RandomStream& random) {
        const auto below = [&](std::uint32_t n) {
            return static_cast<std::int32_t>(random.next_below(n));
        };
        const std::int32_t slot = below(kSlots);
        const std::int32_t other = below(kSlots);
        const auto place = static_cast<std::size_t>(below(kSide * kSide));
        const auto variant = static_cast<std::size_t>(below(4));
        switch (below(6)) {
            case 0:
                if (tiles.contains(slot)) tiles[slot].variant = variant;
                break;
            case 1:
                if (!tiles.contains(slot) && !has(place)) tiles[slot] = {place, variant};
                break;
            case 2:
                if (tiles.size() > 4) tiles.erase(slot);
                break;
            case 3:  // To another slot, or two change places.
                if (tiles.contains(slot) && tiles.contains(other)) {
                    std::swap(tiles[slot], tiles[other]);
                } else if (tiles.contains(slot)) {
                    tiles[other] = tiles[slot];
                    tiles.erase(slot);
                }
                break;
            case 4: costs[5] = static_cast<float>(1 + below(4)); break;
            default: goals = {{-below(2400), -below(2400), 0}};
        }
    }
    [[nodiscard]] NavMeshStream stream() const {
        std::vector<nav::MeshTile> views;
        for (const auto& [slot, tile] : tiles) {
            views.push_back({slot, pool()[tile.variant].blobs[tile.place]});
        }
        Result<NavMeshStream> stream =
            NavMeshStream::write({{}, goals, pool()[0].params, costs, views});
        EXPECT_TRUE(stream.has_value());
        return std::move(*stream);
    }
};

/// A peer that takes whatever comes: the stream it stands on and the mesh made of it.
class Peer {
  public:
    void take_full(const NavMeshStream& next) {
        stand_on(*NavMeshStream::check({next.bytes().begin(), next.bytes().end()}));
    }
    void take_delta(const NavMeshStream& next) {
        const Result<DeltaBuild> build = build_substrate_delta(stream_->view(), next.view());
        ASSERT_TRUE(build.has_value());
        if (!build->any_change) return;
        const Result<NavMeshDeltaView> delta = NavMeshDeltaView::check(build->bytes);
        ASSERT_TRUE(delta.has_value());
        stand_on(*apply_delta(stream_->view(), *delta));
    }
    [[nodiscard]] const nav::MeshReplica& mesh() const { return *mesh_; }
    /// A field that stands on the mesh.
    [[nodiscard]] std::unique_ptr<nav::MeshField> field() const {
        auto field = std::make_unique<nav::MeshField>("history", nav::FieldConfig{});
        EXPECT_TRUE(field->set_replica(mesh_, {at(12, 0, 12)}, stream_->version()));
        return field;
    }
    [[nodiscard]] const NavMeshStream& stream() const { return *stream_; }

  private:
    void stand_on(NavMeshStream stream) {
        stream_ = std::move(stream);
        const NavMeshView& view = stream_->view();
        mesh_ = std::make_shared<const nav::MeshReplica>(
            std::move(*nav::MeshReplica::build(view.params(), view.tiles(), view.area_costs())));
    }
    std::optional<NavMeshStream> stream_;
    std::shared_ptr<const nav::MeshReplica> mesh_;
};

/// All that Detour keeps of a slot: the salt, and the tile's memory with its polygons' links, flags
/// and areas, and the ends of its off-mesh connections where they were put on the ground.
struct LiveTile {
    unsigned salt = 0;
    unsigned links_free = 0;
    std::vector<unsigned char> memory;
    friend bool operator==(const LiveTile&, const LiveTile&) = default;
};
std::vector<LiveTile> live_tiles(const dtNavMesh& mesh) {
    std::vector<LiveTile> all;
    for (int slot = 0; slot < kSlots; ++slot) {
        const dtMeshTile* tile = mesh.getTile(slot);
        LiveTile& live = all.emplace_back();
        if (tile->header == nullptr) continue;
        live = {tile->salt, tile->linksFreeList, {tile->data, tile->data + tile->dataSize}};
    }
    return all;
}

std::vector<std::vector<Vec3d>> random_paths(const nav::MeshReplica& mesh, std::int32_t seed,
                                             int count) {
    std::vector<std::vector<Vec3d>> paths;
    core::RandomStream random(seed);
    for (int i = 0; i < count; ++i) {
        const auto metres = [&] { return static_cast<float>(random.next_below(24)) + 0.5F; };
        const float ax = metres(), az = metres(), bx = metres(), bz = metres();
        nav::find_path_replica(&mesh, {}, at(ax, 0, az), at(bx, 0, bz), nullptr,
                               paths.emplace_back());
    }
    return paths;
}

/// Which cells queries all over the mesh sample.
std::vector<std::uint32_t> sampled_cells_hashes(const nav::MeshField& field, std::int32_t seed) {
    std::vector<std::uint32_t> hashes;
    core::RandomStream random(seed);
    for (int i = 0; i < 20; ++i) {
        const auto metres = [&] { return static_cast<float>(random.next_below(240)) / 10; };
        const float x = metres(), z = metres();
        for (const double radius_cm : {0.0, 150.0, 600.0}) {
            hashes.push_back(field.query(at(x, 0, z), radius_cm).sampled_cells_hash);
        }
    }
    return hashes;
}

void expect_equal(const Peer& a, const Peer& b, std::int32_t seed, int paths) {
    EXPECT_TRUE(std::ranges::equal(a.stream().bytes(), b.stream().bytes()));
    EXPECT_EQ(a.stream().version(), b.stream().version());
    EXPECT_TRUE(live_tiles(a.mesh().impl().detour()) == live_tiles(b.mesh().impl().detour()));
    for (std::int32_t slot = 0; slot < kSlots; ++slot) {
        EXPECT_EQ(a.mesh().polygon_ref({slot, 0}), b.mesh().polygon_ref({slot, 0}));
    }
    EXPECT_EQ(random_paths(a.mesh(), seed, paths), random_paths(b.mesh(), seed, paths));
    const std::vector<std::uint32_t> sampled = sampled_cells_hashes(*a.field(), seed);
    EXPECT_EQ(sampled, sampled_cells_hashes(*b.field(), seed));
    EXPECT_GT(std::set(sampled.begin(), sampled.end()).size(), 10u) << "they are of many cells";
}

// proves: NAVM-021, O-NAVM-08, O-SYNC-13, O-SYNC-14, SYNC-046, SYNC-053
TEST(ReplicaHistory, LeavesNoTraceInTheReplica) {
    for (std::int32_t seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE(seed);
        core::RandomStream random(seed);
        Content last = Content::whole();
        for (int i = 0; i < 6; ++i) last.edit(random);
        const NavMeshStream target = last.stream();

        Peer late_joiner;
        late_joiner.take_full(target);
        for (int history = 0; history < 2; ++history) {
            Peer standing;
            Content content = Content::whole();
            standing.take_full(content.stream());
            for (int change = 0; change < 8; ++change) {
                content.edit(random);
                content.edit(random);
                if (random.next_below(4) == 0) {
                    standing.take_full(content.stream());
                } else {
                    standing.take_delta(content.stream());
                }
            }
            standing.take_delta(target);
            expect_equal(standing, late_joiner, seed, 20);
        }
    }
}

// proves: O-SYNC-13
TEST(ReplicaHistory, LeavesAThousandPathsOfEqualCostAsTheyAre) {
    // Off and back again, five deltas long: the other tiles' links are made anew each time.
    const Content plain = Content::whole();
    Peer standing;
    standing.take_full(plain.stream());
    for (const std::int32_t slot : {4, 1, 3, 5, 7}) {
        Content hole = plain;
        hole.tiles.erase(slot);
        standing.take_delta(hole.stream());
    }
    standing.take_delta(plain.stream());
    Peer late_joiner;
    late_joiner.take_full(plain.stream());
    expect_equal(standing, late_joiner, 5, 1000);
}

/// What the comparison above is there to see: Detour's own way of updating a mesh leaves traces.
TEST(ReplicaHistory, LeavesATraceInAMeshThatIsUpdatedInPlace) {
    const BakedMesh& plain = pool()[0];
    const tests::DetourReference fresh(plain);
    tests::DetourReference updated(plain);
    EXPECT_TRUE(live_tiles(fresh.mesh()) == live_tiles(updated.mesh()));
    updated.replace(4, plain.blobs[4]);
    EXPECT_FALSE(live_tiles(fresh.mesh()) == live_tiles(updated.mesh()));
}

}  // namespace
}  // namespace maniple::substrate
