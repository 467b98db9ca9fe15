#include "maniple/net/link_relay.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "maniple/net/clock.h"

#include "socket.h"

namespace maniple::net {
namespace {

constexpr std::size_t kUdpBytesMax = 65'536;
constexpr std::size_t kFlyingMax = 65'536;
/// A direction of a stream stops reading above this.
constexpr std::size_t kStreamBytesMax = std::size_t{16} << 20;
/// The system may allow less.
constexpr int kSocketBufferBytes = 4 << 20;

/// The datagrams of one direction that are on their way, by due time.
struct UdpWay {
    std::multimap<std::int64_t, core::Bytes> flying;
    std::int32_t number = 0;
};
struct StreamChunk {
    std::int64_t due_us = 0;
    core::Bytes bytes;
};
struct StreamWay {
    std::deque<StreamChunk> flying;
    std::size_t bytes = 0;
    std::int32_t number = 0;
    bool closed = false;
};

}  // namespace

struct LinkRelay::Impl {
    LinkQuality quality;
    std::uint16_t server_tcp_port = 0;
    sockaddr_in server_udp{};
    Descriptor client_side;  ///< UDP socket the client sends to.
    Descriptor server_side;  ///< UDP socket the server answers to.
    std::optional<StreamServer> listener;
    std::optional<StreamConnection> client_stream;
    std::optional<StreamConnection> server_stream;
    std::optional<sockaddr_in> client_udp;
    std::array<UdpWay, 2> udp;  ///< 0 to the server, 1 to the client.
    std::array<StreamWay, 2> stream;
    LinkCounts counts;

