#include "solve_output.h"

#include <filesystem>

#include "maniple/core/hash.h"

#include "exit_status.h"
#include "file_io.h"
#include "print_object.h"
#include "refusal.h"

namespace maniple::cli {
namespace {

Result<void> write_dump(core::ByteSpan dump, const std::vector<DumpPart>& parts,
                        const std::string& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return refuse(ErrorCode::kIo, error.message());
    for (const DumpPart& part : parts) {
        const std::string file = (std::filesystem::path(folder) / part.name).string();
        if (auto written = write_file(file, dump.first(part.bytes)); !written) return written;
        dump = dump.subspan(part.bytes);
    }
    return {};
}

}  // namespace

int write_solve(const SolveFigures& figures, core::ByteSpan dump,
                const std::vector<DumpPart>& parts, const std::string& folder, bool json) {
    if (!folder.empty()) {
        if (const auto written = write_dump(dump, parts, folder); !written) {
            report_refusal(written.error(), folder, json);
            return kInputRefused;
        }
    }
    print_object({{"reachable", figures.reachable},
                  {"max_dist", figures.max_dist},
                  {"ns_per_cell", figures.ns_per_part},
                  {"field_hash", core::hex16(core::xxh3_64(dump))}},
                 json);
    return kDone;
}

}  // namespace maniple::cli
