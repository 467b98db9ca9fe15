#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "maniple/core/executor.h"
#include "maniple/core/log.h"
#include "maniple/nav/debug_draw.h"
#include "maniple/nav/environment_query.h"
#include "maniple/nav/modifier.h"
#include "maniple/nav/world_query.h"

namespace maniple::nav {

/// Diagnostics of fields (docs/log-codes.md).
enum class FieldLog : int {
    kMissingLayer = 1100,    ///< A call named a layer that is not there.
    kUserCount = 1101,       ///< A release without a user.
    kLayerNotSolved = 1102,  ///< A layer could not be solved: no ground yet.
    kBadGoal = 1103,         ///< A goal that is not finite, or more than kGoalsMax.
    kSyncedUpdate = 1104,    ///< A client's update of a synced field was ignored. Once a field.
    kSyncedModifier = 1105,  ///< A modifier from outside the command flow, on a synced field.
    kExtraCost = 1106,       ///< An extra cost for a cell outside the grid.
    kTraceRefused = 1107,    ///< A ground trace in lockstep; the field's height was used. Once.
    kUpdateInFlight = 1108,  ///< A second asynchronous update of one field.
};

/// What a field's peer is in the match (SYNC-061, SYNC-062).
enum class FieldRole : std::uint8_t { kServer, kClient };

/// What the host lends a field. Nothing is owned; all of it outlives the field.
struct FieldHost {
    core::LogSink log = core::null_log();
    FieldRole role = FieldRole::kServer;
    bool lockstep = false;              ///< Traces never reach agents then (O-GEN-09).
    const WorldQuery* world = nullptr;  ///< Null: traces hit nothing.
    /// For the grid modifiers of asynchronous updates. Null: `world` answers at once.
    AsyncWorldQuery* async_world = nullptr;
    DebugDraw* draw = nullptr;  ///< What updates draw, and the switches for it. Null: nothing.
    core::Executor* executor = nullptr;  ///< For environment queries. Null: the calling thread.
    Progress progress;                   ///< Of building a grid; may be empty.
    /// The modifiers that hang on this field, asked at every rescan, in a stable order.
    std::function<std::vector<std::shared_ptr<Modifier>>()> attached_modifiers;
};

}  // namespace maniple::nav
