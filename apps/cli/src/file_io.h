#pragma once

#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"

namespace maniple::cli {

/// The whole file. @return kNotFound, or kIo with the system's reason.
[[nodiscard]] Result<core::Bytes> read_file(const std::string& path);
/// Makes or replaces the file. @return kIo with the system's reason.
[[nodiscard]] Result<void> write_file(const std::string& path, core::ByteSpan bytes);

/// The first file that is named twice, by whatever path; an option without a file is "".
[[nodiscard]] std::optional<std::string> named_twice(const std::vector<std::string>& files);

/// A file that is written piece by piece. Each piece reaches the operating system before write()
/// returns, so that it survives the process.
class OutputFile {
  public:
    /// Makes or empties the file. @return kIo with the system's reason.
    [[nodiscard]] static Result<OutputFile> create(const std::string& path);
    [[nodiscard]] Result<void> write(core::ByteSpan bytes);

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace maniple::cli
