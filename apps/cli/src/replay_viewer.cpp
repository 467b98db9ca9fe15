#include "replay_viewer.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "maniple/core/bytes.h"
#include "maniple/core/hash.h"
#include "maniple/net/http_server.h"
#include "maniple/skirmish/fragments.h"
#include "maniple/skirmish/skirmish.h"

#include "battlefield.h"
#include "interrupt.h"
#include "json_text.h"
#include "viewer_page.h"

namespace maniple::cli {
namespace {

using Clock = std::chrono::steady_clock;
using net::HttpRequest;
using net::HttpResponse;

constexpr int kMapPixelsMax = 2048;
constexpr double kSpeedMin = 0.001;
constexpr double kSpeedMax = 1000;
constexpr double kPlaceSteps = 256;  ///< Parts of a cell in the positions sent.
constexpr auto kServeTime = std::chrono::milliseconds(100);  ///< Between two looks at interrupts.

template <typename T>
std::optional<T> number_in(const HttpRequest& request, std::string_view name) {
    const auto text = request.value_of(name);
    T value{};
    if (!text) return std::nullopt;
    const auto [rest, problem] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (problem != std::errc{} || rest != text->data() + text->size()) return std::nullopt;
    return value;
}

HttpResponse plain(unsigned status, std::string text) {
    return {status, "text/plain; charset=utf-8", std::move(text)};
}

/// The state behind the page and the answers to it.
class Viewer {
  public:
    Viewer(Playback& playback, double speed) : playback_(playback), speed_(speed) {}

    HttpResponse answer(const HttpRequest& request) {
        if (request.changes_something) return change(request);
        if (request.path == "/") return {200, "text/html; charset=utf-8", kViewerPage};
        if (request.path == "/state") return {200, "application/json", json_text(state())};
        if (request.path == "/units") return {200, "application/octet-stream", units()};
        if (request.path == "/map.png") return map();
        return plain(404, "no such page\n");
    }

    /// Plays what is due. @return when more will be.
    Clock::time_point advance() {
        const Clock::time_point now = Clock::now();
        if (!playing_ || now < due_) return playing_ ? due_ : now + kServeTime;
        const std::chrono::duration<double> tick_time(
            1.0 / (playback_.reader().header().tick_rate_hz * speed_));
        if (const auto stepped = playback_.step(); !stepped) fail(stepped.error());
        if (playback_.at_end()) playing_ = false;
        // After a slow tick it goes on from now: playback is for eyes.
        due_ = std::max(due_ + std::chrono::duration_cast<Clock::duration>(tick_time), now);
        return due_;
    }

  private:
    HttpResponse change(const HttpRequest& request) {
        if (request.path == "/play") {
            if (playback_.at_end()) seek(playback_.reader().start_tick());
            playing_ = error_.empty() && !playback_.at_end();
            due_ = Clock::now();
        } else if (request.path == "/pause") {
            playing_ = false;
        } else if (request.path == "/seek") {
            const auto tick = number_in<sim::Tick>(request, "tick");
            if (!tick) return plain(400, "tick=N expected\n");
            seek(*tick);
        } else if (request.path == "/speed") {
            const auto times = number_in<double>(request, "times");
            if (!times || !(*times >= kSpeedMin && *times <= kSpeedMax)) {
                return plain(400, "times=X expected, 0.001 to 1000\n");
            }
            speed_ = *times;
            due_ = Clock::now();
        } else {
            return plain(404, "no such deed\n");
        }
        return {200, "application/json", json_text(state())};
    }

    void seek(sim::Tick tick) {
        error_.clear();
        if (const auto found = playback_.seek(tick); !found) fail(found.error());
        due_ = Clock::now();
    }
    void fail(const Error& error) {
        error_ = error.message;
        playing_ = false;
    }

