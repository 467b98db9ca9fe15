#pragma once

#include <cstddef>
#include <cstdint>

#include "maniple/core/bytes.h"

/// Byte offsets inside a tile blob: dtMeshHeader, then the sections one after the other.
namespace maniple::nav::tile {

inline constexpr std::int32_t kMagic = 'D' << 24 | 'N' << 16 | 'A' << 8 | 'V';
inline constexpr std::int32_t kVersion = 7;

// dtMeshHeader.
inline constexpr std::size_t kX = 8;
inline constexpr std::size_t kY = 12;
inline constexpr std::size_t kLayer = 16;
inline constexpr std::size_t kPolyCount = 24;
inline constexpr std::size_t kVertCount = 28;
inline constexpr std::size_t kLinkCountMax = 32;
inline constexpr std::size_t kDetailMeshCount = 36;
inline constexpr std::size_t kDetailVertCount = 40;
inline constexpr std::size_t kDetailTriCount = 44;
inline constexpr std::size_t kBvNodeCount = 48;
inline constexpr std::size_t kOffMeshCount = 52;
inline constexpr std::size_t kOffMeshBase = 56;
inline constexpr std::size_t kWalkable = 60;  // Height, radius, climb.
inline constexpr std::size_t kBoundsMin = 72;
inline constexpr std::size_t kBoundsMax = 84;
inline constexpr std::size_t kBvQuantFactor = 96;
inline constexpr std::size_t kHeaderBytes = 100;

// dtPoly: u32 first link, 6 u16 vertices, 6 u16 neighbours, u16 flags, u8 count, u8 area and type.
inline constexpr std::size_t kPolyBytes = 32;
inline constexpr std::size_t kPolyVerts = 4;
inline constexpr std::size_t kPolyNeighbours = 16;
inline constexpr std::size_t kPolyVertCount = 30;
inline constexpr std::size_t kPolyAreaAndType = 31;
inline constexpr std::size_t kVertsPerPolyMax = 6;
inline constexpr std::uint8_t kGround = 0;
inline constexpr std::uint8_t kOffMesh = 1;
inline constexpr std::uint16_t kExternal = 0x8000;

// dtPolyDetail: u32 vertex base, u32 triangle base, u8 vertices, u8 triangles, 2 bytes of padding.
inline constexpr std::size_t kDetailVertBase = 0;
inline constexpr std::size_t kDetailTriBase = 4;
inline constexpr std::size_t kDetailVerts = 8;
inline constexpr std::size_t kDetailTris = 9;
inline constexpr std::size_t kDetailMeshBytes = 12;
inline constexpr std::size_t kDetailTriBytes = 4;  // Three vertices, the edges' flags.

inline constexpr std::size_t kVertBytes = 12;
inline constexpr std::size_t kLinkBytes = 12;

// dtBVNode: u16 × 3 minimum, u16 × 3 maximum, i32 polygon or -escape.
inline constexpr std::size_t kBvNodeBytes = 16;
inline constexpr std::size_t kBvNodeIndex = 12;

// dtOffMeshConnection: f32 × 6 both ends, f32 radius, u16 polygon, u8 flags, u8 side, u32 user id.
inline constexpr std::size_t kOffMeshBytes = 36;
inline constexpr std::size_t kOffMeshFloats = 7;
inline constexpr std::size_t kOffMeshPoly = 28;
inline constexpr std::size_t kOffMeshSide = 31;
inline constexpr std::uint8_t kNoSide = 0xFF;

/// The counts of the header, each at least 0, and where the sections begin.
struct Layout {
    std::int32_t polys, verts, links, detail_meshes, detail_verts, detail_tris, bv_nodes, off_mesh;
    std::uint64_t verts_at, polys_at, links_at, detail_meshes_at, detail_verts_at, detail_tris_at,
        bv_nodes_at, off_mesh_at, end;
};

/// The layout that a blob of at least kHeaderBytes declares.
[[nodiscard]] Layout layout_of(core::ByteSpan blob);

}  // namespace maniple::nav::tile
