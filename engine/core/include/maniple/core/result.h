#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

namespace maniple {

/// Why bytes, a file or a request were refused. Numbers are part of the wire (a refusal travels in
/// a message) and are never reused.
enum class ErrorCode : std::uint16_t {
    kNone = 0,
    // Malformed bytes.
    kTruncated = 1,   ///< The bytes end before what they declare.
    kTrailing = 2,    ///< Bytes follow the end of what they declare.
    kBadMagic = 3,    ///< Not this format.
    kBadVersion = 4,  ///< This format in a version we do not read.
    kBadMode = 5,     ///< A mode byte outside the closed set.
    kOverCap = 6,     ///< A count or size over its documented limit.
    kBadHash = 7,     ///< The checksum does not match the bytes.
    kBadValue = 8,    ///< A field outside its documented range.
    kBadTile = 9,     ///< A navmesh tile blob that is not safe to use.
    kBadText = 10,    ///< Not valid UTF-8, or a line that does not parse.
    // Substrate versions and identity.
    kBaseMismatch = 20,    ///< A delta for another base version.
    kIdentityDrift = 21,   ///< Origin, yaw or geometry differ from the base.
    kParamsMismatch = 22,  ///< Navmesh parameters differ.
    // Two builds or matches that do not fit.
    kRegistryMismatch = 30,  ///< Fragments, commands or templates differ; the message names which.
    kConfigMismatch = 31,    ///< A field's solver configuration or the tick rate differs.
    kUnknownName = 32,       ///< A template, fragment, field or command that is not registered.
    kStateMismatch = 33,     ///< The restored state does not hash to what its capture did.
    kMapMismatch = 34,       ///< Another map than the match's.
    // Requests and resources.
    kNotReady = 40,      ///< Asked before initialisation.
    kNotFound = 41,      ///< No such file, tick or entity.
    kIo = 42,            ///< The operating system refused; the message says why.
    kNoGround = 43,      ///< A map without a passable cell.
    kTooManyUnits = 44,  ///< More units than the largest connected component has cells.
    kPortInUse = 45,     ///< The port cannot be bound.
    kPeerLost = 46,      ///< The other side is gone or silent.
    kUnsupported = 47,   ///< Valid, but this mode or build cannot serve it.
    kCancelled = 48,     ///< Stopped on request.
};

/// The code's name without its `k`, as printed in JSON: `Truncated`.
std::string_view error_code_name(ErrorCode code);

/// A refusal: what, where in the bytes (kNoOffset when no byte is to blame), and why in words.
struct Error {
    static constexpr std::uint64_t kNoOffset = ~std::uint64_t{0};
    ErrorCode code = ErrorCode::kNone;
    std::uint64_t at_byte = kNoOffset;
    std::string message;
};

template <typename T>
using Result = tl::expected<T, Error>;

[[nodiscard]] inline tl::unexpected<Error> refuse(ErrorCode code, std::uint64_t at_byte,
                                                  std::string message) {
    return tl::unexpected<Error>(Error{code, at_byte, std::move(message)});
}
[[nodiscard]] inline tl::unexpected<Error> refuse(ErrorCode code, std::string message) {
    return refuse(code, Error::kNoOffset, std::move(message));
}
[[nodiscard]] inline tl::unexpected<Error> refuse(Error error) {
    return tl::unexpected<Error>(std::move(error));
}

/// One line for people: `base.ffs: byte 45: 7 cells declared, 3 present`.
std::string describe(const Error& error, std::string_view source);

}  // namespace maniple
