#include "mesh_way_meter.h"

#include "mesh_arena.h"

namespace maniple::skirmish {
namespace {

class MeshWayMeter final : public WayMeter {
  public:
    void view(const sim::World& world) override {
        const nav::MeshField& field = world.find_navmesh(kFieldName)->field();
        mesh_ = field.active_mesh();
        view_tasks(world, layers_, [&](const sim::TaskRecord& task, double) {
            return field.find_layer({task.layer_handle});
        });
        for (std::size_t group = 0; group < kGroupCount; ++group) {
            footings_[group] = world.column<Footing>(template_of(group));
        }
    }
    [[nodiscard]] std::optional<std::uint32_t> left(const Order& order, std::size_t group,
                                                    std::size_t row) const override {
        const nav::MeshLayer* layer = view_of(layers_, order);
        if (layer == nullptr || mesh_ == nullptr) return std::nullopt;
        const Footing& footing = footings_[group][row];
        const nav::PolygonIndex polygon = mesh_->graph().index({footing.slot, footing.polygon});
        if (!leads_on(*layer, polygon)) return std::nullopt;
        return layer->solution.dist[polygon];
    }
    [[nodiscard]] double unit_cm() const override { return 1.0 / nav::kMeshDistUnitsPerCm; }

  private:
    const nav::MeshReplica* mesh_ = nullptr;
    TaskViews<const nav::MeshLayer*> layers_;
    std::array<std::span<const Footing>, kGroupCount> footings_;
};

}  // namespace

std::unique_ptr<WayMeter> mesh_way_meter() { return std::make_unique<MeshWayMeter>(); }

}  // namespace maniple::skirmish
