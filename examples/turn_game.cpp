// A turn-based game in one process that is recorded while it is played and replayed afterwards.
//
// The player walks a hero over a small map. Stepping on the merchant opens a menu; the choice is a
// passive step: it does nothing by itself, the menu asks for it. Run it: it plays a short game,
// saves the replay, starts again from the saved bytes and ends in the same place.
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "maniple/replay/builtin_commands.h"
#include "maniple/replay/replay_sandbox.h"
#include "maniple/replay/replay_system.h"

namespace {

using namespace maniple;
using replay::CommandResult;
using replay::Direction;

constexpr std::uint32_t kChooseInMenu = replay::kFirstUserCode;
constexpr const char* kMap[] = {"..#..",  //
                                "..M..",  // M: the merchant
                                "....."};
constexpr int kSwordPrice = 30;

struct State {
    int x = 0, y = 1, gold = 50;
    bool sword = false;
    friend bool operator==(const State&, const State&) = default;
};

/// The rules. They never know whether a player or a replay drives them, except where a choice is
/// needed: `ask` answers the menu.
class Game {
  public:
    using Ask = std::function<std::optional<double>()>;

    Game() {
        const auto registered = [](const Result<void>& result) {
            if (!result) std::fprintf(stderr, "%s\n", result.error().message.c_str());
        };
        registered(replay::register_movement(system_, mover_));
        registered(system_.register_command(
            kChooseInMenu, std::make_unique<replay::PassiveCommand>(
                               "chooseInMenu", std::vector{replay::ParamKind::kNumber})));
    }

    replay::ReplaySystem& system() { return system_; }
    replay::Mover& mover() { return mover_; }
    [[nodiscard]] const State& state() const { return state_; }
    void reset() { state_ = {}; }
    void set_menu(Ask ask) { ask_ = std::move(ask); }

  private:
    static bool on_map(double x, double y) { return x >= 0 && x <= 4 && y >= 0 && y <= 2; }
    bool step(Direction direction) {
        constexpr int kX[] = {0, 1, 0, -1};
        constexpr int kY[] = {-1, 0, 1, 0};
        const int x = state_.x + kX[static_cast<int>(direction)];
        const int y = state_.y + kY[static_cast<int>(direction)];
        if (!on_map(x, y) || kMap[y][x] == '#') return false;
        state_.x = x;
        state_.y = y;
        if (kMap[y][x] == 'M') meet_merchant();
        return true;
    }
    void meet_merchant() {
        const std::optional<double> choice = ask_();
        if (choice != 1 || state_.gold < kSwordPrice) return;
        state_.gold -= kSwordPrice;
        state_.sword = true;
    }

    State state_;
    Ask ask_;
    replay::ReplaySystem system_{replay::CommandWidth::k8, [](const core::LogEntry& entry) {
                                     std::fprintf(stderr, "%d: %s\n", entry.code,
                                                  entry.message.c_str());
                                 }};
    replay::Mover mover_{system_, [this](Direction direction) { return step(direction); },
                         [this](double x, double y) {
                             if (!on_map(x, y)) return;  // A replay may say anything.
                             state_.x = static_cast<int>(x);
                             state_.y = static_cast<int>(y);
                         }};
};

/// A player at the keyboard: walks, and records each choice before the game acts on it.
void play(Game& game) {
    game.set_menu([&game]() -> std::optional<double> {
        const int choice = 1;  // "Buy the sword".
        game.system().record(kChooseInMenu, choice);
        return choice;
    });
    constexpr Direction kWay[] = {Direction::kRight, Direction::kRight, Direction::kUp,
                                  Direction::kRight, Direction::kDown};  // Up is a wall.
    for (const Direction direction : kWay) {
        game.mover().step(direction);
        if (!game.mover().start()) return;
        while (game.mover().moving()) game.mover().update();
    }
}

/// The same rules, driven by a replay: the menu takes its choice from the passive step.
bool replay_game(Game& game) {
    const replay::RecordPause pause = game.system().pause_recording();
    const auto sandbox = game.system().create_sandbox([&game](const std::any*) -> Result<void> {
        game.reset();
        return {};
    });
    if (!sandbox) return false;
    game.set_menu([&]() -> std::optional<double> {
        const auto passive = (*sandbox)->get_passive();
        if (!passive || passive->step->command != kChooseInMenu) return std::nullopt;
        const double choice = std::get<double>(passive->step->params[0]);  // As registered.
        (*sandbox)->next(CommandResult::kSuccess);
        return choice;
    });
    (*sandbox)->play();
    while (!(*sandbox)->settled()) {  // One round is one frame of a real game.
        (*sandbox)->update();
        game.mover().update();
    }
    if (!(*sandbox)->ended()) std::fprintf(stderr, "%s\n", (*sandbox)->report()->reason.c_str());
    return (*sandbox)->ended();
}

}  // namespace

int main() {
    Game recorded;
    play(recorded);
    const core::Bytes saved = recorded.system().save();

    Game again;  // Another session: it knows the saved bytes and nothing else.
    if (!again.system().load(saved) || !replay_game(again)) return 1;
    const State& end = again.state();
    std::printf("%zu steps, %zu bytes: hero at %d,%d with %d gold and %s sword\n",
                again.system().array().size(), saved.size(), end.x, end.y, end.gold,
                end.sword ? "a" : "no");
    return end == recorded.state() && again.system().save() == saved ? 0 : 1;
}
