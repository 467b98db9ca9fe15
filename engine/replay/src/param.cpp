#include "maniple/replay/param.h"

#include <bit>

#include "maniple/replay/decode.h"
#include "maniple/replay/encode.h"
#include "maniple/replay/text.h"

namespace maniple::replay {

ParamKind ParamView::kind() const {
    const std::uint8_t type = type_code();
    if (type == encode::kTypeBool) return ParamKind::kBool;
    if (type <= encode::kTypeFloat64) return ParamKind::kNumber;
    if (type <= encode::kTypeBigIntNegative) return ParamKind::kBigInt;
    return ParamKind::kString;
}

double ParamView::number() const {
    const std::int64_t bits = payload_bits();
    switch (type_code()) {
        case encode::kTypeInt8:
        case encode::kTypeInt16:
        case encode::kTypeInt32: return static_cast<double>(bits);
        case encode::kTypeInt64:
        case encode::kTypeInt64Negative: {
            // The low half stands first.
            const auto magnitude = std::rotl(static_cast<std::uint64_t>(bits), 32);
            const auto value = static_cast<double>(magnitude);
            return type_code() == encode::kTypeInt64 ? value : -value;
        }
        case encode::kTypeFloat64: return std::bit_cast<double>(bits);
        default: return 0.0;
    }
}

std::string_view ParamView::text() const {
    if (kind() != ParamKind::kString) return {};
    return {reinterpret_cast<const char*>(payload().data()), payload().size()};
}

BigInt ParamView::big_int() const {
    if (kind() != ParamKind::kBigInt) return {};
    return BigInt(type_code() == encode::kTypeBigIntNegative, payload());
}

Param ParamView::to_param() const {
    switch (kind()) {
        case ParamKind::kBool: return boolean();
        case ParamKind::kNumber: return number();
        case ParamKind::kString: return replace_ill_formed_utf8(text());
        case ParamKind::kBigInt: break;
    }
    return big_int();
}

// implements: O-REPA-15
std::uint64_t ParamDecoder::decode_prefixed(const std::uint8_t* in, ParamView& out) {
    const std::uint8_t type = *in;
    const bool big = type == encode::kTypeBigInt || type == encode::kTypeBigIntNegative;
    if (!big && type != encode::kTypeString) return 0;
    const std::uint32_t size = big ? in[1] : encode::load_be<std::uint32_t>(in + 1);
    const std::size_t prefix = big ? 2 : 5;
    out = ParamView(in + prefix, head(size, type));
    return prefix + size;
}

}  // namespace maniple::replay
