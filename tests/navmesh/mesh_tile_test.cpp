#include "maniple/nav/mesh_tile.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "tile_baker.h"

namespace maniple::nav {
namespace {

using tests::bake;
using tests::BakedMesh;

/// A 2 x 2 mesh with pillars and off-mesh connections, and its first blob taken apart.
class MeshTileTest : public testing::Test {
  protected:
    MeshTileTest()
        : mesh_(bake({.tiles_x = 2, .tiles_z = 2, .height = tests::pillars(3), .off_mesh = true})),
          blob_(mesh_.blobs.at(0)) {}

    template <typename T>
    [[nodiscard]] T get(std::size_t at) const {
        return core::load_le<T>(blob_.data() + at);
    }
    [[nodiscard]] std::size_t count(std::size_t at) const {
        return static_cast<std::size_t>(get<std::int32_t>(at));
    }
    // Sections, from the counts of the header.
    [[nodiscard]] std::size_t polys_at() const { return 100 + 12 * count(28); }
    [[nodiscard]] std::size_t details_at() const {
        return polys_at() + 32 * count(24) + 12 * count(32);
    }
    [[nodiscard]] std::size_t detail_verts_at() const { return details_at() + 12 * count(36); }
    [[nodiscard]] std::size_t detail_tris_at() const { return detail_verts_at() + 12 * count(40); }
    [[nodiscard]] std::size_t bv_at() const { return detail_tris_at() + 4 * count(44); }
    [[nodiscard]] std::size_t off_mesh_at() const { return bv_at() + 16 * count(48); }
    [[nodiscard]] std::size_t off_mesh_poly_at() const { return polys_at() + 32 * count(56); }

    [[nodiscard]] std::optional<Error> outcome(const core::Bytes& blob) const {
        const Result<TileSummary> summary = check_tile(blob, mesh_.params);
        if (summary) return std::nullopt;
        return summary.error();
    }
    template <typename T>
    void expect_accepted(std::size_t at, T value) {
        core::Bytes blob = blob_;
        core::store_le(blob.data() + at, value);
        EXPECT_FALSE(outcome(blob).has_value()) << at;
    }
    template <typename T>
    void expect_refused(std::size_t at, T value) {
        expect_refused_at(at, at, value);
    }
    template <typename T>
    void expect_refused_at(std::size_t blamed, std::size_t at, T value) {
        core::Bytes blob = blob_;
        core::store_le(blob.data() + at, value);
        const std::optional<Error> error = outcome(blob);
        ASSERT_TRUE(error.has_value()) << at;
        EXPECT_EQ(error->code, ErrorCode::kBadTile) << at;
        EXPECT_EQ(error->at_byte, blamed);
    }

