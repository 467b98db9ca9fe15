#include "maniple/terrain/navmesh_config.h"

#include <algorithm>
#include <cmath>

namespace maniple::terrain {
namespace {

/// Cells that Recast can count around an agent: in 8 bits, twice the radius.
constexpr double kRadiusCellsMax = 120;

bool is_finite(Vec3d v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

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
        const auto first = std::ranges::find(config.areas, area.name, &NavArea::name);
        if (first->cost != area.cost) {
            return refuse(ErrorCode::kBadValue, "area " + area.name + " has two costs");
        }
    }
    for (const NavLink& link : config.links) {
        if (!is_finite(link.left) || !is_finite(link.right)) {
            return refuse(ErrorCode::kBadValue, "an end of link " + link.name + " is not finite");
        }
    }
    const std::vector<std::uint8_t> ids = area_ids(config);
    if (!ids.empty() && std::ranges::max(ids) > kNamedAreasMax) {
        return refuse(ErrorCode::kOverCap, "more than 62 areas");
    }
    return {};
}

std::vector<std::uint8_t> area_ids(const NavMeshConfig& config) {
    std::vector<std::uint8_t> ids;
    std::uint8_t last = 0;
    for (std::size_t i = 0; i < config.areas.size(); ++i) {
        const auto first = std::ranges::find(config.areas, config.areas[i].name, &NavArea::name);
        const auto known = static_cast<std::size_t>(first - config.areas.begin());
        if (known < i) {
            ids.push_back(ids[known]);
        } else {
            last = static_cast<std::uint8_t>(std::min<std::size_t>(last, kNamedAreasMax) + 1);
            ids.push_back(last);
        }
    }
    return ids;
}

}  // namespace maniple::terrain
