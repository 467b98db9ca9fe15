#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/math.h"
#include "maniple/core/result.h"

namespace maniple::terrain {

/// A triangle soup in world centimetres, Z up.
struct TriangleMesh {
    std::vector<Vec3d> vertices;
    /// Corners a, b, c, each with an area; (b − a) × (c − a) points to the side it faces.
    std::vector<std::array<std::uint32_t, 3>> triangles;
};

/// Triangles that the collision tree can number.
inline constexpr std::size_t kTrianglesMax = 2'000'000;
inline constexpr std::size_t kVerticesMax = 8'000'000;

/// Reads the `v` and `f` lines of a Wavefront OBJ, Y up (docs/formats/maps.md §5): world = (−x, −z,
/// y) · unit_cm, which keeps the side that every face faces. Faces with more than three corners
/// become fans; triangles without area are left out. Everything else in the file is not looked at.
/// The bytes are untrusted. unit_cm > 0.
/// @return mesh, or kBadText (no number), kBadValue (not finite, too far away, no such vertex),
/// kTruncated (too few numbers), kOverCap, or kNoGround (no face with an area), with the byte.
[[nodiscard]] Result<TriangleMesh> read_obj_mesh(core::ByteSpan bytes, double unit_cm);

}  // namespace maniple::terrain
