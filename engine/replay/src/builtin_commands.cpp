#include "maniple/replay/builtin_commands.h"

#include <array>
#include <utility>

namespace maniple::replay {
namespace {

constexpr std::array<const char*, kDirectionCount> kMoveNames = {
    "moveUp",      "moveRight",     "moveDown",     "moveLeft",
    "moveUpRight", "moveDownRight", "moveDownLeft", "moveUpLeft"};

// implements: REPS-013
/// One step of a movement in a fixed direction.
class MoveCommand final : public BaseReplayCommand {
  public:
    MoveCommand(Mover& mover, Direction direction)
        : BaseReplayCommand(kMoveNames[static_cast<std::size_t>(direction)], {}),
          mover_(mover),
          direction_(direction) {}

    [[nodiscard]] Task finalize() override {
        if (!mover_.start()) return Outcome{CommandResult::kFailed, "no movement could start"};
        // A movement that nobody waits for any more must not walk into the next playback.
        const std::shared_ptr<Mover> moved(&mover_, [](Mover* mover) {
            if (mover->moving()) mover->halt();
        });
        return Task([moved]() -> std::optional<Outcome> {
            if (moved->moving()) return std::nullopt;
            return Outcome{};
        });
    }
    [[nodiscard]] bool deferred() const override { return true; }

  protected:
    [[nodiscard]] Task wrapped_execute(std::span<const Param>) override {
        if (mover_.moving()) return Outcome{CommandResult::kFailed, "the mover is still moving"};
        mover_.step(direction_);
        return CommandResult::kSuccess;
    }

  private:
    Mover& mover_;
    Direction direction_;
};

constexpr double kIdMax = 9007199254740992.0;  // 2^53

double number_of(const Param& param) { return std::get<double>(param); }

}  // namespace

bool Mover::start() {
    if (moving_ || queue_.empty()) return false;
    moving_ = true;
    return true;
}

// implements: REPS-004, REPS-005
void Mover::update() {
    if (!moving_) return;
    const Direction direction = queue_.front();
    queue_.pop_front();
    const bool recorded = system_.record(move_code(direction));
    static_cast<void>(try_step_(direction));
    if (recorded) system_.end_step();
    if (queue_.empty()) moving_ = false;
}

void Mover::halt() {
    queue_.clear();
    moving_ = false;
}

void Mover::teleport(double x, double y) {
    const bool recorded = system_.record(kTeleport, x, y);
    place_(x, y);
    if (recorded) system_.end_step();
}

Result<void> register_movement(ReplaySystem& system, Mover& mover) {
    for (std::uint8_t i = 0; i < kDirectionCount; ++i) {
        const auto direction = static_cast<Direction>(i);
        Result<void> added = system.register_command(
            move_code(direction), std::make_unique<MoveCommand>(mover, direction));
        if (!added) return added;
    }
    return system.register_command(
        kTeleport, std::make_unique<FunctionCommand>(
                       "teleport", std::vector{ParamKind::kNumber, ParamKind::kNumber},
                       [&mover](std::span<const Param> params) -> Task {
                           mover.teleport(number_of(params[0]), number_of(params[1]));
                           return CommandResult::kSuccess;
                       }));
}

Result<void> register_use_item(ReplaySystem& system,
                               std::function<CommandResult(std::int64_t id)> use_item) {
    return system.register_command(
        kUseItem, std::make_unique<FunctionCommand>(
                      "useItem", std::vector{ParamKind::kNumber},
                      [use = std::move(use_item)](std::span<const Param> params) -> Task {
                          const double id = number_of(params[0]);
                          // A comparison that NaN fails.
                          if (!(id >= -kIdMax && id <= kIdMax) ||
                              id != static_cast<double>(static_cast<std::int64_t>(id))) {
                              return Outcome{CommandResult::kFailed, "no item has this id"};
                          }
                          return use(static_cast<std::int64_t>(id));
                      }));
}

}  // namespace maniple::replay
