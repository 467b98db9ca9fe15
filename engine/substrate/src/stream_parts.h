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

/// Writes identity, goal count and goals.
void write_identity_and_goals(core::ByteWriter& writer, const SubstrateIdentity& identity,
                              std::span<const GoalCm> goals);
/// Writes identity, goal count, goals and grid shape: a full stream between its content hash and
/// its cell records.
void write_grid_head(core::ByteWriter& writer, const SubstrateIdentity& identity,
                     std::span<const GoalCm> goals, const GridShape& grid);

/// Refuses a sound header of a mode that this reader does not serve.
void refuse_mode(core::ByteReader& reader, const SubstrateHeader& header, StreamMode unserved);

/// Whether the content hash of a full stream is that of its bytes.
[[nodiscard]] std::optional<Error> check_content_hash(core::ByteSpan bytes,
                                                      const SubstrateHeader& header);

/// Writes a delta's bytes up to its last goal; identity and goals are copied from the new full
/// stream `next`, whose header and goal count the caller verified.
void write_delta_head(core::ByteWriter& writer, core::ByteSpan next, const SubstrateHeader& header,
                      std::uint32_t base_version, std::size_t goal_count);

/// Whether a delta is meant for a substrate of this version and identity (docs/formats/substrate.md
/// §3.3, checks 15 and 16).
[[nodiscard]] std::optional<Error> check_base(const SubstrateHeader& delta, std::uint32_t version,
                                              const SubstrateIdentity& identity);
/// The refusal of a delta that leads to another content hash than it says.
[[nodiscard]] Error bad_new_hash(const SubstrateHeader& delta, std::uint32_t hash);
/// The refusal of a new full stream that stands elsewhere than the base.
[[nodiscard]] Error identity_drift();

[[nodiscard]] bool equal_bytes(core::ByteSpan a, core::ByteSpan b);

}  // namespace maniple::substrate::detail
