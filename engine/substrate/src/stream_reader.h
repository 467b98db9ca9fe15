#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/substrate/stream_format.h"

/// The parts that full and delta streams share. They are read from untrusted bytes: failures latch
/// in the reader.
namespace maniple::substrate::detail {

/// Everything before the goals. The magic tells the kind; where one is `expected`, the other's
/// magic is refused.
[[nodiscard]] SubstrateHeader read_header(core::ByteReader& reader,
                                          std::optional<StreamKind> expected = std::nullopt);

/// The goal count and the goals behind it, which are skipped. The count is bounded by its limit and
/// by the bytes present.
[[nodiscard]] std::size_t read_goals(core::ByteReader& reader);

[[nodiscard]] GoalCm load_goal(const std::uint8_t* in);
void store_goal(std::uint8_t* out, const GoalCm& goal);
/// `count` goals that stand at `in`.
[[nodiscard]] std::vector<GoalCm> load_goals(const std::uint8_t* in, std::size_t count);

/// Writes identity, goal count, goals and grid shape: a full stream between its content hash and
/// its cell records.
void write_grid_head(core::ByteWriter& writer, const SubstrateIdentity& identity,
                     std::span<const GoalCm> goals, const GridShape& grid);

/// Refuses a sound header whose mode this build does not serve.
void refuse_navmesh(core::ByteReader& reader, const SubstrateHeader& header);

}  // namespace maniple::substrate::detail
