#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <string>
#include <system_error>

#include "maniple/core/hash.h"
#include "maniple/skirmish/skirmish.h"

#include "battle/battle.h"
#include "exit_status.h"
#include "field.h"
#include "replay.h"
#include "simulate.h"
#include "snapshot_tools.h"

namespace {

/// Two commands of one build id play together: it covers everything the game registers.
std::string version_text() {
    return std::string("maniple ") + MANIPLE_VERSION + " " +
           maniple::core::hex16(maniple::skirmish::make_skirmish()->registry_digest());
}

int unprinted() {
    std::fputs("maniple: standard output cannot be written\n", stderr);
    return maniple::cli::kCheckFailed;
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Deterministic lockstep battles", "maniple");
    app.set_version_flag("--version", version_text, "Print the version and the build id");
    app.require_subcommand(1);
    int status = maniple::cli::kDone;
    maniple::cli::add_battle(app, status);
    maniple::cli::add_simulate(app, status);
    maniple::cli::add_field(app, status);
    maniple::cli::add_replay(app, status);
    maniple::cli::add_snapshot(app, status);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const int code = app.exit(error);
        std::cout.flush();
        status = code == 0 ? maniple::cli::kDone : maniple::cli::kUsage;
    } catch (const std::system_error&) {  // fmt could not print
        std::clearerr(stdout);
        return unprinted();
    }
    // What was printed counts only when it arrived.
    const bool printed = std::fflush(stdout) == 0 && std::cout.good();
    return printed || status != maniple::cli::kDone ? status : unprinted();
}
