#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/nav/field_host.h"
#include "maniple/nav/grid_substrate.h"
#include "maniple/nav/layer.h"
#include "maniple/nav/solver.h"

namespace maniple::nav {

/// What a navigation query answers (GRID-048 … 053).
struct NavigationAnswer {
    bool valid = false;
    Vec3f direction;
    std::uint32_t dist = 0;
    Vec3d goal;
    std::uint32_t sampled_cells_hash = 0;  ///< FNV-1a over the sampled indices; 0 for none.
};

/// A grid flow field: ground, default layer (the stream's goals) and any number of further layers.
/// Writes happen in the serial window of a tick; every const call may run on many threads. A number
/// that is not finite makes a query invalid and is refused as a goal (O-GEN-08).
class FlowField {
  public:
    FlowField(std::string name, FieldConfig config, FieldHost host = {});

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
    /// An obstacle cell: by its type or by its cost (GRID-004).
    [[nodiscard]] bool blocks(CellIndex cell) const {
        return static_cast<CellType>(substrate_.type[cell]) == CellType::kObstacle ||
               current_cost(cell) == kImpassableCost;
    }
    /// What entering a cell costs now: modifiers applied, the default layer's goals at 0.
    [[nodiscard]] std::uint8_t current_cost(CellIndex cell) const {
        const bool goal = default_layer_.solved && default_layer_.solution.dist[cell] == 0;
        return goal ? std::uint8_t{0} : substrate_.cost[cell];
    }
    /// The cost before modifiers and goals.
    [[nodiscard]] std::uint8_t base_cost(CellIndex cell) const { return substrate_.cost[cell]; }
    /// The centre of a cell with its height.
    [[nodiscard]] Vec3d world_location(CellIndex cell) const;
    /// The first passable cell of the documented ring spiral around `location` (O-GRID-14);
    /// kNoCell when none lies within the search distance.
    [[nodiscard]] CellIndex nearest_ground(Vec2d location) const;

    // --- layers, serial window only but for find_layer ---
    [[nodiscard]] const Layer& default_layer() const { return default_layer_; }
    /// Null for a handle that is invalid or whose layer is gone (LAY-004, LAY-029).
    [[nodiscard]] const Layer* find_layer(LayerHandle handle) const;
    [[nodiscard]] std::size_t layer_count() const { return layers_.size(); }
    /// A layer of that name and goals, not solved yet.
    LayerHandle create_layer(std::string name, GoalSet goals);
    /// Replaces the goals; the layer is unsolved until its next update. Warns of a missing layer.
    bool set_layer_goals(LayerHandle handle, GoalSet goals);
    /// Collects the goals and solves the layer. False, and unsolved, without goals, with a goal
    /// that is not finite, or (with a warning) before the field has ground.
    bool update_layer(LayerHandle handle);
    void destroy_layer(LayerHandle handle);
    /// Adds or takes a user: one for each task, never for each agent. False with a warning for a
    /// missing layer or a release without a user. At 0 users a managed layer is queued and goes at
    /// the next flush if nobody took it again.
    bool acquire_layer(LayerHandle handle);
    bool release_layer(LayerHandle handle);
    [[nodiscard]] std::int32_t layer_user_count(LayerHandle handle) const;
    void flush_pending_destroys();

    // --- managed layers: found by their goals, gone with their last user ---
    /// Makes and solves one; `name` may be empty. Invalid for hash 0 or no goals. A field without
    /// ground gives an unsolved layer and a warning.
    LayerHandle create_managed_layer(std::string name, const std::vector<Vec3d>& goals,
                                     std::uint32_t goal_hash);
    [[nodiscard]] LayerHandle find_managed_layer(std::uint32_t goal_hash) const;
    /// New goals and hash, solved in the same call. False for hash 0, no goals, and a layer that is
    /// missing or not managed.
    bool update_managed_layer_goals(LayerHandle handle, const std::vector<Vec3d>& goals,
                                    std::uint32_t goal_hash);
    /// The managed layer of these goals with one user for the caller: found by goal hash or made
    /// and solved at once. Invalid for no goals or one that is not finite.
    LayerHandle get_or_acquire_layer(const std::vector<Vec3d>& goals);
    [[nodiscard]] std::uint32_t managed_goal_hash(const std::vector<Vec3d>& goals) const;

    // --- lookups of agents ---
    /// Unit vector from a cell to its target cell or goal, zero without direction (O-GRID-11).
    [[nodiscard]] Vec3f direction(const Layer& layer, CellIndex cell) const;
    /// The default layer at a place. Radius 0: the clamped cell's own values. Radius > 0 (cm): the
    /// weighted average over the ground cells whose centre is within it, else towards the nearest
    /// ground (O-GRID-15, O-GRID-17).
    [[nodiscard]] NavigationAnswer query(Vec2d location, double radius_cm) const;
    /// The same of any layer by the layers' own filter: reached cells that do not block, and no
    /// answer where there is none (O-LAY-09). Null gives an invalid answer.
    [[nodiscard]] NavigationAnswer query_layer(const Layer* layer, Vec2d location,
                                               double radius_cm) const;

  private:
    Layer* layer_at(LayerHandle handle);
    void edited(CellRect rect);
    void begin_edits();
    void solve_all();
    bool solve(Layer& layer);
    void warn(FieldLog code, const std::string& message) const;
    [[nodiscard]] NavigationAnswer answer_of(const Layer& layer, CellIndex cell) const;
    template <class Counts>
    [[nodiscard]] NavigationAnswer average(const Layer& layer, Vec2d location, double radius_cm,
                                           Counts&& counts) const;

    std::string name_;
    FieldConfig config_;
    FieldHost host_;
    GridSubstrate substrate_;
    MoveMap moves_;
    std::uint64_t ground_count_ = 0;  ///< Grounds so far; an edited one is another.
    bool editing_ = false;
    bool edits_known_ = false;  ///< `edits_` leads from the ground before to this one.
    std::vector<CellRect> edits_;
    bool components_stale_ = true;
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
