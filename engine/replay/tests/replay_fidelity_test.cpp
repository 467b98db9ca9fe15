#include <gtest/gtest.h>
#include <set>

#include "maniple/replay/builtin_commands.h"
#include "maniple/replay/replay_sandbox.h"

#include "replay_test_support.h"

namespace maniple::replay {
namespace {

/// A session of a game that is data only: a token on a grid with a wall and a trap, and an item. It
/// tells its states, warnings and events in order.
class Session {
  public:
    Session() {
        EXPECT_TRUE(register_movement(system_, mover_));
        EXPECT_TRUE(register_use_item(system_, [this](std::int64_t id) { return use_item(id); }));
    }
    [[nodiscard]] ReplaySystem& system() { return system_; }
    [[nodiscard]] const std::vector<std::string>& story() const { return story_; }

    // --- entry points ---

    void walk(std::initializer_list<Direction> directions) {
        for (const Direction direction : directions) mover_.step(direction);
        ASSERT_TRUE(mover_.start());
        while (mover_.moving()) mover_.update();
    }
    void teleport(double x, double y) { mover_.teleport(x, y); }
    CommandResult use_item(std::int64_t id) {
        system_.record(kUseItem, static_cast<std::int32_t>(id));
        if (items_.erase(id) == 0) {
            tell("warning: no item " + std::to_string(id));
        } else {
            health_ += 5;
            tell("event: item used");
        }
        return CommandResult::kSuccess;
    }

    /// Plays the session's replay from the initial state.
    void replay() {
        const RecordPause pause = system_.pause_recording();
        const auto sandbox = *system_.create_sandbox([this](const std::any*) -> Result<void> {
            x_ = y_ = 0;
            health_ = 10;
            items_ = {12};
            story_.clear();
            return {};
        });
        sandbox->play();
        for (int i = 0; i < 1000 && !sandbox->settled(); ++i) {
            sandbox->update();
            mover_.update();
        }
        EXPECT_TRUE(sandbox->ended());
    }

  private:
    bool try_step(Direction direction) {
        static constexpr int kX[] = {0, 1, 0, -1, 1, 1, -1, -1};
        static constexpr int kY[] = {-1, 0, 1, 0, -1, 1, 1, -1};
        const int x = x_ + kX[static_cast<std::size_t>(direction)];
        const int y = y_ + kY[static_cast<std::size_t>(direction)];
        if (std::pair(x, y) == std::pair(3, 0)) {
            tell("warning: blocked");
            return false;
        }
        std::tie(x_, y_) = std::pair(x, y);
        tell("step");
        if (std::pair(x, y) == std::pair(2, 1)) spring_trap();
        return true;
    }
    void spring_trap() {
        const RecordPause pause = system_.pause_recording();
        health_ -= 3;
        tell("event: trap");
        mover_.teleport(0, 2);
    }
    void place(double x, double y) {
        x_ = static_cast<int>(x);
        y_ = static_cast<int>(y);
        tell("placed");
    }
    void tell(const std::string& what) {
        story_.push_back(what + " at " + std::to_string(x_) + "," + std::to_string(y_) +
                         " health " + std::to_string(health_));
    }

    int x_ = 0, y_ = 0, health_ = 10;
    std::set<std::int64_t> items_ = {12};
    std::vector<std::string> story_;
    ReplaySystem system_{CommandWidth::k8, [this](const core::LogEntry& entry) {
                             tell("log " + std::to_string(entry.code));
                         }};
    Mover mover_{system_, [this](Direction direction) { return try_step(direction); },
                 [this](double x, double y) { place(x, y); }};
};

/// Three attempts in it fail or set off what is not recorded: the wall, the trap, the second item.
void play_match(Session& session) {
    session.walk({Direction::kRight, Direction::kRight, Direction::kRight, Direction::kDown});
    session.teleport(7, -3);
    session.use_item(12);
    session.use_item(5);
    session.walk({Direction::kUp});
}

const std::vector<std::string> kStory = {
    "step at 1,0 health 10",
    "step at 2,0 health 10",
    "warning: blocked at 2,0 health 10",
    "step at 2,1 health 10",
    "event: trap at 2,1 health 7",
    "placed at 0,2 health 7",
    "placed at 7,-3 health 7",
    "event: item used at 7,-3 health 12",
    "warning: no item 5 at 7,-3 health 12",
    "step at 7,-4 health 12",
};

// proves: REPS-003
TEST(ReplayFidelity, FailedAttemptsGiveTheSameStatesWarningsAndEvents) {
    Session session;
    play_match(session);
    EXPECT_EQ(session.story(), kStory);
    session.replay();
    EXPECT_EQ(session.story(), kStory);
    EXPECT_EQ(session.system().array().size(), 8U);
}

// proves: REPS-027
TEST(ReplayFidelity, AnotherSessionPlaysTheSameMatchFromTheBytesAlone) {
    // Written by hand after docs/formats/replay.md, as by another machine.
    const core::Bytes saved = from_hex(
        "52504c31080000000800000010000000080001000100010002020801090109"
        "0000010701fd010c0105a5fa4df0");
    Session elsewhere;
    ASSERT_TRUE(elsewhere.system().load(saved));
    elsewhere.replay();
    EXPECT_EQ(elsewhere.story(), kStory);
    EXPECT_EQ(elsewhere.system().save(), saved);
    Session recorded;
    play_match(recorded);
    EXPECT_EQ(to_hex(recorded.system().save()), to_hex(saved));
}

}  // namespace
}  // namespace maniple::replay
