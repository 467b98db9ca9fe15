#include "maniple/sim/command.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

/// Any bytes as a command: refused inside the input, or accepted so that its own byte form reads
/// back to the same bytes (compared as bytes, since a NaN parameter equals nothing).
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace maniple;
    core::ByteReader in({data, size});
    const sim::Command command = sim::decode_command(in);
    if (!in.ok()) {
        if (in.error().at_byte > size || command != sim::Command{}) std::abort();
        return 0;
    }
    core::Bytes bytes;
    core::ByteWriter out(bytes);
    sim::encode_command(command, out);

    core::ByteReader again(bytes);
    const sim::Command copy = sim::decode_command(again);
    again.expect_end();
    if (!again.ok()) std::abort();
    core::Bytes copy_bytes;
    core::ByteWriter copy_out(copy_bytes);
    sim::encode_command(copy, copy_out);
    if (copy_bytes != bytes) std::abort();
    return 0;
}
