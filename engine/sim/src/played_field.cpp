#include <algorithm>

#include "maniple/sim/world.h"
#include "maniple/substrate/stream_format.h"

namespace maniple::sim {

substrate::PlayedField* World::find_played(std::string_view name) {
    const auto found = std::ranges::find_if(
        fields_, [&](const substrate::PlayedField& p) { return p.field().name() == name; });
    return found == fields_.end() ? nullptr : &*found;
}

const substrate::PlayedField* World::find_played(std::string_view name) const {
    return const_cast<World*>(this)->find_played(name);
}

nav::FlowField* World::find_field(std::string_view name) {
    substrate::PlayedField* played = find_played(name);
    return played == nullptr ? nullptr : &played->field();
}

const nav::FlowField* World::find_field(std::string_view name) const {
    const substrate::PlayedField* played = find_played(name);
    return played == nullptr ? nullptr : &played->field();
}

substrate::NavMeshSide* World::find_navmesh(std::string_view name) {
    substrate::PlayedField* played = find_played(name);
    return played == nullptr ? nullptr : played->mesh();
}

const substrate::NavMeshSide* World::find_navmesh(std::string_view name) const {
    return const_cast<World*>(this)->find_navmesh(name);
}

/// What a navmesh command will need is computed beside the ticks until its own.
// implements: O-SYNC-13
void World::prepare_substrate(const Command& command) {
    if (command.type != kCommandRebuildFlowField) return;
    announce_substrate(command.target, command.byte_payload);
}

void World::announce_substrate(std::string_view field_name, core::ByteSpan stream) {
    substrate::PlayedField* played = find_played(field_name);
    if (played != nullptr) played->prepare(stream, background_);
}

/// Of a command whose outcome the field has from elsewhere.
void World::drop_preparation(const Command& command) {
    substrate::PlayedField* played = find_played(command.target);
    if (played != nullptr) played->drop_preparation(command.byte_payload);
}

// implements: ASY-013, O-SYNC-13
bool World::must_wait() const {
    const Tick tick = state_.tick + 1;
    if (!async_updates_.may_run(tick)) return true;
    for (const Command& command : state_.pending) {
        if (command.tick != tick) break;
        if (command.type != kCommandRebuildFlowField) continue;
        const substrate::PlayedField* played = find_played(command.target);
        if (played != nullptr && !played->is_ready(command.byte_payload)) return true;
    }
    return false;
}

// implements: O-ASY-01
bool World::start_field_update(std::string_view field_name, bool full, std::int32_t delay_ticks) {
    MANIPLE_ASSERT(delay_ticks >= 1);
    substrate::PlayedField* played = find_played(field_name);
    if (played == nullptr) return false;
    std::unique_ptr<nav::FieldJob> job = played->mode() == substrate::StreamMode::kNavMesh
                                             ? played->mesh()->async_update(full)
                                             : played->field().async_update(full);
    return async_updates_.start(std::move(job), state_.tick, {.max_ticks = delay_ticks});
}

core::ByteSpan World::substrate_stream(std::string_view field_name) const {
    const substrate::PlayedField* played = find_played(field_name);
    return played == nullptr ? core::ByteSpan() : played->stream();
}

// implements: SYNC-043, NET-019
Result<void> World::import_substrate(std::string_view field_name, core::ByteSpan stream) {
    substrate::PlayedField* played = find_played(field_name);
    if (played == nullptr) {
        return refuse(ErrorCode::kUnknownName,
                      "no field is named '" + std::string(field_name) + "'");
    }
    auto report = played->import(stream);
    if (!report) return refuse(std::move(report.error()));
    return {};
}

/// Substrate commands come first in their tick's order and are the only ones that can stop a step:
/// they are carried out before the tick counter moves, so a refused one leaves the world unstepped.
/// What was carried out before it stays; the step that follows a repair goes on from there.
// implements: NET-001, NET-008, NET-009, NET-012, NET-021, O-NET-06, O-NET-07
Result<void> World::import_due_substrates(std::span<const Command> due) {
    for (const Command& command : due) {
        if (command.type != kCommandRebuildFlowField ||
            command.server_exec_sequence <= imported_sequence_) {
            continue;
        }
        const bool is_repaired = std::ranges::count(repaired_fields_, command.target) > 0;
        if (is_repaired || holds_substrate(command)) {
            drop_preparation(command);
        } else {
            auto imported = import_substrate(command.target, command.byte_payload);
            if (!imported) return refuse_field(command.target, std::move(imported.error()));
            if (command.param<std::int64_t>(kParamVersion) != nullptr &&
                !holds_substrate(command)) {
                return refuse_field(command.target,
                                    {ErrorCode::kStateMismatch, Error::kNoOffset,
                                     "the command names another version than its stream has"});
            }
        }
        imported_sequence_ = command.server_exec_sequence;
    }
    refused_field_.clear();
    repaired_fields_.clear();
    return {};
}

Result<void> World::refuse_field(const std::string& field, Error error) {
    refused_field_ = field;
    log(core::Severity::kError, 1205, describe(error, field));
    return refuse(std::move(error));
}

// implements: NET-012, O-NET-04, O-NET-10
Result<void> World::repair_substrate(std::string_view field_name, core::ByteSpan stream) {
    if (substrate::peek_stream_kind(stream) == substrate::StreamKind::kDelta) {
        return refuse(ErrorCode::kBadMagic, 0, "a field is repaired by a full stream only");
    }
    auto imported = import_substrate(field_name, stream);
    if (imported) repaired_fields_.emplace_back(field_name);
    return imported;
}

// implements: NET-016, SNAP-041, O-NET-05
bool World::holds_substrate(const Command& command) const {
    const auto* version = command.param<std::int64_t>(kParamVersion);
    const substrate::PlayedField* played = find_played(command.target);
    return command.type == kCommandRebuildFlowField && version != nullptr && played != nullptr &&
           played->synced() && *version == std::int64_t{played->version()};
}

}  // namespace maniple::sim
