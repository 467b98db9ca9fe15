#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "maniple/terrain/mesh_world.h"

/// Any bytes: refused at a byte of the input, or a mesh that can be asked from above.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace maniple;
    auto mesh = terrain::read_obj_mesh({data, size}, 100);
    if (!mesh) {
        if (mesh.error().at_byte > size) std::abort();
        return 0;
    }
    for (const auto& triangle : mesh->triangles) {
        for (const std::uint32_t corner : triangle) {
            if (corner >= mesh->vertices.size()) std::abort();
        }
    }
    const terrain::MeshWorld world(std::move(*mesh), 4500);
    const Vec3d low = world.bounds().low;
    const Vec3d high = world.bounds().high;
    const Vec3d middle = (low + high) * 0.5;
    const auto hit = world.trace_line({middle.x, middle.y, high.z}, {middle.x, middle.y, low.z},
                                      terrain::kGroundSurface);
    if (hit && (hit->point.z > high.z + 1 || hit->point.z < low.z - 1)) std::abort();
    static_cast<void>(world.sweep_sphere(middle, middle, 50, terrain::kObstacleSurface));
    static_cast<void>(world.sweep_capsule(high, low, 30, 90, terrain::kGroundSurface));
    return 0;
}
