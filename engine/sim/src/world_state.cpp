#include "maniple/sim/world_state.h"

#include <algorithm>
#include <cstring>

namespace maniple::sim {

void Column::resize_rows(std::size_t rows) {
    const std::size_t bytes = rows * row_bytes_;
    if (bytes < used_bytes_) std::memset(data() + bytes, 0, used_bytes_ - bytes);
    lines_.resize((bytes + sizeof(Line) - 1) / sizeof(Line));
    used_bytes_ = bytes;
}

Column* EntityGroup::find_column(FragmentId fragment) {
    for (Column& column : columns) {
        if (column.fragment() == fragment) return &column;
    }
    return nullptr;
}

const Column* EntityGroup::find_column(FragmentId fragment) const {
    for (const Column& column : columns) {
        if (column.fragment() == fragment) return &column;
    }
    return nullptr;
}

}  // namespace maniple::sim
