#include "stream_output.h"

#include "maniple/core/hash.h"

#include "exit_status.h"
#include "file_io.h"
#include "print_object.h"
#include "refusal.h"

namespace maniple::cli {

int write_stream(const substrate::CheckedStream& stream, const std::string& file, bool json) {
    if (const Result<void> written = write_file(file, stream.bytes()); !written) {
        report_refusal(written.error(), file, json);
        return kInputRefused;
    }
    print_object({{"file", file},
                  {"bytes", stream.bytes().size()},
                  {"content_hash", core::hex8(stream.version())}},
                 json);
    return kDone;
}

}  // namespace maniple::cli
