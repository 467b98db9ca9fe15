#include "maniple/terrain/navmesh_config.h"

#include <cmath>
#include <map>
#include <string_view>

namespace maniple::terrain {
namespace {

/// Cells that Recast can count around an agent: in 8 bits, twice the radius.
constexpr double kRadiusCellsMax = 120;

bool is_finite(Vec3d v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

bool lies_near(Vec3d v) {
    return std::abs(v.x) <= kNavPlaceMaxCm && std::abs(v.y) <= kNavPlaceMaxCm &&
           std::abs(v.z) <= kNavPlaceMaxCm;
}

struct Range {
    const char* name;
    double value;
    double low;
    double high;
};

}  // namespace

Result<void> check_navmesh_config(const NavMeshConfig& config) {
    const Range ranges[] = {
        {"agent_radius_cm", config.agent_radius_cm, 0, 100'000},
        {"agent_height_cm", config.agent_height_cm, 1, 100'000},
        {"climb_cm", config.climb_cm, 0, 100'000},
        {"slope_deg", config.slope_deg, 0, 89},
        {"cell_cm", config.cell_cm, 1, 10'000},
        {"cell_height_cm", config.cell_height_cm, 1, 10'000},
        {"tile_cells", static_cast<double>(config.tile_cells), 8, 1024},
    };
    for (const Range& range : ranges) {
        if (range.value >= range.low && range.value <= range.high) continue;
        return refuse(ErrorCode::kBadValue,
                      std::string(range.name) + " " + std::to_string(range.value) + " is not in " +
                          std::to_string(range.low) + " … " + std::to_string(range.high));
    }
    if (config.agent_radius_cm > kRadiusCellsMax * config.cell_cm) {
        return refuse(ErrorCode::kBadValue, "agent_radius_cm is more than 120 cells");
    }
    std::map<std::string_view, float> costs;
    for (const NavArea& area : config.areas) {
        const bool ordered = area.box.low.x <= area.box.high.x &&
                             area.box.low.y <= area.box.high.y && area.box.low.z <= area.box.high.z;
        if (!is_finite(area.box.low) || !is_finite(area.box.high) || !ordered) {
            return refuse(ErrorCode::kBadValue, "the box of area " + area.name + " is no box");
        }
        if (!std::isfinite(area.cost) || area.cost < 0) {
            return refuse(ErrorCode::kBadValue,
                          "the cost of area " + area.name + " is not finite, or negative");
        }
        if (costs.emplace(area.name, area.cost).first->second != area.cost) {
            return refuse(ErrorCode::kBadValue, "area " + area.name + " has two costs");
        }
    }
    if (costs.size() > kNamedAreasMax) {
        return refuse(ErrorCode::kOverCap, "areas of more than 62 names");
    }
    for (std::size_t i = 0; i < config.links.size(); ++i) {
        for (const Vec3d end : {config.links[i].left, config.links[i].right}) {
            if (lies_near(end)) continue;
            return refuse(
                ErrorCode::kBadValue,
                link_name(config, i) + ": an end is not finite, or over 10 km from the origin");
        }
    }
    return {};
}

std::string link_name(const NavMeshConfig& config, std::size_t index) {
    return "off_mesh_links[" + std::to_string(index) + "] " + config.links[index].name;
}

std::vector<std::uint8_t> area_ids(const NavMeshConfig& config) {
    std::map<std::string_view, std::uint8_t> known;
    std::vector<std::uint8_t> ids;
    for (const NavArea& area : config.areas) {
        const auto next = static_cast<std::uint8_t>(known.size() + 1);
        ids.push_back(known.emplace(area.name, next).first->second);
    }
    return ids;
}

}  // namespace maniple::terrain
