#include "maniple/net/http_server.h"

#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "maniple/net/clock.h"
#include "maniple/net/stream_socket.h"

namespace maniple::net {
namespace {

HttpResponse echo(const HttpRequest& request) {
    return {200, "text/plain",
            (request.changes_something ? "post " : "get ") + request.path + ' ' + request.query};
}

/// A browser of few manners.
class Client {
  public:
    explicit Client(const HttpServer& server)
        : connection_(std::move(*StreamConnection::connect(server.port()))) {}

    void send(const std::string& text) {
        connection_.send({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    }
    /// What arrives until it ends with `end`, or the server closes.
    std::string read(HttpServer& server, const std::string& end) {
        std::string text;
        const std::int64_t deadline = monotonic_ms() + 10'000;
        while (!text.ends_with(end) && monotonic_ms() < deadline) {
            server.serve(1);
            if (!connection_.flush()) break;
            const auto bytes = connection_.receive();
            if (!bytes) {
                closed_ = true;
                break;
            }
            text.append(bytes->begin(), bytes->end());
        }
        return text;
    }
    /// What has arrived by now.
    std::string receive() {
        if (!connection_.flush()) return "";
        const auto bytes = connection_.receive();
        return bytes ? std::string(bytes->begin(), bytes->end()) : "";
    }
    [[nodiscard]] bool closed() const { return closed_; }

  private:
    StreamConnection connection_;
    bool closed_ = false;
};

HttpServer make_server() { return std::move(*HttpServer::listen(0, echo)); }

constexpr auto kHost = "Host: localhost\r\n";

TEST(HttpServer, AnswersRequestAfterRequestOnOneConnection) {
    HttpServer server = make_server();
    Client client(server);
    client.send(std::string("GET /units?from=3 HTTP/1.1\r\n") + kHost + "\r\n");
    const std::string first = client.read(server, "get /units from=3");
    EXPECT_TRUE(first.starts_with("HTTP/1.1 200 OK\r\n")) << first;
    client.send(std::string("POST /seek HTTP/1.1\r\nContent-Length: 0\r\n") + kHost + "\r\n");
    EXPECT_TRUE(client.read(server, "post /seek ").ends_with("post /seek "));
    EXPECT_EQ(server.connections(), 1U);
}

TEST(HttpServer, AHeadHasTheLengthButNoBody) {
    HttpServer server = make_server();
    Client client(server);
    client.send(std::string("HEAD /a HTTP/1.1\r\nConnection: close\r\n") + kHost + "\r\n");
    const std::string head = client.read(server, "\r\n\r\n");
    EXPECT_NE(head.find("Content-Length: 7"), std::string::npos) << head;
    EXPECT_EQ(client.read(server, "never"), "");
    EXPECT_TRUE(client.closed());
}

TEST(HttpServer, RefusesOtherHostsMethodsAndBodies) {
    HttpServer server = make_server();
    Client foreign(server);
    foreign.send("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n");
    EXPECT_TRUE(foreign.read(server, "host\n").starts_with("HTTP/1.1 403 "));
    Client deleting(server);
    deleting.send(std::string("DELETE / HTTP/1.1\r\n") + kHost + "\r\n");
    EXPECT_TRUE(deleting.read(server, "POST\n").starts_with("HTTP/1.1 405 "));
    Client talking(server);
    talking.send(std::string("POST / HTTP/1.1\r\nContent-Length: 5\r\n") + kHost + "\r\nhello");
    EXPECT_TRUE(talking.read(server, "never").starts_with("HTTP/1.1 413 "));
    EXPECT_TRUE(talking.closed());
}

TEST(HttpServer, RefusesPagesOfAnotherOrigin) {
    HttpServer server = make_server();
    const auto status_of = [&](const std::string& headers) {
        Client client(server);
        client.send("POST /seek HTTP/1.1\r\nContent-Length: 0\r\nConnection: close\r\n" + headers +
                    "\r\n");
        return client.read(server, "never").substr(9, 3);
    };
    const std::string host = kHost;
    EXPECT_EQ(status_of(host), "200");
    EXPECT_EQ(status_of(host + "Origin: http://127.0.0.1:8080\r\n"), "200");
    EXPECT_EQ(status_of(host + "Origin: http://example.org\r\n"), "403");
    EXPECT_EQ(status_of(host + "Origin: null\r\n"), "403");
    EXPECT_EQ(status_of(host + "Host: example.org\r\n"), "403");
    EXPECT_EQ(status_of(""), "403");
}

TEST(HttpServer, ServesWhatIsReadyWithoutWaiting) {
    HttpServer server = make_server();
    Client client(server);
    client.send(std::string("GET /now HTTP/1.1\r\n") + kHost + "\r\n");
    std::string text;
    const std::int64_t deadline = monotonic_ms() + 10'000;
    while (text.empty() && monotonic_ms() < deadline) {
        server.serve(0);
        text = client.receive();
    }
    EXPECT_TRUE(text.ends_with("get /now ")) << text;
}

TEST(HttpServer, ClosesWhoSendsNoHttpOrAnEndlessHead) {
    HttpServer server = make_server();
    Client random(server);
    random.send(std::string("\x16\x03\x01\x00\xFFgarbage\r\n\r\n", 16));
    EXPECT_EQ(random.read(server, "never"), "");
    EXPECT_TRUE(random.closed());
    Client endless(server);
    endless.send("GET / HTTP/1.1\r\nX: " + std::string(3 * HttpServer::kHeadBytesMax, 'x'));
    EXPECT_EQ(endless.read(server, "never"), "");
    EXPECT_TRUE(endless.closed());
    server.serve(1);
    EXPECT_EQ(server.connections(), 0U);
}

TEST(HttpServer, HasRoomForSoManyConnectionsAndClosesMore) {
    HttpServer server = make_server();
    std::vector<Client> clients;
    for (std::size_t i = 0; i < HttpServer::kConnectionsMax; ++i) clients.emplace_back(server);
    while (server.connections() < HttpServer::kConnectionsMax) server.serve(1);
    Client late(server);
    EXPECT_EQ(late.read(server, "never"), "");
    EXPECT_TRUE(late.closed());
    clients.front().send(std::string("GET /x HTTP/1.1\r\n") + kHost + "\r\n");
    EXPECT_TRUE(clients.front().read(server, "get /x ").starts_with("HTTP/1.1 200"));
}

TEST(HttpServer, APortInUseIsRefused) {
    const HttpServer server = make_server();
    const auto second = HttpServer::listen(server.port(), echo);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().code, ErrorCode::kPortInUse);
}

TEST(HttpRequest, FindsAValueByItsName) {
    const HttpRequest request{false, "/", "a=1&tick=40&tick=50&b"};
    EXPECT_EQ(request.value_of("tick"), "40");
    EXPECT_EQ(request.value_of("a"), "1");
    EXPECT_EQ(request.value_of("b"), std::nullopt);
    EXPECT_EQ(request.value_of("none"), std::nullopt);
}

}  // namespace
}  // namespace maniple::net
