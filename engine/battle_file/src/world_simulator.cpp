#include "maniple/battle_file/world_simulator.h"

#include <algorithm>
#include <string>
#include <utility>

#include "maniple/core/assert.h"
#include "maniple/core/hash.h"
#include "maniple/sim/hash_tree.h"

namespace maniple::battle_file {
namespace {

sim::MatchConfig config_of(const BattleHeader& header) {
    sim::MatchConfig config;
    config.seed = header.seed;
    config.tick_rate_hz = header.tick_rate_hz;
    return config;
}

/// A state's hash tree without the navigation fields, which a bare state does not hold.
struct HashedState {
    sim::HashTree tree;
    sim::HashedColumns columns;

    HashedState(const sim::GameDefinition& definition, const sim::WorldState& state,
                core::Executor& executor) {
        sim::compute_hash_tree(definition, state, {}, executor, tree, columns);
    }
};

StateDifference name_difference(const sim::GameDefinition& definition, const HashedState& recorded,
                                const HashedState& simulated, const sim::DifferenceAddress& at) {
    const std::optional<sim::FieldDifference> difference = sim::name_difference(
        definition, recorded.tree, recorded.columns, simulated.tree, simulated.columns);
    if (!difference) return {sim::hash_section_name(at.section), sim::kNoUid, ""};
    return {difference->fragment, difference->uid, difference->field};
}

class WorldSimulator final : public Simulator {
  public:
    WorldSimulator(BattleHeader header, std::shared_ptr<const sim::GameDefinition> definition,
                   core::LogSink log, int threads)
        : header_(std::move(header)),
          definition_(std::move(definition)),
          log_(std::move(log)),
          executor_(core::make_executor(threads)) {}

    Result<void> start(const BattleReader& reader) {
        Result<std::vector<FieldSubstrate>> substrates = reader.start_substrates();
        if (!substrates) return refuse(std::move(substrates.error()));
        world_ = std::make_unique<sim::World>(definition_, config_of(header_), *executor_, log_);
        for (const FieldSubstrate& substrate : *substrates) {
            Result<void> imported = world_->import_substrate(substrate.field, substrate.stream);
            if (!imported) return imported;
        }
        return check_configs();
    }

    Result<void> start_at(const BattleReader& reader, const Keyframe& keyframe) {
        const Result<snapshot::Snapshot> snapshot = read_keyframe(*definition_, header_, keyframe);
        if (!snapshot) return refuse(snapshot.error());
        // A sound state, but is it this battle's? Of the start of a part no hash is recorded.
        if (keyframe.tick > reader.start_tick() &&
            snapshot->hash_at_capture != reader.hash_of(keyframe.tick)) {
            return refuse(ErrorCode::kStateMismatch,
                          "tick " + std::to_string(keyframe.tick) +
                              ": the keyframe's state has hash " +
                              core::hex16(snapshot->hash_at_capture) + ", recorded " +
                              core::hex16(reader.hash_of(keyframe.tick)));
        }
        Result<std::unique_ptr<sim::World>> restored =
            snapshot::restore(definition_, *snapshot, *executor_, log_);
        if (!restored) return refuse(std::move(restored.error()));
        world_ = *std::move(restored);
        return check_configs();
    }

    Result<std::uint64_t> step(sim::Tick tick, std::span<const sim::Command> commands) override {
        MANIPLE_ASSERT(tick == world_->tick() + 1);
        for (const sim::Command& command : commands) {
            if (Result<void> queued = world_->queue(command); !queued) {
                return refuse(std::move(queued.error()));
            }
        }
        return world_->step();
    }