    BakedMesh mesh_;
    core::Bytes blob_;
};

// proves: O-SYNC-24
TEST_F(MeshTileTest, AcceptsWhatRecastBakes) {
    ASSERT_EQ(mesh_.blobs.size(), 4u);
    for (const core::Bytes& blob : mesh_.blobs) {
        const Result<TileSummary> summary = check_tile(blob, mesh_.params);
        ASSERT_TRUE(summary.has_value()) << summary.error().message << summary.error().at_byte;
        EXPECT_GT(summary->polygon_count, 2);
    }
    EXPECT_EQ(check_tile(mesh_.blobs[3], mesh_.params)->x, 1);
    EXPECT_EQ(check_tile(mesh_.blobs[3], mesh_.params)->y, 1);
    ASSERT_GT(count(48), 3u);
    ASSERT_EQ(count(52), 1u);
    ASSERT_GT(count(40), 0u);
}

TEST_F(MeshTileTest, RefusesAnotherFormatOrPlace) {
    expect_refused(0, std::int32_t{0});
    expect_refused(4, std::int32_t{6});
    for (const std::size_t at : {8u, 12u}) {
        expect_accepted(at, (1 << 20) - 1);
        expect_refused(at, 1 << 20);
        expect_accepted(at, 1 - (1 << 20));
        expect_refused(at, -(1 << 20));
    }
    expect_accepted(16, std::numeric_limits<std::int32_t>::min());
}

TEST_F(MeshTileTest, RefusesCountsThatDoNotFillTheBlob) {
    for (std::size_t at = 24; at <= 52; at += 4) {
        if (at == 24) continue;
        expect_refused_at(24, at, get<std::int32_t>(at) + 1);
        expect_refused(at, std::int32_t{-1});
        expect_refused_at(24, at, std::numeric_limits<std::int32_t>::max());
    }
    core::Bytes longer = blob_;
    longer.push_back(0);
    EXPECT_EQ(outcome(longer)->at_byte, 24u);
    for (std::size_t size = 0; size < blob_.size(); ++size) {
        EXPECT_TRUE(outcome({blob_.begin(), blob_.begin() + static_cast<std::ptrdiff_t>(size)}))
            << size;
    }
}

TEST_F(MeshTileTest, RefusesMorePolygonsThanTheMeshHasRoomFor) {
    MeshParams params = mesh_.params;
    params.polygons_max = get<std::int32_t>(24);
    EXPECT_TRUE(check_tile(blob_, params).has_value());
    --params.polygons_max;
    EXPECT_EQ(check_tile(blob_, params).error().at_byte, 24u);
    expect_refused(24, std::int32_t{0});
    expect_refused(56, get<std::int32_t>(56) + 1);
}

TEST_F(MeshTileTest, RefusesNumbersThatAreNotFiniteOrTooLarge) {
    const std::size_t verts[] = {
        60, 64, 68, 72, 76, 100, 108, detail_verts_at(), off_mesh_at(), off_mesh_at() + 24};
    for (const std::size_t at : verts) {
        expect_refused(at, std::numeric_limits<float>::quiet_NaN());
        expect_refused(at, std::numeric_limits<float>::infinity());
        expect_refused(at, std::nextafter(1e7F, 2e7F));
        expect_refused(at, -std::nextafter(1e7F, 2e7F));
    }
    expect_accepted(100, 1e7F);
    expect_accepted(100, -1e7F);
    // Bounds: reversed, and too wide for the BV tree's 16 bits.
    const auto low = get<float>(72);
    expect_accepted(84, low);
    expect_refused(84, std::nextafter(low, low - 1));
    const float factor = get<float>(96);
    expect_accepted(84, low + 65'000.0F / factor);
    expect_refused_at(96, 84, low + 65'600.0F / factor);
}

TEST_F(MeshTileTest, RefusesAnEdgeOrVertexThatLeadsOutOfTheTile) {
    const auto verts = static_cast<std::uint16_t>(count(28));
    const auto ground = static_cast<std::uint16_t>(count(56));
    expect_accepted(polys_at() + 4, static_cast<std::uint16_t>(verts - 1));
    expect_refused(polys_at() + 4, verts);
    expect_accepted(polys_at() + 16, ground);
    expect_refused(polys_at() + 16, static_cast<std::uint16_t>(ground + 1));
    for (const int side : {0, 2, 4, 6}) {
        expect_accepted(polys_at() + 16, static_cast<std::uint16_t>(0x8000 | side));
    }
    for (const int side : {1, 7, 8, 0x4000}) {
        expect_refused(polys_at() + 16, static_cast<std::uint16_t>(0x8000 | side));
    }
    for (const int bad : {2, 7}) {
        expect_refused(polys_at() + 30, static_cast<std::uint8_t>(bad));
        expect_refused(off_mesh_poly_at() + 30, static_cast<std::uint8_t>(bad + 1));
    }
    expect_refused(polys_at() + 31,
                   static_cast<std::uint8_t>(get<std::uint8_t>(polys_at() + 31) | 0x40));
    expect_refused(off_mesh_poly_at() + 31, std::uint8_t{0x80});
}

TEST_F(MeshTileTest, RefusesADetailMeshThatLeadsOutOfItsSections) {
    std::size_t mesh = details_at();  // The first one with vertices of its own.
    while (get<std::uint8_t>(mesh + 8) == 0) mesh += 12;
    const auto verts = get<std::uint8_t>(mesh + 8);
    const auto tris = get<std::uint8_t>(mesh + 9);
    expect_accepted(mesh, static_cast<std::uint32_t>(count(40) - verts));
    expect_refused(mesh, static_cast<std::uint32_t>(count(40) - verts + 1));
    expect_refused(mesh, 0xFFFFFFFFu);
    expect_refused(mesh + 4, static_cast<std::uint32_t>(count(44) - tris + 1));
    expect_refused(mesh + 4, 0xFFFFFFFFu);
    expect_refused_at(mesh + 9, mesh + 9, std::uint8_t{0});

    const std::size_t triangle = detail_tris_at() + 4 * get<std::uint32_t>(mesh + 4);
    const std::size_t polygon = polys_at() + 32 * ((mesh - details_at()) / 12);
    const auto all = static_cast<std::uint8_t>(get<std::uint8_t>(polygon + 30) + verts);
    expect_accepted(triangle, static_cast<std::uint8_t>(all - 1));
    expect_refused(triangle, all);

    core::Bytes inner = blob_;  // No edge of the mesh lies on the polygon's boundary.
    for (std::size_t t = 0; t < tris; ++t) inner[triangle + 4 * t + 3] = 0b101010;
    EXPECT_EQ(outcome(inner)->at_byte, mesh + 9);
    inner[triangle + 3] = 0b010000;
    EXPECT_FALSE(outcome(inner).has_value());
}

TEST_F(MeshTileTest, RefusesABvNodeThatLeadsOutOfTheTree) {
    const auto nodes = static_cast<std::int32_t>(count(48));
    const auto ground = static_cast<std::int32_t>(count(56));
    expect_accepted(bv_at() + 12, -nodes);
    expect_refused(bv_at() + 12, -nodes - 1);
    expect_refused(bv_at() + 12, std::numeric_limits<std::int32_t>::min());
    expect_accepted(bv_at() + 12, ground - 1);
    expect_refused(bv_at() + 12, ground);
    expect_accepted(bv_at() + 16 + 12, 1 - nodes);
    expect_refused(bv_at() + 16 + 12, -nodes);
}

TEST_F(MeshTileTest, RefusesAnOffMeshConnectionOfAnotherPolygonOrSide) {
    const auto polygon = get<std::uint16_t>(off_mesh_at() + 28);
    expect_refused(off_mesh_at() + 28, static_cast<std::uint16_t>(polygon - 1));
    expect_refused(off_mesh_at() + 28, static_cast<std::uint16_t>(polygon + 1));
    expect_accepted(off_mesh_at() + 31, std::uint8_t{7});
    expect_refused(off_mesh_at() + 31, std::uint8_t{8});
    expect_refused(off_mesh_at() + 31, std::uint8_t{0xFE});
    expect_accepted(off_mesh_at() + 31, std::uint8_t{0xFF});
}

// proves: O-SYNC-24
TEST(TileConflict, IsTheSamePlaceTwiceOrAThirtyThirdLayer) {
    std::vector<TileSummary> tiles;
    for (std::int32_t layer = 31; layer >= 0; --layer) tiles.push_back({5, 7, layer, 1});
    tiles.push_back({5, 8, 0, 1});
    tiles.push_back({6, 7, 0, 1});
    EXPECT_FALSE(find_tile_conflict(tiles).has_value());
    tiles.push_back({5, 7, 40, 1});
    EXPECT_EQ(find_tile_conflict(tiles)->tile_index, 34u);
    tiles.pop_back();
    tiles.push_back({6, 7, 0, 1});
    EXPECT_EQ(find_tile_conflict(tiles)->tile_index, 34u);
}

// proves: O-SYNC-23, O-SYNC-24
TEST(MeshParams, AreRefusedOneStepOutsideTheirRanges) {
    const MeshParams good{{0, 0, 0}, 8, 8, 4096, 1024};
    EXPECT_FALSE(check_mesh_params(good).has_value());
    EXPECT_EQ(salt_bits(good), 10);
    const auto at_byte = [](const MeshParams& params) {
        return check_mesh_params(params)->at_byte;
    };
    MeshParams bad = good;
    bad.polygons_max = 1025;  // Nine bits of salt.
    EXPECT_EQ(at_byte(bad), 20u);
    bad = good;
    bad.origin[1] = std::nextafter(1e7F, 2e7F);
    EXPECT_EQ(at_byte(bad), 4u);
    bad.origin[1] = std::numeric_limits<float>::quiet_NaN();
    EXPECT_EQ(at_byte(bad), 4u);
    bad = good;
    bad.tile_width = std::nextafter(kTileSizeMin, 0.0F);
    EXPECT_EQ(at_byte(bad), 12u);
    bad.tile_width = kTileSizeMin;
    EXPECT_FALSE(check_mesh_params(bad).has_value());
    bad.tile_height = 0;
    EXPECT_EQ(at_byte(bad), 16u);
    bad = {{0, 0, 0}, 8, 8, 65'536, 64};
    EXPECT_FALSE(check_mesh_params(bad).has_value());
    bad.tiles_max = 65'537;
    EXPECT_EQ(at_byte(bad), 20u);
    bad = {{0, 0, 0}, 8, 8, 64, 65'537};
    EXPECT_EQ(at_byte(bad), 24u);
    bad.polygons_max = 0;
    EXPECT_EQ(at_byte(bad), 24u);
}

}  // namespace
}  // namespace maniple::nav
