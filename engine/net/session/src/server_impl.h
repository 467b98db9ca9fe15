#pragma once

#include <map>
#include <memory>

#include "maniple/net/lockstep_server.h"

#include "records.h"

namespace maniple::net {

/// Frames and hashes kept behind the last tick, for snapshots that took long to pack.
inline constexpr Tick kTicksKept = 1024;

enum class ClientState : std::uint8_t {
    kConnected,        ///< No Hello yet.
    kAsking,           ///< Waits for the host's accept().
    kFallenBehind,     ///< The frames it needs are not kept any more; silent since.
    kWaitingSnapshot,  ///< Accepted late.
    kCatchingUp,       ///< Has a snapshot on its way or plays after it.
    kLive,
    kDesynced,  ///< Differs; waits for a snapshot.
};

struct ServerClient {
    ClientState state = ClientState::kConnected;
    StreamReader reader{StreamReceiver::kServer};
    Bytes outgoing;
    std::uint8_t epoch = 0;
    Tick executed = 0;
    Tick hashes_acked = 0;   ///< Last tick whose hash arrived with none missing before it.
    Tick hashes_agreed = 0;  ///< Last tick whose hash was compared and equal.
    std::map<Tick, std::uint64_t> hashes;  ///< Arrived, not compared yet.
    std::map<Tick, Bytes> shares;          ///< Sound records of ticks not formed yet.
    std::size_t share_bytes = 0;
    Tick shares_acked = 0;
    RecordAssembler assembler;
    SendWindow window;
    std::int64_t heard_ms = 0;
    std::int64_t progressed_ms = 0;  ///< When a report last told of a further tick.
    bool shares_late = false;        ///< Kept a tick waiting once: is not waited for again.
    std::int64_t stream_asked_ms = -kStreamSpacingMs;
    std::optional<ServerRequest> repair_due;  ///< Waits for its time.
    bool repair_open = false;                 ///< The host was asked, and sent no snapshot yet.
    std::int64_t repairs_paid_ms = 0;         ///< When its last repairs, one a while, are over.
    bool rows_awaited = false;
    bool ack_due = false;
    Tick pace_server = 0;  ///< Server's and client's tick at its last snapshot.
    Tick pace_client = 0;

    [[nodiscard]] bool is_playing() const {
        return state == ClientState::kLive || state == ClientState::kCatchingUp;
    }
    [[nodiscard]] bool in_match() const { return state >= ClientState::kCatchingUp; }
};

struct FramePayload {
    std::uint64_t key = 0;
    Bytes packed;
};
struct ServerFrame {
    Bytes record;
    std::vector<FramePayload> payloads;
};

class LockstepServer::Impl {
  public:
    explicit Impl(ServerConfig config) : config_(std::move(config)) {}

    [[nodiscard]] Result<void> check_report(const ServerClient& client,
                                            const ReportDatagram& report) const;
    void take_report(ClientIndex index, ServerClient& client, const ReportDatagram& report,
                     std::int64_t now_ms);
    /// Keeps shares that became whole; a refusal leaves none of them.
    [[nodiscard]] Result<void> take_shares(ServerClient& client, const std::vector<Slice>& slices);
    void advance_share_ack(ServerClient& client);
    void compare_hashes(ClientIndex index, ServerClient& client);
    /// Brings up `request` when its time has come, unless the client is being repaired.
    void repair(ServerClient& client, ServerRequest request);
    [[nodiscard]] Result<void> on_message(ClientIndex index, ServerClient& client,
                                          StreamMessage message);
    [[nodiscard]] Result<void> on_stream_request(ClientIndex index, ServerClient& client,
                                                 StreamRequest request);
    [[nodiscard]] Result<void> on_hello(ClientIndex index, ServerClient& client,
                                        const Hello& hello);

    [[nodiscard]] bool heard(const ServerClient& client, std::int64_t now_ms) const {
        return now_ms - client.heard_ms < config_.silent_ms;
    }
    /// Whether the match may wait for it.
    [[nodiscard]] bool heeded(const ServerClient& client, std::int64_t now_ms) const {
        return heard(client, now_ms) && now_ms - client.progressed_ms < kStalledMs;
    }
    [[nodiscard]] bool pace_allows(Tick tick, std::int64_t now_ms) const;
    [[nodiscard]] bool shares_ready(Tick tick, std::int64_t now_ms);
    [[nodiscard]] std::vector<PlanCommand> share_of(const ServerClient* client, Tick tick,
                                                    ClientIndex index) const;
    [[nodiscard]] std::vector<sim::Command> collect(Tick tick);
    void keep_frame(Tick tick, const std::vector<sim::Command>& commands);
    void forget_frames(Tick through);
    void send_payloads(ServerClient& client, Tick tick, const ServerFrame& frame);
    [[nodiscard]] ServerClient* find(ClientIndex client);

    ServerConfig config_;
    std::map<ClientIndex, ServerClient> clients_;
    std::map<Tick, std::vector<sim::Command>> server_commands_;
    std::map<Tick, ServerFrame> frames_;
    std::map<Tick, std::uint64_t> hashes_;
    std::vector<ServerRequest> requests_;
    Tick last_tick_ = 0;
    Tick executed_tick_ = 0;
    std::int64_t sequence_ = 0;
    Tick waiting_tick_ = 0;  ///< The tick that waits for shares since waiting_ms_.
    std::int64_t waiting_ms_ = 0;
};

}  // namespace maniple::net
