#include "nav_config.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "file_io.h"
#include "json_input.h"

namespace maniple::cli {
namespace {

using nlohmann::json;

/// Reads one object key by key and remembers the first complaint.
class ObjectReader {
  public:
    ObjectReader(const json& object, std::string where)
        : object_(object), where_(std::move(where)) {
        if (!object_.is_object()) complain("is no object");
    }

    void number(const char* key, double& out) {
        const json* value = find(key);
        if (value == nullptr) return;
        if (value->is_number()) {
            out = value->get<double>();
        } else {
            complain(std::string(key) + " is no number");
        }
    }
    void text(const char* key, std::string& out) {
        const json* value = find(key);
        if (value != nullptr && value->is_string()) {
            out = value->get<std::string>();
        } else {
            complain(std::string(key) + " is no text");
        }
    }
    void place(const char* key, Vec3d& out) {
        const json* value = find(key);
        if (value == nullptr || !read_place(*value, out)) {
            complain(std::string(key) + " is not [x, y, z]");
        }
    }
    void box(const char* key, terrain::NavBox& out) {
        const json* value = find(key);
        const bool two = value != nullptr && value->is_array() && value->size() == 2;
        if (!two || !read_place((*value)[0], out.low) || !read_place((*value)[1], out.high)) {
            complain(std::string(key) + " is not [[x, y, z], [x, y, z]]");
        }
    }
    /// Reads every element of an array by `read(reader)`.
    template <class Read>
    void each(const char* key, Read read) {
        const json* value = find(key);
        if (value == nullptr) return;
        if (!value->is_array()) return complain(std::string(key) + " is no array");
        for (std::size_t i = 0; i < value->size() && !error_; ++i) {
            ObjectReader reader((*value)[i], std::string(key) + "[" + std::to_string(i) + "]: ");
            read(reader);
            error_ = reader.finish();
        }
    }
    void complain(const std::string& what) {
        if (!error_) error_ = Error{ErrorCode::kBadValue, Error::kNoOffset, where_ + what};
    }
    /// The first complaint; a key that nobody read is one.
    [[nodiscard]] std::optional<Error> finish() {
        if (error_) return error_;
        for (const auto& [key, value] : object_.items()) {
            if (!known_.contains(key)) complain("the key `" + key + "` does not belong there");
        }
        return error_;
    }

  private:
    [[nodiscard]] const json* find(const char* key) {
        if (!object_.is_object()) return nullptr;
        const auto found = object_.find(key);
        if (found == object_.end()) return nullptr;
        known_.emplace(key);
        return &*found;
    }
    static bool read_place(const json& value, Vec3d& out) {
        if (!value.is_array() || value.size() != 3) return false;
        for (const json& number : value) {
            if (!number.is_number()) return false;
        }
        out = {value[0].get<double>(), value[1].get<double>(), value[2].get<double>()};
        return true;
    }

    const json& object_;
    std::string where_;
    std::set<std::string> known_;  ///< Keys that were asked for.
    std::optional<Error> error_;
};

terrain::NavArea read_area(ObjectReader& reader) {
    terrain::NavArea area;
    double cost = 1;
    reader.text("name", area.name);
    reader.number("cost", cost);
    reader.box("box", area.box);
    area.cost = static_cast<float>(cost);
    return area;
}

terrain::NavLink read_link(ObjectReader& reader) {
    using Direction = terrain::NavLink::Direction;
    terrain::NavLink link;
    std::string direction;
    reader.text("name", link.name);
    reader.place("left", link.left);
    reader.place("right", link.right);
    reader.text("direction", direction);
    if (direction == "left_to_right") {
        link.direction = Direction::kLeftToRight;
    } else if (direction == "right_to_left") {
        link.direction = Direction::kRightToLeft;
    } else if (direction != "both") {
        reader.complain("direction is not both, left_to_right or right_to_left");
    }
    return link;
}

}  // namespace

Result<terrain::NavMeshConfig> read_nav_config(core::ByteSpan text) {
    const Result<json> object = read_json(text);
    if (!object) return refuse(object.error());
    terrain::NavMeshConfig config;
    ObjectReader reader(*object, "");
    reader.number("agent_radius_cm", config.agent_radius_cm);
    reader.number("agent_height_cm", config.agent_height_cm);
    reader.number("climb_cm", config.climb_cm);
    reader.number("slope_deg", config.slope_deg);
    reader.number("cell_cm", config.cell_cm);
    reader.number("cell_height_cm", config.cell_height_cm);
    double tile_cells = config.tile_cells;
    reader.number("tile_cells", tile_cells);
    if (!(tile_cells >= 1 && tile_cells <= 1e6 && tile_cells == std::floor(tile_cells))) {
        reader.complain("tile_cells is no count of cells");
    } else {
        config.tile_cells = static_cast<std::int32_t>(tile_cells);
    }
    reader.each("areas", [&](ObjectReader& entry) { config.areas.push_back(read_area(entry)); });
    reader.each("off_mesh_links",
                [&](ObjectReader& entry) { config.links.push_back(read_link(entry)); });
    if (const auto error = reader.finish()) return refuse(*error);
    if (auto checked = terrain::check_navmesh_config(config); !checked) {
        return refuse(checked.error());
    }
    return config;
}

Result<terrain::NavMeshConfig> load_nav_config(const std::string& path) {
    if (path.empty()) return terrain::NavMeshConfig{};
    const auto bytes = read_file(path);
    if (!bytes) return refuse(bytes.error());
    return read_nav_config(*bytes);
}

}  // namespace maniple::cli
