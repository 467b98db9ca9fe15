#include "map_input.h"

#include <utility>

#include "file_io.h"

namespace maniple::cli {

Result<terrain::GridMap> load_map(const std::string& map) {
    if (terrain::is_builtin_map(map)) return terrain::read_map(map, {});
    auto bytes = read_file(map);
    if (!bytes) return refuse(std::move(bytes.error()));
    return terrain::read_map(map, std::move(*bytes));
}

}  // namespace maniple::cli
