#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "decode_state.h"

namespace maniple::snapshot {
namespace {

/// One stored field that has a local counterpart.
struct LeafCopy {
    const sim::FieldLeaf* local;
    std::size_t stored_offset;
};

/// Decodes one stored column into the group's local one, field by field and by name.
class ColumnDecoder {
  public:
    ColumnDecoder(DecodeState& state, const sim::FragmentType& fragment, std::size_t row_count)
        : state_(state), fragment_(fragment), row_count_(row_count) {}

    /// `hash` becomes that of the capture, or 0 when this build does not hold all its fields.
    bool decode(const wire::Column& stored, const std::byte* default_value, sim::Column& column,
                std::uint64_t& hash) {
        if (!match_leaves(stored)) return false;
        const bool is_whole = copies_.size() == fragment_.layout.leaves.size() &&
                              copies_.size() == stored.leaves()->size();
        hash = is_whole ? stored.hash() : 0;
        const sim::FieldLayout& layout = fragment_.layout;
        if (sim::is_wire_in_memory(layout)) {
            auto* rows = reinterpret_cast<std::uint8_t*>(column.data());
            write_rows(stored, default_value, rows);
            return check_names(rows);
        }
        core::Bytes rows(row_count_ * layout.wire_bytes);
        write_rows(stored, default_value, rows.data());
        if (!sim::rows_from_wire(layout, rows.data(), row_count_, column.data())) {
            return state_.fail(ErrorCode::kBadValue, fragment_.name + ": a bool is not 0 or 1");
        }
        return check_names(rows.data());
    }

  private:
    void write_rows(const wire::Column& stored, const std::byte* default_value,
                    std::uint8_t* rows) const {
        const sim::FieldLayout& layout = fragment_.layout;
        if (copies_.size() != layout.leaves.size()) fill_rows(default_value, rows);
        for (const LeafCopy& copy : copies_) {
            planes_to_rows(stored.planes()->data() + copy.stored_offset * row_count_,
                           sim::scalar_bytes(copy.local->type), row_count_, layout.wire_bytes,
                           rows + copy.local->wire_offset);
        }
    }

    bool check_names(const std::uint8_t* rows) {
        for (const sim::FieldLeaf& leaf : fragment_.layout.leaves) {
            if (leaf.type != sim::ScalarType::kName) continue;
            for (std::size_t r = 0; r < row_count_; ++r) {
                const auto* at = rows + r * fragment_.layout.wire_bytes + leaf.wire_offset;
                if (state_.names.contains(core::load_le<std::uint64_t>(at))) continue;
                return state_.fail(ErrorCode::kBadValue,
                                   field_name(leaf.name) + ": a name without a text");
            }
        }
        return true;
    }

    bool match_leaves(const wire::Column& stored) {
        std::size_t offset = 0;
        std::vector<bool> matched(fragment_.layout.leaves.size(), false);
        for (const wire::Leaf* leaf : *stored.leaves()) {
            std::string name;
            if (!state_.read_name(*leaf->name(), name)) return false;
            if (leaf->type() > sim::kScalarTypeMax) {
                return state_.fail(ErrorCode::kBadValue, fragment_.name + ": an unknown type");
            }
            const auto type = static_cast<sim::ScalarType>(leaf->type());
            if (!match_leaf(name, type, offset, matched)) return false;
            offset += sim::scalar_bytes(type);
        }
        if (offset != stored.row_bytes() ||
            stored.planes()->size() != std::uint64_t{offset} * row_count_) {
            return state_.fail(ErrorCode::kBadValue, fragment_.name + ": a column of another size");
        }
        for (std::size_t i = 0; i < matched.size(); ++i) {
            if (!matched[i] && !state_.differ(ErrorCode::kRegistryMismatch,
                                              field_name(fragment_.layout.leaves[i].name) +
                                                  " is missing, the template's value stays")) {
                return false;
            }
        }
        return true;
    }

    bool match_leaf(const std::string& name, sim::ScalarType type, std::size_t offset,
                    std::vector<bool>& matched) {
        const std::vector<sim::FieldLeaf>& leaves = fragment_.layout.leaves;
        // Equal builds store the fields in the local order; a search is for builds that differ.
        std::size_t at = copies_.size();
        if (at >= leaves.size() || leaves[at].name != name) {
            at = static_cast<std::size_t>(
                std::find_if(leaves.begin(), leaves.end(),
                             [&](const sim::FieldLeaf& leaf) { return leaf.name == name; }) -
                leaves.begin());
        }
        if (at == leaves.size()) {
            return state_.differ(ErrorCode::kRegistryMismatch,
                                 field_name(name) + " is not registered, skipped");
        }
        if (matched[at]) {
            return state_.fail(ErrorCode::kBadValue, field_name(name) + " is there twice");
        }
        if (leaves[at].type != type) {
            return state_.fail(ErrorCode::kRegistryMismatch,
                               field_name(name) + " is of another type");
        }
        matched[at] = true;
        copies_.push_back({&leaves[at], offset});
        return true;
    }

    void fill_rows(const std::byte* default_value, std::uint8_t* rows) const {
        core::Bytes row(fragment_.layout.wire_bytes);
        sim::rows_to_wire(fragment_.layout, default_value, 1, row.data());
        for (std::size_t r = 0; r < row_count_; ++r) {
            std::copy(row.begin(), row.end(), rows + r * row.size());
        }
    }

    [[nodiscard]] std::string field_name(const std::string& leaf) const {
        return fragment_.name + "." + leaf;
    }

    DecodeState& state_;
    const sim::FragmentType& fragment_;
    std::size_t row_count_;
    std::vector<LeafCopy> copies_;
};

}  // namespace

bool decode_column(const wire::Column& stored, const sim::TemplateFragment& local,
                   sim::Column& column, std::size_t row_count, std::uint64_t& hash,
                   DecodeState& state) {
    ColumnDecoder decoder(state, state.definition.fragment(local.fragment), row_count);
    return decoder.decode(stored, local.default_value.data(), column, hash);
}

// implements: SNAP-007, SNAP-042, O-SNAP-21
bool decode_shared_column(const wire::Column& stored, const sim::TemplateFragment& local,
                          sim::SharedColumn& column, std::size_t row_count, std::uint64_t& hash,
                          DecodeState& state) {
    const sim::FragmentType& fragment = state.definition.fragment(local.fragment);
    const std::size_t value_count = stored.value_count();
    std::vector<std::uint32_t> slots;
    if (value_count > row_count || stored.slots() == nullptr ||
        !decode_scalars(*stored.slots(), row_count, slots)) {
        return state.fail(ErrorCode::kBadValue, fragment.name + ": slots of another size");
    }
    // Values are numbered in the order in which the rows show them.
    std::uint32_t seen = 0;
    for (const std::uint32_t slot : slots) {
        if (slot > seen || slot >= value_count) {
            return state.fail(ErrorCode::kBadValue, fragment.name + ": a slot out of its order");
        }
        seen = std::max(seen, slot + 1);
    }
    if (seen != value_count) {
        return state.fail(ErrorCode::kBadValue, fragment.name + ": a value that no row has");
    }
    sim::Column values(local.fragment, fragment.layout.memory_bytes);
    values.resize_rows(value_count);
    ColumnDecoder decoder(state, fragment, value_count);
    if (!decoder.decode(stored, local.default_value.data(), values, hash)) return false;
    column.assign(std::move(values), std::move(slots));
    return true;
}

}  // namespace maniple::snapshot
