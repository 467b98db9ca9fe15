#include <cstring>
#include <gtest/gtest.h>
#include <vector>

#include "maniple/core/background.h"
#include "maniple/core/random.h"
#include "maniple/nav/modifier_shapes.h"

#include "held_background.h"
#include "mesh_plain.h"

// Layers that are computed beside the tick in which the ground changes.
namespace maniple::substrate {
namespace {

using tests::at;
using tests::delta_between;
using tests::Plain;

template <class T>
bool same_bytes(const std::vector<T>& a, const std::vector<T>& b) {
    return a.size() == b.size() &&
           (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

void expect_equal(const nav::MeshLayer& a, const nav::MeshLayer& b) {
    ASSERT_EQ(a.solved, b.solved);
    if (!a.solved) return;
    ASSERT_EQ(a.mesh_goals.size(), b.mesh_goals.size());
    for (std::size_t i = 0; i < a.mesh_goals.size(); ++i) {
        EXPECT_EQ(a.mesh_goals[i].polygon, b.mesh_goals[i].polygon);
        EXPECT_EQ(a.mesh_goals[i].location, b.mesh_goals[i].location);
        EXPECT_EQ(a.mesh_goals[i].projected, b.mesh_goals[i].projected);
    }
    EXPECT_TRUE(same_bytes(a.solution.dist, b.solution.dist));
    EXPECT_TRUE(same_bytes(a.solution.next, b.solution.next));
    EXPECT_TRUE(same_bytes(a.solution.via, b.solution.via));
    EXPECT_TRUE(same_bytes(a.solution.goal, b.solution.goal));
    EXPECT_TRUE(same_bytes(a.solution.direction, b.solution.direction));
    EXPECT_TRUE(same_bytes(a.base_direction, b.base_direction));
}

/// Counts the solves that run in the tick: what is computed ahead does not use the field's
/// executor.
class CountingExecutor final : public core::Executor {
  public:
    void run(std::size_t count, const std::function<void(std::size_t)>& body) override {
        ++runs;
        serial_.run(count, body);
    }
    [[nodiscard]] int thread_count() const override { return 1; }
    int runs = 0;

  private:
    core::SerialExecutor serial_;
};

/// Two peers: one announces every edit, the other computes all of it in its tick.
class LayersAhead : public testing::Test {
  protected:
    LayersAhead() {
        for (PlayedMesh* mesh : {&ahead, &late}) {
            EXPECT_TRUE(mesh->import(Plain{}.stream()).has_value());
        }
    }
    static nav::FieldHost host_with(core::Executor& executor) {
        nav::FieldHost host;
        host.executor = &executor;
        return host;
    }
    nav::LayerHandle acquire(const std::vector<Vec3d>& goals) {
        const nav::LayerHandle handle = ahead.field().get_or_acquire_layer(goals);
        EXPECT_EQ(handle, late.field().get_or_acquire_layer(goals));
        return handle;
    }
    /// Takes a layer, gives one back, or leads one elsewhere.
    void change_layers() {
        const std::uint32_t choice = random.next_below(4);
        if (choice == 0 && !held.empty()) {
            const std::size_t which = random.next_below(static_cast<std::uint32_t>(held.size()));
            for (PlayedMesh* mesh : {&ahead, &late}) mesh->field().release_layer(held[which]);
            held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
        } else if (choice == 1 && !held.empty()) {
            const auto goals = random_goals();
            for (PlayedMesh* mesh : {&ahead, &late}) {
                nav::MeshField& field = mesh->field();
                field.update_managed_layer_goals(held[0], goals, field.managed_goal_hash(goals));
            }
        } else if (held.size() < 5) {
            held.push_back(acquire(random_goals()));
        }
    }
    std::vector<Vec3d> random_goals() {
        std::vector<Vec3d> goals;
        const std::uint32_t count = 1 + random.next_below(3);
        // Some are off the mesh, some are met again.
        while (goals.size() < count) {
            goals.push_back(at(static_cast<float>(5 * random.next_below(7)), 0,
                               static_cast<float>(4 * random.next_below(8))));
        }
        return goals;
    }
    void expect_equal_fields() {
        expect_equal(ahead.field().default_layer(), late.field().default_layer());
        for (const nav::LayerHandle handle : held) {
            const nav::MeshLayer* layer = ahead.field().find_layer(handle);
            const nav::MeshLayer* other = late.field().find_layer(handle);
            ASSERT_TRUE(layer != nullptr && other != nullptr);
            expect_equal(*layer, *other);
        }
    }

    core::RandomStream random{17};
    CountingExecutor in_the_tick;
    core::SerialExecutor serial;
    PlayedMesh ahead{"ground", {}, host_with(in_the_tick)};
    PlayedMesh late{"ground", {}, host_with(serial)};
    tests::HeldBackground background;
    std::vector<nav::LayerHandle> held;
};

// proves: O-SYNC-13, O-LAY-02
TEST_F(LayersAhead, TheTickSolvesOnlyThoseThatWereNotInUseWhenTheEditWasAnnounced) {
    const core::Bytes delta = delta_between(Plain{}.stream(), Plain{.ridged = {4}}.stream());
    held = {acquire({at(22, 0, 2)}), acquire({at(2, 0, 22), at(12, 0, 2)})};
    ahead.prepare(delta, background);
    background.run_all();
    held.push_back(acquire({at(22, 0, 22)}));
    in_the_tick.runs = 0;
    ASSERT_TRUE(ahead.import(delta).has_value());
    EXPECT_EQ(in_the_tick.runs, 1);
    ASSERT_TRUE(late.import(delta).has_value());
    expect_equal_fields();
}

// proves: O-SYNC-13, O-LAY-02
TEST_F(LayersAhead, ASecondAnnouncementAddsThoseThatCameInUseSinceTheFirst) {
    const core::Bytes delta = delta_between(Plain{}.stream(), Plain{.ridged = {4}}.stream());
    held = {acquire({at(22, 0, 2)})};
    ahead.prepare(delta, background);
    background.run_all();
    ahead.prepare(delta, background);
    EXPECT_EQ(background.size(), 0u) << "nothing is missing";
    held.push_back(acquire({at(22, 0, 22)}));
    ahead.prepare(delta, background);
    EXPECT_FALSE(ahead.is_ready(delta));
    background.run_all();
    EXPECT_TRUE(ahead.is_ready(delta));
    in_the_tick.runs = 0;
    ASSERT_TRUE(ahead.import(delta).has_value());
    EXPECT_EQ(in_the_tick.runs, 0);
    ASSERT_TRUE(late.import(delta).has_value());
    expect_equal_fields();
}

// proves: O-SYNC-13, O-LAY-02
TEST_F(LayersAhead, HaveTheBitsOfLayersSolvedInTheTickThroughRandomHistories) {
    const auto wind = std::make_shared<nav::ShapeDirectionModifier>();
    wind->shape = nav::BoxShape{at(12, 0, 12), {600, 600, 100}, 0};
    wind->direction = {0, 1, 0};
    Plain plain;
    core::Bytes standing = plain.stream();
    for (int round = 0; round < 60; ++round) {
        SCOPED_TRACE(round);
        const std::size_t tile = random.next_below(9);
        if (std::erase(plain.ridged, tile) == 0) plain.ridged.push_back(tile);
        const core::Bytes next = plain.stream();
        const core::Bytes edit = round % 5 == 4 ? next : delta_between(standing, next);
        if (round % 20 == 10) {
            for (PlayedMesh* mesh : {&ahead, &late}) {
                mesh->field().register_modifier(wind, nav::ModifierOrigin::kCommand);
            }
        }
        change_layers();
        ahead.prepare(edit, background);
        change_layers();
        background.run_all();
        change_layers();
        if (round % 2 == 0) ahead.prepare(edit, background);
        if (round % 4 == 0) background.run_all();
        ASSERT_TRUE(ahead.import(edit).has_value());
        ASSERT_TRUE(late.import(edit).has_value());
        expect_equal_fields();
        for (PlayedMesh* mesh : {&ahead, &late}) mesh->flush_pending_destroys();
        standing = next;
    }
}

// proves: O-SYNC-13, O-LAY-02
TEST_F(LayersAhead, AreComputedOnAThreadOfTheirOwnWhileTheFieldIsUsed) {
    const auto worker = core::make_background();
    Plain plain;
    core::Bytes standing = plain.stream();
    nav::MeshContext context;
    for (std::size_t tile = 0; tile < 9; ++tile) {
        plain.ridged.push_back(tile);
        const core::Bytes next = plain.stream();
        const core::Bytes edit = delta_between(standing, next);
        change_layers();
        ahead.prepare(edit, *worker);
        do {
            change_layers();
            EXPECT_TRUE(ahead.field().query(at(2, 0, 2), 0, {}, &context).valid);
            ahead.flush_pending_destroys();
            late.flush_pending_destroys();
        } while (!ahead.is_ready(edit));
        ASSERT_TRUE(ahead.import(edit).has_value());
        ASSERT_TRUE(late.import(edit).has_value());
        expect_equal_fields();
        standing = next;
    }
}

}  // namespace
}  // namespace maniple::substrate
