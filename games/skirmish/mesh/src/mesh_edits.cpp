#include "maniple/skirmish/mesh_edits.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "maniple/core/random.h"
#include "maniple/nav/area_costs.h"
#include "maniple/nav/mesh_query.h"

namespace maniple::skirmish {
namespace {

constexpr int kTries = 8;
constexpr std::uint32_t kSiteBox = 16;
constexpr std::uint32_t kDetourCm = 2'000;  ///< How far boxes lie off the shortest way.
constexpr double kSpawnMarginCm = 300;
constexpr std::size_t kKeptEvery = 16;  ///< Of the spawn zones' spots.
constexpr Vec3d kKeptExtents{50, 50, 100};

Vec3d location_of(const Spot& spot) {
    return {double(spot.at_cm[0]), double(spot.at_cm[1]), double(spot.at_cm[2])};
}

terrain::NavBox box_at(const Spot& spot, std::uint64_t random) {
    const Vec3d at = location_of(spot);
    const double half_x = 80.0 + static_cast<double>(random % 120);
    const double half_y = 80.0 + static_cast<double>(random / 128 % 120);
    return {{at.x - half_x, at.y - half_y, at.z - 20}, {at.x + half_x, at.y + half_y, at.z + 250}};
}

}  // namespace

Result<substrate::NavMeshStream> BakedGround::stream() const {
    const std::vector<nav::MeshTile> tiles = mesh.tile_views();
    return substrate::NavMeshStream::write({{}, {}, mesh.params, mesh.area_costs, tiles});
}

MeshEdits::MeshEdits(const MeshFacts& facts, const MeshPlan& plan, BakedGround ground,
                     std::int32_t seed)
    : ground_(std::move(ground)), seed_(seed) {
    const nav::MeshSolution first = facts.ways_to(plan.anchor(0).polygon);
    const nav::MeshSolution second = facts.ways_to(plan.anchor(1).polygon);
    const std::uint64_t longest =
        std::uint64_t{first.dist[plan.anchor(1).polygon]} + kDetourCm * nav::kMeshDistUnitsPerCm;
    std::vector<Spot> zones;
    for (std::int32_t team = 0; team < kTeamCount; ++team) {
        const auto& zone = plan.spawn_zone(team);
        zones.insert(zones.end(), zone.begin(), zone.end());
    }
    const auto near_zone = [&](const Spot& spot) {
        return std::ranges::any_of(zones, [&](const Spot& other) {
            const Vec3d off = location_of(spot) - location_of(other);
            return std::abs(off.x) < kSpawnMarginCm && std::abs(off.y) < kSpawnMarginCm;
        });
    };
    for (std::size_t i = 0; i < facts.spots.size(); ++i) {
        const Spot& spot = facts.spots[i];
        const std::uint64_t way =
            std::uint64_t{first.dist[spot.polygon]} + second.dist[spot.polygon];
        // A tenth of the spots is choice enough.
        if (i % 10 == 0 && way <= longest && !near_zone(spot)) battlefield_.push_back(spot);
    }
    for (std::size_t i = 0; i < zones.size(); i += kKeptEvery) kept_.push_back(zones[i]);
    kept_.push_back(plan.anchor(0));
    kept_.push_back(plan.anchor(1));
}

Wall MeshEdits::Edit::wall() const {
    const auto cm = [](double value) { return static_cast<std::int32_t>(value); };
    return {cm(box.low.x), cm(box.low.y), cm(box.high.x), cm(box.high.y)};
}

std::optional<MeshEdits::Edit> MeshEdits::apply_next() {
    const std::optional<Edit> edit = index_ % 3 == 2 ? raze_box() : raise_box();
    ++index_;
    return edit;
}

bool MeshEdits::leads_everywhere(const nav::MeshReplica& mesh) const {
    nav::MeshContext context;
    const auto polygon_of = [&](const Spot& spot) {
        const auto place = nav::project_to_mesh(mesh, location_of(spot), kKeptExtents, &context);
        return place ? mesh.graph().index(place->polygon) : nav::kNoPolygon;
    };
    const nav::PolygonIndex goal = polygon_of(kept_.back());
    if (goal == nav::kNoPolygon) return false;
    const nav::MeshGoal goals[]{{goal, {}, {}}};
    nav::MeshScratch scratch;
    std::vector<std::uint32_t> dist;
    nav::flood_mesh(nav::weigh_edges(mesh.graph(), nav::area_cost_context({}, mesh.area_costs())),
                    goals, scratch, dist);
    return std::ranges::all_of(kept_, [&](const Spot& spot) {
        const nav::PolygonIndex polygon = polygon_of(spot);
        return polygon != nav::kNoPolygon && dist[polygon] != nav::kUncovered;
    });
}

std::optional<MeshEdits::Edit> MeshEdits::raise_box() {
    if (battlefield_.empty()) return std::nullopt;
    core::SerialExecutor serial;
    for (int i = 0; i < kTries; ++i) {
        const std::uint64_t random = core::site_random(
            static_cast<std::uint64_t>(static_cast<std::uint32_t>(seed_)), index_, i, kSiteBox);
        const terrain::NavBox box =
            box_at(battlefield_[(random >> 16) % battlefield_.size()], random);
        std::vector<terrain::NavBox> boxes = standing_;
        boxes.push_back(box);
        Result<nav::NavMesh> mesh = ground_.baker->rebake(ground_.mesh, serial, boxes, {&box, 1});
        if (!mesh || !leads_everywhere(*mesh->mesh)) continue;
        ground_.mesh = std::move(*mesh);
        standing_ = std::move(boxes);
        return Edit{true, box};
    }
    return std::nullopt;
}

std::optional<MeshEdits::Edit> MeshEdits::raze_box() {
    if (standing_.empty()) return std::nullopt;
    core::SerialExecutor serial;
    const terrain::NavBox box = standing_.front();
    std::vector<terrain::NavBox> boxes(standing_.begin() + 1, standing_.end());
    Result<nav::NavMesh> mesh = ground_.baker->rebake(ground_.mesh, serial, boxes, {&box, 1});
    if (!mesh) return std::nullopt;
    ground_.mesh = std::move(*mesh);
    standing_ = std::move(boxes);
    return Edit{false, box};
}

}  // namespace maniple::skirmish
