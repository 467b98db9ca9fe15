#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "maniple/net/clock.h"
#include "maniple/net/datagram_host.h"
#include "maniple/net/links.h"
#include "maniple/net/stream_socket.h"

namespace maniple::net {
namespace {

constexpr std::size_t kGreetingBytes = 4;
/// Connections that have not said who they are, and how long they may take.
constexpr std::size_t kStrangersMax = 64;
constexpr std::int64_t kGreetingMs = 5000;
/// Bytes that wait for a client; one that does not read them is dropped. Over any one message.
constexpr std::size_t kUnsentBytesMax = std::size_t{1} << 30;
/// Stream bytes read in one poll of a client, so that none keeps the others waiting.
constexpr int kReadsOfOnePoll = 16;

std::uint32_t read_greeting(core::ByteSpan bytes) { return core::ByteReader(bytes).u32(); }

/// Streams have no wake-up for writing: with bytes to send, a wait is short.
int wait_with_unsent(int wait_ms, bool unsent) { return unsent ? std::min(wait_ms, 1) : wait_ms; }

struct Stranger {
    StreamConnection stream;
    core::Bytes bytes;
    std::int64_t since_ms = 0;
};

struct Peer {
    std::optional<PeerId> datagrams;
    std::optional<StreamConnection> stream;
    core::Bytes early;       ///< Stream bytes after the greeting, before both ways stand.
    bool announced = false;  ///< kConnected was given out.
};

class SocketServerImpl final : public SocketServer, public ServerLinks {
  public:
    SocketServerImpl(DatagramHost datagrams, StreamServer streams, std::uint32_t clients_max)
        : datagrams_(std::move(datagrams)),
          streams_(std::move(streams)),
          clients_max_(clients_max) {}

    LinkPorts ports() const override { return {datagrams_.port(), streams_.port()}; }
    ServerLinks& links() override { return *this; }

    std::vector<LinkEvent> poll(int wait_ms) override {
        datagrams_.flush();
        wait(wait_ms);
        std::vector<LinkEvent> events;
        take_datagrams(events);
        accept_strangers();
        greet_strangers();
        for (auto& [client, peer] : peers_) announce(client, peer, events);
        take_streams(events);
        return events;
    }
    void send_datagram(std::uint32_t client, core::ByteSpan bytes) override {
        const auto peer = peers_.find(client);
        if (peer != peers_.end() && peer->second.datagrams) {
            datagrams_.send(*peer->second.datagrams, bytes);
        }
    }
    void send_stream(std::uint32_t client, core::ByteSpan bytes) override {
        const auto peer = peers_.find(client);
        if (peer != peers_.end() && peer->second.stream) peer->second.stream->send(bytes);
    }
    void drop(std::uint32_t client) override {
        const auto peer = peers_.find(client);
        if (peer == peers_.end()) return;
        if (peer->second.datagrams) datagrams_.disconnect(*peer->second.datagrams);
        peers_.erase(peer);
    }
    std::size_t unsent_bytes(std::uint32_t client) const override {
        const auto peer = peers_.find(client);
        const bool open = peer != peers_.end() && peer->second.stream;
        return open ? peer->second.stream->queued_bytes() : 0;
    }

  private:
    void wait(int wait_ms) {
        std::vector<int> descriptors{datagrams_.descriptor(), streams_.descriptor()};
        bool unsent = false;
        for (const Stranger& stranger : strangers_) {
            descriptors.push_back(stranger.stream.descriptor());
        }
        for (const auto& [client, peer] : peers_) {
            if (!peer.stream || !peer.announced) continue;
            descriptors.push_back(peer.stream->descriptor());
            unsent |= peer.stream->queued_bytes() > 0;
        }
        wait_readable(descriptors, wait_with_unsent(wait_ms, unsent));
    }

