#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/skirmish/battle.h"
#include "maniple/skirmish/command_script.h"
#include "maniple/skirmish/mesh_edits.h"
#include "maniple/skirmish/mesh_plan.h"
#include "maniple/substrate/stream_dispatcher.h"

namespace maniple::skirmish {

/// The script of a battle on a navmesh. Its edits are a pure function of their order, so that the
/// next one can be baked beside the ticks as soon as the last one is taken.
class MeshBattleScript final : public CommandScript {
  public:
    /// @return script, or kBadTile, kNoGround, kTooManyUnits.
    [[nodiscard]] static Result<MeshBattleScript> make(BakedGround ground,
                                                       const BattleOptions& options);

    /// The stream every peer starts on, before tick 1.
    [[nodiscard]] core::ByteSpan start_stream() const { return start_; }
    [[nodiscard]] std::shared_ptr<const sim::GameDefinition> definition() const override;
    [[nodiscard]] std::vector<sim::Command> plan_commands_at(std::int32_t team,
                                                             sim::Tick tick) const override {
        return plan_.commands_at(team, tick);
    }
    [[nodiscard]] std::vector<sim::Command> server_commands_at(sim::Tick tick) override;
    void prepare_change(sim::Tick tick, sim::Tick last_tick, core::Background& background) override;
    [[nodiscard]] bool is_ready(sim::Tick tick) const override;
    [[nodiscard]] core::ByteSpan next_change() const override;
    [[nodiscard]] Result<core::Bytes> stream_at(std::string_view field,
                                                sim::Tick tick) const override;
    [[nodiscard]] std::unique_ptr<WayMeter> make_way_meter() const override;
    [[nodiscard]] const MeshPlan& plan() const { return plan_; }
    /// Not while a change is under way.
    [[nodiscard]] const MeshEdits& edits() const { return baked_->edits; }
    [[nodiscard]] const substrate::DispatchFigures& dispatched() const {
        return baked_->dispatcher.figures();
    }

  private:
    MeshBattleScript(const MeshFacts& facts, MeshPlan plan, BakedGround ground,
                     substrate::NavMeshStream start, const BattleOptions& options);

    /// The ground after the last edit baked. While a job is under way it alone writes, to what
    /// nobody reads until it is done; it asks the dispatcher, which serves streams meanwhile.
    struct Baked {
        MeshEdits edits;
        substrate::StreamDispatcher<substrate::NavMeshStream> dispatcher;
        std::optional<MeshEdits::Edit> edit = {};
        // Until the edit is taken:
        std::optional<substrate::NavMeshStream> stream = {};
        std::optional<substrate::Dispatch> dispatch = {};  ///< Nothing of a ground left as it was.
        std::atomic<bool> done{false};

        void bake_next();
    };

    [[nodiscard]] bool is_edit_tick(sim::Tick tick) const {
        return edit_map_every_ > 0 && tick % edit_map_every_ == 0;
    }

    MeshPlan plan_;
    core::Bytes start_;
    std::shared_ptr<Baked> baked_;  ///< Shared with the job.
    bool under_way_ = false;        ///< An edit is baked ahead, or was.
    std::int32_t edit_map_every_;
};

}  // namespace maniple::skirmish
