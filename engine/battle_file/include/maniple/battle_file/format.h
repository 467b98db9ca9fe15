#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/sim/ids.h"

/// What stands in a battle file (docs/formats/battle_file.md).
namespace maniple::battle_file {

inline constexpr std::uint32_t kFormatVersion = 3;
/// No tick is over this, 621 days of battle.
inline constexpr sim::Tick kTickMax = 1 << 30;
/// Ticks a range of commands and hashes covers unless the recorder is told otherwise: a killed
/// recorder loses at most these (3 s of battle).
inline constexpr std::uint32_t kDefaultRangeTicks = 60;
inline constexpr std::uint32_t kRangeTicksMax = 4096;
/// First distance of keyframes, 15 s of battle.
inline constexpr sim::Tick kKeyframeTicks = 300;
inline constexpr std::uint64_t kDefaultSizeTargetBytes = 512ULL << 20;
inline constexpr std::uint32_t kFieldsMax = 64;
inline constexpr std::uint32_t kNameBytesMax = 255;
inline constexpr std::uint32_t kIdBytesMax = 128;
inline constexpr std::uint32_t kMapNameBytesMax = 1024;
inline constexpr std::uint32_t kSubstrateBytesMax = 640U << 20;
inline constexpr std::uint32_t kAttachmentBytesMax = 640U << 20;
/// What the attachments of one range or keyframe, or all start substrates, may unpack to together:
/// a few stored kilobytes can promise any size.
inline constexpr std::uint64_t kUnpackedBytesMax = 2 * std::uint64_t{kAttachmentBytesMax};
inline constexpr std::uint32_t kStepBytesMax = 256U << 20;
inline constexpr std::uint32_t kKeyframeBytesMax = (1U << 30) + (64U << 10);

/// Command codes of the recorded steps.
inline constexpr std::uint32_t kStepTickAdvance = 0;
inline constexpr std::uint32_t kStepCommand = 1;

enum class Mode : std::uint8_t { kGrid = 0, kNavmesh = 1 };

/// One navigation field and the digest of its solver configuration.
struct FieldConfig {
    std::string name;
    std::uint64_t config_digest = 0;
    friend bool operator==(const FieldConfig&, const FieldConfig&) = default;
};

/// What battle this is and which build can re-simulate it.
struct BattleHeader {
    std::string build_id;
    std::string game_id;
    std::string map_name;
    std::uint64_t map_digest = 0;
    std::uint64_t registry_digest = 0;
    std::int32_t tick_rate_hz = 20;
    std::int32_t seed = 1;
    std::uint32_t units = 0;
    Mode mode = Mode::kGrid;
    /// The tick of the start state. 0 for a battle recorded whole; a part cut out of one has the
    /// keyframe of this tick as its start.
    sim::Tick start_tick = 0;
    std::uint32_t range_ticks = kDefaultRangeTicks;
    std::vector<FieldConfig> fields;
    friend bool operator==(const BattleHeader&, const BattleHeader&) = default;
};

/// A field's full substrate stream.
struct FieldSubstrate {
    std::string field;
    core::Bytes stream;
    friend bool operator==(const FieldSubstrate&, const FieldSubstrate&) = default;
};

/// The state after `tick`: a snapshot frame and the substrates it stands on.
struct Keyframe {
    sim::Tick tick = 0;
    std::vector<FieldSubstrate> substrates;
    core::Bytes frame;
    friend bool operator==(const Keyframe&, const Keyframe&) = default;
};

enum class EndReason : std::uint8_t { kFinished = 0, kStopped = 1, kPeerLost = 2 };

struct EndRecord {
    EndReason reason = EndReason::kFinished;
    sim::Tick last_tick = 0;
    std::uint64_t last_hash = 0;
    std::uint64_t steps = 0;
    std::uint32_t keyframes = 0;
    friend bool operator==(const EndRecord&, const EndRecord&) = default;
};

}  // namespace maniple::battle_file
