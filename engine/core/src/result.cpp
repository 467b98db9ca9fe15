#include "maniple/core/result.h"

namespace maniple {

std::string_view error_code_name(ErrorCode code) {
    switch (code) {
        case ErrorCode::kNone: return "None";
        case ErrorCode::kTruncated: return "Truncated";
        case ErrorCode::kTrailing: return "Trailing";
        case ErrorCode::kBadMagic: return "BadMagic";
        case ErrorCode::kBadVersion: return "BadVersion";
        case ErrorCode::kBadMode: return "BadMode";
        case ErrorCode::kOverCap: return "OverCap";
        case ErrorCode::kBadHash: return "BadHash";
        case ErrorCode::kBadValue: return "BadValue";
        case ErrorCode::kBadTile: return "BadTile";
        case ErrorCode::kBadText: return "BadText";
        case ErrorCode::kBaseMismatch: return "BaseMismatch";
        case ErrorCode::kIdentityDrift: return "IdentityDrift";
        case ErrorCode::kParamsMismatch: return "ParamsMismatch";
        case ErrorCode::kRegistryMismatch: return "RegistryMismatch";
        case ErrorCode::kConfigMismatch: return "ConfigMismatch";
        case ErrorCode::kUnknownName: return "UnknownName";
        case ErrorCode::kStateMismatch: return "StateMismatch";
        case ErrorCode::kMapMismatch: return "MapMismatch";
        case ErrorCode::kNotReady: return "NotReady";
        case ErrorCode::kNotFound: return "NotFound";
        case ErrorCode::kIo: return "Io";
        case ErrorCode::kNoGround: return "NoGround";
        case ErrorCode::kTooManyUnits: return "TooManyUnits";
        case ErrorCode::kPortInUse: return "PortInUse";
        case ErrorCode::kPeerLost: return "PeerLost";
        case ErrorCode::kUnsupported: return "Unsupported";
        case ErrorCode::kCancelled: return "Cancelled";
    }
    return "Unknown";
}

std::string describe(const Error& error, std::string_view source) {
    std::string line(source);
    if (!line.empty()) line += ": ";
    if (error.at_byte != Error::kNoOffset) {
        line += "byte " + std::to_string(error.at_byte) + ": ";
    }
    return line + error.message;
}

}  // namespace maniple
