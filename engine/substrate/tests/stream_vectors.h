#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "maniple/core/hash.h"
#include "maniple/substrate/stream_format.h"

/// The text vectors of tests/vectors/substrate; its README.md says what each line means.
namespace maniple::substrate {

struct StreamVector {
    std::string name;
    bool is_delta = false;
    core::Bytes bytes;
    std::string base;
    std::string next;
    std::string expect;
    std::vector<std::pair<std::string, std::string>> fields;
};
/// Test lists show the name, not the memory.
inline void PrintTo(const StreamVector& vector, std::ostream* out) { *out << vector.name; }

inline core::Bytes from_hex(std::string_view hex) {
    core::Bytes bytes;
    std::string digits;
    for (const char c : hex) {
        if (c == ' ') continue;
        digits += c;
        if (digits.size() < 2) continue;
        bytes.push_back(static_cast<std::uint8_t>(std::stoi(digits, nullptr, 16)));
        digits.clear();
    }
    return bytes;
}

inline std::string to_hex(core::ByteSpan bytes) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (const std::uint8_t byte : bytes) {
        hex += kDigits[byte >> 4];
        hex += kDigits[byte & 15];
    }
    return hex;
}

inline void overwrite(core::Bytes& bytes, std::size_t at, core::ByteSpan with) {
    std::ranges::copy(with, bytes.begin() + static_cast<std::ptrdiff_t>(at));
}

/// Writes the content hash anew, so that a later check than the hash's decides.
inline void rehash(core::Bytes& bytes) {
    core::store_le(bytes.data() + kHashOffset,
                   core::crc32(core::ByteSpan(bytes).subspan(kFullIdentityOffset)));
}

class StreamVectors {
  public:
    /// Every file of the folder, in name order.
    StreamVectors() {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(MANIPLE_VECTORS_FOLDER)) {
            if (entry.path().extension() == ".txt") files.push_back(entry.path());
        }
        std::ranges::sort(files);
        for (const std::filesystem::path& file : files) read(file);
    }

    [[nodiscard]] const std::vector<StreamVector>& all() const { return all_; }
    [[nodiscard]] const core::Bytes& bytes(const std::string& name) const {
        return all_.at(by_name_.at(name)).bytes;
    }

  private:
    void read(const std::filesystem::path& file) {
        std::ifstream in(file);
        const bool is_delta = file.filename().string().find("delta") != std::string::npos;
        for (std::string line; std::getline(in, line);) {
            if (line.empty() || line[0] == '#') continue;
            if (line[0] == '[') {
                StreamVector vector;
                vector.name = line.substr(1, line.size() - 2);
                vector.is_delta = is_delta;
                by_name_[vector.name] = all_.size();
                all_.push_back(vector);
                continue;
            }
            const std::size_t space = std::min(line.find(' '), line.size());
            add(all_.back(), line.substr(0, space), line.substr(std::min(space + 1, line.size())));
        }
    }

    void add(StreamVector& vector, const std::string& key, const std::string& rest) {
        if (key == "bytes") {
            const core::Bytes more = from_hex(rest);
            vector.bytes.insert(vector.bytes.end(), more.begin(), more.end());
        } else if (key == "repeat") {
            const std::size_t space = rest.find(' ');
            const core::Bytes more = from_hex(rest.substr(space));
            for (unsigned long i = std::stoul(rest.substr(0, space)); i > 0; --i) {
                vector.bytes.insert(vector.bytes.end(), more.begin(), more.end());
            }
        } else if (key == "from") {
            vector.bytes = bytes(rest);
        } else if (key == "patch") {
            const std::size_t space = rest.find(' ');
            overwrite(vector.bytes, std::stoul(rest.substr(0, space)),
                      from_hex(rest.substr(space)));
        } else if (key == "cut") {
            vector.bytes.resize(std::stoul(rest));
        } else if (key == "rehash") {
            rehash(vector.bytes);
        } else if (key == "base") {
            vector.base = rest;
        } else if (key == "new") {
            vector.next = rest;
        } else if (key == "expect") {
            vector.expect = rest;
        } else {
            vector.fields.emplace_back(key, rest);
        }
    }

    std::vector<StreamVector> all_;
    std::map<std::string, std::size_t> by_name_;
};

inline const StreamVectors& stream_vectors() {
    static const StreamVectors vectors;
    return vectors;
}

}  // namespace maniple::substrate