    void take_datagrams(std::vector<LinkEvent>& events) {
        while (std::optional<DatagramEvent> event = datagrams_.poll(0)) {
            if (event->kind == DatagramEvent::Kind::kConnected) {
                const std::uint32_t client = event->greeting;
                const bool known = client >= 1 && client <= clients_max_;
                const auto seat = peers_.find(client);
                const bool taken = seat != peers_.end() && seat->second.datagrams;
                if (!known || (taken && seat->second.announced)) {
                    datagrams_.disconnect(event->peer);
                    continue;
                }
                if (taken) datagrams_.disconnect(*seat->second.datagrams);
                peers_[client].datagrams = event->peer;
                clients_[event->peer] = client;
                continue;
            }
            const auto found = clients_.find(event->peer);
            if (found == clients_.end()) continue;
            const std::uint32_t client = found->second;
            const auto peer = peers_.find(client);
            const bool current = peer != peers_.end() && peer->second.datagrams == event->peer;
            if (event->kind == DatagramEvent::Kind::kDisconnected) {
                // The stream says whether the client is lost; a peer's number may be used again.
                clients_.erase(found);
                if (current) peer->second.datagrams.reset();
            } else if (current && peer->second.announced) {
                events.push_back({LinkEvent::Kind::kDatagram, client, std::move(event->bytes)});
            }
        }
    }

    void accept_strangers() {
        while (std::optional<StreamConnection> stream = streams_.accept()) {
            // Those who say nothing make room for those who come.
            if (strangers_.size() == kStrangersMax) strangers_.erase(strangers_.begin());
            strangers_.push_back({std::move(*stream), {}, monotonic_ms()});
        }
    }

    /// True when the stranger is none any more: it is a client now, or gone.
    bool greet(Stranger& stranger) {
        const Result<core::Bytes> got = stranger.stream.receive();
        if (!got || monotonic_ms() - stranger.since_ms > kGreetingMs) return true;
        stranger.bytes.insert(stranger.bytes.end(), got->begin(), got->end());
        if (stranger.bytes.size() < kGreetingBytes) return false;
        const std::uint32_t client = read_greeting(stranger.bytes);
        const bool known = client >= 1 && client <= clients_max_;
        // A seat is taken once both ways stand; until then the last to ask has it.
        if (!known || peers_[client].announced) return true;
        peers_[client].stream = std::move(stranger.stream);
        peers_[client].early.assign(stranger.bytes.begin() + kGreetingBytes, stranger.bytes.end());
        return true;
    }
    void greet_strangers() {
        std::erase_if(strangers_, [this](Stranger& s) { return greet(s); });
    }

    static void announce(std::uint32_t client, Peer& peer, std::vector<LinkEvent>& events) {
        if (peer.announced || !peer.datagrams || !peer.stream) return;
        peer.announced = true;
        events.push_back({LinkEvent::Kind::kConnected, client, {}});
        if (!peer.early.empty()) {
            events.push_back({LinkEvent::Kind::kStream, client, std::move(peer.early)});
        }
    }

    void take_streams(std::vector<LinkEvent>& events) {
        std::vector<std::uint32_t> lost;
        for (auto& [client, peer] : peers_) {
            if (!peer.announced || !peer.stream) continue;
            bool open = peer.stream->flush() && peer.stream->queued_bytes() <= kUnsentBytesMax;
            for (int read = 0; open && read < kReadsOfOnePoll; ++read) {
                Result<core::Bytes> got = peer.stream->receive();
                open = got.has_value();
                if (!got || got->empty()) break;
                events.push_back({LinkEvent::Kind::kStream, client, std::move(*got)});
            }
            if (!open) lost.push_back(client);
        }
        for (const std::uint32_t client : lost) {
            events.push_back({LinkEvent::Kind::kLost, client, {}});
            drop(client);
        }
    }

    DatagramHost datagrams_;
    StreamServer streams_;
    std::uint32_t clients_max_;
    std::vector<Stranger> strangers_;
    std::map<std::uint32_t, Peer> peers_;
    std::map<PeerId, std::uint32_t> clients_;
};

class SocketClientLinks final : public ClientLinks {
  public:
    SocketClientLinks(DatagramHost datagrams, StreamConnection stream, std::uint16_t udp_port,
                      std::uint32_t client)
        : datagrams_(std::move(datagrams)),
          stream_(std::move(stream)),
          udp_port_(udp_port),
          client_(client) {
        core::Bytes greeting;
        core::ByteWriter(greeting).u32(client);
        send_stream(greeting);
    }