    Result<std::optional<StateDifference>> compare(const Keyframe& keyframe) override {
        Result<snapshot::Snapshot> snapshot = read_keyframe(*definition_, header_, keyframe);
        if (!snapshot) return refuse(std::move(snapshot.error()));
        const HashedState recorded(*definition_, snapshot->state, *executor_);
        const HashedState simulated(*definition_, world_->state(), *executor_);
        if (const auto at = sim::first_difference(recorded.tree, simulated.tree)) {
            return name_difference(*definition_, recorded, simulated, *at);
        }
        for (const FieldSubstrate& substrate : keyframe.substrates) {
            const core::ByteSpan played = world_->substrate_stream(substrate.field);
            if (!std::ranges::equal(played, substrate.stream)) {
                return StateDifference{"substrate", sim::kNoUid, substrate.field};
            }
        }
        const sim::TickHistory::Entry* last = world_->history().find(keyframe.tick);
        if (last != nullptr && last->tree.root != snapshot->hash_at_capture) {
            return StateDifference{"hash", sim::kNoUid, ""};
        }
        return std::nullopt;
    }

    [[nodiscard]] const sim::World& world() const { return *world_; }

  private:
    /// What a stream leaves out of a field must be as it was recorded.
    Result<void> check_configs() const {
        for (const FieldConfig& recorded : header_.fields) {
            const nav::FlowField* field = world_->find_field(recorded.name);
            if (field != nullptr && field->config().digest() == recorded.config_digest) continue;
            return refuse(ErrorCode::kConfigMismatch,
                          "field \"" + recorded.name + "\" is not configured as it was recorded");
        }
        return {};
    }

    BattleHeader header_;
    std::shared_ptr<const sim::GameDefinition> definition_;
    core::LogSink log_;
    std::unique_ptr<core::Executor> executor_;  // Outlives the world.
    std::unique_ptr<sim::World> world_;
};

}  // namespace

MakeSimulator simulate_worlds(std::shared_ptr<const sim::GameDefinition> definition,
                              core::LogSink log, int threads) {
    return [definition = std::move(definition), log = std::move(log), threads](
               const BattleReader& reader,
               const Keyframe* start) -> Result<std::unique_ptr<Simulator>> {
        auto simulator =
            std::make_unique<WorldSimulator>(reader.header(), definition, log, threads);
        Result<void> started =
            start == nullptr ? simulator->start(reader) : simulator->start_at(reader, *start);
        if (!started) return refuse(std::move(started.error()));
        return simulator;
    };
}

const sim::World& world_of(const Simulator& simulator) {
    const auto* worlds = dynamic_cast<const WorldSimulator*>(&simulator);
    MANIPLE_ASSERT(worlds != nullptr);
    return worlds->world();
}

Keyframe make_keyframe(const sim::World& world, const snapshot::Snapshot& snapshot) {
    const sim::GameDefinition& definition = world.definition();
    MANIPLE_ASSERT(snapshot.state.tick == world.tick());
    MANIPLE_ASSERT(snapshot.substrates.empty());
    Keyframe keyframe;
    keyframe.tick = snapshot.state.tick;
    for (const std::string& field : definition.field_names()) {
        const core::ByteSpan stream = world.substrate_stream(field);
        if (!stream.empty()) {
            keyframe.substrates.push_back({field, {stream.begin(), stream.end()}});
        }
    }
    keyframe.frame = snapshot::encode_snapshot(definition, snapshot);
    return keyframe;
}

Result<snapshot::Snapshot> read_keyframe(const sim::GameDefinition& definition,
                                         const BattleHeader& header, const Keyframe& keyframe) {
    Result<snapshot::Snapshot> snapshot =
        snapshot::decode_snapshot(definition, keyframe.frame, snapshot::Policy::kJoin);
    if (!snapshot) return snapshot;
    if (snapshot->state.tick != keyframe.tick) {
        return refuse(ErrorCode::kStateMismatch,
                      "the state is of tick " + std::to_string(snapshot->state.tick));
    }
    const sim::MatchConfig config = config_of(header);
    if (snapshot->config.seed != config.seed ||
        snapshot->config.tick_rate_hz != config.tick_rate_hz) {
        return refuse(ErrorCode::kConfigMismatch, "the state is of another match");
    }
    snapshot->substrates.clear();
    for (const FieldSubstrate& substrate : keyframe.substrates) {
        snapshot->substrates.push_back({substrate.field, substrate.stream});
    }
    snapshot->state.pending.clear();
    snapshot->gap_commands.clear();
    return snapshot;
}

}  // namespace maniple::battle_file
