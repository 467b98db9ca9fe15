#include "maniple/core/bytes.h"

namespace maniple::core {

bool ByteReader::need(std::uint64_t size) {
    if (!ok()) return false;
    if (size > remaining()) {
        fail(ErrorCode::kTruncated, at_,
             std::to_string(size) + " bytes needed, " + std::to_string(remaining()) + " left");
        return false;
    }
    return true;
}

void ByteReader::fail(ErrorCode code, std::uint64_t at, std::string message) {
    if (ok()) error_ = Error{code, at, std::move(message)};
}

void ByteReader::expect_end() {
    if (ok() && remaining() != 0) {
        fail(ErrorCode::kTrailing, at_, std::to_string(remaining()) + " bytes after the end");
    }
}

std::uint32_t ByteReader::count(std::uint32_t limit, std::size_t item_bytes_min, const char* what) {
    const std::size_t start = at_;
    const std::uint32_t declared = u32();
    if (!ok()) return 0;
    if (declared > limit) {
        fail(ErrorCode::kOverCap, start,
             std::to_string(declared) + " " + what + " declared, the limit is " +
                 std::to_string(limit));
        return 0;
    }
    if (item_bytes_min != 0 && declared > remaining() / item_bytes_min) {
        fail(ErrorCode::kTruncated, start,
             std::to_string(declared) + " " + what + " declared, " +
                 std::to_string(remaining() / item_bytes_min) + " present");
        return 0;
    }
    return declared;
}

ByteSpan ByteReader::blob(std::uint32_t limit, const char* what) {
    const std::uint32_t size = count(limit, 1, what);
    return bytes(size);
}

std::string ByteReader::text(std::uint32_t limit, const char* what) {
    const std::size_t start = at_;
    const ByteSpan view = blob(limit, what);
    std::string result(reinterpret_cast<const char*>(view.data()), view.size());
    if (ok() && !is_utf8(result)) {
        fail(ErrorCode::kBadText, start, std::string(what) + " are not UTF-8");
        return {};
    }
    return result;
}

namespace {
/// Length of the well-formed sequence at the front of `s`, 0 if there is none.
std::size_t utf8_sequence_length(std::string_view s) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
    const auto tail = [&](std::size_t i) { return i < s.size() && (byte(i) & 0xC0) == 0x80; };
    const unsigned char lead = byte(0);
    if (lead < 0x80) return 1;
    if (lead >= 0xC2 && lead <= 0xDF) return tail(1) ? 2 : 0;
    if (lead >= 0xE0 && lead <= 0xEF) {
        if (!tail(1) || !tail(2)) return 0;
        if (lead == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
        if (lead == 0xED && byte(1) > 0x9F) return 0;  // surrogate
        return 3;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        if (!tail(1) || !tail(2) || !tail(3)) return 0;
        if (lead == 0xF0 && byte(1) < 0x90) return 0;  // overlong
        if (lead == 0xF4 && byte(1) > 0x8F) return 0;  // above U+10FFFF
        return 4;
    }
    return 0;
}
}  // namespace

bool is_utf8(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = utf8_sequence_length(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

void append_utf8(char32_t point, std::string& text) {
    const auto put = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
    const auto tail = [&](int shift) { put(0x80 | (point >> shift & 0x3F)); };
    if (point < 0x80) {
        put(point);
    } else if (point < 0x800) {
        put(0xC0 | point >> 6);
        tail(0);
    } else if (point < 0x10000) {
        put(0xE0 | point >> 12);
        tail(6);
        tail(0);
    } else {
        put(0xF0 | point >> 18);
        tail(12);
        tail(6);
        tail(0);
    }
}

}  // namespace maniple::core
