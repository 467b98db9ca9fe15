#pragma once

#include "maniple/core/bytes.h"
#include "maniple/core/result.h"

namespace maniple::battle_file {

/// Where a battle file's bytes go. The host implements it over a file; the library never opens one.
class Sink {
  public:
    virtual ~Sink() = default;
    /// Appends `bytes` and hands them on, so that they survive the process: one call a chunk.
    /// @return kIo with the reason.
    virtual Result<void> write(core::ByteSpan bytes) = 0;
};

/// Keeps the bytes in memory.
class MemorySink final : public Sink {
  public:
    Result<void> write(core::ByteSpan bytes) override {
        bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
        return {};
    }
    [[nodiscard]] const core::Bytes& bytes() const { return bytes_; }
    [[nodiscard]] core::Bytes take() { return std::move(bytes_); }

  private:
    core::Bytes bytes_;
};

}  // namespace maniple::battle_file
