#include "maniple/substrate/authoring_field.h"

#include <utility>

#include "maniple/core/assert.h"
#include "maniple/substrate/grid_export.h"

namespace maniple::substrate {

// implements: O-NET-01
AuthoringField::AuthoringField(std::string name, nav::FieldConfig config, CheckedStream start,
                               DispatchConfig dispatch)
    : field_(std::move(name), config), dispatcher_(std::move(start), dispatch) {
    field_.set_substrate(read_grid_stream(history().newest().view()));
}

// implements: NET-001
std::optional<Dispatch> AuthoringField::rebuild(std::int32_t tick) {
    Result<CheckedStream> next = export_substrate(field_);
    MANIPLE_ASSERT(next.has_value());
    return dispatcher_.dispatch(tick, std::move(*next));
}

}  // namespace maniple::substrate
