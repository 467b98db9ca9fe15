#include "games.h"

#include "maniple/skirmish/mesh_skirmish.h"
#include "maniple/skirmish/skirmish.h"

namespace maniple::cli {

std::array<Game, 2> all_games() {
    return {skirmish::make_skirmish(), skirmish::make_mesh_skirmish()};
}

Game find_game(std::string_view game_id) {
    for (const Game& game : all_games()) {
        if (game->game_id() == game_id) return game;
    }
    return nullptr;
}

}  // namespace maniple::cli
