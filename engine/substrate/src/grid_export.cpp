#include "maniple/substrate/grid_export.h"

#include "maniple/substrate/grid_records.h"

#include "grid_columns.h"

namespace maniple::substrate {

// implements: SYNC-040, SYNC-041, SYNC-042, O-SYNC-02, O-SYNC-20
Result<CheckedStream> export_substrate(const nav::FlowField& field) {
    if (!field.initialised()) {
        return refuse(ErrorCode::kNotReady, "field " + field.name() + " has no ground to export");
    }
    return write_grid_stream(field.substrate());
}

CheckedStream write_grid_stream(const nav::GridSubstrate& ground) {
    return CheckedStream::write(detail::identity_of(ground.geometry), detail::goals_of(ground),
                                detail::shape_of(ground.geometry), [&](std::uint8_t* out) {
                                    pack_records(detail::columns_of(ground), out);
                                });
}

// implements: SYNC-045, O-SYNC-21
void read_grid_stream(const CheckedView& stream, nav::GridSubstrate& ground) {
    const SubstrateIdentity& identity = stream.identity();
    const GridShape& shape = stream.grid();
    ground.geometry =
        nav::GridGeometry(identity.origin_x_cm, identity.origin_y_cm, identity.origin_z_cm,
                          identity.yaw_centideg, shape.x_num, shape.y_num, shape.cell_size_cm);
    const auto cells = static_cast<std::size_t>(shape.cell_count());
    ground.cost.resize(cells);
    ground.type.resize(cells);
    ground.z_cm.resize(cells);
    ground.normal.resize(cells);
    unpack_records(stream.records(), detail::columns_of(ground));
    detail::set_goals(ground, stream.goals());
}

nav::GridSubstrate read_grid_stream(const CheckedView& stream) {
    nav::GridSubstrate ground;
    read_grid_stream(stream, ground);
    return ground;
}

}  // namespace maniple::substrate
