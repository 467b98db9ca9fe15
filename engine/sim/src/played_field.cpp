#include <algorithm>

#include "maniple/sim/world.h"

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

// implements: O-ASY-01
bool World::start_field_update(std::string_view field_name, bool full, std::int32_t delay_ticks) {
    MANIPLE_ASSERT(delay_ticks >= 1);
    nav::FlowField* field = find_field(field_name);
    if (field == nullptr) return false;
    return async_updates_.start(field->async_update(full), state_.tick, {.max_ticks = delay_ticks});
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

}  // namespace maniple::sim
