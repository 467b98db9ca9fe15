// A game of one's own on the engine: describe structs once, register them, write systems, commands,
// a task and lockstep variables. docs/embedding.md walks through it. Built and run as a test.
#include <boost/describe.hpp>
#include <cstdio>

#include "maniple/core/hash.h"
#include "maniple/sim/world.h"
#include "maniple/snapshot/diff.h"
#include "maniple/snapshot/snapshot.h"

namespace {

using namespace maniple;

// 1. Describe. Each struct is described once; storage, hash, snapshot, diff and desync report
// follow.

enum class Crop : std::uint8_t { kWheat, kBarley };

/// A fragment: every field has a column of its own.
struct Field {
    Vec2d at;
    std::array<float, 4> moisture{0.5F, 0.5F, 0.5F, 0.5F};
    Crop crop = Crop::kWheat;
    sim::Name owner;
    std::int32_t harvest = 0;
};
BOOST_DESCRIBE_STRUCT(Field, (), (at, moisture, crop, owner, harvest))

/// A snapshot may come from a stranger: names the field whose value the game cannot bear.
const char* check_field(const Field& field) {
    return field.crop > Crop::kBarley ? "crop" : nullptr;
}

/// A shared fragment: fields of equal soil hold one value.
struct Soil {
    float drainage = 0.125F;
};
BOOST_DESCRIBE_STRUCT(Soil, (), (drainage))

/// A tag.
struct Fallow {};

/// Lockstep variables: written by commands and tasks, read by systems.
struct Season {
    float rain = 0.25F;
    std::string weather = "dry";
    std::vector<std::int32_t> harvests;
    const char* banner = nullptr;  // Not synced; seal() warns about it, once.
};
BOOST_DESCRIBE_STRUCT(Season, (), (rain, weather, harvests, banner))

/// A task's own variables.
struct Reaping {
    std::int32_t ticks_left = 3;
};
BOOST_DESCRIBE_STRUCT(Reaping, (), (ticks_left))

constexpr std::uint32_t kPlough = sim::kFirstGameCommand;
constexpr std::uint32_t kSetWeather = sim::kFirstGameCommand + 1;
constexpr std::uint32_t kReap = sim::kFirstGameCommand + 2;

// 2. Commands run first in a tick. A refusal changes nothing and is logged.

Result<void> plough(sim::World& world, const sim::Command& command) {
    const auto* count = command.param<std::int64_t>("count");
    if (count == nullptr || *count < 0 || *count > 1000) {
        return refuse(ErrorCode::kBadValue, "plough needs a count of 0 to 1000");
    }
    sim::SpawnRequest request;  // Spread over four ticks; what is left of it is saved.
    request.template_key = "farm.field";
    request.quantity = static_cast<std::int32_t>(*count);
    for (std::int64_t i = 0; i < *count; ++i)
        request.locations.push_back({static_cast<double>(i) * 100.0, 0, 0});
    request.substeps = 4;
    return world.request_spawn(std::move(request));
}

Result<void> set_weather(sim::World& world, const sim::Command& command) {
    const auto* rain = command.param<double>("rain");
    if (rain == nullptr) return refuse(ErrorCode::kBadValue, "no rain given");
    auto& season = world.edit_variables<Season>("farm.season");
    season.rain = static_cast<float>(*rain);
    season.weather = *rain > 0.5 ? "wet" : "dry";
    return {};
}

Result<void> reap(sim::World& world, const sim::Command& command) {
    const auto* fields = command.param<sim::Int32List>("fields");
    if (fields == nullptr) return refuse(ErrorCode::kBadValue, "nothing to reap");
    sim::set_task_variables(world.create_task("farm.reap", *fields, {}), Reaping{});
    return {};
}

// 3. Systems run over columns, in parallel over fixed blocks of rows: every block writes its own
// rows only, so the result does not depend on the number of threads. What changes structure is
// queued.

void grow(sim::SystemContext& context) {
    sim::World& world = context.world;
    const sim::TemplateId id = *world.definition().find_template("farm.field");
    const auto& season = world.variables<Season>("farm.season");
    const std::span<Field> fields = world.column<Field>(id);
    const sim::SharedView<Soil> soils = world.shared<Soil>(id);
    constexpr std::size_t kBlockRows = 256;
    core::for_blocks(context.executor, fields.size(), kBlockRows,
                     [&](std::size_t begin, std::size_t end) {
                         for (std::size_t row = begin; row < end; ++row) {
                             for (float& moisture : fields[row].moisture) {
                                 moisture += (season.rain - moisture) * soils[row].drainage;
                             }
                         }
                     });
    for (std::size_t row = 0; row < fields.size(); ++row) {
        const sim::Uid uid = world.group(id).uids[row];
        if (fields[row].moisture[0] < 0.3F) world.queue_tag<Fallow>(uid, true);
    }
}

// 4. A task ticks last and may write variables.

void tick_reap(sim::World& world, sim::TaskRecord& task) {
    auto reaping = sim::task_variables<Reaping>(task);
    if (--reaping.ticks_left == 0) {
        std::int32_t harvest = 0;
        for (const std::int32_t uid : task.agent_uids) {
            Field* field = world.fragment<Field>(sim::Uid{uid});
            if (field == nullptr || world.has_tag<Fallow>(sim::Uid{uid})) continue;
            harvest += ++field->harvest;
        }
        world.edit_variables<Season>("farm.season").harvests.push_back(harvest);
        task.state = sim::TaskState::kDone;
    }
    sim::set_task_variables(task, reaping);
}

// 5. Register, in one order on every peer, and seal.

std::shared_ptr<const sim::GameDefinition> make_farm(const core::LogSink& log) {
    auto game = std::make_shared<sim::GameDefinition>("farm");
    game->add_fragment<Field>("Field", check_field);
    game->add_shared_fragment<Soil>("Soil");
    game->add_tag<Fallow>("Fallow");
    Field field;
    field.owner = *game->names().intern("commons");
    sim::TemplateBuilder(*game, "farm.field")
        .with(field)
        .with(Soil{})
        .place([](sim::World& world, sim::Uid uid, const sim::SpawnRequest&, const Vec3d& at) {
            world.fragment<Field>(uid)->at = {at.x, at.y};
            if (uid.value % 2 == 1) world.set_shared(uid, Soil{0.5F});
        })
        .add();
    game->add_variables<Season>("farm.season");
    game->add_command({kPlough, "plough", plough});
    game->add_command({kSetWeather, "set_weather", set_weather});
    game->add_command({kReap, "reap", reap});
    game->add_system({"grow", grow});
    game->add_task_type(
        {"farm.reap", sim::TaskKind::kOther, tick_reap, {}, {}, sim::variables_layout<Reaping>()});
    game->seal(log);
    return game;
}

sim::Command make_command(std::uint32_t type, sim::Tick tick, std::int64_t sequence,
                          const char* name, sim::Value value) {
    sim::Command command;
    command.type = type;
    command.tick = tick;
    command.server_exec_sequence = sequence;
    command.set(name, std::move(value));
    return command;
}

int fail(const std::string& why) {
    std::fprintf(stderr, "%s\n", why.c_str());
    return 1;
}

}  // namespace

