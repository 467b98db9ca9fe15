#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "maniple/core/math.h"
#include "maniple/core/result.h"
#include "maniple/nav/area_costs.h"
#include "maniple/nav/field_answers.h"
#include "maniple/nav/field_host.h"
#include "maniple/nav/field_job.h"
#include "maniple/nav/field_setup.h"
#include "maniple/nav/flow_field.h"
#include "maniple/nav/layered_field.h"
#include "maniple/nav/mesh_layer.h"
#include "maniple/nav/mesh_links.h"
#include "maniple/nav/mesh_query.h"
#include "maniple/nav/modifier.h"
#include "maniple/nav/modifier_lists.h"
#include "maniple/nav/nav_provider.h"
#include "maniple/nav/refresh_timer.h"

namespace maniple::nav {

/// Diagnostics of navmesh fields beside FieldLog's (docs/log-codes.md).
enum class MeshFieldLog : int {
    kNoFlow = 1120,               ///< Three updates in a row gave no flow field. Error.
    kNoGoals = 1121,              ///< A field without goals. Once until a success.
    kUnsupportedModifier = 1122,  ///< A grid or cost modifier on a navmesh field.
};

/// What a field needs of a mesh, computed ahead on any thread: its weights under the field's
/// configuration, and the flows of goal sets before modifiers. A function of the mesh, the
/// configuration and the goals: a field that computes them itself gets the same bits.
struct MeshFlows {
    struct Flow {
        std::vector<Vec3d> goals;  ///< World cm, as given.
        std::vector<MeshGoal> mesh_goals;
        MeshSolution solution;
    };
    std::uint64_t mesh_generation = 0;  ///< 0: nothing was computed.
    MeshWeights weights;
    std::vector<Flow> flows;

    void weigh(const MeshReplica& mesh, const AreaCostContext& areas);
    /// Once the mesh is weighed; `mesh_goals` are the places of `goals` on it, one at least.
    void flood(const MeshReplica& mesh, std::vector<Vec3d> goals, std::vector<MeshGoal> mesh_goals);
};

/// A flow field over a navmesh: FlowField's other mode. It stands on a provider's mesh or, once
/// synced, on the replica of a stream and never on the provider's again until it is released
/// (NAVM-024). Writes happen in the serial window of a tick; every const call may run on many
/// threads, each with its own context. A number that is not finite makes a query invalid.
class MeshField : public LayeredField<MeshField, MeshLayer> {
  public:
    /// `provider` may be null and outlives the field.
    MeshField(std::string name, FieldConfig config, FieldHost host = {},
              const NavProvider* provider = nullptr);
    MeshField(const MeshField&) = delete;
    MeshField& operator=(const MeshField&) = delete;
    MeshField(MeshField&&) = default;
    MeshField& operator=(MeshField&&) = default;
    ~MeshField() = default;

    [[nodiscard]] static constexpr GenerationMode mode() { return GenerationMode::kNavMesh; }
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const FieldConfig& config() const { return config_; }
    /// Solved at least once, or synced.
    [[nodiscard]] bool initialised() const { return initialised_; }

    // --- the mesh ---
    /// The name of the provider's mesh to stand on; empty: its default. Used from the next init on.
    void set_target_mesh(std::string mesh_name) { target_mesh_ = std::move(mesh_name); }
    /// The provider's mesh: the cached one, else the one of the target's name, else the default,
    /// which is then cached. Null when there is none.
    std::shared_ptr<const NavMesh> resolve_engine_mesh();
    /// The same from any thread: null until it was resolved (NAVM-002).
    [[nodiscard]] std::shared_ptr<const NavMesh> engine_mesh() const { return ground_.engine_mesh; }
    /// What every query stands on until the next serial window. Null without a mesh, and for a
    /// synced field without a replica.
    [[nodiscard]] const MeshReplica* active_mesh() const;

    // --- synced state, serial window only (SYNC-050 … 067) ---
    /// Puts the field on a stream's replica: floods from the stream's goals, world cm, and solves
    /// anew the managed layers that have users; all others become unsolved. `prepared` is what
    /// prepare_flows gave for this replica; flows that it lacks are computed here. Null replica:
    /// nothing was delivered.
    /// @return whether the flood ran; a field without goals counts as flooded (SYNC-059).
    bool set_replica(std::shared_ptr<const MeshReplica> replica, std::vector<Vec3d> stream_goals,
                     std::uint32_t version, MeshFlows prepared = {});
    /// What set_replica would compute, made beside the simulation: the flow of each goal set that
    /// is on the mesh. Any thread; nothing of the field but its configuration is read.
    [[nodiscard]] MeshFlows prepare_flows(const MeshReplica& replica,
                                          const std::vector<std::vector<Vec3d>>& goal_sets) const;
    /// The flows of more goal sets, into what prepare_flows gave for the replica. Any thread.
    void add_flows(const MeshReplica& replica, const std::vector<std::vector<Vec3d>>& goal_sets,
                   MeshFlows& prepared) const;
    /// Leaves synced mode; the provider's mesh is the active one again (O-NAVM-16).
    void release_replica();
    [[nodiscard]] bool synced() const { return ground_.synced; }
    [[nodiscard]] bool flood_applied() const { return flood_applied_; }
    [[nodiscard]] std::uint32_t substrate_version() const { return ground_.version; }

