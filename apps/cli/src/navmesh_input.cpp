#include "navmesh_input.h"

#include <fmt/core.h>
#include <memory>
#include <utility>
#include <vector>

#include "maniple/core/quantise.h"
#include "maniple/nav/grid_types.h"
#include "maniple/nav/mesh_query.h"
#include "maniple/terrain/navmesh_baker.h"
#include "maniple/terrain/triangle_mesh.h"

#include "file_io.h"
#include "interrupt.h"
#include "nav_config.h"
#include "printable.h"
#include "progress.h"

namespace maniple::cli {
namespace {

/// How far beside a goal the ground may lie that gives it its height.
constexpr double kBesideCm = 50;

/// The height of the uppermost ground at a place.
double ground_z(const nav::MeshReplica& mesh, Vec2d at, double otherwise) {
    constexpr double kTop = 1e6;
    const auto place =
        nav::project_to_mesh(mesh, {at.x, at.y, kTop}, {kBesideCm, kBesideCm, 2 * kTop});
    return place ? place->location.z : otherwise;
}

Result<skirmish::BakedGround> bake_obj(const NavMeshInput& input, terrain::NavMeshConfig config,
                                       core::Executor& executor) {
    if (!input.map.ends_with(".obj")) {
        return refuse(ErrorCode::kUnsupported, "a navmesh is baked of an .obj alone");
    }
    const auto bytes = read_file(input.map);
    if (!bytes) return refuse(bytes.error());
    const auto triangles = terrain::read_obj_mesh(*bytes, input.unit_cm);
    if (!triangles) return refuse(triangles.error());
    auto baker = terrain::NavMeshBaker::make(*triangles, std::move(config));
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

}  // namespace

FileResult<skirmish::BakedGround> bake_ground(const NavMeshInput& input, core::Executor& executor) {
    auto config = load_nav_config(input.nav_config);
    if (!config) return tl::unexpected(FileError{config.error(), input.nav_config});
    auto ground = bake_obj(input, std::move(*config), executor);
    if (!ground) return tl::unexpected(FileError{ground.error(), input.map});
    if (auto joined = ground->baker->check_links(ground->mesh); !joined) {
        return tl::unexpected(FileError{joined.error(), input.nav_config});
    }
    return std::move(*ground);
}

std::vector<Vec3d> goals_on_ground(const nav::MeshReplica& mesh, const GoalPlaces& goals,
                                   double otherwise_cm) {
    std::vector<Vec3d> places;
    for (const auto& [at, has_z] : goals) {
        const double z = has_z ? at.z : ground_z(mesh, {at.x, at.y}, otherwise_cm);
        places.push_back({at.x, at.y, z});
    }
    return places;
}

Vec3d place_on_ground(const nav::MeshReplica& mesh, const Place& place) {
    return goals_on_ground(mesh, {place}, 0).front();
}

void warn_off_mesh(const nav::MeshReplica& mesh, const std::string& option,
                   const std::vector<std::string>& texts, const std::vector<Vec3d>& places) {
    const Vec3d extents = nav::search_extents(nav::FieldConfig{}.path_stop_search_cm);
    nav::MeshContext context;
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (nav::project_to_mesh(mesh, places[i], extents, &context)) continue;
        fmt::print(stderr, "{} {}: not on the navmesh\n", option, printable(texts[i]));
    }
}

std::vector<substrate::GoalCm> relative_goals(const std::vector<Vec3d>& goals,
                                              const substrate::SubstrateIdentity& identity) {
    std::vector<substrate::GoalCm> relative;
    for (const Vec3d& goal : goals) {
        relative.push_back({core::quant_cm(goal.x, identity.origin_x_cm),
                            core::quant_cm(goal.y, identity.origin_y_cm),
                            core::quant_cm(goal.z, identity.origin_z_cm)});
    }
    return relative;
}

}  // namespace maniple::cli
