#include "grid_update_job.h"

#include <utility>

namespace maniple::nav {

GridModification::GridModification(FieldRef field, GridUpdate& update,
                                   std::vector<std::shared_ptr<Modifier>> modifiers,
                                   const EnvironmentQuery& environment, const WorldQuery& world,
                                   AsyncWorldQuery* async_world, std::function<void()> done)
    : field_(std::move(field)),
      update_(update),
      modifiers_(std::move(modifiers)),
      environment_(environment),
      world_(world),
      async_world_(async_world),
      done_(std::move(done)),
      edit_(GridEdit(update.ground, environment_, world_, update.grid_modified),
            [this](CellIndex cell) { request(cell); }) {}

// implements: MOD-014, ASY-005
void GridModification::run() {
    while (next_ < modifiers_.size()) {
        traces_remaining_ = 1;  // no answer that comes at once is the last
        static_cast<GridModifier&>(*modifiers_[next_++]).apply_grid_async(edit_);
        if (--traces_remaining_ > 0) return;
    }
    done_();
}

// implements: ASY-002, ASY-006
void GridModification::request(CellIndex cell) {
    ++traces_remaining_;
    const GridCoord at = update_.ground.geometry.coord(cell);
    if (async_world_ == nullptr) return update_cell_map(cell, environment_.query(at, world_));
    environment_.query_async(at, *async_world_,
                             [weak = weak_from_this(), cell](const CellGround& value) {
                                 const auto self = weak.lock();
                                 if (self != nullptr && self->field_.get() != nullptr) {
                                     self->update_cell_map(cell, value);
                                 }
                             });
}

// implements: ASY-007
void GridModification::update_cell_map(CellIndex cell, const CellGround& value) {
    edit_.set(cell, value);
    if (--traces_remaining_ == 0) run();
}

// implements: ASY-003, ASY-005, O-ASY-04
Result<void> GridUpdateJob::prepare(JobTraces traces, std::function<void()> prepared) {
    FlowField& field = *field_.get();
    if (auto begun = field.prepare_update(full_, *update_); !begun) return begun;
    generation_ = field.generation_;
    for (auto& modifier : update_->cost_modifiers) modifier = modifier->snapshot();
    for (auto& modifier : update_->direction_modifiers) modifier = modifier->snapshot();
    if (!update_->new_grid) field.copy_initial_cells(*update_);
    if (full_ || traces == JobTraces::kAtOnce) {
        if (!full_) field.modify_grid(*update_);
        prepared();
        return {};
    }
    modification_ = std::make_shared<GridModification>(
        field_, *update_, field.modifiers_.grid.enabled(),
        field.environment_query(update_->ground.geometry), field.world(), field.host_.async_world,
        [update = update_.get(), prepared = std::move(prepared)] {
            update->sort_grid_modified();
            prepared();
        });
    modification_->run();
    return {};
}

// implements: ASY-009
std::function<void()> GridUpdateJob::work() {
    return [update = update_] {
        SolverScratch scratch;
        update->run(scratch, nullptr);
    };
}

// implements: O-ASY-05
bool GridUpdateJob::overtaken() const { return field_.get()->generation_ != generation_; }

// implements: ASY-009
void GridUpdateJob::apply() { field_.get()->apply_update(std::move(*update_)); }

}  // namespace maniple::nav