    void take_datagrams(std::size_t way, std::int64_t now_us);
    void let_out_datagrams(std::size_t way, std::int64_t now_us);
    void take_stream(std::size_t way, std::int64_t now_us);
    void let_out_stream(std::size_t way, std::int64_t now_us);
    void accept_stream();
    [[nodiscard]] std::int64_t next_due_us() const;
    void wait(int wait_ms) const;
};

void LinkRelay::Impl::take_datagrams(std::size_t way, std::int64_t now_us) {
    const Descriptor& from = way == 0 ? client_side : server_side;
    std::array<std::uint8_t, kUdpBytesMax> buffer;
    while (udp[way].flying.size() < kFlyingMax) {
        sockaddr_in sender{};
        socklen_t size = sizeof(sender);
        const ssize_t got = ::recvfrom(from.get(), buffer.data(), buffer.size(), MSG_DONTWAIT,
                                       reinterpret_cast<sockaddr*>(&sender), &size);
        if (got < 0) return;
        if (way == 0) client_udp = sender;
        const std::int32_t number = udp[way].number++;
        if (link_loses(quality, Way(way), number)) {
            ++counts.dropped;
            continue;
        }
        const std::int64_t due =
            now_us + link_delay_us(quality, Way(way), Medium::kDatagram, number);
        udp[way].flying.emplace(due, core::Bytes(buffer.begin(), buffer.begin() + got));
    }
}

void LinkRelay::Impl::let_out_datagrams(std::size_t way, std::int64_t now_us) {
    if (way == 1 && !client_udp) return;
    const Descriptor& out = way == 0 ? server_side : client_side;
    const sockaddr_in& to = way == 0 ? server_udp : *client_udp;
    auto& flying = udp[way].flying;
    while (!flying.empty() && flying.begin()->first <= now_us) {
        const core::Bytes& bytes = flying.begin()->second;
        // A full socket buffer loses the datagram, as a real link's queue would.
        static_cast<void>(::sendto(out.get(), bytes.data(), bytes.size(), MSG_DONTWAIT,
                                   reinterpret_cast<const sockaddr*>(&to), sizeof(to)));
        ++counts.forwarded;
        flying.erase(flying.begin());
    }
}

void LinkRelay::Impl::accept_stream() {
    // A connection that ended makes room for the next.
    if (client_stream && !(stream[0].closed && stream[0].flying.empty())) return;
    std::optional<StreamConnection> next = listener->accept();
    if (!next) return;
    client_stream = std::move(next);
    server_stream.reset();
    stream = {};
    if (auto onward = StreamConnection::connect(server_tcp_port)) {
        server_stream = std::move(*onward);
    } else {
        client_stream.reset();
    }
}

void LinkRelay::Impl::take_stream(std::size_t way, std::int64_t now_us) {
    StreamWay& w = stream[way];
    auto& from = way == 0 ? client_stream : server_stream;
    while (from && !w.closed && w.bytes < kStreamBytesMax) {
        auto got = from->receive();
        if (got && got->empty()) return;
        w.closed = !got;
        const std::int64_t after = w.flying.empty() ? 0 : w.flying.back().due_us;
        const std::int64_t due =
            std::max(after, now_us + link_delay_us(quality, Way(way), Medium::kStream, w.number++));
        // An empty chunk stands for the end, which must not overtake the bytes before it.
        w.flying.push_back({due, got ? std::move(*got) : core::Bytes{}});
        w.bytes += w.flying.back().bytes.size();
    }
}

void LinkRelay::Impl::let_out_stream(std::size_t way, std::int64_t now_us) {
    StreamWay& w = stream[way];
    auto& out = way == 0 ? server_stream : client_stream;
    if (!out) {
        w.flying.clear();
        w.bytes = 0;
        return;
    }
    while (!w.flying.empty() && w.flying.front().due_us <= now_us) {
        const core::Bytes& bytes = w.flying.front().bytes;
        if (bytes.empty()) {
            if (out->queued_bytes() > 0) break;
            ::shutdown(out->descriptor(), SHUT_WR);
        }
        out->send(bytes);
        counts.stream_bytes += bytes.size();
        w.bytes -= bytes.size();
        w.flying.pop_front();
    }
    if (!out->flush()) out.reset();
}

std::int64_t LinkRelay::Impl::next_due_us() const {
    std::int64_t due = INT64_MAX;
    for (const UdpWay& way : udp) {
        if (!way.flying.empty()) due = std::min(due, way.flying.begin()->first);
    }
    for (const StreamWay& way : stream) {
        if (!way.flying.empty()) due = std::min(due, way.flying.front().due_us);
    }
    return due;
}

void LinkRelay::Impl::wait(int wait_ms) const {
    const std::int64_t due = next_due_us();
    if (due != INT64_MAX) {
        const std::int64_t until = (due - monotonic_us() + 999) / 1000;
        wait_ms = static_cast<int>(std::clamp<std::int64_t>(until, 0, wait_ms));
    }
    std::vector<int> descriptors{client_side.get(), server_side.get()};
    if (!client_stream || stream[0].closed) descriptors.push_back(listener->descriptor());
    if (client_stream && !stream[0].closed) descriptors.push_back(client_stream->descriptor());
    if (server_stream && !stream[1].closed) descriptors.push_back(server_stream->descriptor());
    wait_readable(descriptors, wait_ms);
}

LinkRelay::LinkRelay(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
LinkRelay::~LinkRelay() = default;
LinkRelay::LinkRelay(LinkRelay&&) noexcept = default;
LinkRelay& LinkRelay::operator=(LinkRelay&&) noexcept = default;

Result<LinkRelay> LinkRelay::open(std::uint16_t server_udp, std::uint16_t server_tcp,
                                  const LinkQuality& quality) {
    auto impl = std::make_unique<Impl>();
    impl->quality = quality;
    impl->server_udp = loopback_address(server_udp);
    impl->server_tcp_port = server_tcp;
    for (Descriptor* side : {&impl->client_side, &impl->server_side}) {
        auto socket = open_socket(SOCK_DGRAM);
        if (!socket) return refuse(socket.error());
        if (auto bound = bind_loopback(*socket, 0); !bound) return refuse(bound.error());
        // Bursts wait here while the relay sleeps; what overflows would be lost without a seed.
        ::setsockopt(socket->get(), SOL_SOCKET, SO_RCVBUF, &kSocketBufferBytes,
                     sizeof(kSocketBufferBytes));
        *side = std::move(*socket);
    }
    auto listener = StreamServer::listen(0);
    if (!listener) return refuse(listener.error());
    impl->listener = std::move(*listener);
    return LinkRelay(std::move(impl));
}

std::uint16_t LinkRelay::udp_port() const { return bound_port(impl_->client_side); }
std::uint16_t LinkRelay::tcp_port() const { return impl_->listener->port(); }
LinkCounts LinkRelay::counts() const { return impl_->counts; }

void LinkRelay::run(int wait_ms) {
    impl_->wait(wait_ms);
    impl_->accept_stream();
    const std::int64_t now_us = monotonic_us();
    for (const std::size_t way : {std::size_t{0}, std::size_t{1}}) {
        impl_->take_datagrams(way, now_us);
        impl_->let_out_datagrams(way, now_us);
        impl_->take_stream(way, now_us);
        impl_->let_out_stream(way, now_us);
    }
}

}  // namespace maniple::net
