#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "maniple/battle_file/format.h"
#include "maniple/core/bytes.h"
#include "maniple/core/result.h"

/// Content of the small chunks (docs/formats/battle_file.md §2, §3, §7, §8). Readers take untrusted
/// bytes and report offsets in them.
namespace maniple::battle_file {

[[nodiscard]] core::Bytes encode_header(const BattleHeader& header);
Result<BattleHeader> decode_header(core::ByteSpan bytes);

[[nodiscard]] core::Bytes encode_substrate(const FieldSubstrate& substrate);
Result<FieldSubstrate> decode_substrate(core::ByteSpan bytes);

/// A keyframe as it stands in its chunk: substrates by attachment key.
struct KeyframeContent {
    struct Substrate {
        std::string field;
        std::uint64_t key = 0;
    };
    std::vector<Substrate> substrates;
    core::ByteSpan frame;
};
[[nodiscard]] core::Bytes encode_keyframe(const KeyframeContent& content);
/// The frame is a view into `bytes`.
Result<KeyframeContent> decode_keyframe(core::ByteSpan bytes);

[[nodiscard]] core::Bytes encode_end(const EndRecord& end);
Result<EndRecord> decode_end(core::ByteSpan bytes);

}  // namespace maniple::battle_file
