#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <png.h>
#include <string>
#include <vector>

#include "maniple/substrate/stream_format.h"
#include "maniple/terrain/height_map.h"

namespace maniple::terrain {
namespace {

constexpr std::size_t kSignatureBytes = 8;
/// One bit of a deflate stream never stands for more than this many times its share of the output.
constexpr std::uint64_t kInflationMax = 1032;

/// The file as libpng reads it, and the first thing it complained about.
struct PngInput {
    core::ByteSpan bytes;
    std::size_t at = 0;
    char message[128] = {};
    bool truncated = false;
};

void read_bytes(png_structp png, png_bytep out, std::size_t size) {
    auto& input = *static_cast<PngInput*>(png_get_io_ptr(png));
    if (size > input.bytes.size() - input.at) {
        input.truncated = true;
        png_error(png, "the file ends inside a chunk");
    }
    std::memcpy(out, input.bytes.data() + input.at, size);
    input.at += size;
}

[[noreturn]] void on_error(png_structp png, png_const_charp message) {
    auto& input = *static_cast<PngInput*>(png_get_error_ptr(png));
    std::strncpy(input.message, message, sizeof(input.message) - 1);
    png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

/// libpng's two structs. It reports errors by a long jump, so that whoever calls it holds nothing
/// that needs a destructor; the structs live here, one level up.
class PngReader {
  public:
    explicit PngReader(PngInput& input)
        : png_(png_create_read_struct(PNG_LIBPNG_VER_STRING, &input, on_error, on_warning)),
          info_(png_ == nullptr ? nullptr : png_create_info_struct(png_)) {
        if (info_ == nullptr) return;
        png_set_read_fn(png_, &input, read_bytes);
        png_set_user_limits(png_, static_cast<png_uint_32>(substrate::kCellsMax),
                            static_cast<png_uint_32>(substrate::kCellsMax));
        // Only IHDR, IDAT and IEND are read; text and colour profiles could unpack to anything.
        png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    }
    ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
    PngReader(const PngReader&) = delete;
    PngReader& operator=(const PngReader&) = delete;

    [[nodiscard]] bool ready() const { return info_ != nullptr; }

    /// False after an error.
    bool read_head() {
        if (setjmp(png_jmpbuf(png_)) != 0) return false;
        png_read_info(png_, info_);
        return true;
    }
    /// Reads every row to its pointer; 16-bit samples in big-endian order.
    bool read_rows(png_bytepp rows) {
        if (setjmp(png_jmpbuf(png_)) != 0) return false;
        png_read_image(png_, rows);
        png_read_end(png_, nullptr);
        return true;
    }

    [[nodiscard]] std::uint64_t width() const { return png_get_image_width(png_, info_); }
    [[nodiscard]] std::uint64_t height() const { return png_get_image_height(png_, info_); }
    [[nodiscard]] int depth() const { return png_get_bit_depth(png_, info_); }
    [[nodiscard]] bool is_grey() const {
        return png_get_color_type(png_, info_) == PNG_COLOR_TYPE_GRAY;
    }

  private:
    png_structp png_;
    png_infop info_;
};

Error error_of(const PngInput& input) {
    return {input.truncated ? ErrorCode::kTruncated : ErrorCode::kBadValue, input.at,
            std::string("PNG: ") + input.message};
}

Result<void> check_head(const PngReader& reader, const PngInput& input) {
    const std::string size =
        std::to_string(reader.width()) + " x " + std::to_string(reader.height());
    if (!reader.is_grey() || reader.depth() < 8) {
        return refuse(ErrorCode::kUnsupported, kSignatureBytes,
                      "a height map is a grey PNG of 8 or 16 bits without alpha");
    }
    if (reader.width() * reader.height() > substrate::kCellsMax) {
        return refuse(ErrorCode::kOverCap, kSignatureBytes,
                      size + " samples, the limit is " + std::to_string(substrate::kCellsMax));
    }
    const std::uint64_t declared =
        reader.height() * (1 + reader.width() * static_cast<std::uint64_t>(reader.depth() / 8));
    if (declared > input.bytes.size() * kInflationMax) {
        return refuse(ErrorCode::kTruncated, kSignatureBytes,
                      size + " samples declared, the file is too short to hold them");
    }
    return {};
}

/// Rows of the picture to the columns of the map.
HeightMap map_of(const std::vector<std::uint8_t>& rows, const PngReader& reader,
                 const HeightScale& scale) {
    const auto width = static_cast<std::size_t>(reader.width());
    const auto height = static_cast<std::size_t>(reader.height());
    const bool is_wide = reader.depth() == 16;
    HeightMap map;
    map.width = static_cast<std::int32_t>(width);
    map.height = static_cast<std::int32_t>(height);
    map.spacing_cm = scale.spacing_cm;
    map.low_cm = scale.low_cm;
    map.step_cm = (scale.high_cm - scale.low_cm) / (is_wide ? 65535 : 255);
    map.samples.resize(width * height);
    for (std::size_t y = 0; y < height; ++y) {
        for (std::size_t x = 0; x < width; ++x) {
            const std::size_t at = y * width + x;
            const int sample = is_wide ? rows[2 * at] << 8 | rows[2 * at + 1] : rows[at];
            map.samples[x * height + y] = static_cast<std::uint16_t>(sample);
        }
    }
    return map;
}

}  // namespace

Result<HeightMap> read_png_height_map(core::ByteSpan bytes, const HeightScale& scale) {
    if (bytes.size() < kSignatureBytes || png_sig_cmp(bytes.data(), 0, kSignatureBytes) != 0) {
        return refuse(ErrorCode::kBadMagic, 0, "not a PNG");
    }
    PngInput input{bytes};
    PngReader reader(input);
    if (!reader.ready()) return refuse(ErrorCode::kIo, "no memory for libpng");
    if (!reader.read_head()) return refuse(error_of(input));
    if (auto head = check_head(reader, input); !head) return refuse(std::move(head.error()));
    const std::size_t stride =
        static_cast<std::size_t>(reader.width()) * static_cast<std::size_t>(reader.depth() / 8);
    std::vector<std::uint8_t> samples(stride * static_cast<std::size_t>(reader.height()));
    std::vector<png_bytep> rows;
    for (std::size_t at = 0; at < samples.size(); at += stride) rows.push_back(&samples[at]);
    if (!reader.read_rows(rows.data())) return refuse(error_of(input));
    return map_of(samples, reader, scale);
}

}  // namespace maniple::terrain
