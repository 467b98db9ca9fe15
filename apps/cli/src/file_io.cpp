#include "file_io.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace maniple::cli {
namespace {

constexpr std::size_t kFileBytesMax = std::size_t{4} << 30;

tl::unexpected<Error> system_refuses(const char* what) {
    const int reason = errno;
    return refuse(reason == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
                  reason == 0 ? what : std::strerror(reason));
}

}  // namespace

Result<core::Bytes> read_file(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        return refuse(ErrorCode::kIo, std::strerror(EISDIR));
    }
    if (std::filesystem::is_character_file(path, ignored)) {
        return refuse(ErrorCode::kIo, "is a device, not a file");
    }
    errno = 0;
    std::ifstream file(path, std::ios::binary);
    if (!file) return system_refuses("cannot be opened");
    core::Bytes bytes;
    if (const auto size = std::filesystem::file_size(path, ignored); !ignored && size > 0) {
        if (size > kFileBytesMax) return refuse(ErrorCode::kOverCap, "is over 4 GiB");
        bytes.resize(size);
        file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
        bytes.resize(static_cast<std::size_t>(file.gcount()));
    }
    // A pipe has no size, and a file may have grown.
    char more[1 << 16];
    while (file && (file.read(more, sizeof more), file.gcount() > 0)) {
        bytes.insert(bytes.end(), more, more + file.gcount());
        if (bytes.size() > kFileBytesMax) break;
    }
    if (bytes.size() > kFileBytesMax) return refuse(ErrorCode::kOverCap, "is over 4 GiB");
    if (file.bad()) return system_refuses("cannot be read");
    return bytes;
}

Result<void> write_file(const std::string& path, core::ByteSpan bytes) {
    return OutputFile::create(path).and_then(
        [bytes](OutputFile file) { return file.write(bytes); });
}

std::optional<std::string> named_twice(const std::vector<std::string>& files) {
    namespace fs = std::filesystem;
    const auto is_same = [](const std::string& a, const std::string& b) {
        std::error_code problem;
        if (fs::equivalent(a, b, problem) && !problem) return true;
        return fs::absolute(a, problem).lexically_normal() ==
               fs::absolute(b, problem).lexically_normal();
    };
    for (std::size_t i = 0; i < files.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (!files[i].empty() && !files[j].empty() && is_same(files[i], files[j])) {
                return files[i];
            }
        }
    }
    return std::nullopt;
}

Result<OutputFile> OutputFile::create(const std::string& path) {
    OutputFile output;
    errno = 0;
    output.file_.reset(std::fopen(path.c_str(), "wb"));
    if (output.file_ == nullptr) {
        return refuse(ErrorCode::kIo, "cannot be written: " + std::string(std::strerror(errno)));
    }
    return output;
}

Result<void> OutputFile::write(core::ByteSpan bytes) {
    if (bytes.empty()) return {};  // fwrite takes no null pointer
    errno = 0;
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size() ||
        std::fflush(file_.get()) != 0) {
        return refuse(ErrorCode::kIo, "cannot be written: " + std::string(std::strerror(errno)));
    }
    return {};
}

}  // namespace maniple::cli
