#include <utility>

#include "maniple/nav/mesh_field.h"

namespace maniple::nav {

/// The asynchronous update of a navmesh field.
class MeshUpdateJob final : public FieldJob {
  public:
    MeshUpdateJob(MeshField& field, bool full, std::shared_ptr<const bool> in_flight)
        : field_(field.self_.ref(&field)), full_(full), in_flight_(std::move(in_flight)) {}

    [[nodiscard]] bool field_alive() const override { return field_.get() != nullptr; }
    Result<void> prepare(JobTraces traces, std::function<void()> prepared) override;
    [[nodiscard]] std::function<void()> work() override;
    [[nodiscard]] bool overtaken() const override;
    void apply() override;

  private:
    /// What the work reads and writes.
    struct Flow {
        MeshField::Ground ground;           ///< Owns `mesh`.
        const MeshReplica* mesh = nullptr;  ///< Null: there is nothing to compute.
        AreaCostContext areas;
        std::vector<Vec3d> goals;
        std::vector<MeshGoal> mesh_goals;
        MeshFlows result;
    };

    BasicFieldRef<MeshField> field_;
    bool full_;
    std::shared_ptr<const bool> in_flight_;  ///< The field's claim on its one job.
    std::uint64_t calculations_ = 0;
    std::vector<Vec3d> goals_;
    std::shared_ptr<Flow> flow_ = std::make_shared<Flow>();
};

// implements: O-ASY-02
std::unique_ptr<FieldJob> MeshField::async_update(bool full) {
    auto claim = claim_update();
    return claim ? std::make_unique<MeshUpdateJob>(*this, full, std::move(claim)) : nullptr;
}

// implements: ASY-008
Result<void> MeshUpdateJob::prepare(JobTraces, std::function<void()> prepared) {
    MeshField& field = *field_.get();
    const std::vector<Vec3d> shown = field.default_layer_.goals;
    field.begin_update(full_);
    // What the field shows stays until the flow is there.
    goals_ = std::exchange(field.default_layer_.goals, shown);
    calculations_ = field.calculations_;
    const MeshReplica* mesh = field.active_mesh();
    auto goals = mesh == nullptr ? Result<std::vector<MeshGoal>>(std::vector<MeshGoal>())
                                 : field.place_goals(*mesh, goals_);
    if (goals && !goals->empty()) {
        flow_->ground = field.ground_;
        flow_->mesh = mesh;
        flow_->areas = field.area_costs();
        flow_->goals = goals_;
        flow_->mesh_goals = std::move(*goals);
    }
    prepared();
    return {};
}

// implements: ASY-008, NAVM-010
std::function<void()> MeshUpdateJob::work() {
    return [flow = flow_] {
        if (flow->mesh == nullptr) return;
        flow->result.weigh(*flow->mesh, flow->areas);
        flow->result.flood(*flow->mesh, std::move(flow->goals), std::move(flow->mesh_goals));
    };
}

// implements: O-ASY-05
bool MeshUpdateJob::overtaken() const {
    const MeshField& field = *field_.get();
    const MeshReplica* mesh = field.active_mesh();
    const bool other_mesh = flow_->mesh != nullptr &&
                            (mesh == nullptr || mesh->generation() != flow_->mesh->generation());
    return field.calculations_ != calculations_ || other_mesh;
}

// implements: ASY-008, ASY-014
void MeshUpdateJob::apply() {
    MeshField& field = *field_.get();
    field.default_layer_.goals = std::move(goals_);
    field.prepared_ = std::move(flow_->result);
    field.end_update();
    field.prepared_ = {};
}

}  // namespace maniple::nav
