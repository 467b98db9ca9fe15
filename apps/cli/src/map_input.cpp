#include "map_input.h"

#include <utility>

#include "maniple/substrate/grid_export.h"

#include "file_io.h"
#include "map_options.h"

namespace maniple::cli {

Result<terrain::GridMap> load_map(const std::string& map, double unit_cm) {
    if (terrain::is_builtin_map(map)) return terrain::read_map(map, {});
    if (map.ends_with(".png") || map.ends_with(".obj")) {
        const auto executor = core::make_executor(1);
        terrain::GridRequest request;
        request.unit_cm = unit_cm;
        const auto ground = load_map_ground(map, request, *executor);
        if (!ground) return refuse(ground.error());
        return terrain::GridMap{map, substrate::write_grid_stream(*ground)};
    }
    auto bytes = read_file(map);
    if (!bytes) return refuse(std::move(bytes.error()));
    return terrain::read_map(map, std::move(*bytes));
}

}  // namespace maniple::cli
