#pragma once

#include <memory>

#include "maniple/nav/field_job.h"
#include "maniple/nav/flow_field.h"

#include "grid_update.h"

namespace maniple::nav {

/// Runs grid modifiers one after the other, each when the answers to the traces of the one before
/// are written: so their order decides, as in the synchronous form. Answers that come after its end
/// or the field's do nothing.
class GridModification : public std::enable_shared_from_this<GridModification> {
  public:
    /// `world` answers what is asked at once, `async_world` requests; null: `world` as well.
    GridModification(FieldRef field, GridUpdate& update,
                     std::vector<std::shared_ptr<Modifier>> modifiers,
                     const EnvironmentQuery& environment, const WorldQuery& world,
                     AsyncWorldQuery* async_world, std::function<void()> done);
    void run();

  private:
    void request(CellIndex cell);
    void update_cell_map(CellIndex cell, const CellGround& value);

    FieldRef field_;
    GridUpdate& update_;
    std::vector<std::shared_ptr<Modifier>> modifiers_;
    EnvironmentQuery environment_;
    const WorldQuery& world_;
    AsyncWorldQuery* async_world_;
    std::function<void()> done_;
    AsyncGridEdit edit_;
    std::size_t next_ = 0;
    std::size_t traces_remaining_ = 0;
};

/// The asynchronous update of a grid field (ASY-009).
class GridUpdateJob final : public FieldJob {
  public:
    GridUpdateJob(FlowField& field, bool full, std::shared_ptr<const bool> in_flight)
        : field_(field.ref()), full_(full), in_flight_(std::move(in_flight)) {}

    [[nodiscard]] bool field_alive() const override { return field_.get() != nullptr; }
    Result<void> prepare(JobTraces traces, std::function<void()> prepared) override;
    [[nodiscard]] std::function<void()> work() override;
    [[nodiscard]] bool overtaken() const override;
    void apply() override;

  private:
    FieldRef field_;
    bool full_;
    std::shared_ptr<const bool> in_flight_;  ///< The field's claim on its one job.
    std::uint64_t generation_ = 0;
    std::shared_ptr<GridUpdate> update_ = std::make_shared<GridUpdate>();
    std::shared_ptr<GridModification> modification_;
};

}  // namespace maniple::nav
