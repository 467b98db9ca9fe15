#include "maniple/snapshot/snapshot.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "frame.h"
#include "ground_game.h"
#include "odd_game.h"

namespace {

using namespace maniple;

/// The frame is refused, or it restores (or is refused there) and the world steps, and what was
/// decoded is decoded again from its own encoding.
void check(const std::shared_ptr<const sim::GameDefinition>& game, core::ByteSpan frame) {
    core::SerialExecutor executor;
    for (const snapshot::Policy policy : {snapshot::Policy::kJoin, snapshot::Policy::kLoad}) {
        const Result<snapshot::Snapshot> decoded = snapshot::decode_snapshot(*game, frame, policy);
        if (!decoded) continue;
        const core::Bytes again = snapshot::encode_snapshot(*game, *decoded);
        const Result<snapshot::Snapshot> second = snapshot::decode_snapshot(*game, again, policy);
        if (!second) {
            std::fprintf(stderr, "%s\n", describe(second.error(), "second decode").c_str());
            std::abort();
        }
        const Result<std::unique_ptr<sim::World>> world =
            snapshot::restore(game, *decoded, executor);
        if (!world) continue;
        for (int i = 0; i < 3; ++i) static_cast<void>((*world)->step());
    }
}

/// On a game with every kind of component and variable, and on one that plays on a field.
void check(core::ByteSpan frame) {
    static const std::shared_ptr<const sim::GameDefinition> odd = odd::make_game();
    static const std::shared_ptr<const sim::GameDefinition> ground = ground::make_game();
    check(odd, frame);
    check(ground, frame);
}

}  // namespace

/// Any bytes as a frame, and as the content of a frame whose sizes and checksum are right.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    check({data, size});
    check(snapshot::pack_frame({data, size}));
    return 0;
}
