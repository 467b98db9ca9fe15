#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <string>

#include "maniple/core/result.h"
#include "maniple/sim/ids.h"

namespace maniple::cli {

/// A file of lines `decimal_tick hash16`, LF.
class HashTraceWriter {
  public:
    /// @return kIo when the file cannot be made.
    [[nodiscard]] static Result<HashTraceWriter> create(const std::string& path);
    void write(sim::Tick tick, std::uint64_t hash);
    /// Everything written so far is in the file.
    void flush() { file_.flush(); }

  private:
    explicit HashTraceWriter(std::ofstream file) : file_(std::move(file)) {}
    std::ofstream file_;
};

/// Hashes by tick; a tick written twice keeps its last hash. @return kNotFound, kBadText.
[[nodiscard]] Result<std::map<sim::Tick, std::uint64_t>> read_hash_trace(const std::string& path);

}  // namespace maniple::cli
