#include "navmesh_input.h"

#include <memory>
#include <utility>
#include <vector>

#include "maniple/core/quantise.h"
#include "maniple/nav/mesh_query.h"
#include "maniple/terrain/navmesh_baker.h"
#include "maniple/terrain/triangle_mesh.h"

#include "file_io.h"
#include "interrupt.h"
#include "nav_config.h"
#include "progress.h"

namespace maniple::cli {
namespace {

/// How far beside a goal the ground may lie that gives it its height.
constexpr double kBesideCm = 50;

/// The height of the uppermost ground at a place.
double ground_z(const nav::NavMesh& mesh, Vec2d at, double otherwise) {
    constexpr double kTop = 1e6;
    const auto place =
        nav::project_to_mesh(*mesh.mesh, {at.x, at.y, kTop}, {kBesideCm, kBesideCm, 2 * kTop});
    return place ? place->location.z : otherwise;
}

}  // namespace

Result<skirmish::BakedGround> bake_ground(const NavMeshInput& input, core::Executor& executor) {
    if (!input.map.ends_with(".obj")) {
        return refuse(ErrorCode::kUnsupported, "a navmesh is baked of an .obj alone");
    }
    auto config = load_nav_config(input.nav_config);
    if (!config) {
        config.error().message = input.nav_config + ": " + config.error().message;
        return refuse(config.error());
    }
    const auto bytes = read_file(input.map);
    if (!bytes) return refuse(bytes.error());
    const auto triangles = terrain::read_obj_mesh(*bytes, input.unit_cm);
    if (!triangles) return refuse(triangles.error());
    auto baker = terrain::NavMeshBaker::make(*triangles, std::move(*config));
    if (!baker) return refuse(baker.error());
    skirmish::BakedGround ground;
    ground.baker = std::make_shared<const terrain::NavMeshBaker>(std::move(*baker));
    catch_interrupts();
    std::unique_ptr<ProgressBar> bar;
    auto mesh =
        ground.baker->bake("default", executor, {}, [&](std::size_t done, std::size_t total) {
            if (!bar) bar = std::make_unique<ProgressBar>("tile", static_cast<std::int64_t>(total));
            bar->show(static_cast<std::int64_t>(done));
            return !interrupted();
        });
    if (!mesh) return refuse(std::move(mesh.error()));
    ground.mesh = std::move(*mesh);
    return ground;
}

Result<substrate::NavMeshStream> write_navmesh(const nav::NavMesh& mesh,
                                               const substrate::SubstrateIdentity& identity,
                                               const GoalPlaces& goals) {
    std::vector<substrate::GoalCm> relative;
    for (const auto& [at, has_z] : goals) {
        const double z =
            has_z ? at.z : ground_z(mesh, {at.x, at.y}, static_cast<double>(identity.origin_z_cm));
        relative.push_back({core::quant_cm(at.x, identity.origin_x_cm),
                            core::quant_cm(at.y, identity.origin_y_cm),
                            core::quant_cm(z, identity.origin_z_cm)});
    }
    const std::vector<nav::MeshTile> tiles = mesh.tile_views();
    return substrate::NavMeshStream::write(
        {identity, relative, mesh.params, mesh.area_costs, tiles});
}

}  // namespace maniple::cli
