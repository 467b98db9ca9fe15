#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "maniple/skirmish/battle.h"

#include "arena.h"
#include "forged_state.h"
#include "way_meter.h"

/// Any bytes as changes to a sound state of the built-in battle, which then hashes as it says: the
/// state is refused, or it is restored and the battle goes on.
namespace {

using namespace maniple;
using namespace maniple::skirmish;

constexpr int kTicks = 20;
constexpr int kChangesMax = 64;

std::vector<snapshot::Snapshot> record_battle() {
    std::vector<snapshot::Snapshot> taken;
    const terrain::GridMap map = *terrain::make_builtin_map("builtin:valley:48");
    core::SerialExecutor executor;
    auto script = BattleScript::make(map, {.units = 60, .edit_map_every = 30, .modify_every = 20});
    sim::World world(make_skirmish(), sim::MatchConfig{}, executor);
    if (!script || !world.import_substrate(kFieldName, map.stream.bytes())) std::abort();
    while (world.tick() < 240) {
        for (sim::Command& command : script->commands_for_tick(world.tick() + 1)) {
            if (!world.queue(std::move(command))) std::abort();
        }
        if (!world.step()) std::abort();
        if (world.tick() != 1 && world.tick() % 80 != 0) continue;
        snapshot::capture(world, taken.emplace_back());
        snapshot::add_substrates(world, taken.back());
    }
    return taken;
}

/// Overwrites up to eight bytes of a row of a column; enough of them to be any scalar.
void overwrite(core::ByteReader& in, std::span<std::byte> row) {
    const std::size_t at = in.u8();
    const std::size_t size = std::size_t{1} << in.u8() % 4;
    std::array<std::uint8_t, 8> bytes{};
    core::store_le(bytes.data(), in.u64());
    if (row.empty()) return;
    const std::size_t first = at % row.size() / size * size;
    const std::size_t count = std::min(size, row.size() - first);
    std::memcpy(row.data() + first, bytes.data(), count);
}

void change_column(core::ByteReader& in, sim::WorldState& state) {
    sim::EntityGroup& group = state.groups[in.u8() % state.groups.size()];
    const std::size_t which = in.u8();
    const std::size_t at = in.u16();
    if (group.size() == 0) return;
    const std::size_t row = at % group.size();
    const std::size_t index = which % (group.columns.size() + group.shared_columns.size() + 1);
    if (index < group.columns.size()) {
        sim::Column& column = group.columns[index];
        overwrite(in, {column.row(row), column.row_bytes()});
    } else if (index - group.columns.size() < group.shared_columns.size()) {
        sim::SharedColumn& column = group.shared_columns[index - group.columns.size()];
        std::vector<std::byte> value(column.row(row), column.row(row) + column.row_bytes());
        overwrite(in, value);
        column.set(row, value.data());
    } else {
        group.tags[row] = in.u16() & sim::kTagMask;
    }
}

void change_task(core::ByteReader& in, sim::WorldState& state) {
    const std::size_t at = in.u16();
    const std::uint8_t what = in.u8();
    if (state.tasks.empty()) return;
    sim::TaskRecord& task = state.tasks[at % state.tasks.size()];
    switch (what % 6) {
        case 0: task.agent_uids.assign(1 + in.u8() % 4, in.i32()); break;
        case 1: task.agent_uids.clear(); break;
        case 2: task.goals.assign(in.u8() % 4, {in.f64(), 0, 0}); break;
        case 3: task.start_tick = in.i32(); break;
        case 4: task.variables.assign(in.u8() % 8, in.u8()); break;
        default: task.id = in.i32(); break;
    }
}

void change_spawn(core::ByteReader& in, sim::WorldState& state) {
    const std::uint8_t what = in.u8();
    const std::int32_t number = in.i32();
    if (state.deferred_spawns.empty()) return;
    sim::SpawnRequest& request = state.deferred_spawns.back();
    switch (what % 6) {
        case 0: request.team = number; break;
        case 1: request.substeps = number; break;
        case 2: request.quantity = number % 4096; break;
        case 3: request.next_location_index = number; break;
        case 4: request.current_substep_index = number; break;
        default: request.locations.emplace_back().x = in.f64(); break;
    }
}

void change_counter(core::ByteReader& in, sim::WorldState& state) {
    const std::uint8_t what = in.u8();
    const std::int32_t number = in.i32();
    auto& tactics = *std::any_cast<Tactics>(&state.variables[0]);
    switch (what % 8) {
        case 0: state.tick = number; break;
        case 1: state.uid_cursor = number; break;
        case 2: state.next_move_to_task_id = number; break;
        case 3: state.next_chase_attack_task_id = number; break;
        case 4: state.agent_stream.seed = number; break;
        case 5: tactics.stances.assign(in.u8() % 4, Stance{number}); break;
        case 6: tactics.calls = number; break;
        default:
            if (!state.modifiers.empty()) state.modifiers[0].centre_cm.x = in.f64();
            break;
    }
}

void change(core::ByteReader& in, sim::WorldState& state) {
    switch (in.u8() % 8) {
        case 0: change_task(in, state); break;
        case 1: change_spawn(in, state); break;
        case 2: change_counter(in, state); break;
        default: change_column(in, state); break;
    }
}

/// What the encoder asks of its caller, so that the bytes are those of a snapshot.
bool is_encodable(const sim::WorldState& state) {
    return std::ranges::all_of(state.tasks, [](const sim::TaskRecord& task) {
        return std::ranges::is_sorted(task.agent_uids);
    });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::vector<snapshot::Snapshot> kBattle = record_battle();
    core::ByteReader in({data, size});
    snapshot::Snapshot snapshot = kBattle[in.u8() % kBattle.size()];
    for (int i = 0; i < kChangesMax && in.ok() && in.remaining() > 0; ++i) {
        change(in, snapshot.state);
    }
    if (!is_encodable(snapshot.state)) return 0;
    core::SerialExecutor executor;
    const auto world = proof::restore_forged(make_skirmish(), std::move(snapshot), executor);
    if (!world) return 0;
    BattleStatistics statistics(grid_way_meter());
    for (int i = 0; i < kTicks; ++i) {
        if (!(*world)->step()) std::abort();
        statistics.observe(**world);
    }
    return 0;
}
