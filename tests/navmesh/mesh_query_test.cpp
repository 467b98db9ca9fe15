#include "maniple/nav/mesh_query.h"

#include <DetourAlloc.h>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <optional>
#include <thread>

#include "maniple/core/random.h"
#include "maniple/nav/mesh_field.h"
#include "maniple/nav/mesh_path.h"

#include "detour_reference.h"
#include "mesh_worlds.h"

namespace maniple::nav {
namespace {

using tests::at;
using tests::bake;
using tests::replica_of;

bool same_place(const std::optional<MeshPlace>& a, const std::optional<MeshPlace>& b) {
    if (!a || !b) return a.has_value() == b.has_value();
    return a->polygon == b->polygon && a->location == b->location;
}

// proves: NAVM-025
TEST(ProjectToMesh, GivesTheNearestPlaceInTheBoxAlongTheWorldsAxes) {
    const MeshReplica mesh = replica_of(bake(tests::two_floors()));
    const auto below = project_to_mesh(mesh, at(12, 1, 12), {10, 10, 150});
    const auto above = project_to_mesh(mesh, at(12, 3, 12), {10, 10, 150});
    ASSERT_TRUE(below && above);
    EXPECT_NEAR(below->location.z, 0, 30);
    EXPECT_NEAR(above->location.z, 400, 30);
    EXPECT_NE(below->polygon, above->polygon);
    EXPECT_EQ(below->location.x, at(12, 0, 12).x);
    EXPECT_EQ(below->location.y, at(12, 0, 12).y);
    EXPECT_FALSE(project_to_mesh(mesh, at(12, 2, 12), {10, 10, 100}).has_value());
    // Beside the mesh: X is Recast's −x, Y its −z.
    EXPECT_TRUE(project_to_mesh(mesh, at(-2, 0, 8), {300, 10, 50}).has_value());
    EXPECT_FALSE(project_to_mesh(mesh, at(-2, 0, 8), {10, 300, 50}).has_value());
    EXPECT_TRUE(project_to_mesh(mesh, at(8, 0, -2), {10, 300, 50}).has_value());
    EXPECT_FALSE(project_to_mesh(mesh, at(8, 0, -2), {300, 10, 50}).has_value());
}

// proves: O-NAVM-12
TEST(SearchExtents, ReplacesEveryComponentThatIsNotAboveZero) {
    EXPECT_EQ(search_extents({0, -3, 7}), (Vec3d{500, 500, 7}));
    EXPECT_EQ(search_extents({1, 2, 0}), (Vec3d{1, 2, 500}));
    EXPECT_EQ(search_extents({1, 2, std::nan("")}), (Vec3d{1, 2, 500}));
}

/// Detour's memory, where a freed block is the next one of its size to be given out.
class RecycledMemory {
  public:
    RecycledMemory() { dtAllocSetCustom(allocate, release); }
    ~RecycledMemory() {
        dtAllocSetCustom(nullptr, nullptr);
        for (const auto& [size, block] : freed()) std::free(block);
        freed().clear();
    }
    static std::size_t live() { return sizes().size(); }
    /// Blocks given out so far.
    static std::size_t& given() {
        static std::size_t count = 0;
        return count;
    }

