#include <array>
#include <string>
#include <string_view>

#include "maniple/core/assert.h"
#include "maniple/terrain/grid_map.h"

#include "builtin_shapes.h"
#include "flat_map.h"

namespace maniple::terrain {
namespace {

constexpr std::string_view kPrefix = "builtin:";
constexpr std::int32_t kSizeMin = 32;
constexpr std::int32_t kSizeMax = 4096;
constexpr std::int32_t kSizeDefault = 512;

struct BuiltinShape {
    std::string_view name;
    SurfaceGrid (*make)(std::int32_t size);
};

constexpr std::array<BuiltinShape, 3> kShapes = {{
    {"valley", &shape_valley},
    {"fortress", &shape_fortress},
    {"archipelago", &shape_archipelago},
}};

std::string shape_names() {
    std::string names;
    for (const BuiltinShape& shape : kShapes) {
        if (!names.empty()) names += ", ";
        names += shape.name;
    }
    return names;
}

Result<std::int32_t> parse_size(std::string_view text) {
    std::int32_t size = 0;
    bool valid = !text.empty() && text.size() <= 4;
    for (const char c : text) {
        if (c < '0' || c > '9') valid = false;
        if (valid) size = size * 10 + (c - '0');
    }
    if (!valid || size < kSizeMin || size > kSizeMax) {
        return refuse(ErrorCode::kBadValue,
                      "`" + std::string(text) + "` is no size of a built-in map: whole numbers " +
                          std::to_string(kSizeMin) + " to " + std::to_string(kSizeMax));
    }
    return size;
}

}  // namespace

bool is_builtin_map(std::string_view name) { return name.starts_with(kPrefix); }

Result<GridMap> make_builtin_map(std::string_view name) {
    MANIPLE_ASSERT(is_builtin_map(name));
    const std::string_view rest = name.substr(kPrefix.size());
    const std::size_t colon = rest.find(':');
    const std::string_view shape_name = rest.substr(0, colon);
    std::int32_t size = kSizeDefault;
    if (colon != std::string_view::npos) {
        const Result<std::int32_t> parsed = parse_size(rest.substr(colon + 1));
        if (!parsed) return refuse(parsed.error());
        size = *parsed;
    }
    for (const BuiltinShape& shape : kShapes) {
        if (shape.name != shape_name) continue;
        SurfaceGrid surfaces = shape.make(size);
        keep_largest_component(surfaces);
        return make_flat_map(std::string(name), surfaces);
    }
    return refuse(ErrorCode::kNotFound,
                  "no built-in map `" + std::string(shape_name) + "`; there are " + shape_names());
}

}  // namespace maniple::terrain
