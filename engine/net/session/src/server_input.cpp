#include <algorithm>
#include <type_traits>
#include <utility>

#include "server_impl.h"

namespace maniple::net {
namespace {

// implements: O-SYNC-39
/// Names the first field that the two sides do not have alike.
Result<void> compare_fields(const std::vector<FieldIdentity>& own,
                            const std::vector<FieldIdentity>& theirs) {
    const auto lacks = [](const std::vector<FieldIdentity>& fields, const std::string& name) {
        return std::ranges::find(fields, name, &FieldIdentity::name) == fields.end();
    };
    for (const FieldIdentity& field : own) {
        if (std::ranges::find(theirs, field) != theirs.end()) continue;
        return refuse(ErrorCode::kConfigMismatch,
                      "field \"" + field.name + "\" is " +
                          (lacks(theirs, field.name) ? "missing" : "configured otherwise"));
    }
    for (const FieldIdentity& field : theirs) {
        if (!lacks(own, field.name)) continue;
        return refuse(ErrorCode::kConfigMismatch, "the match has no field \"" + field.name + "\"");
    }
    return {};
}

// implements: O-GEN-07
Result<void> compare(const MatchIdentity& own, const MatchIdentity& theirs) {
    if (theirs.registry_digest != own.registry_digest) {
        return refuse(ErrorCode::kRegistryMismatch, "fragments, commands or templates differ");
    }
    if (theirs.map_digest != own.map_digest) {
        return refuse(ErrorCode::kMapMismatch, "another map than the match's");
    }
    if (theirs.tick_rate_hz != own.tick_rate_hz) {
        return refuse(ErrorCode::kConfigMismatch,
                      "a tick rate of " + std::to_string(theirs.tick_rate_hz) +
                          " Hz, the match's is " + std::to_string(own.tick_rate_hz) + " Hz");
    }
    return compare_fields(own.fields, theirs.fields);
}

}  // namespace

Result<void> LockstepServer::Impl::check_report(const ServerClient& client,
                                                const ReportDatagram& report) const {
    if (report.executed > report.frames_acked || report.frames_acked > last_tick_) {
        return refuse(ErrorCode::kBadValue, 2, "a report of frames that were not sent");
    }
    const auto hashes = static_cast<std::int64_t>(report.hashes.size());
    if (hashes > 0 && report.first_hash_tick + hashes - 1 > report.executed) {
        return refuse(ErrorCode::kBadValue, 10, "a hash of a tick that was not executed");
    }
    for (const Slice& slice : report.slices) {
        if (!client.assembler.fits(slice)) {
            return refuse(ErrorCode::kBadValue, "a part of another record of the same tick");
        }
    }
    return {};
}

Result<void> LockstepServer::Impl::take_shares(ServerClient& client,
                                               const std::vector<Slice>& slices) {
    std::map<Tick, Bytes> whole;
    std::size_t bytes = client.share_bytes;
    for (const Slice& slice : slices) {
        const bool wanted = slice.tick > last_tick_ && !client.shares.contains(slice.tick) &&
                            slice.tick <= last_tick_ + kRecordsAheadMax &&
                            bytes + client.assembler.bytes() + slice.bytes.size() <= kShareBytesMax;
        if (!wanted) continue;
        std::optional<Bytes> record = client.assembler.add(slice);
        if (!record) continue;
        if (const auto share = decode_share(slice.tick, *record); !share) {
            return refuse(share.error());
        }
        const std::size_t size = record->size();
        if (whole.emplace(slice.tick, *std::move(record)).second) bytes += size;
    }
    client.share_bytes = bytes;
    client.ack_due |= !slices.empty();
    client.shares.merge(whole);
    advance_share_ack(client);
    return {};
}

void LockstepServer::Impl::advance_share_ack(ServerClient& client) {
    client.shares_acked = std::max(client.shares_acked, last_tick_);
    while (!client.shares.empty() && client.shares.begin()->first <= last_tick_) {
        client.share_bytes -= client.shares.begin()->second.size();
        client.shares.erase(client.shares.begin());
    }
    client.assembler.drop_through(last_tick_);
    while (client.shares.contains(client.shares_acked + 1)) ++client.shares_acked;
}

void LockstepServer::Impl::take_report(ClientIndex index, ServerClient& client,
                                       const ReportDatagram& report, std::int64_t now_ms) {
    if (report.epoch != client.epoch) return;
    client.window.acknowledge(report.frames_acked, now_ms);
    if (report.executed > client.executed) {
        client.executed = report.executed;
        client.progressed_ms = now_ms;
    }
    // Hashes that leave a gap wait for the report that fills it: the client sends them again.
    if (!report.hashes.empty() && report.first_hash_tick <= client.hashes_acked + 1) {
        for (std::size_t i = 0; i < report.hashes.size(); ++i) {
            const Tick tick = report.first_hash_tick + static_cast<Tick>(i);
            if (tick <= client.hashes_acked) continue;
            client.hashes.emplace(tick, report.hashes[i]);
            client.hashes_acked = tick;
        }
    }
    client.ack_due |= !report.hashes.empty();
    compare_hashes(index, client);
    if (client.state == ClientState::kCatchingUp &&
        client.executed + config_.lead_ticks >= last_tick_) {
        client.state = ClientState::kLive;
        requests_.push_back(ClientLive{index, client.executed});
    }
}

void LockstepServer::Impl::compare_hashes(ClientIndex index, ServerClient& client) {
    while (!client.hashes.empty() && client.hashes.begin()->first <= executed_tick_) {
        const auto [tick, hash] = *client.hashes.begin();
        client.hashes.erase(client.hashes.begin());
        const auto own = hashes_.find(tick);
        if (client.state == ClientState::kDesynced || own == hashes_.end()) continue;
        if (own->second == hash) {
            client.hashes_agreed = tick;
            continue;
        }
        client.state = ClientState::kDesynced;
        repair(client, DesyncFound{index, tick, own->second, hash});
    }
}

void LockstepServer::Impl::repair(ServerClient& client, ServerRequest request) {
    if (client.repair_open) return;
    client.repair_open = true;
    client.repair_due = std::move(request);
}

Result<void> LockstepServer::on_datagram(ClientIndex index, ByteSpan bytes, std::int64_t now_ms) {
    ServerClient* client = impl_->find(index);
    if (!client) return refuse(ErrorCode::kNotFound, "a datagram of an unknown client");
    const Result<ReportDatagram> report = decode_report(bytes);
    if (!report) return refuse(report.error());
    if (client->state == ClientState::kFallenBehind) {
        client->state = ClientState::kWaitingSnapshot;
        client->heard_ms = now_ms;
        impl_->repair(*client, SendSnapshot{index});
    }
    if (!client->in_match()) return {};
    if (auto checked = impl_->check_report(*client, *report); !checked) return checked;
    if (auto taken = impl_->take_shares(*client, report->slices); !taken) return taken;
    client->heard_ms = now_ms;
    impl_->take_report(index, *client, *report, now_ms);
    return {};
}

Result<void> LockstepServer::on_stream(ClientIndex index, ByteSpan bytes, std::int64_t now_ms) {
    ServerClient* client = impl_->find(index);
    if (!client) return refuse(ErrorCode::kNotFound, "bytes of an unknown client");
    client->reader.push(bytes);
    client->heard_ms = now_ms;
    while (true) {
        Result<std::optional<StreamMessage>> message = client->reader.next();
        if (!message) return refuse(message.error());
        if (!*message) return {};
        auto done = impl_->on_message(index, *client, std::move(**message));
        if (!done) return done;
    }
}

Result<void> LockstepServer::Impl::on_message(ClientIndex index, ServerClient& client,
                                              StreamMessage message) {
    if (const auto* hello = std::get_if<Hello>(&message)) return on_hello(index, client, *hello);
    if (client.state == ClientState::kConnected) {
        return refuse(ErrorCode::kNotReady, "a message before Hello");
    }
    if (auto* reply = std::get_if<TreeReply>(&message)) {
        if (!std::exchange(client.rows_awaited, false)) {
            return refuse(ErrorCode::kNotReady, "rows nobody asked for");
        }
        requests_.push_back(RowsReceived{index, reply->tick, std::move(reply->rows)});
    } else if (std::holds_alternative<SnapshotRequest>(message)) {
        if (client.state == ClientState::kAsking) {
            return refuse(ErrorCode::kNotReady, "no match to repair");
        }
        // One that is being repaired gets its snapshot without asking again.
        if (!client.is_playing()) return {};
        client.state = ClientState::kDesynced;
        repair(client, SendSnapshot{index});
    } else if (auto* request = std::get_if<StreamRequest>(&message)) {
        return on_stream_request(index, client, std::move(*request));
    } else if (std::holds_alternative<Bye>(message)) {
        requests_.push_back(ClientLeft{index, ""});
    } else if (auto* abort = std::get_if<Abort>(&message)) {
        requests_.push_back(ClientLeft{index, std::move(abort->reason)});
    }
    return {};
}

// implements: NET-009, O-NET-04
Result<void> LockstepServer::Impl::on_stream_request(ClientIndex index, ServerClient& client,
                                                     StreamRequest request) {
    if (request.tick < 1 || request.tick > last_tick_) {
        return refuse(ErrorCode::kBadValue, "a stream of a tick that was not formed");
    }
    // One that is being given a snapshot needs no stream, and each stream costs far more than the
    // request for it.
    if (!client.is_playing() || client.heard_ms - client.stream_asked_ms < kStreamSpacingMs)
        return {};
    client.stream_asked_ms = client.heard_ms;
    requests_.push_back(SendStream{index, request.tick, std::move(request.field)});
    return {};
}

Result<void> LockstepServer::Impl::on_hello(ClientIndex index, ServerClient& client,
                                            const Hello& hello) {
    const auto deny = [&](ErrorCode code, const std::string& reason) -> Result<void> {
        encode_message(Refuse{code, reason}, client.outgoing);
        return refuse(code, reason);
    };
    if (client.state != ClientState::kConnected) {
        return deny(ErrorCode::kBadValue, "a second Hello");
    }
    if (hello.version != kProtocolVersion) {
        return deny(ErrorCode::kBadVersion, "protocol version " + std::to_string(hello.version) +
                                                ", the server speaks " +
                                                std::to_string(kProtocolVersion));
    }
    if (hello.client != index) return deny(ErrorCode::kBadValue, "Hello of another client");
    const Result<void> same = compare(config_.identity, hello.identity);
    if (!same) return deny(same.error().code, same.error().message);
    client.state = ClientState::kAsking;
    requests_.push_back(ClientWants{index, hello.name});
    return {};
}

}  // namespace maniple::net
