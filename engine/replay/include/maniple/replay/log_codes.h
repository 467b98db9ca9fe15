#pragma once

namespace maniple::replay {

/// Warnings of the replay array. Those below 1000 are fixed by the documents (O-GEN-04), the others
/// are the library's (docs/formats/replay.md §5).
inline constexpr int kWarnUnsupportedParam = 148;
inline constexpr int kWarnBigIntTooLarge = 152;
inline constexpr int kWarnTooManyParams = 153;
inline constexpr int kWarnCodeCut = 154;
inline constexpr int kWarnStreamExpired = 155;
inline constexpr int kWarnIndexOutOfRange = 179;
inline constexpr int kWarnStreamStartClamped = 1001;
inline constexpr int kWarnRegionFull = 1002;
inline constexpr int kWarnStepUnreadable = 1003;

}  // namespace maniple::replay
