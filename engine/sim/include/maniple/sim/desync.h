#pragma once

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/sim/hash_tree.h"
#include "maniple/sim/tick_history.h"

/// How two peers whose hashes differ find the field (docs/formats/desync.md): the one sends its
/// tree, the other answers with the rows of the first differing block, the first one compares.
namespace maniple::sim {

/// The tree of a tick, as it is sent.
[[nodiscard]] core::Bytes encode_desync_question(const TickHistory::Entry& own);
/// The answer to a tree of `tick`; says so when the tick is not held any more or the tree, which is
/// untrusted, is malformed.
[[nodiscard]] core::Bytes answer_desync(const GameDefinition& definition,
                                        const TickHistory& history, Tick tick,
                                        core::ByteSpan question);
/// What differs. A difference outside the entities has the section's name as fragment, no UID and
/// no field. `own` is the entry of the question, the answer is untrusted.
/// @return kNotFound when the other side names nothing, or the decoder's refusal.
[[nodiscard]] Result<FieldDifference> name_desync(const GameDefinition& definition,
                                                  const TickHistory::Entry& own,
                                                  core::ByteSpan answer);

}  // namespace maniple::sim
