#include "maniple/skirmish/mesh_battle.h"

#include <string>
#include <utility>

#include "maniple/core/assert.h"
#include "maniple/skirmish/mesh_skirmish.h"

#include "ground_edits.h"
#include "mesh_way_meter.h"

namespace maniple::skirmish {

Result<MeshBattleScript> MeshBattleScript::make(BakedGround ground, const BattleOptions& options) {
    Result<substrate::NavMeshStream> start = ground.stream();
    if (!start) return refuse(std::move(start.error()));
    const Result<MeshFacts> facts =
        MeshFacts::of(start->view(), static_cast<std::size_t>(options.units));
    if (!facts) return refuse(facts.error());
    MeshPlan plan(*facts, options.units, options.seed);
    return MeshBattleScript(*facts, std::move(plan), std::move(ground), std::move(*start), options);
}

MeshBattleScript::MeshBattleScript(const MeshFacts& facts, MeshPlan plan, BakedGround ground,
                                   substrate::NavMeshStream start, const BattleOptions& options)
    : plan_(std::move(plan)),
      start_(start.bytes().begin(), start.bytes().end()),
      baked_(new Baked{MeshEdits(facts, plan_, std::move(ground), options.seed),
                       substrate::StreamDispatcher(std::move(start), {.mode = options.dispatch})}),
      edit_map_every_(options.edit_map_every) {}

// implements: NET-001, NET-007
std::vector<sim::Command> MeshBattleScript::server_commands_at(sim::Tick tick) {
    std::vector<sim::Command> commands;
    if (!is_edit_tick(tick)) return commands;
    MANIPLE_ASSERT(is_ready(tick));
    if (!std::exchange(under_way_, false)) baked_->bake_next();
    substrate::NavMeshStream next = *std::exchange(baked_->stream, std::nullopt);
    auto dispatch = std::exchange(baked_->dispatch, std::nullopt);
    baked_->dispatcher.note(tick, std::move(next), dispatch);
    if (dispatch) commands.push_back(rebuild_command(tick, std::move(*dispatch)));
    const std::optional<MeshEdits::Edit>& edit = baked_->edit;
    if (edit) commands.push_back(wall_command(tick, edit->raises, edit->wall()));
    return commands;
}

void MeshBattleScript::Baked::bake_next() {
    edit = edits.apply_next();
    Result<substrate::NavMeshStream> next = edits.ground().stream();
    MANIPLE_ASSERT(next.has_value());
    dispatch = dispatcher.choose(*next);
    stream = std::move(*next);
    done.store(true, std::memory_order_release);
}

// implements: O-SYNC-13
void MeshBattleScript::prepare_change(sim::Tick tick, sim::Tick last_tick,
                                      core::Background& background) {
    if (edit_map_every_ == 0) return;
    const std::int64_t next = (std::int64_t{tick} / edit_map_every_ + 1) * edit_map_every_;
    if (next > last_tick || std::exchange(under_way_, true)) return;
    baked_->done.store(false, std::memory_order_relaxed);
    background.start([baked = baked_] { baked->bake_next(); });
}

bool MeshBattleScript::is_ready(sim::Tick tick) const {
    return !is_edit_tick(tick) || !under_way_ || baked_->done.load(std::memory_order_acquire);
}

core::ByteSpan MeshBattleScript::next_change() const {
    if (!under_way_ || !baked_->done.load(std::memory_order_acquire)) return {};
    return baked_->dispatch ? core::ByteSpan(baked_->dispatch->payload) : core::ByteSpan();
}

// implements: O-NET-04, O-SNAP-10
Result<core::Bytes> MeshBattleScript::stream_at(std::string_view field, sim::Tick tick) const {
    return stream_of(baked_->dispatcher.history(), field, tick);
}

std::shared_ptr<const sim::GameDefinition> MeshBattleScript::definition() const {
    return make_mesh_skirmish();
}

std::unique_ptr<WayMeter> MeshBattleScript::make_way_meter() const { return mesh_way_meter(); }

}  // namespace maniple::skirmish