    // --- updates, serial window only ---
    /// The goals of the default layer while the field is not synced.
    void set_goals(GoalSet goals) { goals_ = std::move(goals); }
    /// Where the field's volume lies, which is drawn alone, for the mesh has a place of its own;
    /// which surfaces arrows and capsules meet; and the interval of the timed update. Used from the
    /// next init on.
    /// @return nothing, or as clamped(); the setup is then as it was.
    Result<void> set_setup(const FieldSetup& setup);
    [[nodiscard]] const FieldSetup& setup() const { return setup_; }
    /// InitFlowField: construction and begin-play reset the timer, cache the navmesh and collect
    /// links (GRID-012, NAVM-001).
    void init(InitMode mode);
    /// UpdateFlowField (NAVM-003): goals, on a full or first update modifiers, flow, base
    /// directions, direction modifiers, then what is drawn of them. A synced field floods its
    /// replica from the stream's goals again (SYNC-060). Layers follow when the mesh is another.
    /// @return whether there is a flow field; a field without goals has none and warns once.
    bool update(bool full);
    /// Updates when the refresh interval has run out, then moves the timer on by `dt_s`: in
    /// lockstep the length of a tick (O-GRID-24).
    /// @return false where it updated and there is no flow field.
    bool update_timed(bool full, double dt_s);
    [[nodiscard]] double next_update_s() const { return timer_.left_s(); }
    /// An update by AsyncUpdates: goals and area costs are taken when it is prepared, the flow is
    /// computed beside the simulation, and applying it writes the field and applies the direction
    /// modifiers (ASY-008). Without goals or a mesh it ends as update() does. The field moves only
    /// while none is under way. @return null while another one is under way.
    [[nodiscard]] std::unique_ptr<FieldJob> async_update(bool full);
    /// DrawDebug: init as for construction; with `editor_live_update` the whole update is computed,
    /// drawn and thrown away: the field itself stays as it is (VIS-004).
    void draw_debug();
    /// What an editor calls whenever it has changed the field's configuration: first the host's own
    /// construction, then draw_debug (VIS-003).
    void on_construction(const std::function<void()>& construct_host);

    // --- modifiers, serial window only ---
    /// As FlowField's. Grid and cost modifiers are kept, have no effect and are warned of.
    bool register_modifier(const std::shared_ptr<Modifier>& modifier,
                           ModifierOrigin origin = ModifierOrigin::kHost);
    bool unregister_modifier(const Modifier& modifier,
                             ModifierOrigin origin = ModifierOrigin::kHost);
    void set_include_modifiers(std::vector<std::weak_ptr<Modifier>> include) {
        include_modifiers_ = std::move(include);
    }
    void rescan_modifiers();

    // --- layers: LayeredField ---
    [[nodiscard]] const MeshLayer& default_layer() const { return default_layer_; }
    /// The areas' costs on the active mesh, as this field's floods and drawings see them
    /// (NAVM-035).
    [[nodiscard]] AreaCostContext area_costs() const;

    // --- cells ---
    /// Nothing for an uncovered polygon, and for one that is not there.
    [[nodiscard]] std::optional<MeshCell> cell(const MeshLayer& layer, PolygonId polygon) const;
    /// The cell that a place projects to, within the default extents (NAVM-007).
    [[nodiscard]] std::optional<MeshCell> cell_at(Vec3d location,
                                                  MeshContext* context = nullptr) const;
    /// The placeholder cell of the first goal, whatever the coordinate; invalid without goals
    /// (NAVM-008).
    [[nodiscard]] CellAnswer cell_at(GridCoord coord) const;
    /// Always 0 (GRID-007).
    [[nodiscard]] static constexpr CellIndex coord_to_index(GridCoord) { return 0; }

    // --- lookups of agents ---
    /// The active mesh's place nearest to a location (NAVM-025). Components of the extents that are
    /// not above 0 take the default: path_stop_search_cm, or 500 (NAVM-042).
    [[nodiscard]] std::optional<MeshPlace> project(Vec3d location, Vec3d half_extents_cm = {},
                                                   MeshContext* context = nullptr) const;
    /// The default layer at a place, projected with `half_extents_cm`, else with the default ones.
    /// Radius 0: the polygon's own values. Radius > 0 (cm): the average over the polygons around,
    /// weighted by distance (NAVM-017 … 022). Invalid where no flow is. Distances in 1/256 cm.
    [[nodiscard]] NavigationAnswer query(Vec3d location, double radius_cm,
                                         Vec3d half_extents_cm = {},
                                         MeshContext* context = nullptr) const;
    /// Any layer's own polygon, without an average (LAY-013). Null gives an invalid answer.
    [[nodiscard]] NavigationAnswer query_layer(const MeshLayer* layer, Vec3d location,
                                               Vec3d half_extents_cm = {},
                                               MeshContext* context = nullptr) const;
    /// The exact direction of the default layer at a place; off the mesh, towards the nearest place
    /// on it within path_stop_search_cm, level; else zero (NAVM-016).
    [[nodiscard]] Vec3f average_direction(Vec3d location, double radius_cm,
                                          MeshContext* context = nullptr) const;
    /// The surface under a place, its normal blended from samples `radius_cm` to both sides along
    /// world X (NAVM-023).
    [[nodiscard]] GroundAnswer interpolated_ground(Vec3d location, double radius_cm,
                                                   MeshContext* context = nullptr) const;
    /// As FlowField's: an agent's ground by trace mode, on the mesh with its radius between the
    /// samples. Simulation thread only.
    [[nodiscard]] GroundAnswer ground_location(Vec3d agent, double self_radius_cm,
                                               double half_height_cm, TraceMode mode, double kill_z,
                                               MeshContext* context = nullptr);

