#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/hash.h"

namespace maniple::terrain {

/// A PNG chunk by chunk, from the PNG specification; the image data is stored, not compressed.
class PngFile {
  public:
    PngFile() : bytes_{0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'} {}

    PngFile& chunk(std::string_view type, const core::Bytes& data) {
        big_endian(bytes_, static_cast<std::uint32_t>(data.size()));
        core::Bytes covered(type.begin(), type.end());
        covered.insert(covered.end(), data.begin(), data.end());
        bytes_.insert(bytes_.end(), covered.begin(), covered.end());
        big_endian(bytes_, core::crc32(covered));
        return *this;
    }
    /// colour_type: 0 grey, 2 RGB, 4 grey with alpha.
    PngFile& head(std::uint32_t width, std::uint32_t height, std::uint8_t depth,
                  std::uint8_t colour_type = 0) {
        core::Bytes data;
        big_endian(data, width);
        big_endian(data, height);
        for (const int byte : {int{depth}, int{colour_type}, 0, 0, 0}) {
            data.push_back(static_cast<std::uint8_t>(byte));
        }
        return chunk("IHDR", data);
    }
    /// Filter byte and samples of every row.
    PngFile& rows(const core::Bytes& raw) {
        core::Bytes data{0x78, 0x01, 0x01};
        const auto size = static_cast<std::uint16_t>(raw.size());
        core::ByteWriter(data).u16(size);
        core::ByteWriter(data).u16(static_cast<std::uint16_t>(~size));
        data.insert(data.end(), raw.begin(), raw.end());
        std::uint32_t a = 1, b = 0;
        for (const std::uint8_t byte : raw) {
            a = (a + byte) % 65521;
            b = (b + a) % 65521;
        }
        big_endian(data, b << 16 | a);
        return chunk("IDAT", data);
    }
    PngFile& end() { return chunk("IEND", {}); }

    [[nodiscard]] const core::Bytes& bytes() const { return bytes_; }

  private:
    static void big_endian(core::Bytes& out, std::uint32_t value) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            out.push_back(static_cast<std::uint8_t>(value >> shift));
        }
    }
    core::Bytes bytes_;
};

}  // namespace maniple::terrain
