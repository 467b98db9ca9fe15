#pragma once

#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "maniple/net/lockstep_client.h"

#include "records.h"

namespace maniple::net {

/// A field that waits for its full stream.
struct StreamWait {
    std::string field;
    int tries = 0;
    std::int64_t asked_ms = 0;
};

class LockstepClient::Impl {
  public:
    explicit Impl(ClientConfig config) : config_(std::move(config)) {}

    [[nodiscard]] Result<void> on_message(StreamMessage message);
    [[nodiscard]] Result<void> take_payload(Payload payload);
    [[nodiscard]] Result<void> fill_payload(Tick tick, const PayloadRef& ref, Bytes& out) const;
    [[nodiscard]] bool payloads_here(Tick tick) const;
    [[nodiscard]] bool can_do_without(const std::vector<FrameCommand>& commands,
                                      std::size_t index) const;
    void take_stream(const FieldStream& stream);
    void ask_for_stream(std::int64_t now_ms);
    void ask_for_snapshot();
    void make_shares();
    void forget_old();
    void close(ErrorCode code, const std::string& reason) {
        phase_ = ClientPhase::kClosed;
        requests_.push_back(MatchClosed{code, reason});
    }

    ClientConfig config_;
    ClientPhase phase_ = ClientPhase::kJoining;
    StreamReader reader_{StreamReceiver::kClient};
    Bytes outgoing_;
    std::vector<ClientRequest> requests_;
    std::uint8_t epoch_ = 0;
    std::uint8_t snapshot_epoch_ = 0;  ///< Of the snapshot that is being restored.
    Tick snapshot_gap_end_ = 0;
    Tick executed_ = 0;
    Tick given_ = 0;  ///< The last tick next_frame() gave out.
    Tick frames_ = 0;
    std::map<Tick, std::vector<FrameCommand>> frame_commands_;
    RecordAssembler assembler_;
    std::map<std::pair<Tick, std::uint64_t>, Bytes> payloads_;  ///< Packed, by tick and key.
    std::size_t payload_bytes_ = 0;
    std::deque<std::uint64_t> hashes_;  ///< Not acknowledged, from hashes_acked_ + 1 on.
    Tick hashes_acked_ = 0;
    std::map<Tick, Bytes> shares_;  ///< Records not acknowledged.
    Tick shares_made_ = 0;
    SendWindow window_;
    StreamWait stream_wait_;  ///< While phase_ is kWaitingStream.
    bool report_due_ = true;
    std::int64_t reported_ms_ = 0;
};

}  // namespace maniple::net
