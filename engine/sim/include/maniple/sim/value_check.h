#pragma once

#include <cstddef>
#include <functional>
#include <optional>

#include "maniple/core/result.h"

/// Which values a game can bear. A snapshot may come from a stranger and be consistent in itself,
/// hash and all; a field's type admits more than the game does that indexes, sizes or divides by
/// it. A check is registered beside what it checks and is called for every value of a snapshot
/// before the restored world runs any of the game, never in a tick.
namespace maniple::sim {

/// Names the first field of a value that the game cannot bear, as the description names it
/// (`team`, `velocity.x`); nullptr when there is none. Looks at the value alone.
template <typename T>
using ValueCheck = const char* (*)(const T& value);

/// The first row that a check refuses.
struct Misfit {
    std::size_t row = 0;
    const char* field = nullptr;
};
/// A ValueCheck over the rows of a column in their memory form.
using RowsCheck = std::function<std::optional<Misfit>(const std::byte* rows, std::size_t count)>;

/// Empty without a check.
template <typename T>
[[nodiscard]] RowsCheck check_of_rows(ValueCheck<T> check) {
    if (check == nullptr) return {};
    return [check](const std::byte* rows, std::size_t count) -> std::optional<Misfit> {
        const auto* values = reinterpret_cast<const T*>(rows);
        for (std::size_t row = 0; row < count; ++row) {
            if (const char* field = check(values[row])) return Misfit{row, field};
        }
        return std::nullopt;
    };
}

class GameDefinition;
struct WorldState;

/// Runs every registered check over a state. @return kBadValue that names the first misfit:
/// fragment, field, entity and value; of a record its kind and number.
[[nodiscard]] Result<void> check_values(const GameDefinition& definition, const WorldState& state);

}  // namespace maniple::sim
