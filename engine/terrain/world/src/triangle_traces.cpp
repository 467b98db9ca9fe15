#include "triangle_traces.h"

#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <algorithm>
#include <cmath>

namespace maniple::terrain {
namespace {

/// Bullet leaves out a triangle on which a line ends exactly; so lines are longer by this much.
constexpr double kEndCm = 1e-3;
/// Closer than this is touching.
constexpr double kTouchCm = 1e-6;

btVector3 to_bullet(const Vec3d& v) { return {v.x, v.y, v.z}; }
Vec3d to_vec3d(const btVector3& v) { return {v.x(), v.y(), v.z()}; }

nav::SurfaceHit hit_at(const btVector3& point, const btVector3& normal) {
    return {to_vec3d(point),
            core::normalised({static_cast<float>(normal.x()), static_cast<float>(normal.y()),
                              static_cast<float>(normal.z())})};
}

btTransform standing_at(const btVector3& place) {
    return btTransform(btQuaternion::getIdentity(), place);
}

struct NearestOnLine final : btTriangleRaycastCallback {
    using btTriangleRaycastCallback::btTriangleRaycastCallback;
    btScalar reportHit(const btVector3& towards_from, btScalar share, int, int) override {
        normal = towards_from;
        return share;
    }
    btVector3 normal{0, 0, 0};
};

struct NearestOnSweep final : btTriangleConvexcastCallback {
    NearestOnSweep(const btConvexShape& shape, const btVector3& from, const btVector3& to)
        : btTriangleConvexcastCallback(&shape, standing_at(from), standing_at(to),
                                       btTransform::getIdentity(), 0) {}
    btScalar reportHit(const btVector3& towards_shape, const btVector3& at, btScalar share, int,
                       int) override {
        normal = towards_shape;
        point = at;
        m_hitFraction = share;
        return share;
    }
    btVector3 normal{0, 0, 0};
    btVector3 point{0, 0, 0};
};

/// The triangle nearest to a shape that stands still, if one touches it.
struct NearestTouch final : btTriangleCallback {
    NearestTouch(const btConvexShape& convex, const btVector3& at) : shape(convex), place(at) {}
    void processTriangle(btVector3* corners, int, int) override {
        btTriangleShape triangle(corners[0], corners[1], corners[2]);
        triangle.setMargin(0);
        btVoronoiSimplexSolver simplex;
        btGjkEpaPenetrationDepthSolver depth;
        btGjkPairDetector detector(&shape, &triangle, &simplex, &depth);
        btGjkPairDetector::ClosestPointInput input;
        input.m_transformA = standing_at(place);
        input.m_transformB.setIdentity();
        btPointCollector found;
        detector.getClosestPoints(input, found, nullptr);
        if (!found.m_hasResult || found.m_distance > distance) return;
        distance = found.m_distance;
        hit = hit_at(found.m_pointInWorld, found.m_normalOnBInWorld);
    }
    const btConvexShape& shape;
    btVector3 place;
    btScalar distance = kTouchCm;
    std::optional<nav::SurfaceHit> hit;
};

/// The shares of the way, from `begin` to `end`, on which a body may meet the bounds.
struct WayPart {
    double begin = 0;
    double end = 1;
};

std::optional<WayPart> part_inside(const btVector3& from, const btVector3& way,
                                   const WorldBounds& bounds, const btVector3& body) {
    WayPart part;
    const btVector3 low = to_bullet(bounds.low) - body;
    const btVector3 high = to_bullet(bounds.high) + body;
    for (int axis = 0; axis < 3; ++axis) {
        if (way[axis] == 0) {
            if (from[axis] < low[axis] || from[axis] > high[axis]) return std::nullopt;
            continue;
        }
        const double a = (low[axis] - from[axis]) / way[axis];
        const double b = (high[axis] - from[axis]) / way[axis];
        part.begin = std::max(part.begin, std::min(a, b));
        part.end = std::min(part.end, std::max(a, b));
    }
    if (part.begin > part.end) return std::nullopt;
    return part;
}

/// Calls meet(a, b, low, high) for one piece of the way after the other, the box of the piece grown
/// by `body`, until one gives a hit.
template <typename Meet>
std::optional<nav::SurfaceHit> along_way(const TriangleSource& source, const Vec3d& from,
                                         const Vec3d& to, const btVector3& body, Meet&& meet) {
    for (const double v : {from.x, from.y, from.z, to.x, to.y, to.z}) {
        if (!std::isfinite(v)) return std::nullopt;
    }
    const btVector3 start = to_bullet(from);
    const btVector3 way = to_bullet(to) - start;
    const WorldBounds bounds = source.bounds();
    const std::optional<WayPart> part = part_inside(start, way, bounds, body);
    if (!part) return std::nullopt;
    constexpr double kPiecesMax = 64;
    const double across =
        std::max(std::abs(way.x()), std::abs(way.y())) * (part->end - part->begin);
    const double room = std::max({bounds.high.x - bounds.low.x, bounds.high.y - bounds.low.y, 1.0});
    const double pieces = std::ceil(std::clamp(kPiecesMax * across / room, 1.0, kPiecesMax));
    for (double piece = 0; piece < pieces; ++piece) {
        const double span = part->end - part->begin;
        const btVector3 a = start + way * (part->begin + span * (piece / pieces));
        const btVector3 b = start + way * (part->begin + span * ((piece + 1) / pieces));
        btVector3 low = a;
        btVector3 high = a;
        low.setMin(b);
        high.setMax(b);
        if (auto hit = meet(a, b, low - body, high + body)) return hit;
    }
    return std::nullopt;
}

std::optional<nav::SurfaceHit> sweep(const TriangleSource& source, const btConvexShape& shape,
                                     Vec3d from, Vec3d to, const btVector3& body) {
    const auto meet = [&](const btVector3& a, const btVector3& b, const btVector3& low,
                          const btVector3& high) -> std::optional<nav::SurfaceHit> {
        NearestTouch touch(shape, a);
        source.visit(touch, a - body, a + body);
        if (touch.hit || a == b) return touch.hit;
        NearestOnSweep cast(shape, a, b);
        source.visit(cast, low, high);
        if (cast.m_hitFraction >= 1) return std::nullopt;
        return hit_at(cast.point, cast.normal);
    };
    if (auto hit = along_way(source, from, to, body, meet)) return hit;
    if (from == to) return std::nullopt;
    return along_way(source, to, to, body, meet);
}

}  // namespace

std::optional<nav::SurfaceHit> trace_line(const TriangleSource& source, Vec3d from, Vec3d to) {
    const btVector3 way = to_bullet(to - from);
    const btVector3 more = way.fuzzyZero() ? btVector3(0, 0, kEndCm) : way.normalized() * kEndCm;
    const btVector3 body(kEndCm, kEndCm, kEndCm);
    return along_way(source, from, to, body,
                     [&](const btVector3& a, const btVector3& b, const btVector3& low,
                         const btVector3& high) -> std::optional<nav::SurfaceHit> {
                         NearestOnLine line(a - more, b + more);
                         source.visit(line, low, high);
                         if (line.m_hitFraction >= 1) return std::nullopt;
                         return hit_at(line.m_from.lerp(line.m_to, line.m_hitFraction),
                                       line.normal);
                     });
}

std::optional<nav::SurfaceHit> sweep_sphere(const TriangleSource& source, Vec3d from, Vec3d to,
                                            double radius_cm) {
    const btSphereShape sphere(radius_cm);
    const double reach = radius_cm + kTouchCm;
    return sweep(source, sphere, from, to, {reach, reach, reach});
}

std::optional<nav::SurfaceHit> sweep_capsule(const TriangleSource& source, Vec3d from, Vec3d to,
                                             double radius_cm, double half_height_cm) {
    const btCapsuleShapeZ capsule(radius_cm, 2 * (half_height_cm - radius_cm));
    const double reach = radius_cm + kTouchCm;
    return sweep(source, capsule, from, to, {reach, reach, half_height_cm + kTouchCm});
}

}  // namespace maniple::terrain
