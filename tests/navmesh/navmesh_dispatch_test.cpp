#include <algorithm>
#include <gtest/gtest.h>

#include "maniple/substrate/navmesh_delta.h"
#include "maniple/substrate/stream_dispatcher.h"

#include "mesh_worlds.h"

namespace maniple::substrate {
namespace {

/// A plain of 3 × 3 tiles; `ridged` tiles are of another ground.
NavMeshStream plain_with(std::initializer_list<std::size_t> ridged, float cost = 1) {
    static const tests::BakedMesh plain =
        tests::bake({.tiles_x = 3, .tiles_z = 3, .height = tests::flat});
    static const tests::BakedMesh ridges =
        tests::bake({.tiles_x = 3, .tiles_z = 3, .height = tests::pillars(1)});
    std::vector<nav::MeshTile> tiles = plain.tiles();
    for (const std::size_t tile : ridged) tiles[tile].blob = ridges.blobs[tile];
    AreaCosts costs = tests::even_costs();
    costs[7] = cost;
    const GoalCm goal{-400, -400, 0};
    Result<NavMeshStream> stream =
        NavMeshStream::write({{}, {&goal, 1}, plain.params, costs, tiles});
    EXPECT_TRUE(stream.has_value());
    return std::move(*stream);
}

using MeshDispatcher = StreamDispatcher<NavMeshStream>;

// proves: NET-003, NET-005, NET-006
TEST(NavMeshDispatch, SendsADeltaOfTheChangedTilesAndNothingWithoutAChange) {
    MeshDispatcher dispatcher(plain_with({}));
    EXPECT_FALSE(dispatcher.dispatch(10, plain_with({})).has_value());
    const auto edit = dispatcher.dispatch(20, plain_with({4}));
    ASSERT_TRUE(edit.has_value());
    EXPECT_EQ(edit->kind, StreamKind::kDelta);
    EXPECT_EQ(NavMeshDeltaView::check(edit->payload)->changed_tiles().size(), 1u);
    EXPECT_EQ(edit->version, plain_with({4}).version());
    const auto cost = dispatcher.dispatch(20, plain_with({4}, 2));
    ASSERT_TRUE(cost.has_value());
    EXPECT_TRUE(NavMeshDeltaView::check(cost->payload)->changed_tiles().empty());
    const auto everything = dispatcher.dispatch(30, plain_with({0, 1, 2, 3, 4, 5, 6, 7, 8}));
    ASSERT_TRUE(everything.has_value());
    EXPECT_EQ(everything->kind, StreamKind::kFull);
    EXPECT_EQ(dispatcher.figures().delta.count, 2);
    EXPECT_EQ(dispatcher.figures().full.count, 1);
    EXPECT_EQ(dispatcher.figures().skipped, 1);
}

// proves: O-SNAP-10, O-NET-09
TEST(NavMeshHistory, GivesTheStreamThatAFieldStoodOnAtATick) {
    MeshDispatcher dispatcher(plain_with({}));
    dispatcher.history().push(20, plain_with({4}));
    dispatcher.history().push(40, plain_with({0, 1, 2, 3, 5, 6, 7, 8}));
    const auto is_at = [&](std::int32_t tick, const NavMeshStream& expected) {
        const Result<NavMeshStream> stream = dispatcher.history().at(tick);
        ASSERT_TRUE(stream.has_value()) << tick;
        EXPECT_TRUE(std::ranges::equal(stream->bytes(), expected.bytes())) << tick;
    };
    is_at(0, plain_with({}));
    is_at(19, plain_with({}));
    is_at(20, plain_with({4}));
    is_at(39, plain_with({4}));
    is_at(40, plain_with({0, 1, 2, 3, 5, 6, 7, 8}));
    is_at(99, dispatcher.history().newest());
    dispatcher.history().forget_before(30);
    EXPECT_FALSE(dispatcher.history().at(19).has_value());
    is_at(25, plain_with({4}));
}

}  // namespace
}  // namespace maniple::substrate
