#include "maniple/net/http_server.h"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <chrono>
#include <optional>
#include <utility>

namespace maniple::net {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using Tcp = asio::ip::tcp;
using Response = http::response<http::string_body>;

std::string_view text_of(beast::string_view text) { return {text.data(), text.size()}; }

/// Whether `host` names this machine, whatever the port.
bool is_local(std::string_view host) {
    const std::string_view name = host.substr(0, host.rfind(':'));
    return name == "127.0.0.1" || name == "localhost";
}

/// Whether a request is meant for this machine and comes from no foreign page.
bool is_from_here(const http::request<http::empty_body>& message) {
    if (message.count(http::field::host) != 1) return false;
    if (!is_local(text_of(message[http::field::host]))) return false;
    constexpr std::string_view kScheme = "http://";
    const auto origins = message.equal_range(http::field::origin);
    return std::all_of(origins.first, origins.second, [&](const auto& field) {
        const std::string_view origin = text_of(field.value());
        return origin.starts_with(kScheme) && is_local(origin.substr(kScheme.size()));
    });
}

std::optional<HttpRequest> read_request(const http::request<http::empty_body>& message) {
    const http::verb verb = message.method();
    const bool posts = verb == http::verb::post;
    if (!posts && verb != http::verb::get && verb != http::verb::head) return std::nullopt;
    const std::string_view target = text_of(message.target());
    const std::size_t mark = target.find('?');
    HttpRequest request{posts, std::string(target.substr(0, mark)), ""};
    if (mark != std::string_view::npos) request.query = target.substr(mark + 1);
    return request;
}

HttpResponse respond(const http::request<http::empty_body>& message,
                     const HttpServer::Answer& answer) {
    constexpr auto kText = "text/plain; charset=utf-8";
    if (!is_from_here(message)) return {403, kText, "another host or origin\n"};
    const auto request = read_request(message);
    return request ? answer(*request) : HttpResponse{405, kText, "GET, HEAD or POST\n"};
}

}  // namespace

std::optional<std::string_view> HttpRequest::value_of(std::string_view name) const {
    for (std::string_view rest = query; !rest.empty();) {
        const std::string_view pair = rest.substr(0, rest.find('&'));
        rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
        const std::size_t mark = pair.find('=');
        if (mark != std::string_view::npos && pair.substr(0, mark) == name) {
            return pair.substr(mark + 1);
        }
    }
    return std::nullopt;
}

/// The acceptor and what its connections share.
struct HttpServer::Impl {
    class Connection;

    explicit Impl(Answer handler) : answer(std::move(handler)) {}
    void accept();

    // Before the context, whose end destroys the connections that use them.
    Answer answer;
    std::size_t connections = 0;
    asio::io_context context{1};
    Tcp::acceptor acceptor{context};
};

/// Lives as long as one of its operations is under way.
class HttpServer::Impl::Connection : public std::enable_shared_from_this<Connection> {
  public:
    Connection(Tcp::socket socket, Impl& server) : stream_(std::move(socket)), server_(server) {
        ++server_.connections;
    }
    ~Connection() { --server_.connections; }
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    void read() {
        parser_.emplace();
        parser_->header_limit(kHeadBytesMax);
        parser_->body_limit(0);
        stream_.expires_after(std::chrono::milliseconds(kIdleMs));
        http::async_read(stream_, buffer_, *parser_,
                         [self = shared_from_this()](beast::error_code error, std::size_t) {
                             self->answer(error);
                         });
    }

  private:
    void answer(beast::error_code error) {
        const auto& message = parser_->get();
        if (!error) {
            write(respond(message, server_.answer), message.keep_alive());
        } else if (error == http::error::body_limit || error == http::error::unexpected_body) {
            write({413, "text/plain; charset=utf-8", "no body expected\n"}, false);
        }
    }
    void write(HttpResponse answered, bool keep_alive) {
        const auto& message = parser_->get();
        response_ = Response(static_cast<http::status>(answered.status), message.version());
        response_.set(http::field::content_type, answered.content_type);
        response_.set(http::field::cache_control, "no-store");
        response_.keep_alive(keep_alive);
        response_.body() = std::move(answered.body);
        response_.prepare_payload();
        if (message.method() == http::verb::head) response_.body().clear();
        stream_.expires_after(std::chrono::milliseconds(kIdleMs));
        http::async_write(stream_, response_,
                          [self = shared_from_this()](beast::error_code error, std::size_t) {
                              if (!error && self->response_.keep_alive()) self->read();
                          });
    }

    beast::tcp_stream stream_;
    Impl& server_;
    beast::flat_buffer buffer_{2 * kHeadBytesMax};
    std::optional<http::request_parser<http::empty_body>> parser_;
    Response response_;
};

void HttpServer::Impl::accept() {
    acceptor.async_accept([this](beast::error_code error, Tcp::socket socket) {
        if (error == asio::error::operation_aborted) return;
        // Over the limit the socket is closed by its end of life here.
        if (!error && connections < kConnectionsMax) {
            std::make_shared<Connection>(std::move(socket), *this)->read();
        }
        accept();
    });
}

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpServer::~HttpServer() = default;
HttpServer::HttpServer(HttpServer&&) noexcept = default;
HttpServer& HttpServer::operator=(HttpServer&&) noexcept = default;

Result<HttpServer> HttpServer::listen(std::uint16_t port, Answer answer) {
    auto impl = std::make_unique<Impl>(std::move(answer));
    const Tcp::endpoint here(asio::ip::address_v4::loopback(), port);
    beast::error_code error;
    impl->acceptor.open(Tcp::v4(), error);
    if (!error) impl->acceptor.set_option(Tcp::acceptor::reuse_address(true), error);
    if (!error) impl->acceptor.bind(here, error);
    if (!error) impl->acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (error) {
        const bool in_use = error == asio::error::address_in_use;
        return refuse(in_use ? ErrorCode::kPortInUse : ErrorCode::kIo,
                      "port " + std::to_string(port) + ": " + error.message());
    }
    impl->accept();
    return HttpServer(std::move(impl));
}

std::uint16_t HttpServer::port() const {
    beast::error_code error;
    return impl_->acceptor.local_endpoint(error).port();
}

void HttpServer::serve(std::int64_t wait_ms) {
    impl_->context.poll();
    if (wait_ms > 0) impl_->context.run_for(std::chrono::milliseconds(wait_ms));
}

std::size_t HttpServer::connections() const { return impl_->connections; }

}  // namespace maniple::net
