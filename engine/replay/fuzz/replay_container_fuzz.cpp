#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "maniple/core/hash.h"
#include "maniple/replay/container.h"
#include "maniple/replay/encode.h"

namespace {

using namespace maniple;

/// The container is refused, or every step of it reads, through the index as through the stream,
/// and it is saved again as the same bytes.
void check(core::ByteSpan bytes) {
    const Result<replay::ReplayArray> array = replay::decode_container(bytes);
    if (!array) {
        if (array.error().at_byte > bytes.size()) std::abort();
        return;
    }
    replay::ReadStream stream = array->create_read_stream();
    for (std::size_t i = 0; i < array->size(); ++i) {
        const std::optional<replay::Step> step = stream.read();
        if (!step || !array->get(static_cast<std::int64_t>(i))) std::abort();
    }
    const core::Bytes again = replay::encode_container(*array);
    if (!std::equal(again.begin(), again.end(), bytes.begin(), bytes.end())) std::abort();
}

}  // namespace

/// Any bytes, as they are and with sizes and checksum mended: random bytes would not get past
/// those.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    check({data, size});
    constexpr std::size_t kHeaderBytes = 17;
    constexpr std::size_t kChecksumBytes = 4;
    if (size < kHeaderBytes + kChecksumBytes) return 0;
    core::Bytes mended(data, data + size);
    const std::size_t content = size - kHeaderBytes - kChecksumBytes;
    const std::size_t entry = mended[4] == 16 ? 3 : 2;
    const std::size_t steps = std::min<std::size_t>(mended[8], content / entry);
    using replay::encode::store_be;
    store_be(&mended[5], static_cast<std::uint32_t>(steps));
    store_be(&mended[9], static_cast<std::uint32_t>(steps * entry));
    store_be(&mended[13], static_cast<std::uint32_t>(content - steps * entry));
    store_be(&mended[size - kChecksumBytes], core::crc32({mended.data(), size - kChecksumBytes}));
    check(mended);
    return 0;
}
