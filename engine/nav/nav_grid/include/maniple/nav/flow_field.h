#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/core/result.h"
#include "maniple/nav/field_answers.h"
#include "maniple/nav/field_host.h"
#include "maniple/nav/field_job.h"
#include "maniple/nav/field_setup.h"
#include "maniple/nav/grid_substrate.h"
#include "maniple/nav/layer.h"
#include "maniple/nav/layered_field.h"
#include "maniple/nav/modifier_lists.h"
#include "maniple/nav/refresh_timer.h"
#include "maniple/nav/solver.h"

namespace maniple::nav {

struct GridUpdate;

/// Why InitFlowField is called (GRID-011, GRID-012).
enum class InitMode : std::uint8_t { kConstruction, kBeginPlay, kRuntime };

/// A grid flow field: ground, default layer (the stream's goals) and any number of further layers.
/// Writes happen in the serial window of a tick; every const call may run on many threads. A number
/// that is not finite makes a query invalid and is refused as a goal (O-GEN-08).
class FlowField : public LayeredField<FlowField, Layer> {
  public:
    FlowField(std::string name, FieldConfig config, FieldHost host = {});
    FlowField(const FlowField&) = delete;
    FlowField& operator=(const FlowField&) = delete;
    /// Moving a field ends the references to both.
    FlowField(FlowField&&) = default;
    FlowField& operator=(FlowField&&) = default;
    ~FlowField() = default;
    /// A reference that knows when this field is gone.
    [[nodiscard]] FieldRef ref() { return self_.ref(this); }

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] static constexpr GenerationMode mode() { return GenerationMode::kGrid; }
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

    // --- updates from the host's world, serial window only ---
    /// Where the grid stands; used from the next init on.
    void set_setup(const FieldSetup& setup) { setup_ = setup; }
    [[nodiscard]] const FieldSetup& setup() const { return setup_; }
    /// The goals of the default layer, collected at every update.
    void set_goals(GoalSet goals) { goals_ = std::move(goals); }
    /// Static additions to cells' costs, after all modifiers (MOD-015); results stay in 0 … 255.
    void set_extra_costs(std::map<CellIndex, std::int32_t> costs) {
        extra_costs_ = std::move(costs);
    }
    /// InitFlowField: clamps the setup and takes the grid's pose and size from it. Construction and
    /// begin-play reset the timer and ask for a new grid.
    /// @return nothing, or as clamped() and grid_of(); the field is then as it was.
    Result<void> init(InitMode mode);
    /// UpdateFlowField: the grid from the world where it is due or `full`, else grid modifiers on
    /// the standing one; then costs, flood, directions (GRID-016 … 019). A client's synced field
    /// ignores it with one warning; a server's leaves synced mode.
    /// @return nothing; the refusals of init; kBadValue or kOverCap for its goals; kCancelled. The
    /// field is then as it was.
    Result<void> update(bool full);
    /// The same update beside the simulation, for AsyncUpdates: until it is applied the field stays
    /// as it is. Null where update would ignore the call, and with a warning while another one of
    /// this field is in flight (O-ASY-02).
    [[nodiscard]] std::unique_ptr<FieldJob> async_update(bool full);
    /// DrawDebug: init as for construction; with `editor_live_update` the whole update, grid
    /// modifiers included, is computed, drawn and thrown away: the field itself stays as it is.
    /// @return as update.
    Result<void> draw_debug();
    /// What an editor calls whenever it has changed the field's configuration: first the host's own
    /// construction, then draw_debug (VIS-003).
    Result<void> on_construction(const std::function<void()>& construct_host);
    /// Updates when the refresh interval has run out, then moves the timer on by `dt_s`.
    Result<void> update_timed(bool full, double dt_s);
    [[nodiscard]] bool grid_dirty() const { return grid_dirty_; }
    [[nodiscard]] double next_update_s() const { return timer_.left_s(); }

