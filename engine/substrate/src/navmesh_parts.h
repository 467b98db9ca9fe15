#pragma once

#include <cstdint>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/nav/mesh_tile.h"
#include "maniple/substrate/navmesh_stream.h"

/// The parts that full and delta navmesh streams share, read from untrusted bytes. Failures latch
/// in the reader.
namespace maniple::substrate::detail {

/// The header up to the last goal; the goals are skipped. Refuses a grid stream.
[[nodiscard]] SubstrateHeader read_navmesh_head(core::ByteReader& reader, StreamKind kind,
                                                std::size_t& goal_count);

/// The size guard in front of the parameters.
void read_params_guard(core::ByteReader& reader);

/// The 64 area costs, finite and at least 0 (O-SYNC-26); they are skipped.
void read_area_costs(core::ByteReader& reader);
[[nodiscard]] AreaCosts load_area_costs(const std::uint8_t* in);

/// `count` tile records with slots ascending and below `slots_end`, each blob at least
/// `blob_bytes_min` bytes long, up to the end of the stream.
[[nodiscard]] std::vector<nav::MeshTile> read_tiles(core::ByteReader& reader, std::int64_t count,
                                                    std::int32_t slots_end,
                                                    std::int32_t blob_bytes_min);

/// Writes a tile record: slot, size, blob.
void write_tile(core::ByteWriter& writer, const nav::MeshTile& tile);

}  // namespace maniple::substrate::detail
