#include "maniple/terrain/mesh_world.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "triangle_traces.h"

namespace maniple::terrain {
namespace {

WorldBounds bounds_of(const TriangleMesh& mesh) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    WorldBounds bounds{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
    for (const auto& triangle : mesh.triangles) {
        for (const std::uint32_t corner : triangle) {
            const Vec3d v = mesh.vertices[corner];
            bounds.low = {std::min(bounds.low.x, v.x), std::min(bounds.low.y, v.y),
                          std::min(bounds.low.z, v.z)};
            bounds.high = {std::max(bounds.high.x, v.x), std::max(bounds.high.y, v.y),
                           std::max(bounds.high.z, v.z)};
        }
    }
    return bounds;
}

/// Cosine of the angle between the side a triangle faces and up.
double upness(const TriangleMesh& mesh, const std::array<std::uint32_t, 3>& triangle) {
    const Vec3d a = mesh.vertices[triangle[0]];
    const Vec3d u = mesh.vertices[triangle[1]] - a;
    const Vec3d v = mesh.vertices[triangle[2]] - a;
    const Vec3d n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    return n.z / std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
}

}  // namespace

/// Some of a mesh's triangles in Bullet's tree. The vertices stay the mesh's.
class MeshWorld::Tree final : public TriangleSource {
  public:
    Tree(const TriangleMesh& mesh, std::vector<std::array<std::uint32_t, 3>> triangles,
         const WorldBounds& bounds)
        : triangles_(std::move(triangles)), bounds_(bounds) {
        static_assert(sizeof(Vec3d) == 3 * sizeof(double));
        btIndexedMesh part;
        part.m_numTriangles = static_cast<int>(triangles_.size());
        part.m_triangleIndexBase = reinterpret_cast<const unsigned char*>(triangles_.data());
        part.m_triangleIndexStride = sizeof(triangles_[0]);
        part.m_numVertices = static_cast<int>(mesh.vertices.size());
        part.m_vertexBase = reinterpret_cast<const unsigned char*>(mesh.vertices.data());
        part.m_vertexStride = sizeof(Vec3d);
        part.m_vertexType = PHY_DOUBLE;
        arrays_.addIndexedMesh(part, PHY_INTEGER);
        shape_ = std::make_unique<btBvhTriangleMeshShape>(&arrays_, true);
    }

    void visit(btTriangleCallback& callback, const btVector3& low,
               const btVector3& high) const override {
        shape_->processAllTriangles(&callback, low, high);
    }
    [[nodiscard]] WorldBounds bounds() const override { return bounds_; }

  private:
    std::vector<std::array<std::uint32_t, 3>> triangles_;
    WorldBounds bounds_;
    btTriangleIndexVertexArray arrays_;
    std::unique_ptr<btBvhTriangleMeshShape> shape_;
};

MeshWorld::MeshWorld(TriangleMesh mesh, std::int32_t max_walkable_centideg)
    : mesh_(std::move(mesh)), bounds_(bounds_of(mesh_)) {
    std::vector<std::array<std::uint32_t, 3>> ground;
    std::vector<std::array<std::uint32_t, 3>> steep;
    const double flat_min =
        max_walkable_centideg < 9000 ? core::cos_centideg(max_walkable_centideg) : 0.0;
    for (const auto& triangle : mesh_.triangles) {
        const double up = upness(mesh_, triangle);
        const bool is_steep = std::abs(up) < flat_min;
        if (is_steep) steep.push_back(triangle);
        if (is_steep || up >= 0) ground.push_back(triangle);
    }
    if (!ground.empty()) ground_ = std::make_unique<Tree>(mesh_, std::move(ground), bounds_);
    if (!steep.empty()) steep_ = std::make_unique<Tree>(mesh_, std::move(steep), bounds_);
}
MeshWorld::~MeshWorld() = default;

const MeshWorld::Tree* MeshWorld::tree_of(nav::TraceMask mask) const {
    if ((mask & kGroundSurface) != 0) return ground_.get();
    if ((mask & kObstacleSurface) != 0) return steep_.get();
    return nullptr;
}

std::optional<nav::SurfaceHit> MeshWorld::trace_line(Vec3d from, Vec3d to,
                                                     nav::TraceMask mask) const {
    const Tree* tree = tree_of(mask);
    if (tree == nullptr) return std::nullopt;
    return terrain::trace_line(*tree, from, to);
}

std::optional<nav::SurfaceHit> MeshWorld::sweep_sphere(Vec3d from, Vec3d to, double radius_cm,
                                                       nav::TraceMask mask) const {
    const Tree* tree = tree_of(mask);
    if (tree == nullptr) return std::nullopt;
    return terrain::sweep_sphere(*tree, from, to, radius_cm);
}

std::optional<nav::SurfaceHit> MeshWorld::sweep_capsule(Vec3d from, Vec3d to, double radius_cm,
                                                        double half_height_cm,
                                                        nav::TraceMask mask) const {
    const Tree* tree = tree_of(mask);
    if (tree == nullptr) return std::nullopt;
    return terrain::sweep_capsule(*tree, from, to, radius_cm, half_height_cm);
}

}  // namespace maniple::terrain
