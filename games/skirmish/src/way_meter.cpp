#include "way_meter.h"

#include "arena.h"

namespace maniple::skirmish {
namespace {

class GridWayMeter final : public WayMeter {
  public:
    void view(const sim::World& world) override {
        field_ = world.find_field(kFieldName);
        view_tasks(world, layers_, [&](const sim::TaskRecord& task, double) {
            return field_->find_layer({task.layer_handle});
        });
        for (std::size_t group = 0; group < kGroupCount; ++group) {
            positions_[group] = world.column<Position>(template_of(group));
        }
    }
    [[nodiscard]] std::optional<std::uint32_t> left(const Order& order, std::size_t group,
                                                    std::size_t row) const override {
        const nav::Layer* layer = view_of(layers_, order);
        const Vec2d place = positions_[group][row].cm();
        const nav::CellIndex cell = cell_at(*field_, place.x, place.y);
        if (layer == nullptr || !is_reached(*layer, cell)) return std::nullopt;
        return layer->solution.dist[cell];
    }
    [[nodiscard]] double unit_cm() const override { return field_->geometry().cell_size_cm(); }

  private:
    const nav::FlowField* field_ = nullptr;
    TaskViews<const nav::Layer*> layers_;
    std::array<std::span<const Position>, kGroupCount> positions_;
};

}  // namespace

std::unique_ptr<WayMeter> grid_way_meter() { return std::make_unique<GridWayMeter>(); }

}  // namespace maniple::skirmish
