#include "maniple/terrain/grid_map.h"

#include <utility>

#include "maniple/core/hash.h"

namespace maniple::terrain {

std::uint64_t GridMap::digest() const { return core::xxh3_64(stream.bytes()); }

std::uint64_t GridMap::passable_cells() const {
    constexpr std::uint8_t kGround = 1;
    constexpr std::uint8_t kImpassable = 255;
    const core::ByteSpan records = stream.view().records();
    std::uint64_t count = 0;
    for (std::size_t at = 0; at < records.size(); at += substrate::kCellRecordBytes) {
        if (records[at] != kImpassable && records[at + 1] == kGround) ++count;
    }
    return count;
}

Result<GridMap> read_substrate_map(core::Bytes bytes, std::string name) {
    Result<substrate::CheckedStream> stream = substrate::CheckedStream::check(std::move(bytes));
    if (!stream) return refuse(stream.error());
    return GridMap{std::move(name), std::move(*stream)};
}

Result<GridMap> read_map(std::string_view name, core::Bytes bytes) {
    if (is_builtin_map(name)) return make_builtin_map(name);
    if (name.ends_with(".map")) return read_movingai_map(bytes, std::string(name));
    if (name.ends_with(".ffs")) return read_substrate_map(std::move(bytes), std::string(name));
    return refuse(ErrorCode::kUnsupported,
                  "not a map: a file ending in .map or .ffs, or builtin:NAME[:SIZE], is expected");
}

}  // namespace maniple::terrain