    [[nodiscard]] nlohmann::json state() {
        const battle_file::BattleReader& reader = playback_.reader();
        const Battlefield& ground = battlefield();
        return {{"tick", playback_.tick()},
                {"first", reader.start_tick()},
                {"last", reader.last_tick()},
                {"rate_hz", reader.header().tick_rate_hz},
                {"hash", core::hex16(playback_.hash())},
                {"playing", playing_},
                {"speed", speed_},
                {"error", error_},
                {"ground", playback_.ground_changes()},
                {"x_num", ground.x_num()},
                {"y_num", ground.y_num()}};
    }

    /// Little-endian 32-bit words: tick, units, then for each x and y in parts of a cell from the
    /// ground's corner, and team + 2 · template + 256 when it is dying.
    [[nodiscard]] std::string units() {
        const Battlefield& ground = battlefield();
        const sim::World& world = playback_.world();
        core::Bytes bytes;
        core::ByteWriter writer(bytes);
        writer.i32(world.tick());
        writer.u32(0);
        std::uint32_t count = 0;
        for (std::size_t kind = 0; kind < skirmish::kTemplateKeys.size(); ++kind) {
            const sim::TemplateId id{static_cast<std::uint16_t>(kind)};
            const auto positions = world.column<skirmish::Position>(id);
            const auto units = world.column<skirmish::Unit>(id);
            const auto& tags = world.group(id).tags;
            for (std::size_t row = 0; row < units.size(); ++row) {
                const Vec2d at = ground.place(positions[row].cm());
                const bool dying = (tags[row] & sim::kTagDying) != 0;
                writer.i32(static_cast<std::int32_t>(at.x * kPlaceSteps));
                writer.i32(static_cast<std::int32_t>(at.y * kPlaceSteps));
                writer.i32(units[row].team + 2 * static_cast<std::int32_t>(kind) +
                           (dying ? 256 : 0));
            }
            count += static_cast<std::uint32_t>(units.size());
        }
        writer.patch(sizeof(std::int32_t), count);
        return {bytes.begin(), bytes.end()};
    }

    /// Drawn once for each ground.
    HttpResponse map() {
        const Battlefield& ground = battlefield();
        if (map_ground_ != ground_) {
            const Result<Picture> picture = ground.picture(playback_.world());
            if (!picture) return plain(404, "no ground\n");
            const core::Bytes png = picture->encode_png();
            map_png_.assign(png.begin(), png.end());
            map_ground_ = ground_;
        }
        return {200, "image/png", map_png_};
    }

    /// The ground as it is, looked at once for each.
    const Battlefield& battlefield() {
        if (!battlefield_ || ground_ != playback_.ground_changes()) {
            battlefield_.emplace(playback_.world(), kMapPixelsMax);
            ground_ = playback_.ground_changes();
        }
        return *battlefield_;
    }

    Playback& playback_;
    double speed_;
    bool playing_ = true;
    Clock::time_point due_ = Clock::now();
    std::string error_;
    std::optional<Battlefield> battlefield_;
    std::uint32_t ground_ = 0;  ///< That it is of.
    std::string map_png_;
    std::uint32_t map_ground_ = 0;  ///< That map_png_ shows; 0 = none yet.
};

}  // namespace

Result<void> view_replay(Playback& playback, double speed, std::uint16_t port) {
    Viewer viewer(playback, speed);
    auto server = net::HttpServer::listen(
        port, [&](const HttpRequest& request) { return viewer.answer(request); });
    if (!server) return refuse(std::move(server.error()));
    fmt::print(stderr, "the battle is on http://127.0.0.1:{}/ until Ctrl-C\n", server->port());
    while (!interrupted()) {
        const auto due = std::min(viewer.advance(), Clock::now() + kServeTime);
        const auto wait = std::chrono::ceil<std::chrono::milliseconds>(due - Clock::now());
        server->serve(std::max<std::int64_t>(0, wait.count()));
    }
    return {};
}

}  // namespace maniple::cli
