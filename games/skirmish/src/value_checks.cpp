#include "value_checks.h"

#include <algorithm>
#include <cmath>

#include "maniple/skirmish/skirmish.h"

#include "arena.h"

namespace maniple::skirmish {
namespace {

bool is_team(std::int32_t team) { return team >= 0 && team < kTeamCount; }

bool is_stance(Stance stance) { return stance == Stance::kSteady || stance == Stance::kAllOut; }

}  // namespace

bool is_place(const Vec3d& cm) {
    return Position::reaches({cm.x, cm.y}) && std::abs(cm.z) <= kHeightCmMax;
}

const char* check_unit(const Unit& unit) {
    if (!is_team(unit.team)) return "team";
    return unit.squad < 0 ? "squad" : nullptr;
}

const char* check_order(const Order& order) {
    if (order.kind < OrderKind::kNone || order.kind > OrderKind::kChaseAttack) return "kind";
    if (order.state < OrderState::kIdle || order.state > OrderState::kFailed) return "state";
    return order.task_id < 0 ? "task_id" : nullptr;  // of no task: 0
}

const char* check_kit(const Kit& kit) {
    return kit.armour < 0 || kit.armour > kArmourMax ? "armour" : nullptr;
}

const char* check_tactics(const Tactics& tactics) {
    if (std::ssize(tactics.stances) != kTeamCount) return "stances.count";
    if (!is_stance(tactics.stances[0])) return "stances[0]";
    if (!is_stance(tactics.stances[1])) return "stances[1]";
    return tactics.calls < 0 || tactics.calls > kCallsMax ? "calls" : nullptr;
}

const char* check_move_to(const sim::TaskRecord& task) {
    if (task.id > kTaskIdsMax) return "id";
    return std::ranges::all_of(task.goals, is_place) ? nullptr : "goals";
}

const char* check_chase(const sim::TaskRecord& task) {
    if (!is_team(sim::task_variables<Hunt>(task).team)) return "team";
    return check_move_to(task);
}

const char* check_spawn(const sim::SpawnRequest& request) {
    if (request.team < 0 || request.team >= kSquadsMax * kTeamCount) return "team";
    return std::ranges::all_of(request.locations, is_place) ? nullptr : "locations";
}

}  // namespace maniple::skirmish
