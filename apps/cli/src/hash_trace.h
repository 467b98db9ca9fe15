#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "maniple/core/result.h"
#include "maniple/sim/ids.h"

#include "file_io.h"

namespace maniple::cli {

/// A file of lines `decimal_tick hash16`, LF.
class HashTraceWriter {
  public:
    /// @return kIo with the system's reason.
    [[nodiscard]] static Result<HashTraceWriter> create(const std::string& path);
    /// The line is in the file when this returns. @return kIo.
    [[nodiscard]] Result<void> write(sim::Tick tick, std::uint64_t hash);

  private:
    explicit HashTraceWriter(OutputFile file) : file_(std::move(file)) {}
    OutputFile file_;
};

/// Hashes by tick; a tick written twice keeps its last hash. @return kNotFound, kBadText.
[[nodiscard]] Result<std::map<sim::Tick, std::uint64_t>> read_hash_trace(const std::string& path);

}  // namespace maniple::cli
