#pragma once

#include <cstdint>

#include "maniple/core/log.h"

namespace maniple::nav {

/// Diagnostics of fields (docs/log-codes.md).
enum class FieldLog : int {
    kMissingLayer = 1100,    ///< A call named a layer that is not there.
    kUserCount = 1101,       ///< A release without a user.
    kLayerNotSolved = 1102,  ///< A layer could not be solved: no ground yet.
    kBadGoal = 1103,         ///< A goal that is not finite, or more than kGoalsMax.
    kSyncedUpdate = 1104,    ///< A client's update of a synced field was ignored. Once a field.
};

/// What a field's peer is in the match (SYNC-061, SYNC-062).
enum class FieldRole : std::uint8_t { kServer, kClient };

/// What the host lends a field. Nothing is owned; all of it outlives the field.
struct FieldHost {
    core::LogSink log = core::null_log();
    FieldRole role = FieldRole::kServer;
};

}  // namespace maniple::nav
