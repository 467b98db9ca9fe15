#include <DetourAlloc.h>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <sys/mman.h>
#include <vector>

#include "maniple/nav/mesh_coordinates.h"
#include "maniple/nav/mesh_path.h"
#include "maniple/nav/mesh_walk.h"

namespace {
using namespace maniple;

constexpr std::size_t kPage = 4096;

/// Detour comes without a sanitizer, so the mapping watches over what it reads: each of its blocks
/// ends where an unreadable page begins.
std::map<void*, std::pair<void*, std::size_t>>& mappings() {
    static std::map<void*, std::pair<void*, std::size_t>> all;
    return all;
}

void* guarded_alloc(std::size_t size, dtAllocHint) {
    const std::size_t body = (size + kPage - 1) / kPage * kPage;
    auto* memory = static_cast<std::uint8_t*>(
        mmap(nullptr, body + 2 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (memory == MAP_FAILED) std::abort();
    if (mprotect(memory + kPage, body, PROT_READ | PROT_WRITE) != 0) std::abort();
    // Blocks of whole words end at the guard; others need their alignment.
    const std::size_t shift = size % 4 == 0 ? body - size : (body - size) / 16 * 16;
    void* block = memory + kPage + (size % 8 == 4 ? shift : shift / 8 * 8);
    mappings()[block] = {memory, body + 2 * kPage};
    return block;
}

void guarded_free(void* block) {
    if (block == nullptr) return;
    const auto found = mappings().find(block);
    if (found == mappings().end()) std::abort();
    munmap(found->second.first, found->second.second);
    mappings().erase(found);
}

void query(const nav::MeshReplica& replica, core::ByteSpan blob) {
    nav::MeshContext context;
    nav::FieldConfig config;
    std::vector<nav::MeshPlace> found;
    const auto vertices = core::load_le<std::int32_t>(blob.data() + 28);
    for (std::int32_t v = 0; v < vertices && v < 8; ++v) {
        nav::MeshPosition at;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            at[axis] = core::load_le<float>(blob.data() + 100 + 12 * v + 4 * axis);
        }
        for (const double reach : {10.0, 300.0}) {
            const Vec3d extents{reach, reach, reach};
            const auto place = nav::project_to_mesh(replica, nav::to_world(at), extents, &context);
            if (!place) continue;
            if (replica.polygon_ref(place->polygon) == 0) std::abort();
            found.push_back(*place);
        }
    }
    std::vector<Vec3d> path;
    for (std::size_t i = 1; i < found.size(); ++i) {
        const Vec3d from = found[i - 1].location;
        const Vec3d to = found[i].location;
        config.straight_first = i % 2 == 0;
        nav::find_path_replica(&replica, config, from, to, nullptr, path);
        static_cast<void>(nav::is_reachable_replica(&replica, config, from, to));
        const nav::MeshPlace reached = nav::walk_on_mesh(replica, found[i - 1], to, context);
        if (replica.polygon_ref(reached.polygon) == 0) std::abort();
    }
}
}  // namespace

/// Any bytes as a tile: refused inside the input, or put into a mesh together with a copy of itself
/// as its neighbour, and asked for polygons, paths and steps.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    dtAllocSetCustom(guarded_alloc, guarded_free);
    const nav::MeshParams params{{0, 0, 0}, 4, 4, 4, 256};
    const core::ByteSpan blob(data, size);
    const Result<nav::TileSummary> summary = nav::check_tile(blob, params);
    if (!summary) {
        if (summary.error().at_byte > size) std::abort();
        return 0;
    }
    core::Bytes neighbour(data, data + size);
    core::store_le(neighbour.data() + 8, summary->x + 1);
    std::vector<nav::MeshTile> tiles = {{0, blob}};
    if (nav::check_tile(neighbour, params)) tiles.push_back({3, neighbour});
    nav::AreaCosts costs;
    costs.fill(1);
    const Result<nav::MeshReplica> replica = nav::MeshReplica::build(params, tiles, costs);
    if (replica) query(*replica, blob);
    return 0;
}