// 6. Play, save in the middle of a batched spawn, load, and see both worlds agree tick by tick.
int main() {
    int warnings = 0;
    const auto log = [&](const core::LogEntry& entry) {
        warnings += entry.code == sim::kLogNotSynced ? 1 : 0;
        std::printf("log %d: %s\n", entry.code, entry.message.c_str());
    };
    const auto game = make_farm(log);
    if (warnings != 1) return fail("the one variable that cannot be synced is not named once");

    const auto executor = core::make_executor(2);
    sim::World world(game, sim::MatchConfig{7, 20}, *executor, log);
    const std::vector<sim::Command> commands{
        make_command(kPlough, 1, 1, "count", std::int64_t{10}),
        make_command(kSetWeather, 3, 2, "rain", 0.75),
        make_command(kReap, 5, 3, "fields", sim::Int32List{0, 1, 2})};
    for (const sim::Command& command : commands) {
        if (!world.queue(command)) return fail("a command was refused");
    }
    for (int i = 0; i < 2; ++i) {
        if (!world.step()) return fail("a step was refused");
    }

    snapshot::Snapshot saved;
    snapshot::capture(world, saved);
    const core::Bytes frame = snapshot::encode_snapshot(*game, saved);
    const auto loaded = snapshot::decode_snapshot(*game, frame, snapshot::Policy::kJoin);
    if (!loaded) return fail(describe(loaded.error(), "snapshot"));
    const auto copy = snapshot::restore(game, *loaded, *executor, log);
    if (!copy) return fail(describe(copy.error(), "restore"));

    for (int i = 0; i < 10; ++i) {
        const auto here = world.step();
        const auto there = (*copy)->step();
        if (!here || !there || *here != *there) return fail("the worlds parted");
        std::printf("tick %d: %s\n", world.tick(), core::hex16(*here).c_str());
    }
    const auto& season = world.variables<Season>("farm.season");
    if (season.weather != "wet" || season.harvests != std::vector<std::int32_t>{3}) {
        return fail("the season went otherwise");
    }

    // A snapshot that is sound but for a value is refused, by name.
    {
        sim::World forger(game, sim::MatchConfig{7, 20}, *executor);
        forger.adopt_state(saved.state);
        forger.column<Field>(*game->find_template("farm.field"))[1].crop = Crop{7};
        snapshot::Snapshot forged;
        snapshot::capture_at_rest(forger, forged);
        const auto refused = snapshot::restore(game, std::move(forged), *executor);
        if (refused) return fail("a field of no crop was taken in");
        std::printf("%s\n", refused.error().message.c_str());
        if (refused.error().message != "Field.crop of entity 1 is 7") return fail("misnamed");
    }

    // A changed value is found and named.
    (*copy)->column<Field>(*game->find_template("farm.field"))[4].moisture[2] = 0;
    snapshot::Snapshot here;
    snapshot::Snapshot there;
    snapshot::capture_at_rest(world, here);
    snapshot::capture_at_rest(**copy, there);
    const snapshot::SnapshotDifference difference = snapshot::diff(*game, here, there, *executor);
    if (difference.fragments.size() != 1) return fail("the change was not found");
    const sim::FieldDifference& first = difference.fragments[0].first;
    std::printf("entity %d differs in %s.%s\n", first.uid.value, first.fragment.c_str(),
                first.field.c_str());
    return first.field == "moisture[2]" ? 0 : fail("the change was misnamed");
}
