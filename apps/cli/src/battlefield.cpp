#include "battlefield.h"

#include "maniple/skirmish/skirmish.h"
#include "maniple/substrate/checked_stream.h"
#include "maniple/substrate/played_mesh.h"

#include "field_render_mesh.h"
#include "map_image.h"

namespace maniple::cli {
namespace {

constexpr double kCellCm = 100;   ///< Of a navmesh's.
constexpr double kFinestCm = 10;  ///< A pixel.

/// Null on a grid.
const nav::MeshField* mesh_field_of(const sim::World& world) {
    const substrate::NavMeshSide* side = world.find_navmesh(skirmish::kFieldName);
    if (side == nullptr) return nullptr;
    const nav::MeshField& field = side->field();
    const nav::MeshReplica* mesh = field.active_mesh();
    return mesh == nullptr || mesh->polygon_count() == 0 ? nullptr : &field;
}

}  // namespace

Battlefield::Battlefield(const sim::World& world, int max_pixels) : max_pixels_(max_pixels) {
    if (const nav::MeshField* field = mesh_field_of(world)) {
        const nav::MeshGraph& graph = field->active_mesh()->graph();
        const double cm = std::max(kFinestCm, MeshView::cm_per_pixel(graph, max_pixels));
        mesh_.emplace(graph, cm);
        cells_per_pixel_ = cm / kCellCm;
        x_num_ = mesh_->width_pixels() * cells_per_pixel_;
        y_num_ = mesh_->height_pixels() * cells_per_pixel_;
    } else {
        grid_ = world.find_field(skirmish::kFieldName)->geometry();
        x_num_ = grid_.x_num();
        y_num_ = grid_.y_num();
    }
}

Vec2d Battlefield::place(Vec2d world_cm) const {
    if (mesh_) return mesh_->pixel({world_cm.x, world_cm.y, 0}) * cells_per_pixel_;
    return grid_.to_grid(world_cm) + Vec2d{0.5, 0.5};
}

Result<Picture> Battlefield::picture(const sim::World& world) const {
    if (mesh_) {
        return mesh_picture(*mesh_field_of(world), "cost", cells_per_pixel_ * kCellCm, false);
    }
    const auto ground = substrate::CheckedView::check(world.substrate_stream(skirmish::kFieldName));
    if (!ground) return refuse(ground.error());
    return map_picture(*ground, max_pixels_);
}

}  // namespace maniple::cli
