#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <utility>

#include "maniple/replay/command.h"
#include "maniple/replay/replay_system.h"

namespace maniple::replay {

// implements: REPS-029
/// Codes that the library gives a meaning; published in docs/formats/replay.md §6, only ever added
/// to. Games take theirs from kFirstUserCode on.
enum BuiltinCode : std::uint32_t {
    kMoveUp = 0,
    kMoveRight = 1,
    kMoveDown = 2,
    kMoveLeft = 3,
    kMoveUpRight = 4,
    kMoveDownRight = 5,
    kMoveDownLeft = 6,
    kMoveUpLeft = 7,
    kTeleport = 8,  ///< x, y: numbers.
    kUseItem = 9,   ///< id: number.
};
inline constexpr std::uint32_t kFirstUserCode = 64;

enum class Direction : std::uint8_t {
    kUp,
    kRight,
    kDown,
    kLeft,
    kUpRight,
    kDownRight,
    kDownLeft,
    kUpLeft,
};
inline constexpr std::uint8_t kDirectionCount = 8;
[[nodiscard]] constexpr BuiltinCode move_code(Direction direction) {
    return static_cast<BuiltinCode>(kMoveUp + static_cast<std::uint32_t>(direction));
}

/// The player's token on the host's map: moves it step by step and records what it attempts. Used
/// by the player's input while recording and by the built-in commands while replaying.
class Mover {
  public:
    /// `try_step` judges and makes one step; `place` puts the token somewhere else.
    using TryStep = std::function<bool(Direction)>;
    using Place = std::function<void(double x, double y)>;
    Mover(ReplaySystem& system, TryStep try_step, Place place)
        : system_(system), try_step_(std::move(try_step)), place_(std::move(place)) {}

    /// Queues one step of the next movement.
    void step(Direction direction) { queue_.push_back(direction); }
    /// Begins to move along the queue. @return false when moving or nothing is queued.
    bool start();
    [[nodiscard]] bool moving() const { return moving_; }
    /// Makes one queued step: records its direction, and only then asks whether the way is free. A
    /// blocked step is passed over. Hold a RecordPause over a scripted movement: it follows from an
    /// event that will run again (REPS-005).
    void update();
    /// Gives up the movement and what is queued; for a game that is reset.
    void halt();
    /// Records the teleport with its target, then places the token.
    void teleport(double x, double y);

  private:
    ReplaySystem& system_;
    TryStep try_step_;
    Place place_;
    std::deque<Direction> queue_;
    bool moving_ = false;
};

/// Registers a move command for each direction and teleport. A run of moves in one direction is one
/// movement, which finalize starts; the host goes on calling mover.update(). `mover` outlives the
/// system. @return what register_command refuses.
Result<void> register_movement(ReplaySystem& system, Mover& mover);
/// Registers useItem(id); an id that is no whole number fails.
Result<void> register_use_item(ReplaySystem& system,
                               std::function<CommandResult(std::int64_t id)> use_item);

}  // namespace maniple::replay
