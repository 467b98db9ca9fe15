#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/nav/mesh_graph.h"
#include "maniple/nav/mesh_path.h"
#include "maniple/terrain/navmesh_baker.h"
#include "maniple/terrain/triangle_mesh.h"

#include "detour_reference.h"
#include "mesh_ray.h"

// Query cases in the text format of Recast's samples: `f MESH.obj`, then lines `pf` (a path) and
// `rc` (a ray) with two places in metres of the mesh and the flags of a filter. Those in
// tests/navmesh/cases always run, and those of the folder that MANIPLE_MESH_CASES names.
namespace maniple::nav {
namespace {

namespace fs = std::filesystem;
using tests::DetourReference;

/// How far Recast's samples look for the ends of a query: 2 m to the sides, 4 m up and down.
constexpr Vec3d kPickCm{200, 200, 400};

struct QueryCase {
    bool is_ray = false;
    MeshPosition start{};
    MeshPosition end{};
    unsigned short include = 0;
    unsigned short exclude = 0;
};

struct CaseFile {
    std::string mesh;
    std::vector<QueryCase> cases;
};

CaseFile read_cases(const fs::path& path) {
    CaseFile file;
    std::ifstream text(path);
    for (std::string line; std::getline(text, line);) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "f") words >> file.mesh;
        if (kind != "pf" && kind != "rc") continue;
        QueryCase query;
        query.is_ray = kind == "rc";
        for (MeshPosition* place : {&query.start, &query.end}) {
            for (float& metres : *place) words >> metres;
        }
        words >> std::hex >> query.include >> query.exclude;
        EXPECT_FALSE(words.fail()) << path << ": " << line;
        file.cases.push_back(query);
    }
    return file;
}

Result<NavMesh> bake_obj(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto triangles = terrain::read_obj_mesh(
        {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}, kMeshUnitCm);
    if (!triangles) return refuse(triangles.error());
    const auto baker = terrain::NavMeshBaker::make(*triangles, {});
    if (!baker) return refuse(baker.error());
    core::SerialExecutor serial;
    return baker->bake(path.string(), serial);
}

tests::BakedMesh baked_mesh(const NavMesh& mesh) {
    tests::BakedMesh baked;
    baked.params = mesh.params;
    for (const BakedTile& tile : mesh.tiles) {
        baked.slots.push_back(tile.slot);
        baked.blobs.push_back(tile.blob);
    }
    return baked;
}

/// A mesh as a replica and in Detour's own hands, asked the same.
class BothMeshes {
  public:
    explicit BothMeshes(const NavMesh& mesh) : replica_(*mesh.mesh), detour_(baked_mesh(mesh)) {}

    void compare(const QueryCase& query) {
        detour_.set_flags(query.include, query.exclude);
        const Vec3d start = to_world(query.start);
        const Vec3d end = to_world(query.end);
        const auto from = nearest(start);
        if (query.is_ray) {
            if (from) compare_rays(*from, query.end);
        } else {
            compare_paths(start, end, from, nearest(end));
        }
    }

    std::size_t found = 0, complete = 0, reached = 0, rays = 0;

  private:
    std::optional<DetourReference::Nearest> nearest(Vec3d at) const {
        const auto theirs = detour_.nearest(at, kPickCm);
        const auto ours = project_to_mesh(replica_, at, kPickCm);
        EXPECT_EQ(ours.has_value(), theirs.has_value());
        if (ours && theirs) {
            EXPECT_EQ(ours->polygon, theirs->polygon);
            EXPECT_EQ(ours->location, to_world(theirs->position));
        }
        return theirs;
    }

    void compare_paths(Vec3d start, Vec3d end, const std::optional<DetourReference::Nearest>& from,
                       const std::optional<DetourReference::Nearest>& to) {
        FieldConfig config;
        config.path_stop_search_cm = kPickCm;
        std::vector<Vec3d> points;
        ASSERT_EQ(find_path_replica(&replica_, config, start, end, nullptr, points), from && to);
        const bool reachable = is_reachable_replica(&replica_, config, start, end);
        if (!from || !to) {
            EXPECT_FALSE(reachable);
            return;
        }
        DetourReference::Path expected = detour_.find_path(*from, *to);
        if (expected.points.size() == 1) expected.points.push_back(expected.points.front());
        expected.points.front() = start;
        EXPECT_EQ(points, expected.points);
        EXPECT_EQ(reachable, expected.complete);
        ++found;
        if (expected.complete) ++complete;
    }

    void compare_rays(const DetourReference::Nearest& from, const MeshPosition& to) {
        const DetourReference::Ray theirs = detour_.raycast(from, to);
        const MeshGraph& graph = replica_.graph();
        const PolygonIndex ours = cast_ray(graph, graph.index(from.polygon),
                                           {from.position[0], from.position[2]}, {to[0], to[2]});
        EXPECT_EQ(ours != kNoPolygon, theirs.reaches);
        if (ours != kNoPolygon) {
            EXPECT_EQ(graph.id(ours), theirs.last);
        }
        ++rays;
        if (theirs.reaches) ++reached;
    }

    const MeshReplica& replica_;
    DetourReference detour_;
};

std::vector<fs::path> case_files() {
    std::vector<fs::path> folders{MANIPLE_MESH_CASES};
    if (const char* more = std::getenv("MANIPLE_MESH_CASES")) folders.emplace_back(more);
    std::vector<fs::path> files;
    for (const fs::path& folder : folders) {
        for (const auto& entry : fs::directory_iterator(folder)) {
            if (entry.path().string().ends_with("_test.txt")) files.push_back(entry.path());
        }
    }
    return files;
}

// proves: NAVM-025, PATH-020, PATH-022, PATH-024
TEST(MeshCases, GiveOnTheReplicaWhatDetourGives) {
    const std::vector<fs::path> files = case_files();
    ASSERT_FALSE(files.empty());
    for (const fs::path& path : files) {
        const CaseFile file = read_cases(path);
        const auto mesh = bake_obj(path.parent_path() / file.mesh);
        ASSERT_TRUE(mesh.has_value()) << path << ": " << mesh.error().message;
        BothMeshes both(*mesh);
        for (std::size_t i = 0; i < file.cases.size(); ++i) {
            SCOPED_TRACE(path.filename().string() + ", case " + std::to_string(i));
            both.compare(file.cases[i]);
        }
        std::cout << path.filename().string() << ": " << mesh->tiles.size() << " tiles, "
                  << both.found << " paths (" << both.complete << " complete), " << both.rays
                  << " rays (" << both.reached << " reach their end)\n";
    }
}

}  // namespace
}  // namespace maniple::nav
