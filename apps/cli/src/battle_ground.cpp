#include "battle_ground.h"

#include <utility>

#include "maniple/core/hash.h"
#include "maniple/skirmish/battle.h"
#include "maniple/skirmish/mesh_battle.h"

#include "map_input.h"
#include "navmesh_input.h"
#include "number_list.h"

namespace maniple::cli {
namespace {

Result<BattleGround> grid_ground(const GroundOptions& options,
                                 const skirmish::BattleOptions& battle) {
    Result<terrain::GridMap> map = load_map(options.map, options.unit_cm);
    if (!map) return refuse(std::move(map.error()));
    if (map->stream.grid().cell_count() == 1) {
        return refuse(ErrorCode::kTooManyUnits, "a 1×1 map has no room for two armies");
    }
    auto script = skirmish::BattleScript::make(*map, battle);
    if (!script) return refuse(std::move(script.error()));
    BattleGround ground;
    ground.name = map->name;
    ground.digest = map->digest();
    ground.start.assign(map->stream.bytes().begin(), map->stream.bytes().end());
    ground.script = std::make_unique<skirmish::BattleScript>(std::move(*script));
    ground.grid = std::move(*map);
    return ground;
}

FileResult<BattleGround> navmesh_ground(const GroundOptions& options,
                                        const skirmish::BattleOptions& battle,
                                        core::Executor& executor) {
    auto baked = bake_ground({options.map, options.unit_cm, options.nav_config}, executor);
    if (!baked) return tl::unexpected(std::move(baked.error()));
    auto script = skirmish::MeshBattleScript::make(std::move(*baked), battle);
    if (!script) return tl::unexpected(FileError{std::move(script.error()), options.map});
    BattleGround ground;
    ground.mode = battle_file::Mode::kNavmesh;
    ground.name = options.map;
    ground.start.assign(script->start_stream().begin(), script->start_stream().end());
    ground.digest = core::xxh3_64(ground.start);
    ground.script = std::make_unique<skirmish::MeshBattleScript>(std::move(*script));
    return ground;
}

}  // namespace

void add_ground_options(CLI::App& sub, GroundOptions& options) {
    sub.add_option("MAP", options.map,
                   "builtin:NAME[:SIZE], or a .map, .png, .obj or .ffs file; with --mode navmesh "
                   "an .obj")
        ->required();
    sub.add_option("--mode", options.mode, "What units navigate on")
        ->check(CLI::IsMember({"grid", "navmesh"}))
        ->capture_default_str();
    sub.add_option("--unit-cm", options.unit_cm, "Length of an .obj's unit, cm")
        ->check(finite_range(1e-6, 1e6))
        ->capture_default_str();
    sub.add_option("--nav-config", options.nav_config,
                   "What a navmesh is baked for, JSON (docs/formats/maps.md)");
}

Result<void> check_mode(const GroundOptions& options, std::int32_t modify_every) {
    const bool navmesh = options.mode == "navmesh";
    if (navmesh && modify_every != 0) {
        return refuse(ErrorCode::kBadValue, "--modify-every: a grid's modifiers, not a navmesh's");
    }
    if (!navmesh && !options.nav_config.empty()) {
        return refuse(ErrorCode::kBadValue, "--nav-config: of a navmesh, with --mode navmesh");
    }
    return {};
}

FileResult<BattleGround> prepare_ground(const GroundOptions& options,
                                        const skirmish::BattleOptions& battle,
                                        core::Executor& executor) {
    if (options.mode == "navmesh") return navmesh_ground(options, battle, executor);
    return grid_ground(options, battle).map_error([&](Error error) {
        return FileError{std::move(error), options.map};
    });
}

}  // namespace maniple::cli