    std::vector<LinkEvent> poll(int wait_ms) override {
        datagrams_.flush();
        const std::array<int, 2> descriptors{datagrams_.descriptor(), stream_.descriptor()};
        wait_readable({descriptors.data(), open_ ? 2U : 1U},
                      wait_with_unsent(wait_ms, open_ && stream_.queued_bytes() > 0));
        std::vector<LinkEvent> events;
        while (std::optional<DatagramEvent> event = datagrams_.poll(0)) {
            if (event->kind == DatagramEvent::Kind::kConnected) {
                server_ = event->peer;
                if (!announced_) events.push_back({LinkEvent::Kind::kConnected, client_, {}});
                announced_ = true;
            } else if (event->kind == DatagramEvent::Kind::kReceived) {
                events.push_back({LinkEvent::Kind::kDatagram, client_, std::move(event->bytes)});
            } else {
                reconnect();
                break;
            }
        }
        take_stream(events);
        return events;
    }
    void send_datagram(core::ByteSpan bytes) override {
        if (server_) datagrams_.send(*server_, bytes);
    }
    void send_stream(core::ByteSpan bytes) override {
        stream_out_ += bytes.size();
        stream_.send(bytes);
    }
    std::size_t unsent_bytes() const override { return open_ ? stream_.queued_bytes() : 0; }
    Traffic traffic() const override {
        return {stream_in_ + datagrams_in_ + datagrams_.bytes_received(),
                stream_out_ + datagrams_out_ + datagrams_.bytes_sent()};
    }

  private:
    /// ENet gives up on a side that was silent for some seconds; while the stream stands, it was
    /// only asleep.
    void reconnect() {
        server_.reset();
        datagrams_in_ += datagrams_.bytes_received();
        datagrams_out_ += datagrams_.bytes_sent();
        if (auto again = DatagramHost::connect(udp_port_, client_)) datagrams_ = std::move(*again);
    }

    void take_stream(std::vector<LinkEvent>& events) {
        if (!open_) return;
        open_ = stream_.flush().has_value();
        for (int read = 0; open_ && read < kReadsOfOnePoll; ++read) {
            Result<core::Bytes> got = stream_.receive();
            open_ = got.has_value();
            if (!got || got->empty()) break;
            stream_in_ += got->size();
            events.push_back({LinkEvent::Kind::kStream, client_, std::move(*got)});
        }
        if (!open_) events.push_back({LinkEvent::Kind::kLost, client_, {}});
    }

    DatagramHost datagrams_;
    StreamConnection stream_;
    std::uint16_t udp_port_;
    std::uint32_t client_;
    std::optional<PeerId> server_;
    bool announced_ = false;
    bool open_ = true;
    std::uint64_t datagrams_in_ = 0;  ///< Of connections before the current one.
    std::uint64_t datagrams_out_ = 0;
    std::uint64_t stream_in_ = 0;
    std::uint64_t stream_out_ = 0;
};

}  // namespace

Result<std::unique_ptr<SocketServer>> SocketServer::listen(LinkPorts ports,
                                                           std::uint32_t clients_max) {
    // Peers that connect in vain need room too, until they are sent away.
    auto datagrams = DatagramHost::listen(ports.udp, clients_max + kStrangersMax);
    if (!datagrams) return refuse(datagrams.error());
    auto streams = StreamServer::listen(ports.tcp);
    if (!streams) return refuse(streams.error());
    return std::make_unique<SocketServerImpl>(std::move(*datagrams), std::move(*streams),
                                              clients_max);
}

Result<std::unique_ptr<ClientLinks>> connect_links(LinkPorts server, std::uint32_t client) {
    auto datagrams = DatagramHost::connect(server.udp, client);
    if (!datagrams) return refuse(datagrams.error());
    auto stream = StreamConnection::connect(server.tcp);
    if (!stream) return refuse(stream.error());
    return std::make_unique<SocketClientLinks>(std::move(*datagrams), std::move(*stream),
                                               server.udp, client);
}

}  // namespace maniple::net
