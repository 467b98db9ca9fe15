#pragma once

#include <charconv>
#include <cstdint>
#include <string_view>

/// What the trace programs are told: `--threads N`, `--ticks N`, `--units N`, `--seed N`.
struct TraceOptions {
    std::int32_t threads = 1;
    std::int32_t ticks = 300;
    std::int32_t units = 2000;
    std::int32_t seed = 1;

    /// False for an option that is not known or has no number.
    bool parse(int argc, char** argv) {
        for (int i = 0; i < argc; i += 2) {
            std::int32_t* value = find(argv[i]);
            if (value == nullptr || i + 1 == argc) return false;
            const std::string_view text = argv[i + 1];
            const char* end = text.data() + text.size();
            const auto [at, error] = std::from_chars(text.data(), end, *value);
            if (error != std::errc{} || at != end) return false;
        }
        return threads >= 1 && ticks >= 1 && units >= 1;
    }

  private:
    std::int32_t* find(std::string_view name) {
        if (name == "--threads") return &threads;
        if (name == "--ticks") return &ticks;
        if (name == "--units") return &units;
        if (name == "--seed") return &seed;
        return nullptr;
    }
};
