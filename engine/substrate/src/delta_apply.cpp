#include <algorithm>
#include <cstring>

#include "maniple/substrate/delta.h"

#include "delta_fit.h"

namespace maniple::substrate {
namespace {

detail::StandingHead head_of(const CheckedView& standing) {
    return {standing.version(), standing.identity(), standing.grid(), standing.goals()};
}

/// Gives a standing stream's records.
auto records_of(const CheckedView& standing) {
    return [records = standing.records()](std::uint32_t cell) {
        detail::Record record;
        std::ranges::copy(records.subspan(cell * kCellRecordBytes, kCellRecordBytes),
                          record.begin());
        return record;
    };
}

}  // namespace

std::uint32_t patched_content_hash(const CheckedView& standing, const DeltaView& delta) {
    return detail::patched_hash(head_of(standing), delta, records_of(standing));
}

std::optional<Error> check_delta_fits(const CheckedView& standing, const DeltaView& delta) {
    return detail::check_fit(head_of(standing), delta, records_of(standing));
}

void apply_delta(CheckedStream& standing, const DeltaView& delta) {
    standing.replace_goals(delta.goals());
    std::uint8_t* records = standing.bytes_.data() + standing.view().records_offset();
    for (std::size_t i = 0; i < delta.changed_cells(); ++i) {
        std::memcpy(records + delta.cell_index(i) * kCellRecordBytes, delta.cell_record(i).data(),
                    kCellRecordBytes);
    }
    standing.set_version(delta.header().content_hash);
}

}  // namespace maniple::substrate