  private:
    static std::map<void*, std::size_t>& sizes() {
        static std::map<void*, std::size_t> all;
        return all;
    }
    static std::multimap<std::size_t, void*>& freed() {
        static std::multimap<std::size_t, void*> all;
        return all;
    }
    static void* allocate(std::size_t size, dtAllocHint) {
        void* block = nullptr;
        if (const auto found = freed().find(size); found != freed().end()) {
            block = found->second;
            freed().erase(found);
        } else {
            block = std::malloc(size);
        }
        sizes()[block] = size;
        ++given();
        return block;
    }
    static void release(void* block) {
        const auto found = sizes().find(block);
        if (found == sizes().end()) return;
        freed().emplace(found->second, block);
        sizes().erase(found);
    }
};

// proves: NAVM-027, O-NAVM-14
TEST(MeshContext, IsSetUpAgainForAMeshAtTheAddressOfAnEarlierOne) {
    const RecycledMemory memory;
    const tests::BakedMesh plain = bake({.tiles_x = 2, .tiles_z = 2, .height = tests::flat});
    const tests::BakedMesh ridged = bake({.tiles_x = 2, .tiles_z = 2, .height = tests::pillars(3)});
    MeshContext context;
    std::optional<MeshReplica> mesh(replica_of(plain));
    const MeshReplica::Impl* address = &mesh->impl();
    std::uint64_t generation = mesh->generation();
    int address_again = 0;
    for (int i = 0; i < 6; ++i) {
        for (float x = 1; x < 16; x += 1.5F) {
            const auto kept = project_to_mesh(*mesh, at(x, 0, 5), {500, 500, 500}, &context);
            const auto fresh = project_to_mesh(*mesh, at(x, 0, 5), {500, 500, 500});
            EXPECT_TRUE(fresh.has_value());
            EXPECT_TRUE(same_place(kept, fresh));
        }
        mesh.reset();
        mesh.emplace(replica_of(i % 2 == 0 ? ridged : plain));
        if (&mesh->impl() == address) ++address_again;
        EXPECT_GT(mesh->generation(), generation);
        generation = mesh->generation();
    }
#ifndef __SANITIZE_ADDRESS__  // which gives out no address twice
    EXPECT_GT(address_again, 0);
#endif
}

// proves: NAVM-020, NAVM-027
TEST(MeshContext, LendsARadiusQueryItsQueryObjectAndWithoutOneEachCallMakesItsOwn) {
    const RecycledMemory memory;
    const auto mesh = std::make_shared<const MeshReplica>(
        replica_of(bake({.tiles_x = 2, .tiles_z = 2, .height = tests::flat})));
    MeshField field("mesh", {});
    ASSERT_TRUE(field.set_replica(mesh, {at(14, 0, 14)}, 1));
    const auto blocks_of = [&](MeshContext* context) {
        const std::size_t before = RecycledMemory::given();
        const std::size_t standing = RecycledMemory::live();
        EXPECT_TRUE(field.query(at(5, 0, 5), 400, {}, context).valid);
        if (context == nullptr) {
            EXPECT_EQ(RecycledMemory::live(), standing) << "on the stack";
        }
        return RecycledMemory::given() - before;
    };
    MeshContext context;
    const std::size_t first = blocks_of(&context);
    EXPECT_GT(first, 0u) << "set up for the mesh";
    for (int i = 0; i < 3; ++i) EXPECT_EQ(blocks_of(&context), 0u);
    const std::size_t own = blocks_of(nullptr);
    EXPECT_GE(own, first);
    for (int i = 0; i < 3; ++i) EXPECT_EQ(blocks_of(nullptr), own);
}

// proves: SYNC-063
TEST(MeshReplica, FreesTheMeshTogetherWithItsTiles) {
    const RecycledMemory memory;
    const tests::BakedMesh baked =
        bake({.tiles_x = 2, .tiles_z = 2, .height = tests::flat, .off_mesh = true});
    const std::size_t before = RecycledMemory::live();
    std::optional<MeshReplica> mesh(replica_of(baked));
    EXPECT_GT(RecycledMemory::live(), before + 4);
    const std::size_t standing = RecycledMemory::live();
    mesh = replica_of(baked);  // A re-import: the old one goes.
    EXPECT_EQ(RecycledMemory::live(), standing);
    mesh.reset();
    EXPECT_EQ(RecycledMemory::live(), before);
    mesh.reset();
    EXPECT_EQ(RecycledMemory::live(), before);
}

// proves: PATH-025, NAVM-027
TEST(MeshQueries, OfEightThreadsAtOnceEachGiveWhatOneThreadGets) {
    const MeshReplica mesh =
        replica_of(bake({.tiles_x = 4, .tiles_z = 4, .height = tests::pillars(6)}));
    struct Answers {
        std::vector<std::optional<MeshPlace>> places;
        std::vector<std::vector<Vec3d>> paths;
    };
    const auto ask = [&mesh] {
        Answers answers;
        MeshContext context;
        core::RandomStream random(11);
        for (int i = 0; i < 100; ++i) {
            const auto metres = [&] { return static_cast<float>(random.next_below(3200)) / 100; };
            const float ax = metres(), az = metres(), bx = metres(), bz = metres();
            answers.places.push_back(
                project_to_mesh(mesh, at(ax, 0, az), {300, 300, 300}, &context));
            find_path_replica(&mesh, {}, at(ax, 0, az), at(bx, 0, bz), &context,
                              answers.paths.emplace_back());
        }
        return answers;
    };
    const Answers expected = ask();
    std::array<Answers, 8> found;
    {
        std::vector<std::jthread> threads;
        for (Answers& answers : found) threads.emplace_back([&] { answers = ask(); });
    }
    for (const Answers& answers : found) {
        EXPECT_EQ(answers.paths, expected.paths);
        ASSERT_EQ(answers.places.size(), expected.places.size());
        for (std::size_t i = 0; i < expected.places.size(); ++i) {
            EXPECT_TRUE(same_place(answers.places[i], expected.places[i]));
        }
    }
}

}  // namespace
}  // namespace maniple::nav
