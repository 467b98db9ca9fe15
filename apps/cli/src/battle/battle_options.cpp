#include "battle_options.h"

#include <charconv>
#include <cmath>
#include <fmt/core.h>
#include <string_view>
#include <utility>

#include "file_io.h"

namespace maniple::cli {
namespace {

constexpr double kDelayMsMax = 10'000;

/// The whole text as a number.
template <typename T>
std::optional<T> number(std::string_view text) {
    T value{};
    const char* end = text.data() + text.size();
    const auto [at, code] = std::from_chars(text.data(), end, value);
    if (code != std::errc{} || at != end || text.empty()) return std::nullopt;
    return value;
}

Result<void> set_link_part(net::LinkQuality& quality, std::string_view part) {
    const std::size_t equals = part.find('=');
    const std::string_view name = part.substr(0, equals);
    const auto value =
        equals == std::string_view::npos ? std::nullopt : number<double>(part.substr(equals + 1));
    const bool good = value && std::isfinite(*value) && *value >= 0;
    if (name == "latency" && good && *value <= kDelayMsMax) {
        quality.latency_ms = static_cast<std::uint32_t>(*value);
    } else if (name == "jitter" && good && *value <= kDelayMsMax) {
        quality.jitter_ms = static_cast<std::uint32_t>(*value);
    } else if (name == "loss" && good && *value < 100) {
        quality.loss_percent = *value;
    } else {
        return refuse(
            ErrorCode::kBadText,
            fmt::format("'{}' is none of latency=MS, jitter=MS (0 to 10000), loss=PERCENT "
                        "(below 100)",
                        part));
    }
    return {};
}

}  // namespace

Result<std::pair<std::int32_t, net::LinkQuality>> parse_link(const std::string& text) {
    const std::size_t colon = text.find(':');
    const auto client = number<std::int32_t>(std::string_view(text).substr(0, colon));
    if (!client || colon == std::string::npos) {
        return refuse(ErrorCode::kBadText,
                      fmt::format("'{}' is not CLIENT:latency=MS,jitter=MS,loss=PERCENT", text));
    }
    net::LinkQuality quality;
    quality.seed = static_cast<std::uint64_t>(*client);
    std::string_view rest = std::string_view(text).substr(colon + 1);
    while (true) {
        const std::size_t comma = rest.find(',');
        if (auto set = set_link_part(quality, rest.substr(0, comma)); !set) {
            return refuse(set.error());
        }
        if (comma == std::string_view::npos) return std::pair(*client, quality);
        rest = rest.substr(comma + 1);
    }
}

Result<CorruptionOrder> parse_corruption(const std::string& text) {
    const std::size_t at = text.find('@');
    if (at != std::string::npos) {
        const auto client = number<std::int32_t>(std::string_view(text).substr(0, at));
        const auto tick = number<sim::Tick>(std::string_view(text).substr(at + 1));
        if (client && tick) return CorruptionOrder{*client, *tick};
    }
    return refuse(ErrorCode::kBadText, fmt::format("'{}' is not CLIENT@TICK", text));
}

Result<std::optional<sim::Tick>> parse_late_join(const std::string& text) {
    if (text == "none") return std::optional<sim::Tick>{};
    const auto tick = number<sim::Tick>(text);
    if (!tick) return refuse(ErrorCode::kBadText, fmt::format("'{}' is no tick", text));
    return tick;
}

Result<void> check_options(const BattleOptions& options) {
    const auto bad = [](std::string why) { return refuse(ErrorCode::kBadValue, std::move(why)); };
    const auto known = [&](std::int32_t client) {
        return client >= 1 && client <= options.clients;
    };
    if (const auto file = named_twice({options.ground.map, options.ground.nav_config,
                                       options.replay, options.hash_trace, options.report})) {
        return bad(*file + ": one file for two options");
    }
    if (auto checked = check_mode(options.ground, options.modify_every); !checked) return checked;
    if (options.late_join && (*options.late_join < 1 || *options.late_join >= options.ticks)) {
        return bad(fmt::format("--late-join {}: ticks 1 to {} are before the end",
                               *options.late_join, options.ticks - 1));
    }
    for (const auto& [client, quality] : options.links) {
        if (!known(client)) {
            return bad(fmt::format("--link {}: clients are 1 to {}", client, options.clients));
        }
    }
    for (const CorruptionOrder& order : options.corruptions) {
        if (!known(order.client)) {
            return bad(fmt::format("--corrupt {}@{}: clients are 1 to {}", order.client, order.tick,
                                   options.clients));
        }
        if (order.tick < 2 || order.tick > options.ticks) {
            return bad(fmt::format("--corrupt {}@{}: ticks 2 to {} have units", order.client,
                                   order.tick, options.ticks));
        }
        if (options.joins_late(order.client) && order.tick <= *options.late_join) {
            return bad(fmt::format("--corrupt {}@{}: client {} joins at tick {}", order.client,
                                   order.tick, order.client, *options.late_join));
        }
    }
    return {};
}

}  // namespace maniple::cli
