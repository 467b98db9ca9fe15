#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "maniple/core/bytes.h"
#include "maniple/substrate/stream_format.h"

namespace maniple::substrate {

/// A cell's normal as on the wire: each axis times 127.
using WireNormal = std::array<std::int8_t, 3>;

/// The stored columns of a grid in index order, all of one length; views of a field's arrays.
struct GridColumns {
    std::span<std::uint8_t> cost;
    std::span<std::uint8_t> type;
    std::span<std::int32_t> z_cm;  ///< Relative to the origin.
    std::span<WireNormal> normal;
};
struct ConstGridColumns {
    std::span<const std::uint8_t> cost;
    std::span<const std::uint8_t> type;
    std::span<const std::int32_t> z_cm;
    std::span<const WireNormal> normal;

    /// The columns of one cell.
    [[nodiscard]] ConstGridColumns cell(std::size_t index) const {
        return {cost.subspan(index, 1), type.subspan(index, 1), z_cm.subspan(index, 1),
                normal.subspan(index, 1)};
    }
};

/// Writes every cell as its record of kCellRecordBytes (docs/formats/substrate.md §2.2).
void pack_records(const ConstGridColumns& columns, std::uint8_t* out);

/// Reads as many verified records as the columns are long.
void unpack_records(core::ByteSpan records, const GridColumns& columns);

/// Reads one verified record into the columns at `index`.
void unpack_record(core::ByteSpan record, const GridColumns& columns, std::size_t index);

}  // namespace maniple::substrate
