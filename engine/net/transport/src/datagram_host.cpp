#include "maniple/net/datagram_host.h"

#include <cerrno>
#include <cstring>
#include <enet/enet.h>
#include <string>

namespace maniple::net {
namespace {

constexpr std::size_t kDatagramMax = 1200;
constexpr std::size_t kChannels = 1;
/// ENet drops a peer it did not hear from for this long.
constexpr std::uint32_t kTimeoutMinMs = 4000;
constexpr std::uint32_t kTimeoutMaxMs = 8000;

/// ENet needs no tear-down on the systems we build for.
bool enet_ready() {
    static const bool ready = enet_initialize() == 0;
    return ready;
}

ENetAddress loopback(std::uint16_t port) {
    ENetAddress address{};
    address.host = ENET_HOST_TO_NET_32(0x7F000001U);
    address.port = port;
    return address;
}

}  // namespace

struct DatagramHost::Impl {
    explicit Impl(ENetHost* h) : host(h) {}
    ~Impl() {
        // Says goodbye at once, so that the other side need not wait for a timeout.
        for (std::size_t i = 0; i < host->peerCount; ++i) {
            if (host->peers[i].state == ENET_PEER_STATE_CONNECTED) {
                enet_peer_disconnect_now(&host->peers[i], 0);
            }
        }
        enet_host_destroy(host);
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ENetHost* host;
};

DatagramHost::DatagramHost(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
DatagramHost::~DatagramHost() = default;
DatagramHost::DatagramHost(DatagramHost&&) noexcept = default;
DatagramHost& DatagramHost::operator=(DatagramHost&&) noexcept = default;

Result<DatagramHost> DatagramHost::listen(std::uint16_t port, std::size_t peers_max) {
    if (!enet_ready()) return refuse(ErrorCode::kIo, "ENet does not start");
    const ENetAddress address = loopback(port);
    errno = 0;
    ENetHost* host = enet_host_create(&address, peers_max, kChannels, 0, 0);
    if (!host) {
        const int reason = errno;
        return refuse(reason == EADDRINUSE ? ErrorCode::kPortInUse : ErrorCode::kIo,
                      "udp port " + std::to_string(port) + ": " + std::strerror(reason));
    }
    return DatagramHost(std::make_unique<Impl>(host));
}

Result<DatagramHost> DatagramHost::connect(std::uint16_t port, std::uint32_t greeting) {
    if (!enet_ready()) return refuse(ErrorCode::kIo, "ENet does not start");
    ENetHost* host = enet_host_create(nullptr, 1, kChannels, 0, 0);
    if (!host) return refuse(ErrorCode::kIo, std::string("udp: ") + std::strerror(errno));
    auto impl = std::make_unique<Impl>(host);
    const ENetAddress address = loopback(port);
    if (!enet_host_connect(host, &address, kChannels, greeting)) {
        return refuse(ErrorCode::kIo, "ENet has no peer left");
    }
    return DatagramHost(std::move(impl));
}

std::uint16_t DatagramHost::port() const {
    ENetAddress address{};
    return enet_socket_get_address(impl_->host->socket, &address) == 0 ? address.port : 0;
}

std::optional<DatagramEvent> DatagramHost::poll(std::uint32_t wait_ms) {
    ENetEvent event{};
    while (enet_host_service(impl_->host, &event, wait_ms) > 0) {
        DatagramEvent out;
        out.peer.value = event.peer->incomingPeerID;
        switch (event.type) {
            case ENET_EVENT_TYPE_CONNECT:
                enet_peer_timeout(event.peer, 0, kTimeoutMinMs, kTimeoutMaxMs);
                // ENet thins unreliable packets out when the round trip varies; the session's
                // redundancy is the only judge of what is sent.
                enet_peer_throttle_configure(event.peer, ENET_PEER_PACKET_THROTTLE_INTERVAL,
                                             ENET_PEER_PACKET_THROTTLE_SCALE, 0);
                out.kind = DatagramEvent::Kind::kConnected;
                out.greeting = event.data;
                return out;
            case ENET_EVENT_TYPE_DISCONNECT:
                out.kind = DatagramEvent::Kind::kDisconnected;
                return out;
            case ENET_EVENT_TYPE_RECEIVE: {
                const ENetPacket& packet = *event.packet;
                const bool fits = packet.dataLength <= kDatagramMax;
                if (fits) out.bytes.assign(packet.data, packet.data + packet.dataLength);
                enet_packet_destroy(event.packet);
                if (fits) return out;
                break;
            }
            case ENET_EVENT_TYPE_NONE: break;
        }
    }
    return std::nullopt;
}

void DatagramHost::send(PeerId peer, core::ByteSpan bytes) {
    if (peer.value >= impl_->host->peerCount || bytes.size() > kDatagramMax) return;
    ENetPeer& to = impl_->host->peers[peer.value];
    if (to.state != ENET_PEER_STATE_CONNECTED) return;
    ENetPacket* packet =
        enet_packet_create(bytes.data(), bytes.size(), ENET_PACKET_FLAG_UNSEQUENCED);
    if (packet && enet_peer_send(&to, 0, packet) != 0) enet_packet_destroy(packet);
}

int DatagramHost::descriptor() const { return impl_->host->socket; }

std::uint64_t DatagramHost::bytes_sent() const { return impl_->host->totalSentData; }
std::uint64_t DatagramHost::bytes_received() const { return impl_->host->totalReceivedData; }

void DatagramHost::flush() { enet_host_flush(impl_->host); }

void DatagramHost::disconnect(PeerId peer) {
    if (peer.value < impl_->host->peerCount) {
        enet_peer_disconnect(&impl_->host->peers[peer.value], 0);
    }
}

}  // namespace maniple::net
