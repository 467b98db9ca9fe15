#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "maniple/net/wire.h"

namespace {

using namespace maniple;

/// What decodes must encode to bytes that decode to the same: nothing is read that is not written.
void check_records(core::ByteSpan bytes) {
    constexpr sim::Tick kTick = 7;
    if (const auto frame = net::decode_frame(kTick, bytes)) {
        const auto again = net::decode_frame(kTick, net::encode_frame(*frame));
        if (!again || again->size() != frame->size()) std::abort();
    }
    if (const auto share = net::decode_share(kTick, bytes)) {
        const auto again = net::decode_share(kTick, net::encode_share(*share));
        if (!again || again->size() != share->size()) std::abort();
    }
}

void check_datagrams(core::ByteSpan bytes) {
    const auto frames = net::decode_frames(bytes);
    const auto report = net::decode_report(bytes);
    if (frames && report) std::abort();
    const auto inside = [&](const net::Slice& slice) {
        return slice.part < slice.parts &&
               (slice.bytes.empty() ||
                (slice.bytes.data() >= bytes.data() &&
                 slice.bytes.data() + slice.bytes.size() <= bytes.data() + bytes.size()));
    };
    if (frames && !std::all_of(frames->slices.begin(), frames->slices.end(), inside)) std::abort();
    if (report && !std::all_of(report->slices.begin(), report->slices.end(), inside)) std::abort();
}

void check_stream(core::ByteSpan bytes, net::StreamReceiver receiver) {
    net::StreamReader reader(receiver);
    const std::size_t half = bytes.size() / 2;
    for (const core::ByteSpan piece : {bytes.first(half), bytes.subspan(half)}) {
        reader.push(piece);
        for (auto message = reader.next(); message && *message; message = reader.next()) {
            core::Bytes again;
            net::encode_message(**message, again);
            net::StreamReader second(receiver);
            second.push(again);
            const auto same = second.next();
            if (!same || !*same || (*same)->index() != (*message)->index()) std::abort();
        }
    }
}

}  // namespace

/// The first byte chooses the decoder, the others are its bytes.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const core::ByteSpan bytes{data + 1, size - 1};
    switch (data[0] % 4) {
        case 0: check_records(bytes); break;
        case 1: check_datagrams(bytes); break;
        case 2: check_stream(bytes, net::StreamReceiver::kServer); break;
        default: check_stream(bytes, net::StreamReceiver::kClient); break;
    }
    return 0;
}
