#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/sim/ids.h"

namespace maniple::sim {

using Int32List = std::vector<std::int32_t>;
/// A tagged parameter value. Lists carry UID selections.
using Value = std::variant<bool, std::int64_t, double, std::string, Int32List>;

struct Param {
    std::string name;
    Value value;
    friend bool operator==(const Param&, const Param&) = default;
};

/// One lockstep command (O-SNAP-01). The server stamps `tick` and `server_exec_sequence`; every
/// peer executes it in step 1 of that tick, ordered by sequence.
struct Command {
    std::uint32_t type = 0;                 ///< Registered command id.
    Tick tick = 0;                          ///< Execution tick.
    std::int64_t server_exec_sequence = 0;  ///< Unique from 1 on; 0 = not stamped yet.
    std::int32_t issuer_slot = -1;          ///< Player slot; -1 = the server itself.
    std::string target;                     ///< FieldName or another registered target; may be "".
    std::vector<Param> params;
    core::Bytes byte_payload;

    /// The named parameter as T; nullptr when it is absent or of another type.
    template <typename T>
    [[nodiscard]] const T* param(std::string_view name) const {
        for (const Param& p : params) {
            if (p.name == name) return std::get_if<T>(&p.value);
        }
        return nullptr;
    }
    void set(std::string name, Value value) {
        params.push_back({std::move(name), std::move(value)});
    }
    friend bool operator==(const Command&, const Command&) = default;
};

/// Command ids below this are the engine's, from here on the game's.
inline constexpr std::uint32_t kFirstGameCommand = 64;
/// FF.RebuildFlowField: byte_payload is a substrate stream, target the FieldName (NET-001), and
/// `version` (integer, may be absent) the content hash of what the field then stands on.
inline constexpr std::uint32_t kCommandRebuildFlowField = 1;
inline constexpr std::string_view kParamVersion = "version";

/// Limits of the byte form (docs/formats/command.md); over them a command is refused, not cut.
inline constexpr std::uint32_t kCommandParamsMax = 64;
inline constexpr std::uint32_t kCommandNameBytesMax = 255;
inline constexpr std::uint32_t kCommandTextBytesMax = 65'536;
inline constexpr std::uint32_t kCommandListMax = 131'072;
inline constexpr std::uint32_t kCommandPayloadBytesMax = 640U * 1024U * 1024U;

/// Appends the command's byte form (docs/formats/command.md), payload included.
void encode_command(const Command& command, core::ByteWriter& out);
/// Reads one command; a failure latches in `in`.
[[nodiscard]] Command decode_command(core::ByteReader& in);

/// UID selections as the smallest of ranges or gap varints.
void encode_uid_list(const Int32List& uids, core::ByteWriter& out);
[[nodiscard]] Int32List decode_uid_list(core::ByteReader& in, std::uint32_t limit);

}  // namespace maniple::sim
