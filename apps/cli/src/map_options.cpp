#include "map_options.h"

#include <cmath>
#include <memory>
#include <utility>

#include "maniple/terrain/grid_map.h"

#include "file_io.h"
#include "interrupt.h"
#include "number_list.h"
#include "progress.h"

namespace maniple::cli {

void add_map_options(CLI::App& sub, MapOptions& options) {
    sub.add_option("MAP", options.map, "builtin:NAME[:SIZE], or a .map, .png, .obj or .ffs file")
        ->required();
    sub.add_option("--height-cm", options.height_cm,
                   "LOW:HIGH, heights of black and white in a .png, cm")
        ->capture_default_str();
    sub.add_option("--cell-cm", options.cell_cm,
                   "Side of a cell, and distance of a .png's samples, cm (100; a .map's or .ffs's "
                   "own)")
        ->check(CLI::Range(1, 1'000'000));
    sub.add_option("--unit-cm", options.unit_cm, "Length of an .obj's unit, cm")
        ->check(finite_range(1e-6, 1e6))
        ->capture_default_str();
}

terrain::GridRequest grid_request(const MapOptions& options) {
    terrain::GridRequest request;
    std::string heights = options.height_cm;
    const std::size_t colon = heights.find(':');
    if (colon != std::string::npos && heights.find(',') == std::string::npos) heights[colon] = ',';
    const auto numbers = parse_numbers("--height-cm", heights, 2, 2);
    const auto fits = [](double v) { return std::abs(v) <= terrain::kCoordinateMaxCm; };
    if (!fits(numbers[0]) || !fits(numbers[1]) || numbers[0] > numbers[1]) {
        throw CLI::ValidationError("--height-cm",
                                   "LOW:HIGH expected, LOW at most HIGH, both "
                                   "within 1000 km");
    }
    request.height.low_cm = numbers[0];
    request.height.high_cm = numbers[1];
    request.unit_cm = options.unit_cm;
    if (options.cell_cm != 0) request.cell_size_cm = options.cell_cm;
    return request;
}

Result<nav::GridSubstrate> load_map_ground(const std::string& map,
                                           const terrain::GridRequest& request,
                                           core::Executor& executor) {
    core::Bytes bytes;
    if (!terrain::is_builtin_map(map)) {
        auto read = read_file(map);
        if (!read) return refuse(std::move(read.error()));
        bytes = std::move(*read);
    }
    catch_interrupts();
    std::unique_ptr<ProgressBar> bar;
    const auto show = [&](std::size_t done, std::size_t total) {
        if (!bar) bar = std::make_unique<ProgressBar>("cell", static_cast<std::int64_t>(total));
        bar->show(static_cast<std::int64_t>(done));
        return !interrupted();
    };
    return terrain::read_map_ground(map, std::move(bytes), request, executor, show);
}

}  // namespace maniple::cli
