#include "stream_output.h"

#include "maniple/core/hash.h"

#include "exit_status.h"
#include "file_io.h"
#include "print_object.h"
#include "refusal.h"

namespace maniple::cli {

int write_stream(core::ByteSpan stream, std::uint32_t version, const std::string& file, bool json) {
    if (const Result<void> written = write_file(file, stream); !written) {
        report_refusal(written.error(), file, json);
        return kInputRefused;
    }
    print_object({{"file", file}, {"bytes", stream.size()}, {"content_hash", core::hex8(version)}},
                 json);
    return kDone;
}

int write_stream(const substrate::CheckedStream& stream, const std::string& file, bool json) {
    return write_stream(stream.bytes(), stream.version(), file, json);
}

}  // namespace maniple::cli
