#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "maniple/substrate/stream_format.h"
#include "maniple/terrain/grid_map.h"

#include "flat_map.h"

namespace maniple::terrain {
namespace {

/// Splits text into lines; a CR at a line's end is no part of the line.
class LineReader {
  public:
    explicit LineReader(std::string_view text) : text_(text) {}

    [[nodiscard]] std::size_t at() const { return at_; }
    [[nodiscard]] bool at_end() const { return at_ == text_.size(); }
    [[nodiscard]] std::size_t remaining() const { return text_.size() - at_; }

    [[nodiscard]] std::string_view next() {
        const std::size_t end = std::min(text_.find('\n', at_), text_.size());
        std::string_view line = text_.substr(at_, end - at_);
        at_ = std::min(end + 1, text_.size());
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        return line;
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

/// `line` is `key`, a space and a value.
Result<std::string_view> read_header_value(LineReader& lines, std::string_view key) {
    const std::size_t at = lines.at();
    if (lines.at_end()) {
        return refuse(ErrorCode::kTruncated, at, "no `" + std::string(key) + "` line");
    }
    std::string_view line = lines.next();
    if (!line.starts_with(key) || line.size() <= key.size() + 1 || line[key.size()] != ' ') {
        return refuse(ErrorCode::kBadText, at,
                      "a line `" + std::string(key) + " …` expected in a MovingAI map");
    }
    return line.substr(key.size() + 1);
}

/// A whole number in 1 … kCellsMax.
Result<std::int32_t> read_header_size(LineReader& lines, std::string_view key) {
    const std::size_t at = lines.at();
    const Result<std::string_view> value = read_header_value(lines, key);
    if (!value) return refuse(value.error());
    const std::size_t value_at = at + key.size() + 1;
    std::uint64_t number = 0;
    for (const char c : *value) {
        if (c < '0' || c > '9') {
            return refuse(ErrorCode::kBadText, value_at,
                          std::string(key) + " is not a whole number");
        }
        number =
            std::min(number * 10 + static_cast<std::uint64_t>(c - '0'), substrate::kCellsMax + 1);
    }
    if (number == 0) return refuse(ErrorCode::kBadValue, value_at, std::string(key) + " is 0");
    if (number > substrate::kCellsMax) {
        return refuse(ErrorCode::kOverCap, value_at,
                      std::string(key) + " is over " + std::to_string(substrate::kCellsMax));
    }
    return static_cast<std::int32_t>(number);
}

struct MapHeader {
    std::int32_t width = 0;
    std::int32_t height = 0;
};

Result<MapHeader> read_header(LineReader& lines) {
    const std::size_t type_at = lines.at();
    const Result<std::string_view> type = read_header_value(lines, "type");
    if (!type) return refuse(type.error());
    if (*type != "octile") return refuse(ErrorCode::kBadText, type_at, "`type octile` expected");
    const std::size_t size_at = lines.at();
    const Result<std::int32_t> height = read_header_size(lines, "height");
    if (!height) return refuse(height.error());
    const Result<std::int32_t> width = read_header_size(lines, "width");
    if (!width) return refuse(width.error());
    const std::uint64_t cells =
        static_cast<std::uint64_t>(*width) * static_cast<std::uint64_t>(*height);
    if (cells > substrate::kCellsMax) {
        return refuse(ErrorCode::kOverCap, size_at,
                      std::to_string(*width) + " x " + std::to_string(*height) +
                          " cells, the limit is " + std::to_string(substrate::kCellsMax));
    }
    const std::size_t map_at = lines.at();
    if (lines.at_end()) return refuse(ErrorCode::kTruncated, map_at, "no `map` line");
    if (lines.next() != "map") {
        return refuse(ErrorCode::kBadText, map_at, "a line `map` expected before the rows");
    }
    return MapHeader{*width, *height};
}

/// The next row, exactly `width` characters.
Result<std::string_view> read_row(LineReader& lines, std::int32_t row, const MapHeader& header) {
    const std::size_t at = lines.at();
    if (lines.at_end()) {
        return refuse(
            ErrorCode::kTruncated, at,
            std::to_string(header.height) + " rows declared, " + std::to_string(row) + " present");
    }
    const std::string_view line = lines.next();
    const auto width = static_cast<std::size_t>(header.width);
    if (line.size() == width) return line;
    const std::string message = "row " + std::to_string(row) + " has " +
                                std::to_string(line.size()) + " cells, " + std::to_string(width) +
                                " expected";
    if (line.size() < width) return refuse(ErrorCode::kTruncated, at + line.size(), message);
    return refuse(ErrorCode::kTrailing, at + width, message);
}

Surface surface_of(char c) {
    if (c == '.' || c == 'G') return Surface::kGround;
    if (c == 'S') return Surface::kSlow;
    return Surface::kObstacle;
}

/// Every row in place and nothing but empty lines behind them; the error where that is not so.
std::optional<Error> check_rows(LineReader lines, const MapHeader& header) {
    for (std::int32_t y = 0; y < header.height; ++y) {
        const Result<std::string_view> row = read_row(lines, y, header);
        if (!row) return row.error();
    }
    while (!lines.at_end()) {
        const std::size_t at = lines.at();
        if (!lines.next().empty()) {
            return Error{ErrorCode::kTrailing, at, "text after the last row"};
        }
    }
    return std::nullopt;
}

/// Rows run along X, the grid along Y: bands of rows keep both sides in the cache.
SurfaceGrid read_surfaces(LineReader lines, const MapHeader& header) {
    constexpr std::int32_t kBandRows = 64;
    std::array<std::string_view, kBandRows> rows;
    SurfaceGrid surfaces(header.width, header.height, Surface::kObstacle);
    for (std::int32_t y0 = 0; y0 < header.height; y0 += kBandRows) {
        const std::int32_t count = std::min(kBandRows, header.height - y0);
        for (std::int32_t i = 0; i < count; ++i) rows[static_cast<std::size_t>(i)] = lines.next();
        for (std::int32_t x = 0; x < header.width; ++x) {
            for (std::int32_t i = 0; i < count; ++i) {
                const std::string_view row = rows[static_cast<std::size_t>(i)];
                surfaces.set(x, y0 + i, surface_of(row[static_cast<std::size_t>(x)]));
            }
        }
    }
    return surfaces;
}

}  // namespace

Result<GridMap> read_movingai_map(core::ByteSpan bytes, std::string name) {
    LineReader lines({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    const Result<MapHeader> header = read_header(lines);
    if (!header) return refuse(header.error());
    // Checked before anything of the declared size is allocated.
    if (const std::optional<Error> error = check_rows(lines, *header)) return refuse(*error);
    return make_flat_map(std::move(name), read_surfaces(lines, *header));
}

}  // namespace maniple::terrain
