#include "maniple/sim/record.h"

#include <cstddef>

namespace maniple::sim::detail {

void write_locations(std::span<const Vec3d> locations, core::ByteWriter& out) {
    static const FieldLayout kLayout{sizeof(Vec3d),
                                     alignof(Vec3d),
                                     sizeof(Vec3d),
                                     {{"x", ScalarType::kF64, offsetof(Vec3d, x), 0},
                                      {"y", ScalarType::kF64, offsetof(Vec3d, y), 8},
                                      {"z", ScalarType::kF64, offsetof(Vec3d, z), 16}},
                                     true};
    static_assert(sizeof(Vec3d) == 3 * sizeof(double));
    const auto* rows = reinterpret_cast<const std::byte*>(locations.data());
    if (are_canonical(kLayout, rows, locations.size())) {  // as nearly all are
        out.bytes({reinterpret_cast<const std::uint8_t*>(rows), locations.size_bytes()});
    } else {
        std::uint8_t* wire = out.grow(locations.size_bytes());
        rows_to_canonical_wire(kLayout, rows, locations.size(), wire);
    }
}

}  // namespace maniple::sim::detail
