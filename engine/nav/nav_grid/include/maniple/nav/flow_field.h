#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/nav/grid_substrate.h"
#include "maniple/nav/solver.h"

namespace maniple::nav {

/// Process-local name of a layer: never hashed, never on the wire (O-LAY-05). 0 is invalid.
struct LayerHandle {
    std::int32_t id = 0;
    [[nodiscard]] bool valid() const { return id != 0; }
    friend bool operator==(const LayerHandle&, const LayerHandle&) = default;
};

/// A goal set solved over a field's ground (LAY-002).
struct Layer {
    std::string name;
    std::vector<Vec3d> goals;           ///< World cm, as given.
    std::vector<CellIndex> goal_cells;  ///< Clamped onto the grid, in goal order.
    bool solved = false;
    bool auto_release = false;
    std::uint32_t goal_hash = 0;
    std::int32_t user_count = 0;
    FieldSolution solution;
};

/// What a navigation query answers (GRID-048 … 053).
struct NavigationAnswer {
    bool valid = false;
    Vec3f direction;
    std::uint32_t dist = 0;
    Vec3d goal;
    std::uint32_t sampled_cells_hash = 0;  ///< FNV-1a over the sampled indices; 0 for none.
};

/// A grid flow field: ground, default layer (the stream's goals) and any number of further layers.
/// Writes happen in the serial window of a tick; every const call may run on many threads.
class FlowField {
  public:
    FlowField(std::string name, FieldConfig config) : name_(std::move(name)), config_(config) {}

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const FieldConfig& config() const { return config_; }
    [[nodiscard]] bool initialised() const { return !substrate_.cost.empty(); }
    [[nodiscard]] const GridSubstrate& substrate() const { return substrate_; }
    [[nodiscard]] const GridGeometry& geometry() const { return substrate_.geometry; }
    [[nodiscard]] const MoveMap& moves() const { return moves_; }
    [[nodiscard]] const Components& components() const { return components_; }

    // --- ground, serial window only ---
    /// Replaces the ground, floods the default layer from its goals, and re-solves every layer that
    /// has users in id order; all others become unsolved (O-LAY-02).
    void set_substrate(GridSubstrate substrate);
    /// Moves the ground out to be changed without a copy; set_substrate gives it back. Until then
    /// the field is not initialised.
    [[nodiscard]] GridSubstrate take_substrate() { return std::move(substrate_); }
    /// As set_substrate, for the ground taken before: of its cells only `changed` (ascending) may
    /// differ, and its goals.
    void set_substrate(GridSubstrate substrate, std::span<const CellIndex> changed);
    /// Edits of an authoring field; call `commit_edits` after the last. Inclusive cell rectangle,
    /// clipped to the grid.
    void set_cells(GridCoord low, GridCoord high, CellType type, std::uint8_t cost);
    void commit_edits();

    // --- synced state (SYNC-050, 064, 065) ---
    void mark_synced(std::uint32_t version) {
        synced_ = true;
        version_ = version;
    }
    [[nodiscard]] bool synced() const { return synced_; }
    [[nodiscard]] std::uint32_t substrate_version() const { return synced_ ? version_ : 0; }

    // --- cells ---
    [[nodiscard]] bool passable(CellIndex cell) const {
        return components_.label[cell] != Components::kNone;
    }
    /// The centre of a cell with its height.
    [[nodiscard]] Vec3d world_location(CellIndex cell) const;
    /// The first passable cell of the documented ring spiral around `location` (O-GRID-14);
    /// kNoCell when none lies within the search distance.
    [[nodiscard]] CellIndex nearest_ground(Vec2d location) const;

    // --- layers ---
    [[nodiscard]] const Layer& default_layer() const { return default_layer_; }
    [[nodiscard]] const Layer* find_layer(LayerHandle handle) const;
    LayerHandle create_layer(std::string name, std::vector<Vec3d> goals);
    /// Solves the layer. False (and unsolved) without goals or ground.
    bool update_layer(LayerHandle handle);
    void destroy_layer(LayerHandle handle);
    /// A managed layer for these goals with one user for the caller: found by goal hash or made and
    /// solved at once (LAY-030). Invalid for no goals.
    LayerHandle get_or_acquire_layer(const std::vector<Vec3d>& goals);
    bool acquire_layer(LayerHandle handle);
    /// At 0 users a managed layer is queued and goes at the next flush if nobody took it again.
    bool release_layer(LayerHandle handle);
    void flush_pending_destroys();
    [[nodiscard]] std::size_t layer_count() const { return layers_.size(); }

    // --- lookups of agents ---
    /// Unit vector from a cell to its target cell or goal, zero without direction (O-GRID-11).
    [[nodiscard]] Vec3f direction(const Layer& layer, CellIndex cell) const;
    /// Radius 0: the clamped cell's own values. Radius > 0 (cm): the weighted average of the cells
    /// whose centre is within it (O-GRID-17).
    [[nodiscard]] NavigationAnswer query(const Layer& layer, Vec2d location,
                                         double radius_cm) const;

  private:
    void solve_all();
    void solve(Layer& layer);
    [[nodiscard]] std::uint32_t managed_goal_hash(const std::vector<Vec3d>& goals) const;

    std::string name_;
    FieldConfig config_;
    GridSubstrate substrate_;
    MoveMap moves_;
    Components components_;
    SolverScratch scratch_;
    Layer default_layer_;
    std::map<std::int32_t, Layer> layers_;
    std::int32_t next_layer_id_ = 1;
    std::vector<std::int32_t> pending_destroys_;
    bool synced_ = false;
    std::uint32_t version_ = 0;
};

}  // namespace maniple::nav
