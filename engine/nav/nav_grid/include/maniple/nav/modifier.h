#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/nav/environment_query.h"
#include "maniple/nav/grid_substrate.h"
#include "maniple/nav/layer.h"

namespace maniple::nav {

class FlowField;

/// A field that may be gone by the time it is asked for. Null when it is.
template <class Field>
class BasicFieldRef {
  public:
    BasicFieldRef() = default;
    explicit BasicFieldRef(const std::shared_ptr<Field*>& self) : self_(self) {}
    [[nodiscard]] Field* get() const {
        const auto self = self_.lock();
        return self ? *self : nullptr;
    }

  private:
    std::weak_ptr<Field*> self_;
};

/// What references to one field hang on: a field's own member. They end when it does or is moved.
template <class Field>
class BasicFieldRefOwner {
  public:
    BasicFieldRefOwner() = default;
    BasicFieldRefOwner(BasicFieldRefOwner&& other) noexcept { other.self_.reset(); }
    BasicFieldRefOwner& operator=(BasicFieldRefOwner&& other) noexcept {
        self_.reset();
        other.self_.reset();
        return *this;
    }
    [[nodiscard]] BasicFieldRef<Field> ref(Field* field) {
        if (!self_) self_ = std::make_shared<Field*>(field);
        return BasicFieldRef<Field>(self_);
    }

  private:
    std::shared_ptr<Field*> self_;
};

using FieldRef = BasicFieldRef<FlowField>;
using FieldRefOwner = BasicFieldRefOwner<FlowField>;

/// Where a modifier's registration comes from (O-MOD-10).
enum class ModifierOrigin : std::uint8_t { kHost, kCommand };

enum class ModifierFamily : std::uint8_t { kGrid, kCost, kDirection };

/// Something of the host that changes a field where it lies: a volume or a spline (MOD-001). Owned
/// by the host; a field keeps weak references, so one that is destroyed while registered is simply
/// no longer there. Changed by the host in the serial window only.
class Modifier {
  public:
    virtual ~Modifier() = default;
    [[nodiscard]] virtual ModifierFamily family() const = 0;

    bool enabled = true;
    std::int32_t priority = 0;  ///< Cost and direction modifiers run in ascending order.
    /// Stable among peers; orders modifiers that are attached to a field. 0: the host's order.
    std::uint64_t id = 0;
    FieldRef field;  ///< The field that registered or scanned it last (MOD-006).

  protected:
    Modifier() = default;
    Modifier(const Modifier&) = default;
    Modifier& operator=(const Modifier&) = default;
};

/// The initial cells of a field while grid modifiers run.
class GridEdit {
  public:
    GridEdit(GridSubstrate& ground, const EnvironmentQuery& environment, const WorldQuery& world,
             std::vector<CellIndex>& modified)
        : ground_(ground), environment_(environment), world_(world), modified_(modified) {}

    [[nodiscard]] const GridSubstrate& ground() const { return ground_; }
    [[nodiscard]] const GridGeometry& geometry() const { return ground_.geometry; }
    [[nodiscard]] CellGround cell(CellIndex cell) const;
    /// Writes a cell and marks it as modified.
    void set(CellIndex cell, const CellGround& value);
    /// What the world says of a cell now, unmodified: the way to take an older change back.
    [[nodiscard]] CellGround environment(CellIndex cell) const {
        return environment_.query(geometry().coord(cell), world_);
    }

  private:
    GridSubstrate& ground_;
    const EnvironmentQuery& environment_;
    const WorldQuery& world_;
    std::vector<CellIndex>& modified_;
};

/// The same in an asynchronous update, whose world may answer later (MOD-014).
class AsyncGridEdit : public GridEdit {
  public:
    using Request = std::function<void(CellIndex)>;
    AsyncGridEdit(const GridEdit& edit, Request request)
        : GridEdit(edit), request_(std::move(request)) {}
    /// Asks the world about a cell. Its answer is written when it comes, before the next modifier.
    void request_environment(CellIndex cell) { request_(cell); }

  private:
    Request request_;
};

/// The current costs of a field while cost modifiers run (MOD-015). Every cell may be read;
/// changes become visible to the next modifier.
struct CostEdit {
    const GridSubstrate& ground;
    std::span<std::uint8_t> cost;
};

/// The directions of one layer while direction modifiers run.
class DirectionEdit {
  public:
    DirectionEdit(const GridSubstrate& ground, const FieldSolution& solution,
                  std::vector<ModifiedDirection>& modified)
        : ground_(ground), solution_(solution), modified_(modified) {}
    [[nodiscard]] const GridSubstrate& ground() const { return ground_; }
    /// Distances, goals and base directions.
    [[nodiscard]] const FieldSolution& solution() const { return solution_; }
    /// Gives a cell a direction, normalised here; zero stops there. The last to set one wins.
    void set(CellIndex cell, Vec3f direction);

  private:
    const GridSubstrate& ground_;
    const FieldSolution& solution_;
    std::vector<ModifiedDirection>& modified_;
};

/// The directions of one navmesh layer while direction modifiers run (MOD-017). A polygon stands
/// for its centre; one that no flow reaches has no direction to change.
class MeshDirectionEdit {
  public:
    /// All of one length; `covered` is 0 where no flow is.
    MeshDirectionEdit(std::span<const Vec3d> centres, std::span<const std::uint8_t> covered,
                      std::span<Vec3f> directions)
        : centres_(centres), covered_(covered), directions_(directions) {}
    [[nodiscard]] std::size_t size() const { return centres_.size(); }
    /// World cm.
    [[nodiscard]] Vec3d centre(std::size_t polygon) const { return centres_[polygon]; }
    [[nodiscard]] Vec3f direction(std::size_t polygon) const { return directions_[polygon]; }
    /// Gives a covered polygon a direction, normalised here; zero stops there. The last to set one
    /// wins.
    void set(std::size_t polygon, Vec3f direction);

  private:
    std::span<const Vec3d> centres_;
    std::span<const std::uint8_t> covered_;
    std::span<Vec3f> directions_;
};

/// Changes what cells are: type, height, cost. Runs once for each partial update, on cells that
/// older runs may have changed (O-MOD-08).
class GridModifier : public Modifier {
  public:
    [[nodiscard]] ModifierFamily family() const final { return ModifierFamily::kGrid; }
    virtual void apply_grid(GridEdit& edit) = 0;
    /// The same where the world may answer later; by default without asking it that way.
    virtual void apply_grid_async(AsyncGridEdit& edit) { apply_grid(edit); }
};

/// Changes what cells cost. May run on a worker: `snapshot` copies it for that.
class CostModifier : public Modifier {
  public:
    [[nodiscard]] ModifierFamily family() const final { return ModifierFamily::kCost; }
    virtual void apply_cost(CostEdit& edit) const = 0;
    [[nodiscard]] virtual std::shared_ptr<const CostModifier> snapshot() const = 0;
};

/// Changes where cells lead. May run on a worker: `snapshot` copies it for that.
class DirectionModifier : public Modifier {
  public:
    [[nodiscard]] ModifierFamily family() const final { return ModifierFamily::kDirection; }
    virtual void apply_direction(DirectionEdit& edit) const = 0;
    /// The same on a navmesh; by default nothing.
    virtual void apply_direction_mesh(MeshDirectionEdit&) const {}
    [[nodiscard]] virtual std::shared_ptr<const DirectionModifier> snapshot() const = 0;
};

}  // namespace maniple::nav
