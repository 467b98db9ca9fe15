#pragma once

namespace maniple::replay {

/// Diagnostics of replays. Those below 1000 are fixed by the documents (O-GEN-04), the others are
/// the library's (docs/formats/replay.md §5).
inline constexpr int kWarnStepFailed = 72;
inline constexpr int kWarnNoPassive = 73;
inline constexpr int kWarnUnsupportedParam = 148;
inline constexpr int kWarnBigIntTooLarge = 152;
inline constexpr int kWarnTooManyParams = 153;
inline constexpr int kWarnCodeCut = 154;
inline constexpr int kWarnStreamExpired = 155;
inline constexpr int kWarnPlaybackExpired = 156;
inline constexpr int kWarnUnknownCode = 157;
inline constexpr int kWarnDuplicateCode = 163;
inline constexpr int kWarnIndexOutOfRange = 179;
inline constexpr int kWarnPassiveSkipped = 194;
inline constexpr int kWarnStreamStartClamped = 1001;
inline constexpr int kWarnRegionFull = 1002;
inline constexpr int kWarnStepUnreadable = 1003;
inline constexpr int kInfoStepIgnored = 1004;
inline constexpr int kWarnSpeedIgnored = 1005;
inline constexpr int kWarnControlIgnored = 1006;
inline constexpr int kWarnNotRecorded = 1007;

}  // namespace maniple::replay
