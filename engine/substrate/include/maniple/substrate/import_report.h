#pragma once

#include <cstdint>
#include <vector>

#include "maniple/nav/grid_types.h"
#include "maniple/substrate/stream_format.h"

namespace maniple::substrate {

/// What an accepted stream did to a field.
struct ImportReport {
    StreamKind kind = StreamKind::kFull;
    std::uint32_t version = 0;  ///< The field's version now.
    /// False for a stream whose version the field had already: nothing was done (SYNC-048,
    /// O-SYNC-08), or on a navmesh the flood alone, if it had not run (SYNC-049).
    bool applied = false;
    std::vector<nav::CellIndex> changed_cells;  ///< Of an applied grid delta, ascending.
};

}  // namespace maniple::substrate
