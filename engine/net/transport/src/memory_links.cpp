#include <chrono>
#include <deque>
#include <map>
#include <thread>
#include <utility>

#include "maniple/net/clock.h"
#include "maniple/net/links.h"

namespace maniple::net {
namespace {

struct Flying {
    Medium medium = Medium::kDatagram;
    core::Bytes bytes;
};

/// One direction of one client: what is on its way, by due time.
struct MemoryWay {
    std::multimap<std::int64_t, Flying> flying;
    std::int32_t datagrams = 0;
    std::int32_t stream_sends = 0;
    std::int64_t stream_due_us = 0;  ///< A stream keeps its order.
    std::uint64_t bytes = 0;

    void send(const LinkQuality& quality, Way way, Medium medium, core::ByteSpan sent) {
        bytes += sent.size();
        const bool datagram = medium == Medium::kDatagram;
        const std::int32_t number = datagram ? datagrams++ : stream_sends++;
        if (datagram && link_loses(quality, way, number)) return;
        std::int64_t due = monotonic_us() + link_delay_us(quality, way, medium, number);
        if (!datagram) due = stream_due_us = std::max(stream_due_us, due);
        flying.emplace(due, Flying{medium, core::Bytes(sent.begin(), sent.end())});
    }
    void arrive(std::uint32_t client, std::vector<LinkEvent>& events) {
        const std::int64_t now = monotonic_us();
        while (!flying.empty() && flying.begin()->first <= now) {
            Flying& first = flying.begin()->second;
            const auto kind = first.medium == Medium::kDatagram ? LinkEvent::Kind::kDatagram
                                                                : LinkEvent::Kind::kStream;
            events.push_back({kind, client, std::move(first.bytes)});
            flying.erase(flying.begin());
        }
    }
};

struct MemoryPeer {
    LinkQuality quality;
    MemoryWay to_server;
    MemoryWay to_client;
    bool server_told = false;
    bool client_told = false;
    bool client_gone = false;
    bool dropped = false;
};

void rest(int wait_ms, bool idle) {
    if (idle && wait_ms > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

}  // namespace

struct MemoryNetwork::Impl final : ServerLinks {
    std::vector<LinkEvent> poll(int wait_ms) override {
        std::vector<LinkEvent> events;
        for (auto& [client, peer] : peers) {
            if (peer.dropped) continue;
            if (!peer.server_told) events.push_back({LinkEvent::Kind::kConnected, client, {}});
            peer.server_told = true;
            peer.to_server.arrive(client, events);
            if (peer.client_gone && peer.to_server.flying.empty()) {
                events.push_back({LinkEvent::Kind::kLost, client, {}});
                peer.dropped = true;
            }
        }
        rest(wait_ms, events.empty());
        return events;
    }
    void send_datagram(std::uint32_t client, core::ByteSpan bytes) override {
        send(client, Medium::kDatagram, bytes);
    }
    void send_stream(std::uint32_t client, core::ByteSpan bytes) override {
        send(client, Medium::kStream, bytes);
    }
    void drop(std::uint32_t client) override {
        if (const auto peer = peers.find(client); peer != peers.end()) peer->second.dropped = true;
    }
    std::size_t unsent_bytes(std::uint32_t) const override { return 0; }

    void send(std::uint32_t client, Medium medium, core::ByteSpan bytes) {
        const auto peer = peers.find(client);
        if (peer == peers.end() || peer->second.dropped || peer->second.client_gone) return;
        peer->second.to_client.send(peer->second.quality, Way::kToClient, medium, bytes);
    }

    std::map<std::uint32_t, MemoryPeer> peers;
};

namespace {

class MemoryClientLinks final : public ClientLinks {
  public:
    MemoryClientLinks(MemoryPeer& peer, std::uint32_t client) : peer_(peer), client_(client) {}
    ~MemoryClientLinks() override { peer_.client_gone = true; }

    std::vector<LinkEvent> poll(int wait_ms) override {
        std::vector<LinkEvent> events;
        if (!peer_.client_told) events.push_back({LinkEvent::Kind::kConnected, client_, {}});
        peer_.client_told = true;
        peer_.to_client.arrive(client_, events);
        if (peer_.dropped && peer_.to_client.flying.empty() && !lost_) {
            events.push_back({LinkEvent::Kind::kLost, client_, {}});
            lost_ = true;
        }
        rest(wait_ms, events.empty());
        return events;
    }
    void send_datagram(core::ByteSpan bytes) override { send(Medium::kDatagram, bytes); }
    void send_stream(core::ByteSpan bytes) override { send(Medium::kStream, bytes); }
    std::size_t unsent_bytes() const override { return 0; }
    Traffic traffic() const override { return {peer_.to_client.bytes, peer_.to_server.bytes}; }

  private:
    void send(Medium medium, core::ByteSpan bytes) {
        if (!peer_.dropped) peer_.to_server.send(peer_.quality, Way::kToServer, medium, bytes);
    }
    MemoryPeer& peer_;
    std::uint32_t client_;
    bool lost_ = false;
};

}  // namespace

MemoryNetwork::MemoryNetwork() : impl_(std::make_unique<Impl>()) {}
MemoryNetwork::~MemoryNetwork() = default;

ServerLinks& MemoryNetwork::server() { return *impl_; }

std::unique_ptr<ClientLinks> MemoryNetwork::connect(std::uint32_t client,
                                                    const LinkQuality& quality) {
    MemoryPeer& peer = impl_->peers[client];
    peer = MemoryPeer{};
    peer.quality = quality;
    return std::make_unique<MemoryClientLinks>(peer, client);
}

}  // namespace maniple::net
