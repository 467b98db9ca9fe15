#pragma once

#include <cmath>
#include <cstdint>

namespace maniple {

/// World vectors: centimetres, Z up, left-handed.
struct Vec2d {
    double x = 0, y = 0;
    friend bool operator==(const Vec2d&, const Vec2d&) = default;
};
struct Vec3d {
    double x = 0, y = 0, z = 0;
    friend bool operator==(const Vec3d&, const Vec3d&) = default;
};
/// Directions and normals.
struct Vec3f {
    float x = 0, y = 0, z = 0;
    friend bool operator==(const Vec3f&, const Vec3f&) = default;
};

constexpr Vec2d operator+(Vec2d a, Vec2d b) { return {a.x + b.x, a.y + b.y}; }
constexpr Vec2d operator-(Vec2d a, Vec2d b) { return {a.x - b.x, a.y - b.y}; }
constexpr Vec2d operator*(Vec2d a, double s) { return {a.x * s, a.y * s}; }
constexpr double dot(Vec2d a, Vec2d b) { return a.x * b.x + a.y * b.y; }
constexpr Vec3d operator+(Vec3d a, Vec3d b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3d operator-(Vec3d a, Vec3d b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3d operator*(Vec3d a, double s) { return {a.x * s, a.y * s, a.z * s}; }

namespace core {

/// Nearest integer, halves away from zero (Unreal's RoundHalfFromZero), in any rounding mode.
[[nodiscard]] double round_half_from_zero(double value);
// implements: O-GRID-06
/// floor(value + 0.5): halves toward +infinity (Unreal's RoundToInt).
[[nodiscard]] inline double round_half_up(double value) { return std::floor(value + 0.5); }

/// A double clamped into [low, high] and then narrowed, so that no conversion is out of range.
/// NaN gives `low`.
[[nodiscard]] std::int32_t clamp_to_i32(double value, std::int32_t low, std::int32_t high);

/// Squared length below 1e-8 gives the zero vector (O-PATH-11).
[[nodiscard]] Vec2d safe_normal(Vec2d v);
/// Normalised with sqrt and one division a component, or zero for a zero vector.
[[nodiscard]] Vec3f normalised(Vec3f v);

/// Angles in whole hundredths of a degree; correctly rounded doubles of a generated table, equal on
/// every machine (O-GRID-21, O-GRID-32). Any int32 is accepted.
[[nodiscard]] double sin_centideg(std::int32_t centideg);
[[nodiscard]] double cos_centideg(std::int32_t centideg);
/// |centideg| < 9000.
[[nodiscard]] double tan_centideg(std::int32_t centideg);
/// A yaw in degrees to its one wire value in [-18000, 18000) (O-SYNC-03).
[[nodiscard]] std::int32_t yaw_to_centideg(double degrees);

inline constexpr double kSqrt2 = 1.4142135623730951;

}  // namespace core
}  // namespace maniple