    // --- modifiers, serial window only ---
    /// Makes a modifier active at once and until it is unregistered or destroyed. Idempotent. False
    /// with a warning on a synced field, unless it comes by command.
    bool register_modifier(const std::shared_ptr<Modifier>& modifier,
                           ModifierOrigin origin = ModifierOrigin::kHost);
    bool unregister_modifier(const Modifier& modifier,
                             ModifierOrigin origin = ModifierOrigin::kHost);
    /// Modifiers of the map, found by rescans.
    void set_include_modifiers(std::vector<std::weak_ptr<Modifier>> include) {
        include_modifiers_ = std::move(include);
    }
    /// GetAllModifiers: registered, included, attached ones, each once.
    void rescan_modifiers();
    /// Runs the direction modifiers anew on every solved layer, without a flood.
    void apply_direction_modifiers();
    [[nodiscard]] std::vector<std::shared_ptr<Modifier>> active_modifiers(ModifierFamily family);
    /// Cells that grid modifiers wrote since the grid was made, ascending (GridModifiedSet).
    [[nodiscard]] const std::vector<CellIndex>& grid_modified() const { return grid_modified_; }

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
        if (!current_cost_.empty()) return current_cost_[cell];
        const bool goal = default_layer_.solved && default_layer_.solution.dist[cell] == 0;
        return goal ? std::uint8_t{0} : substrate_.cost[cell];
    }
    /// The cost before modifiers and goals.
    [[nodiscard]] std::uint8_t base_cost(CellIndex cell) const { return base_costs()[cell]; }
    [[nodiscard]] CellIndexAnswer world_to_index(Vec2d location) const;
    [[nodiscard]] CellAnswer cell_at(Vec2d location) const;
    [[nodiscard]] CellAnswer cell_at(GridCoord coord) const;
    /// The centre of a cell with its height.
    [[nodiscard]] Vec3d world_location(CellIndex cell) const;
    /// The first passable cell of the documented ring spiral around `location` (O-GRID-14);
    /// kNoCell when none lies within the search distance.
    [[nodiscard]] CellIndex nearest_ground(Vec2d location) const;

    /// The layer of the stream's goals. All further ones: LayeredField.
    [[nodiscard]] const Layer& default_layer() const { return default_layer_; }

    // --- layers solved as far as they are read, serial window only ---
    /// From their next update on, layers other than the default one are solved only as far as
    /// serve_layer asks (O-GRID-36). Not while direction modifiers run.
    void set_lazy_layers(bool lazy) { lazy_layers_ = lazy; }
    /// Before a parallel stage looks a layer up: settles what query_layer reads at these places
    /// with this radius. Elsewhere the layer may still read as unreached.
    void serve_layer(LayerHandle handle, std::span<const Vec2d> places, double radius_cm);

    // --- lookups of agents ---
    /// Unit vector from a cell to its target cell or goal, zero without direction (O-GRID-11).
    [[nodiscard]] Vec3f direction(const Layer& layer, CellIndex cell) const {
        const std::uint8_t code = layer.solution.direction[cell];
        if (code < kNeighbours.size() && moves_.is_level()) {
            const Vec3f& unit = geometry().step(code).unit;
            return {unit.x, unit.y, unit.z};
        }
        return direction_anyhow(layer, cell);
    }
    /// The default layer at a place. Radius 0: the clamped cell's own values. Radius > 0 (cm): the
    /// weighted average over the ground cells whose centre is within it, else towards the nearest
    /// ground (O-GRID-15, O-GRID-17).
    [[nodiscard]] NavigationAnswer query(Vec2d location, double radius_cm) const;
    /// The same of any layer by the layers' own filter: reached cells that do not block, and no
    /// answer where there is none (O-LAY-09). Null gives an invalid answer.
    [[nodiscard]] NavigationAnswer query_layer(const Layer* layer, Vec2d location,
                                               double radius_cm) const;

    /// The mean direction of the default layer over the cells the circle touches, level, of unit
    /// length; where none of them leads anywhere, towards the nearest ground; else zero (GRID-045).
    [[nodiscard]] Vec3f average_direction(Vec2d location, double radius_cm) const;
    /// The ground between the four cell centres around a place (GRID-054).
    [[nodiscard]] GroundAnswer interpolated_ground(Vec2d location) const;
    /// An agent's ground by trace mode; capsules fall from the agent to `kill_z`. In lockstep every
    /// mode is kFlowField, with one warning. Simulation thread only.
    [[nodiscard]] GroundAnswer ground_location(Vec3d agent, double self_radius_cm,
                                               double half_height_cm, TraceMode mode,
                                               double kill_z);

  private:
    friend class GridUpdateJob;
    friend class LayeredField<FlowField, Layer>;

    void edited(CellRect rect);
    void begin_edits();
    void solve_all();
    bool solve(Layer& layer);
    [[nodiscard]] std::vector<CellIndex> cells_to_settle(const Layer& layer,
                                                         std::span<const Vec2d> places,
                                                         double radius_cm) const;
    [[nodiscard]] std::span<const std::uint8_t> base_costs() const {
        return initial_cost_.empty() ? substrate_.cost : initial_cost_;
    }
    void forget_modifications();
    void take_stream_goals();
    bool ignores_update();
    Result<GridSubstrate> make_grid() const;
    [[nodiscard]] const WorldQuery& world() const;
    [[nodiscard]] EnvironmentQuery environment_query(const GridGeometry& grid) const;
    Result<void> prepare_update(bool full, GridUpdate& update);
    Result<void> collect_update(bool new_grid, bool rescan, GridUpdate& update);
    void copy_initial_cells(GridUpdate& update) const;
    void modify_grid(GridUpdate& update) const;
    void apply_update(GridUpdate&& update);
    [[nodiscard]] GridCell cell_view(CellIndex cell) const;
    void warn(FieldLog code, const std::string& message) const;
    [[nodiscard]] Vec3f direction_anyhow(const Layer& layer, CellIndex cell) const;
    void answer_by(const Layer& layer, CellIndex cell, NavigationAnswer& answer) const;
    void answer_at(const Layer& layer, Vec2d location, NavigationAnswer& answer) const;
    [[nodiscard]] NavigationAnswer query_around(Vec2d location, double radius_cm) const;
    struct Average;
    template <class Counts>
    void average(const Layer& layer, Vec2d location, double radius_cm, const Counts& counts,
                 NavigationAnswer& answer) const;
    [[nodiscard]] unsigned passable_costs(CellIndex cell, std::uint64_t asked_for) const;
    [[nodiscard]] double rise(CellIndex from, CellIndex to) const;

    std::string name_;
    FieldConfig config_;
    FieldHost host_;
    GridSubstrate substrate_;
    MoveMap moves_;
    std::uint64_t ground_count_ = 0;  ///< Grounds so far; an edited one is another.
    std::uint64_t generation_ = 0;    ///< Solves of the default layer so far.
    bool editing_ = false;
    bool edits_known_ = false;  ///< `edits_` leads from the ground before to this one.
    std::vector<CellRect> edits_;
    bool components_stale_ = true;
    Components components_;
    SolverScratch scratch_;
    Layer default_layer_;
    FieldRefOwner self_;
    FieldSetup setup_;
    GridGeometry init_geometry_;  ///< Of the last init; a built grid takes it over.
    GoalSet goals_;
    std::map<CellIndex, std::int32_t> extra_costs_;
    std::vector<std::uint8_t> initial_cost_;  ///< Empty while no modifier changed a cost.
    std::vector<std::uint8_t> current_cost_;  ///< Likewise; modifiers applied, goals at 0 first.
    std::vector<CellIndex> grid_modified_;
    ModifierLists modifiers_;
    std::vector<std::weak_ptr<Modifier>> include_modifiers_;
    RefreshTimer timer_;
    bool grid_dirty_ = true;
    bool lazy_layers_ = false;
    bool warned_synced_ = false;
    bool synced_ = false;
    std::uint32_t version_ = 0;
};

}  // namespace maniple::nav
