#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "maniple/terrain/triangle_mesh.h"

namespace maniple::terrain {
namespace {

Result<TriangleMesh> read(std::string_view text, double unit_cm = 100) {
    return read_obj_mesh({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()},
                         unit_cm);
}

void expect_refused(std::string_view text, ErrorCode code, std::size_t at) {
    const auto mesh = read(text);
    ASSERT_FALSE(mesh.has_value()) << text;
    EXPECT_EQ(error_code_name(mesh.error().code), error_code_name(code)) << text;
    EXPECT_EQ(mesh.error().at_byte, at) << text << "\n" << mesh.error().message;
}

const std::string kThree = "v 0 0 0\nv 1 0 0\nv 0 0 1\n";  // 24 bytes.

TEST(ObjMesh, TurnsYUpIntoTheWorldAndScales) {
    const auto mesh = read("v 1 2 3\nv +0.5 0 -1e0\nv 0 0 0 1.0\nf 1 2 3\n");
    ASSERT_TRUE(mesh.has_value()) << mesh.error().message;
    EXPECT_EQ(mesh->vertices[0], (Vec3d{-100, -300, 200}));
    EXPECT_EQ(mesh->vertices[1], (Vec3d{-50, 100, 0}));
    EXPECT_EQ(mesh->triangles, (std::vector<std::array<std::uint32_t, 3>>{{0, 2, 1}}));
    EXPECT_EQ(read("v 1 2 3\nv 0 0 0\nv 1 0 0\nf 1 2 3", 2)->vertices[0], (Vec3d{-2, -6, 4}));
}

TEST(ObjMesh, TakesSlashesNegativeNumbersFansAndForeignLines) {
    const auto mesh = read("# a quad\r\nmtllib a.mtl\r\no thing\r\n" + kThree +
                           "v 1 0 1\nvn 0 1 0\nvt 0 0\nusemtl m\ns off\n"
                           "f 1/1/1 2//1 4/1 -2\nf -4 -3 -2\n");
    ASSERT_TRUE(mesh.has_value()) << mesh.error().message;
    const std::vector<std::array<std::uint32_t, 3>> expected{{0, 3, 1}, {0, 2, 3}, {0, 2, 1}};
    EXPECT_EQ(mesh->triangles, expected);
}

TEST(ObjMesh, AFaceThatFacesUpInTheFileFacesUpInTheWorld) {
    // Counter-clockwise seen from above, Y up.
    const auto mesh = read("v 0 0 0\nv 0 0 1\nv 1 0 0\nf 1 2 3\n");
    ASSERT_TRUE(mesh.has_value());
    const auto& [a, b, c] = mesh->triangles[0];
    const Vec3d u = mesh->vertices[b] - mesh->vertices[a];
    const Vec3d v = mesh->vertices[c] - mesh->vertices[a];
    EXPECT_GT(u.x * v.y - u.y * v.x, 0);
}

TEST(ObjMesh, LeavesOutTrianglesWithoutArea) {
    const auto mesh = read(kThree + "v 2 0 0\nf 1 2 4\nf 1 1 2\nf 1 2 3\n");
    ASSERT_TRUE(mesh.has_value());
    EXPECT_EQ(mesh->triangles.size(), 1U);
    expect_refused(kThree + "v 2 0 0\nf 1 2 4\n", ErrorCode::kNoGround, 40);
    expect_refused("", ErrorCode::kNoGround, 0);
    expect_refused(kThree, ErrorCode::kNoGround, 24);
}

TEST(ObjMesh, RefusesNumbersThatArePlacesNowhere) {
    expect_refused("v nan 0 0\n", ErrorCode::kBadValue, 2);
    expect_refused("v 0 inf 0\n", ErrorCode::kBadValue, 4);
    expect_refused("v 0 0 -1e999\n", ErrorCode::kBadValue, 6);
    expect_refused("v 0 0 1000001\n", ErrorCode::kBadValue, 6);
    EXPECT_TRUE(read("v 0 0 1000000\nv 0 0 0\nv 1 0 0\nf 1 2 3").has_value());
    expect_refused("v 0 0\n", ErrorCode::kTruncated, 5);
    expect_refused("v 0 0 x\n", ErrorCode::kBadText, 6);
    expect_refused("v 0 0,5 1\n", ErrorCode::kBadText, 4);
}

TEST(ObjMesh, RefusesFacesOfVerticesThatAreNotThere) {
    expect_refused(kThree + "f 1 2 4\n", ErrorCode::kBadValue, 30);
    expect_refused(kThree + "f 0 1 2\n", ErrorCode::kBadValue, 26);
    expect_refused(kThree + "f 1 2 -4\n", ErrorCode::kBadValue, 30);
    expect_refused(kThree + "f 1 2 99999999999999999999\n", ErrorCode::kBadText, 30);
    expect_refused(kThree + "f 1 2\n", ErrorCode::kTruncated, 29);
    expect_refused(kThree + "f\n", ErrorCode::kTruncated, 25);
    expect_refused(kThree + "f 1 /2 3\n", ErrorCode::kBadText, 28);
}

}  // namespace
}  // namespace maniple::terrain
