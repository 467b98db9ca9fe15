#pragma once

#include <vector>

#include "maniple/snapshot/snapshot.h"

#include "snapshot_generated.h"

namespace maniple::snapshot {

using ByteVector = flatbuffers::Offset<flatbuffers::Vector<std::uint8_t>>;
using LeafVector = flatbuffers::Offset<flatbuffers::Vector<flatbuffers::Offset<wire::Leaf>>>;

[[nodiscard]] LeafVector encode_leaves(flatbuffers::FlatBufferBuilder& fbb,
                                       const sim::FieldLayout& layout);
[[nodiscard]] flatbuffers::Offset<wire::Task> encode_task(flatbuffers::FlatBufferBuilder& fbb,
                                                          const sim::TaskRecord& task);
[[nodiscard]] flatbuffers::Offset<wire::SpawnRequest> encode_spawn_request(
    flatbuffers::FlatBufferBuilder& fbb, const sim::SpawnRequest& request);
/// The stores that have synced variables, in key order.
[[nodiscard]] std::vector<flatbuffers::Offset<wire::VarStore>> encode_var_stores(
    flatbuffers::FlatBufferBuilder& fbb, const sim::GameDefinition& definition,
    const sim::WorldState& state);

}  // namespace maniple::snapshot
