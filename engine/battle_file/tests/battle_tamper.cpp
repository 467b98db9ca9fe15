// battle_tamper IN OUT hash|command|keyframe|registry|game TICK
//
// Copies a battle file with one lie in it and every checksum mended, for tests that expect
// `maniple replay verify` to name the tick:
//   hash TICK      flips a bit of the recorded hash of TICK
//   command TICK   adds 1 to the first numeric parameter of the first command from TICK on
//   keyframe TICK  flips a bit in the middle of the first keyframe from TICK on
//   registry TICK  changes the header's registry digest
//   game TICK      changes the first letter of the header's game id
// Prints the tick of the lie. Exit 1 when the file has nothing of the kind there.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>

#include "maniple/replay/container.h"

#include "command_steps.h"
#include "content.h"
#include "tamper.h"

namespace {

using namespace maniple;
using namespace maniple::battle_file;

std::optional<sim::Tick> change_hash(std::vector<tamper::Chunk>& chunks, sim::Tick tick) {
    tamper::Chunk* chunk = tamper::find(chunks, ChunkType::kHashes, tick);
    if (chunk == nullptr) return std::nullopt;
    chunk->raw[8 * static_cast<std::size_t>(tick - chunk->header.first_tick)] ^= 1;
    return tick;
}

/// Position of the first int64 or double value of a command's step.
std::optional<std::size_t> numeric_value(const replay::Step& step) {
    constexpr std::size_t kFixedParams = 5;
    for (std::size_t i = kFixedParams; i + 2 < step.params.size(); i += 3) {
        const auto* kind = std::get_if<double>(&step.params[i + 1]);
        const bool list = kind != nullptr && *kind == 4;
        if (kind == nullptr || list) return std::nullopt;  // A short list moves what follows.
        if ((*kind == 1 || *kind == 2) && std::holds_alternative<double>(step.params[i + 2])) {
            return i + 2;
        }
    }
    return std::nullopt;
}

std::optional<sim::Tick> change_command(std::vector<tamper::Chunk>& chunks, sim::Tick tick) {
    for (tamper::Chunk& chunk : chunks) {
        if (chunk.header.type != ChunkType::kSteps || chunk.header.last_tick < tick) continue;
        Result<replay::ReplayArray> steps = replay::decode_container(chunk.raw);
        if (!steps) return std::nullopt;
        sim::Tick clock = chunk.header.first_tick - 1;
        for (std::int64_t i = 0; i < static_cast<std::int64_t>(steps->size()); ++i) {
            replay::Step step = *steps->get(i);
            if (step.command == kStepTickAdvance) {
                clock += static_cast<sim::Tick>(std::get<double>(step.params[0]));
                continue;
            }
            const std::optional<std::size_t> at = numeric_value(step);
            if (clock < tick || !at) continue;
            step.params[*at] = std::get<double>(step.params[*at]) + 1;
            steps->set(i, step.command, step.params);
            chunk.raw = replay::encode_container(*steps);
            return clock;
        }
    }
    return std::nullopt;
}

std::optional<sim::Tick> change_keyframe(std::vector<tamper::Chunk>& chunks, sim::Tick tick) {
    for (tamper::Chunk& chunk : chunks) {
        if (chunk.header.type != ChunkType::kKeyframe || chunk.header.first_tick < tick) continue;
        chunk.raw[chunk.raw.size() / 2] ^= 1;
        return chunk.header.first_tick;
    }
    return std::nullopt;
}

using Change = std::optional<sim::Tick> (*)(std::vector<tamper::Chunk>&, sim::Tick);

/// Of another build: its header, which stands first, says so.
template <typename Edit>
std::optional<sim::Tick> change_header(std::vector<tamper::Chunk>& chunks, Edit edit) {
    if (chunks.empty()) return std::nullopt;
    Result<BattleHeader> header = decode_header(chunks.front().raw);
    if (!header) return std::nullopt;
    edit(*header);
    chunks.front().raw = encode_header(*header);
    return 0;
}

std::optional<sim::Tick> change_registry(std::vector<tamper::Chunk>& chunks, sim::Tick) {
    return change_header(chunks, [](BattleHeader& header) { header.registry_digest ^= 1; });
}

std::optional<sim::Tick> change_game(std::vector<tamper::Chunk>& chunks, sim::Tick) {
    return change_header(chunks, [](BattleHeader& header) { header.game_id.front() = 'X'; });
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5) {
        std::fputs("usage: battle_tamper IN OUT hash|command|keyframe|registry|game TICK\n",
                   stderr);
        return 2;
    }
    std::ifstream in(argv[1], std::ios::binary);
    const core::Bytes file{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    std::vector<tamper::Chunk> chunks = tamper::take_apart(file);
    const std::string what = argv[3];
    const auto tick = static_cast<sim::Tick>(std::atoi(argv[4]));
    const std::map<std::string, Change> changes = {{"hash", change_hash},
                                                   {"command", change_command},
                                                   {"keyframe", change_keyframe},
                                                   {"registry", change_registry},
                                                   {"game", change_game}};
    const auto change = changes.find(what);
    const std::optional<sim::Tick> changed =
        change == changes.end() ? std::nullopt : change->second(chunks, tick);
    if (!changed) {
        std::fprintf(stderr, "battle_tamper: no %s from tick %d on\n", what.c_str(), tick);
        return 1;
    }
    const core::Bytes lie = tamper::put_together(chunks);
    std::ofstream out(argv[2], std::ios::binary);
    out.write(reinterpret_cast<const char*>(lie.data()), static_cast<std::streamsize>(lie.size()));
    std::printf("%d\n", *changed);
    return out.good() ? 0 : 1;
}
