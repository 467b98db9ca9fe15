#include "recorder.h"

#include <utility>
#include <vector>

#include "maniple/battle_file/world_simulator.h"
#include "maniple/core/hash.h"

namespace maniple::cli {

std::string build_name(const sim::GameDefinition& definition) {
    return std::string(MANIPLE_VERSION) + " " + core::hex16(definition.registry_digest());
}

battle_file::BattleHeader battle_header(const BattleGround& ground, const sim::World& world,
                                        std::int32_t units) {
    const sim::GameDefinition& definition = world.definition();
    battle_file::BattleHeader header;
    header.build_id = build_name(definition);
    header.game_id = definition.game_id();
    header.map_name = ground.name.substr(0, battle_file::kMapNameBytesMax);
    header.map_digest = ground.digest;
    header.mode = ground.mode;
    header.registry_digest = definition.registry_digest();
    header.tick_rate_hz = world.config().tick_rate_hz;
    header.seed = world.config().seed;
    header.units = static_cast<std::uint32_t>(units);
    for (const std::string& name : definition.field_names()) {
        header.fields.push_back({name, world.find_field(name)->config().digest()});
    }
    return header;
}

Result<std::unique_ptr<Recorder>> Recorder::create(const std::string& path,
                                                   const battle_file::BattleHeader& header,
                                                   const sim::World& world) {
    Result<OutputFile> file = OutputFile::create(path);
    if (!file) return refuse(std::move(file.error()));
    std::unique_ptr<Recorder> recorder(new Recorder(*std::move(file)));
    std::vector<battle_file::FieldSubstrate> substrates;
    for (const std::string& name : world.definition().field_names()) {
        const core::ByteSpan stream = world.substrate_stream(name);
        if (!stream.empty()) substrates.push_back({name, {stream.begin(), stream.end()}});
    }
    Result<void> begun = recorder->writer_.begin(header, substrates);
    if (!begun) return refuse(std::move(begun.error()));
    return recorder;
}

// implements: O-SNAP-23
Result<void> Recorder::record(const sim::World& world, std::span<const sim::Command> executed,
                              std::uint64_t hash) {
    Result<void> recorded = writer_.record_tick(world.tick(), executed, hash);
    if (!recorded || world.field_update_in_flight() || !writer_.take_keyframe_request())
        return recorded;
    snapshot::capture(world, snapshot_);
    return writer_.add_keyframe(battle_file::make_keyframe(world, snapshot_));
}

Result<void> Recorder::end(battle_file::EndReason reason) { return writer_.end(reason); }

}  // namespace maniple::cli
