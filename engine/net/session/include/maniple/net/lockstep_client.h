#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "maniple/net/lockstep_server.h"
#include "maniple/net/wire.h"

namespace maniple::net {

struct ClientConfig {
    MatchIdentity identity;
    ClientIndex client;
    std::string name;  ///< At most kNameBytesMax bytes.
    /// The share of tick E is sent once tick E − lead is executed (O-NET-14).
    Tick plan_lead_ticks = 20;
    std::function<std::vector<PlanCommand>(Tick)> plan_share;
    /// Unpacks to exactly `raw_bytes` or refuses.
    std::function<Result<Bytes>(ByteSpan packed, std::size_t raw_bytes)> unpack;
    /// True of a command that the state after the last executed tick can do without the payload of
    /// (O-NET-05). May be empty.
    std::function<bool(const sim::Command&)> holds_payload = {};
};

enum class ClientPhase : std::uint8_t {
    kJoining,          ///< Hello sent.
    kWaitingSnapshot,  ///< Welcomed late, or repaired: nothing is simulated.
    kPlaying,
    kWaitingStream,  ///< A field was refused its substrate: stands still until it has the stream.
    kFinished,       ///< The server said which tick was the last one.
    kClosed,         ///< Refused, aborted, or the server sent malformed bytes.
};

// What the host is to do, in the order it came up.

/// Restore the snapshot, its gap queued, then call restored() or restore_failed(). The frames of
/// the gap's ticks bring no commands.
struct RestoreSnapshot {
    Tick tick = 0;
    Bytes bytes;
};
/// Bring the field to the full stream (sim::World::repair_substrate), then call repaired(). A
/// stream that is refused is asked for again.
struct ImportStream {
    Tick tick = 0;
    std::string field;
    Bytes stream;
};
/// Compare with the own tree of the tick and answer with reply_tree() (sim::answer_desync).
struct CompareTree {
    Tick tick = 0;
    Bytes tree;
};
struct MatchFinished {
    Tick tick = 0;
    std::uint64_t hash = 0;
};
struct MatchClosed {
    ErrorCode code = ErrorCode::kNone;
    std::string reason;
};
using ClientRequest =
    std::variant<RestoreSnapshot, ImportStream, CompareTree, MatchFinished, MatchClosed>;

/// A client's side of docs/formats/protocol.md as a state machine. Executes nothing itself.
class LockstepClient {
  public:
    explicit LockstepClient(ClientConfig config);
    ~LockstepClient();
    LockstepClient(LockstepClient&&) noexcept;
    LockstepClient& operator=(LockstepClient&&) noexcept;

    /// Bytes of the server. A refusal of a datagram changes nothing; one of the stream closes.
    [[nodiscard]] Result<void> on_datagram(ByteSpan bytes, std::int64_t now_ms);
    [[nodiscard]] Result<void> on_stream(ByteSpan bytes);

    /// The commands of the next tick when its frame and all its payloads are here, to be executed
    /// now; call again after executed(). @return nothing yet, or kBadHash and unpack's refusals
    /// for a payload that is not what its frame says: then the match cannot go on.
    [[nodiscard]] Result<std::optional<TickInputs>> next_frame();
    void executed(Tick tick, std::uint64_t hash);
    /// The tick of next_frame() cannot be executed: the field refused its substrate (NET-009,
    /// NET-021). The server is asked for the full stream, kStreamTriesMax times, then for a
    /// snapshot (O-NET-04).
    void substrate_refused(Tick tick, std::string field);
    /// The stream of ImportStream stands; next_frame() gives the refused tick again.
    void repaired();
    /// The snapshot of RestoreSnapshot stands; the next frame is tick + 1.
    void restored(Tick tick);
    /// It does not; another one is asked for.
    void restore_failed();
    void reply_tree(Tick tick, Bytes rows);
    void leave();

    [[nodiscard]] std::vector<Bytes> poll_datagrams(std::int64_t now_ms);
    /// Bytes for the stream; may be empty.
    [[nodiscard]] Bytes poll_stream(std::int64_t now_ms);
    [[nodiscard]] std::vector<ClientRequest> poll_requests();

    [[nodiscard]] ClientPhase phase() const;
    [[nodiscard]] Tick executed_tick() const;
    /// The last tick up to which all frames are here.
    [[nodiscard]] Tick frames_tick() const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace maniple::net
