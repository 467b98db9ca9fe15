#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/sim/command.h"
#include "maniple/skirmish/fragments.h"
#include "maniple/skirmish/skirmish.h"
#include "maniple/substrate/stream_dispatcher.h"

/// How the server's edits of any ground travel.
namespace maniple::skirmish {

[[nodiscard]] sim::Command rebuild_command(sim::Tick tick, substrate::Dispatch dispatch);
/// RaiseWall or RazeWall.
[[nodiscard]] sim::Command wall_command(sim::Tick tick, bool raises, const Wall& wall);

/// CommandScript::stream_at from what was dispatched.
template <class Stream>
[[nodiscard]] Result<core::Bytes> stream_of(const substrate::BasicStreamHistory<Stream>& history,
                                            std::string_view field, sim::Tick tick) {
    if (field != kFieldName) {
        return refuse(ErrorCode::kUnknownName, "no field is named '" + std::string(field) + "'");
    }
    Result<Stream> stream = history.at(tick);
    if (!stream) return refuse(std::move(stream.error()));
    return std::move(*stream).release();
}

}  // namespace maniple::skirmish