    // --- links ---
    void set_link_sources(LinkSources sources) { link_sources_ = std::move(sources); }
    /// Matches the host's links to the active mesh anew. Serial window only (NAVM-036 … 038).
    void collect_links();
    /// No fallback: what is known of the link that is this off-mesh polygon (NAVM-039, NAVM-040).
    [[nodiscard]] LinkAnswer link_direction(std::optional<PolygonId> polygon, Vec3d location) const;
    [[nodiscard]] LinkValidation validate_links() const;

  private:
    friend class LayeredField<MeshField, MeshLayer>;
    friend class MeshUpdateJob;

    /// What the field stands on.
    struct Ground {
        std::shared_ptr<const NavMesh> engine_mesh;
        std::shared_ptr<const MeshReplica> replica;
        bool synced = false;
        std::vector<Vec3d> stream_goals;  ///< Empty unless synced, as `version` is 0.
        std::uint32_t version = 0;

        [[nodiscard]] const MeshReplica* mesh() const;
    };

    /// What updates without a flow field have said so far (NAVM-004, NAVM-005).
    struct Diagnostics {
        int flow_missing_streak = 0;
        bool logged_no_flow = false;
        bool warned_no_goals = false;
    };

    /// Another field beside `shown`, for an update with `goals` that is drawn and thrown away: on
    /// the same ground with the same modifiers, without layers and links of its own.
    MeshField(const MeshField& shown, std::vector<Vec3d> goals);

    void begin_update(bool full);
    bool end_update();
    [[nodiscard]] std::vector<Vec3d> collect_goals() const;
    bool solve(MeshLayer& layer);
    void weigh(const MeshReplica& mesh);
    bool calculate();
    bool failed(const std::string& reason);
    void succeeded();
    void follow_mesh();
    Result<void> flow(const MeshReplica& mesh, MeshLayer& layer);
    bool take_prepared(const MeshReplica& mesh, MeshLayer& layer);
    void modify_directions(const MeshGraph& graph, MeshLayer& layer) const;
    [[nodiscard]] Result<std::vector<MeshGoal>> place_goals(const MeshReplica& mesh,
                                                            const std::vector<Vec3d>& goals) const;
    [[nodiscard]] core::Executor& executor() const;
    [[nodiscard]] Vec3d extents_of(Vec3d half_extents_cm) const;
    [[nodiscard]] bool stands(const MeshLayer& layer, const MeshReplica* mesh) const;
    [[nodiscard]] NavigationAnswer answer_of(const MeshLayer& layer, const MeshGraph& graph,
                                             PolygonIndex polygon) const;
    [[nodiscard]] NavigationAnswer average(const MeshReplica& mesh, const MeshPlace& place,
                                           double radius_cm, MeshContext* context) const;
    void warn(FieldLog code, const std::string& message) const;
    void log(core::Severity severity, MeshFieldLog code, const std::string& message) const;

    std::string name_;
    FieldConfig config_;
    FieldHost host_;
    const NavProvider* provider_ = nullptr;
    FieldSetup setup_;  ///< Clamped.
    std::string target_mesh_;
    Ground ground_;
    GoalSet goals_;
    MeshWeights weights_;
    std::uint64_t weighed_mesh_ = 0;  ///< Generation of the mesh that the weights are of.
    MeshFlows prepared_;              ///< Empty but for the call that was given them.
    std::uint64_t calculations_ = 0;  ///< Of the default layer so far; a release counts, too.
    BasicFieldRefOwner<MeshField> self_;
    std::uint64_t layers_mesh_ = 0;  ///< Of the mesh that the layers were last brought to.
    MeshScratch scratch_;
    MeshLayer default_layer_;
    std::optional<GridCell> goal_cell_;  ///< CurrentCellsArray, which holds one cell or none.
    ModifierLists modifiers_;
    std::vector<std::weak_ptr<Modifier>> include_modifiers_;
    LinkSources link_sources_;
    std::vector<LinkEntry> links_;
    bool links_initialised_ = false;
    RefreshTimer timer_;
    Diagnostics diagnostics_;
    bool initialised_ = false;
    bool flood_applied_ = false;
};

}  // namespace maniple::nav
