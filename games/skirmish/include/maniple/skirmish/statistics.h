#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "maniple/sim/world.h"
#include "maniple/skirmish/fragments.h"
#include "maniple/skirmish/skirmish.h"

namespace maniple::skirmish {

/// Figures of a battle. `stuck`: stayed within 100 cm of one point for 200 ticks with an unfinished
/// task and no enemy within 30 m. `judged`: MoveTo units that met no enemy within 30 m;
/// `half_way_in_time`: those that covered half their way within twice the ideal time.
struct BattleFigures {
    std::array<std::int32_t, kTeamCount> spawned{};
    std::array<std::int32_t, kTeamCount> alive{};
    std::int32_t units_stuck = 0;
    std::int32_t moves_judged = 0;
    std::int32_t half_way_in_time = 0;
};

/// Measures the ways that units have left, on whatever ground.
class WayMeter {
  public:
    virtual ~WayMeter() = default;
    /// Looks at a world; what left() tells is of it.
    virtual void view(const sim::World& world) = 0;
    /// The way from where a unit stands to the goal of its order, in units of unit_cm(); nothing
    /// where no way leads there.
    [[nodiscard]] virtual std::optional<std::uint32_t> left(const Order& order, std::size_t group,
                                                            std::size_t row) const = 0;
    [[nodiscard]] virtual double unit_cm() const = 0;
};

/// Watches a world after each tick; reads only, so that it can run or not without a trace. Moves
/// and stands are sampled every kSampleTicks; what falls between two samples counts as too late.
class BattleStatistics {
  public:
    static constexpr sim::Tick kSampleTicks = 4;

    explicit BattleStatistics(std::unique_ptr<WayMeter> meter);
    ~BattleStatistics();
    BattleStatistics(BattleStatistics&&) noexcept;
    BattleStatistics& operator=(BattleStatistics&&) noexcept;

    /// Called after every step, in tick order.
    void observe(const sim::World& world);
    [[nodiscard]] const BattleFigures& figures() const { return figures_; }

  private:
    struct Sample;
    BattleFigures figures_;
    std::unique_ptr<Sample> sample_;
};

}  // namespace maniple::skirmish
