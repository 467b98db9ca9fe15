#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "maniple/core/result.h"

namespace maniple::net {

/// A request for a page or a deed: `GET /units`, `POST /seek?tick=40`. Bodies are refused.
struct HttpRequest {
    bool changes_something = false;  ///< POST; otherwise GET or HEAD.
    std::string path;                ///< Without the query, as sent: nothing is decoded.
    std::string query;               ///< Behind the `?`; "" without one.

    /// The value of `name` in a query of `a=1&b=2`; nullopt where it is not named.
    [[nodiscard]] std::optional<std::string_view> value_of(std::string_view name) const;
};

struct HttpResponse {
    unsigned status = 200;
    std::string content_type = "text/plain; charset=utf-8";
    std::string body;
};

/// Answers HTTP/1.1 on 127.0.0.1 in the caller's thread, for pages that look at what a process
/// does. A client that sends too much, too slowly or nothing at all is closed (limits below) and
/// never holds up the caller. Requests named for another host, or sent by a page of another origin,
/// are refused, so that a foreign page cannot reach in through a browser.
class HttpServer {
  public:
    static constexpr std::size_t kHeadBytesMax = 8192;
    static constexpr std::size_t kConnectionsMax = 64;
    static constexpr std::int64_t kIdleMs = 10'000;

    /// Called by serve() for every whole request.
    using Answer = std::function<HttpResponse(const HttpRequest&)>;

    /// Port 0 picks a free one. @return kPortInUse or kIo.
    [[nodiscard]] static Result<HttpServer> listen(std::uint16_t port, Answer answer);
    ~HttpServer();
    HttpServer(HttpServer&&) noexcept;
    HttpServer& operator=(HttpServer&&) noexcept;

    [[nodiscard]] std::uint16_t port() const;
    /// Serves whoever is there for `wait_ms` (0: what is ready now).
    void serve(std::int64_t wait_ms);
    [[nodiscard]] std::size_t connections() const;

  private:
    struct Impl;
    explicit HttpServer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace maniple::net
