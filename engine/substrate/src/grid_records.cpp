#include "maniple/substrate/grid_records.h"

#include <array>

#include "maniple/core/assert.h"

namespace maniple::substrate {
namespace {

// The first eight of a record's nine bytes move as one little-endian number.
constexpr int kTypeShift = 8;
constexpr int kHeightShift = 16;
constexpr int kNormalXShift = 48;
constexpr int kNormalYShift = 56;

constexpr std::uint32_t axis_bits(std::int8_t axis) { return static_cast<std::uint8_t>(axis); }

/// Where the columns begin. Plain pointers by value: a byte stored to a column may alias anything
/// held by reference, and the loop would read the spans anew for every cell.
struct ColumnPointers {
    explicit ColumnPointers(const GridColumns& columns)
        : cost(columns.cost.data()),
          type(columns.type.data()),
          z_cm(columns.z_cm.data()),
          normal(columns.normal.data()) {}
    std::uint8_t* cost;
    std::uint8_t* type;
    std::int32_t* z_cm;
    WireNormal* normal;
};

struct ConstColumnPointers {
    explicit ConstColumnPointers(const ConstGridColumns& columns)
        : cost(columns.cost.data()),
          type(columns.type.data()),
          z_cm(columns.z_cm.data()),
          normal(columns.normal.data()) {}
    const std::uint8_t* cost;
    const std::uint8_t* type;
    const std::int32_t* z_cm;
    const WireNormal* normal;
};

/// Writes one record; the normal's axes are the three low bytes of `normal`.
inline void pack(std::uint32_t cost, std::uint32_t type, std::int32_t z_cm, std::uint32_t normal,
                 std::uint8_t* out) {
    core::store_le(out, std::uint64_t{cost} | std::uint64_t{type} << kTypeShift |
                            std::uint64_t{static_cast<std::uint32_t>(z_cm)} << kHeightShift |
                            std::uint64_t{normal} << kNormalXShift);
    out[8] = static_cast<std::uint8_t>(normal >> 16);
}

/// Four records at once: one load a column where a byte of each would be four.
inline void pack_four(const ConstColumnPointers& from, std::size_t i, std::uint8_t* out) {
    const auto costs = core::load_le<std::uint32_t>(from.cost + i);
    const auto types = core::load_le<std::uint32_t>(from.type + i);
    const auto* axes = reinterpret_cast<const std::uint8_t*>(from.normal + i);
    const auto low = core::load_le<std::uint64_t>(axes);
    const auto high = core::load_le<std::uint32_t>(axes + 8);
    const std::array<std::uint32_t, 4> normals{
        static_cast<std::uint32_t>(low), static_cast<std::uint32_t>(low >> 24),
        static_cast<std::uint32_t>(low >> 48) | high << 16, high >> 8};
    for (std::size_t cell = 0; cell < 4; ++cell, out += kCellRecordBytes) {
        const int shift = 8 * static_cast<int>(cell);
        pack(costs >> shift & 0xFF, types >> shift & 0xFF, from.z_cm[i + cell], normals[cell], out);
    }
}

inline void unpack(const std::uint8_t* in, const ColumnPointers& to, std::size_t i) {
    const auto head = core::load_le<std::uint64_t>(in);
    to.cost[i] = static_cast<std::uint8_t>(head);
    to.type[i] = static_cast<std::uint8_t>(head >> kTypeShift);
    to.z_cm[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(head >> kHeightShift));
    to.normal[i] = {static_cast<std::int8_t>(static_cast<std::uint8_t>(head >> kNormalXShift)),
                    static_cast<std::int8_t>(static_cast<std::uint8_t>(head >> kNormalYShift)),
                    static_cast<std::int8_t>(in[8])};
}

/// Four records at once: one store a column where a byte of each would be four.
inline void unpack_four(const std::uint8_t* in, const ColumnPointers& to, std::size_t i) {
    std::uint32_t costs = 0;
    std::uint32_t types = 0;
    std::array<std::uint32_t, 4> normals;
    for (std::size_t cell = 0; cell < 4; ++cell, in += kCellRecordBytes) {
        const auto head = core::load_le<std::uint64_t>(in);
        const int shift = 8 * static_cast<int>(cell);
        costs |= static_cast<std::uint32_t>(head & 0xFF) << shift;
        types |= static_cast<std::uint32_t>(head >> kTypeShift & 0xFF) << shift;
        to.z_cm[i + cell] =
            static_cast<std::int32_t>(static_cast<std::uint32_t>(head >> kHeightShift));
        normals[cell] = static_cast<std::uint32_t>(head >> kNormalXShift) | std::uint32_t{in[8]}
                                                                                << 16;
    }
    core::store_le(to.cost + i, costs);
    core::store_le(to.type + i, types);
    auto* normal = reinterpret_cast<std::uint8_t*>(to.normal + i);
    core::store_le(normal, std::uint64_t{normals[0]} | std::uint64_t{normals[1]} << 24 |
                               std::uint64_t{normals[2]} << 48);
    core::store_le(normal + 8, normals[2] >> 16 | normals[3] << 8);
}

static_assert(sizeof(WireNormal) == 3);

}  // namespace

// implements: SYNC-019, O-SYNC-22, O-GRID-35
void pack_records(const ConstGridColumns& columns, std::uint8_t* out) {
    const std::size_t count = columns.cost.size();
    MANIPLE_ASSERT(columns.type.size() == count);
    MANIPLE_ASSERT(columns.z_cm.size() == count);
    MANIPLE_ASSERT(columns.normal.size() == count);
    const ConstColumnPointers from(columns);
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) pack_four(from, i, out + i * kCellRecordBytes);
    for (; i < count; ++i) {
        const WireNormal& normal = from.normal[i];
        pack(from.cost[i], from.type[i], from.z_cm[i],
             static_cast<std::uint32_t>(axis_bits(normal[0]) | axis_bits(normal[1]) << 8 |
                                        axis_bits(normal[2]) << 16),
             out + i * kCellRecordBytes);
    }
}

void unpack_records(core::ByteSpan records, const GridColumns& columns) {
    const std::size_t count = columns.cost.size();
    MANIPLE_ASSERT(columns.type.size() == count);
    MANIPLE_ASSERT(columns.z_cm.size() == count);
    MANIPLE_ASSERT(columns.normal.size() == count);
    MANIPLE_ASSERT(records.size() == count * kCellRecordBytes);
    const ColumnPointers to(columns);
    const std::uint8_t* in = records.data();
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) unpack_four(in + i * kCellRecordBytes, to, i);
    for (; i < count; ++i) unpack(in + i * kCellRecordBytes, to, i);
}

void unpack_record(core::ByteSpan record, const GridColumns& columns, std::size_t index) {
    MANIPLE_ASSERT(record.size() == kCellRecordBytes);
    MANIPLE_ASSERT(index < columns.cost.size());
    unpack(record.data(), ColumnPointers(columns), index);
}

}  // namespace maniple::substrate
