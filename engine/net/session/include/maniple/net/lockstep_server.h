#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "maniple/core/result.h"
#include "maniple/net/wire.h"

namespace maniple::net {

/// The commands of one tick as every peer executes them, in ascending sequence.
struct TickInputs {
    Tick tick = 0;
    std::vector<sim::Command> commands;
};

struct ServerConfig {
    MatchIdentity identity;
    /// Clients the plan is shared between, numbered 1 to client_count.
    std::int32_t client_count = 1;
    Tick lead_ticks = 20;
    /// What submit_on_arrival() stamps: this long after the last formed tick (≥ 1), and so much
    /// longer for a payload that travels apart (O-NET-02). Neither affects anything else.
    Tick input_delay_ticks = 2;
    Tick defer_ticks = 0;
    std::int64_t silent_ms = 2000;
    /// The share of a client that cannot play it itself; pure in its arguments (O-NET-14).
    std::function<std::vector<PlanCommand>(Tick, ClientIndex)> plan_share;
    /// Packs a payload for the side channel.
    std::function<Bytes(ByteSpan)> pack;
};

// What the host is to do, in the order it came up.

/// A client asks in; answer with accept() or refuse_client().
struct ClientWants {
    ClientIndex client;
    std::string name;
};
/// The client needs a snapshot: answer with send_snapshot().
struct SendSnapshot {
    ClientIndex client;
};
/// A client cannot execute the tick: answer with send_stream(), the full stream that the field
/// stands on after it. The name is the client's word.
struct SendStream {
    ClientIndex client;
    Tick tick = 0;
    std::string field;
};
/// The first differing hash of a client; answer with request_tree() or send_snapshot().
struct DesyncFound {
    ClientIndex client;
    Tick tick = 0;
    std::uint64_t server_hash = 0;
    std::uint64_t client_hash = 0;
};
/// What the client holds (for sim::name_desync; untrusted); answer with send_snapshot().
struct RowsReceived {
    ClientIndex client;
    Tick tick = 0;
    Bytes rows;
};
/// A client caught up with a snapshot and is live.
struct ClientLive {
    ClientIndex client;
    Tick tick = 0;
};
/// The client said goodbye (empty reason) or gave up; the host removes it.
struct ClientLeft {
    ClientIndex client;
    std::string reason;
};
using ServerRequest = std::variant<ClientWants, SendSnapshot, SendStream, DesyncFound, RowsReceived,
                                   ClientLive, ClientLeft>;

/// The server's side of docs/formats/protocol.md as a state machine: bytes and time in, bytes and
/// requests out. Time is milliseconds of any monotonic clock. Executes nothing itself.
class LockstepServer {
  public:
    explicit LockstepServer(ServerConfig config);
    ~LockstepServer();
    LockstepServer(LockstepServer&&) noexcept;
    LockstepServer& operator=(LockstepServer&&) noexcept;

    /// A connection that will speak as `client`. @return false if it is out of range or taken.
    bool add_client(ClientIndex client, std::int64_t now_ms);
    void remove_client(ClientIndex client);
    /// Lets a client that asked in play: from tick 0 if no tick was formed, else it waits for
    /// send_snapshot().
    void accept(ClientIndex client);
    void refuse_client(ClientIndex client, ErrorCode code, const std::string& reason);

    /// Bytes of a client. A refusal changes nothing but what the stream holds; drop the client.
    [[nodiscard]] Result<void> on_datagram(ClientIndex client, ByteSpan bytes, std::int64_t now_ms);
    [[nodiscard]] Result<void> on_stream(ClientIndex client, ByteSpan bytes, std::int64_t now_ms);

    /// Commands of the server itself for a tick that is not formed yet; they come before shares.
    /// next_tick() stamps their tick and sequence.
    void submit_server_commands(Tick tick, std::vector<sim::Command> commands);
    /// The same for commands that arrive now and are not part of a plan.
    /// @return the tick they are executed in.
    Tick submit_on_arrival(std::vector<sim::Command> commands);
    /// The next tick if its shares are here and the pace allows it, to be executed now; call again
    /// after executed().
    [[nodiscard]] std::optional<TickInputs> next_tick(std::int64_t now_ms);
    void executed(Tick tick, std::uint64_t hash);

    /// Bytes of sim::encode_hash_tree of a tick a client differs at.
    void request_tree(ClientIndex client, Tick tick, Bytes tree);
    /// A snapshot of `tick` for a client that joins or is repaired, which holds the commands of the
    /// ticks up to `gap_end`; the frames and payloads of those after it follow (O-SNAP-14).
    /// @return kNotFound if the frames after `gap_end` or the hashes after `tick` are not kept any
    /// more.
    [[nodiscard]] Result<void> send_snapshot(ClientIndex client, Tick tick, Tick gap_end,
                                             Bytes snapshot);
    /// Answers SendStream. An empty stream says that there is none: the client then asks for a
    /// snapshot.
    void send_stream(ClientIndex client, Tick tick, const std::string& field, ByteSpan stream);
    /// Tells all clients that `tick` was the last one.
    void finish(Tick tick, std::uint64_t hash);
    void abort(const std::string& reason);

    /// What to send now, in order.
    [[nodiscard]] std::vector<std::pair<ClientIndex, Bytes>> poll_datagrams(std::int64_t now_ms);
    [[nodiscard]] std::vector<std::pair<ClientIndex, Bytes>> poll_streams();
    /// What the host is to do now. Whatever a client sends, it is questioned or given a snapshot 16
    /// times at once and then once every 250 ms: the request comes up later.
    [[nodiscard]] std::vector<ServerRequest> poll_requests(std::int64_t now_ms);

    /// The last formed tick.
    [[nodiscard]] Tick last_tick() const;
    /// Client's last reported tick; -1 if it is not in the match.
    [[nodiscard]] Tick client_tick(ClientIndex client) const;
    /// True if every client in the match reported equal hashes up to `tick`.
    [[nodiscard]] bool all_agree_at(Tick tick) const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace maniple::net
