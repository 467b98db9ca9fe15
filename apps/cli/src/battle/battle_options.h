#pragma once

#include <string>

#include "maniple/core/result.h"

#include "battle_setup.h"

namespace maniple::cli {

/// `CLIENT:latency=50,jitter=10,loss=5`, every part but the client optional (ms, ms, %).
/// @return kBadText with what is wrong.
[[nodiscard]] Result<std::pair<std::int32_t, net::LinkQuality>> parse_link(const std::string& text);
/// `CLIENT@TICK`. @return kBadText.
[[nodiscard]] Result<CorruptionOrder> parse_corruption(const std::string& text);
/// A tick, or `none`. @return kBadText.
[[nodiscard]] Result<std::optional<sim::Tick>> parse_late_join(const std::string& text);

/// What the parts say together: clients in range, ticks in order. @return kBadValue.
[[nodiscard]] Result<void> check_options(const BattleOptions& options);

}  // namespace maniple::cli
