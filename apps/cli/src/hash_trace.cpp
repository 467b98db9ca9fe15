#include "hash_trace.h"

#include <charconv>
#include <fstream>
#include <utility>

#include "maniple/core/hash.h"

namespace maniple::cli {

Result<HashTraceWriter> HashTraceWriter::create(const std::string& path) {
    Result<OutputFile> file = OutputFile::create(path);
    if (!file) return refuse(std::move(file.error()));
    return HashTraceWriter(*std::move(file));
}

Result<void> HashTraceWriter::write(sim::Tick tick, std::uint64_t hash) {
    const std::string line = std::to_string(tick) + ' ' + core::hex16(hash) + '\n';
    return file_.write({reinterpret_cast<const std::uint8_t*>(line.data()), line.size()});
}

Result<std::map<sim::Tick, std::uint64_t>> read_hash_trace(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return refuse(ErrorCode::kNotFound, path + ": cannot be opened");
    std::map<sim::Tick, std::uint64_t> hashes;
    sim::Tick tick = 0;
    std::string text;
    while (file >> tick >> text) {
        std::uint64_t hash = 0;
        const char* end = text.data() + text.size();
        if (std::from_chars(text.data(), end, hash, 16).ptr != end) {
            return refuse(ErrorCode::kBadText, path + ": a hash that is no number");
        }
        hashes[tick] = hash;
    }
    return hashes;
}

}  // namespace maniple::cli
