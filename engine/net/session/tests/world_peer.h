#pragma once

#include <boost/describe.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "maniple/sim/world.h"
#include "maniple/snapshot/snapshot_cache.h"
#include "maniple/substrate/authoring_field.h"

#include "level_ground.h"
#include "memory_match.h"

namespace maniple::net::test {

inline constexpr const char* kGround = "ground";
inline constexpr std::int32_t kSide = 40;

struct Walker {
    double x = 0, y = 0;
};
BOOST_DESCRIBE_STRUCT(Walker, (), (x, y))

/// Walkers that follow the ground's flow: what they navigate on shows in their places.
inline std::shared_ptr<const sim::GameDefinition> make_walkers() {
    auto game = std::make_shared<sim::GameDefinition>("walkers");
    game->add_fragment<Walker>("Walker");
    sim::TemplateBuilder(*game, "walker").with(Walker{}).add();
    game->add_field(kGround);
    game->add_command({70, "plan", [](sim::World& world, const sim::Command&) -> Result<void> {
                           const sim::TemplateId id{0};
                           const double place = 100.0 * (world.state().uid_cursor % kSide);
                           const sim::Uid uid = world.spawn(id);
                           *world.fragment<Walker>(uid) = {place, 3900 - place};
                           return {};
                       }});
    game->add_system({"walk", [](sim::SystemContext& context) {
                          const nav::FlowField& field = *context.world.find_field(kGround);
                          for (Walker& w : context.world.column<Walker>(sim::TemplateId{0})) {
                              const Vec3f way = field.query({w.x, w.y}, 0).direction;
                              w.x += 10.0 * static_cast<double>(way.x);
                              w.y += 10.0 * static_cast<double>(way.y);
                          }
                      }});
    game->seal();
    return game;
}

inline substrate::CheckedStream start_ground() { return tests::level_ground(kSide); }

/// A peer with a world, as a host joins them.
class WorldPeer final : public Peer {
  public:
    explicit WorldPeer(bool with_ground = true) : definition_(make_walkers()) {
        world_ = std::make_unique<sim::World>(definition_, sim::MatchConfig{}, executor_);
        if (!with_ground) return;
        EXPECT_TRUE(world_->import_substrate(kGround, start_ground().bytes()).has_value());
    }
    bool execute(const TickInputs& inputs) override {
        for (const sim::Command& command : inputs.commands) {
            EXPECT_TRUE(world_->queue(command).has_value());
        }
        const auto stepped = world_->step();
        refused_field = world_->refused_field();
        if (!stepped) {
            errors.push_back(stepped.error().code);
            return false;
        }
        hash = *stepped;
        ticks.push_back(inputs.tick);
        cache_.executed(*world_, inputs.commands);
        return true;
    }
    Bytes save() override {
        const auto snapshot = cache_.dispatch(*world_, stream_at);
        EXPECT_TRUE(snapshot.has_value());
        return snapshot::encode_snapshot(*definition_, **snapshot);
    }
    Tick saved_tick(Tick executed) const override {
        return cache_.tick() < 0 ? executed : cache_.tick();
    }
    bool load(ByteSpan bytes) override {
        auto snapshot = snapshot::decode_snapshot(*definition_, bytes, snapshot::Policy::kJoin);
        if (!snapshot) return false;
        auto world = snapshot::restore(definition_, *snapshot, executor_);
        if (!world) return false;
        world_ = std::move(*world);
        return true;
    }
    bool repair(const ImportStream& request) override {
        return world_->repair_substrate(request.field, request.stream).has_value();
    }
    bool holds(const sim::Command& command) const override {
        return world_->holds_substrate(command);
    }
    [[nodiscard]] const sim::World& world() const { return *world_; }

    std::vector<ErrorCode> errors;  ///< Of the refused steps.
    snapshot::StreamAt stream_at;   ///< Of the server's peer: its ground's history.

  private:
    std::shared_ptr<const sim::GameDefinition> definition_;
    core::SerialExecutor executor_;
    std::unique_ptr<sim::World> world_;
    snapshot::SnapshotCache cache_{{.every_ticks = 30, .gap_ticks_max = 30}};
};

/// The server's ground: on each of its ticks a wall a column further on, as one command.
class Builder {
  public:
    Builder(substrate::DispatchMode mode, std::vector<Tick> ticks)
        : ticks_(std::move(ticks)), authoring_(kGround, {}, start_ground(), {mode, 0.5}) {}
    std::vector<sim::Command> commands_at(Tick tick) {
        std::vector<sim::Command> commands;
        for (const Tick edit : ticks_) {
            if (edit != tick) continue;
            column_ += 3;
            authoring_.field().set_cells({column_, 0}, {column_, kSide - 5},
                                         nav::CellType::kObstacle, nav::kImpassableCost);
            authoring_.field().commit_edits();
            const auto dispatch = authoring_.rebuild(tick);
            sim::Command& command = commands.emplace_back();
            command.type = sim::kCommandRebuildFlowField;
            command.target = kGround;
            command.set(std::string(sim::kParamVersion), std::int64_t{dispatch->version});
            command.byte_payload = dispatch->payload;
        }
        return commands;
    }
    [[nodiscard]] Result<Bytes> stream_at(std::string_view field, Tick tick) const {
        if (field != kGround) return refuse(ErrorCode::kUnknownName, "no such field");
        auto stream = authoring_.history().at(tick);
        if (!stream) return refuse(std::move(stream.error()));
        return std::move(*stream).release();
    }

  private:
    std::vector<Tick> ticks_;
    substrate::AuthoringField authoring_;
    std::int32_t column_ = 2;
};

}  // namespace maniple::net::test
