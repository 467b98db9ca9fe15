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

void Column::remove_rows(std::span<const std::size_t> gone, std::size_t row_count) {
    for_moved_runs(gone, row_count, [this](std::size_t begin, std::size_t end, std::size_t to) {
        std::memmove(row(to), row(begin), (end - begin) * row_bytes_);
    });
    resize_rows(row_count - gone.size());
}

void SharedColumn::push_back(const std::byte* value) { slots_.push_back(intern(value)); }

void SharedColumn::set(std::size_t row, const std::byte* value) {
    const std::uint32_t slot = intern(value);
    --uses_[slots_[row]];
    slots_[row] = slot;
}

std::uint32_t SharedColumn::intern(const std::byte* value) {
    std::size_t at = uses_.size();
    for (std::size_t slot = uses_.size(); slot-- > 0;) {
        if (uses_[slot] == 0) {
            at = slot;
        } else if (std::memcmp(values_.row(slot), value, row_bytes()) == 0) {
            ++uses_[slot];
            return static_cast<std::uint32_t>(slot);
        }
    }
    if (at == uses_.size()) {
        uses_.push_back(0);
        values_.resize_rows(uses_.size());
    }
    std::memcpy(values_.row(at), value, row_bytes());
    uses_[at] = 1;
    return static_cast<std::uint32_t>(at);
}

void SharedColumn::assign(Column values, std::vector<std::uint32_t> slots) {
    values_ = std::move(values);
    slots_ = std::move(slots);
    std::size_t slot_count = 0;
    for (const std::uint32_t slot : slots_)
        slot_count = std::max<std::size_t>(slot_count, slot + 1);
    values_.resize_rows(slot_count);
    uses_.assign(slot_count, 0);
    for (const std::uint32_t slot : slots_) ++uses_[slot];
}

void SharedColumn::remove_rows(std::span<const std::size_t> gone) {
    for (const std::size_t row : gone) --uses_[slots_[row]];
    sim::remove_rows(slots_, gone);
}

SharedColumn* EntityGroup::find_shared(FragmentId fragment) {
    for (SharedColumn& column : shared_columns) {
        if (column.fragment() == fragment) return &column;
    }
    return nullptr;
}

const SharedColumn* EntityGroup::find_shared(FragmentId fragment) const {
    for (const SharedColumn& column : shared_columns) {
        if (column.fragment() == fragment) return &column;
    }
    return nullptr;
}

WorldState empty_state(const GameDefinition& definition) {
    WorldState state;
    for (std::size_t i = 0; i < definition.templates().size(); ++i) {
        EntityGroup& group = state.groups.emplace_back();
        group.template_id = {static_cast<std::uint16_t>(i)};
        const EntityTemplate& source = definition.templates()[i];
        const auto bytes_of = [&](const TemplateFragment& part) {
            return definition.fragment(part.fragment).layout.memory_bytes;
        };
        for (const TemplateFragment& part : source.fragments) {
            group.columns.emplace_back(part.fragment, bytes_of(part));
        }
        for (const TemplateFragment& part : source.shared_fragments) {
            group.shared_columns.emplace_back(part.fragment, bytes_of(part));
        }
    }
    for (const VariableStore& store : definition.variables()) {
        state.variables.push_back(store.initial);
    }
    return state;
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
