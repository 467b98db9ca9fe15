#include "replay.h"

#include "replay_codec.h"
#include "replay_compare.h"
#include "replay_edit.h"
#include "replay_inspect.h"
#include "replay_play.h"
#include "replay_verify.h"

namespace maniple::cli {

void add_replay(CLI::App& app, int& status) {
    CLI::App* replay = app.add_subcommand("replay", "Read, verify and edit recorded battles");
    replay->require_subcommand(1);
    add_replay_codec(*replay, status);
    add_replay_inspect(*replay, status);
    add_replay_verify(*replay, status);
    add_replay_compare(*replay, status);
    add_replay_edit(*replay, status);
    add_replay_play(*replay, status);
}

}  // namespace maniple::cli
