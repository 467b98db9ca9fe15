#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "maniple/core/result.h"

namespace maniple::sim {

/// An interned text as a fragment or variable holds it. The value is XXH3-64 of the UTF-8 (0 for
/// the empty text), so it is the same in every process, whatever was interned before (O-VAR-12);
/// the NameTable knows the text.
struct Name {
    std::uint64_t id = 0;
    friend constexpr auto operator<=>(const Name&, const Name&) = default;
};

inline constexpr std::size_t kNameTextBytesMax = 255;
inline constexpr std::size_t kNamesMax = 1U << 20;

/// The texts of all names of one game. Only ever grows; safe to use from any thread.
class NameTable {
  public:
    /// The name of `text`, remembered. @return kBadText for bytes that are not UTF-8, kOverCap for
    /// more than kNameTextBytesMax bytes or a full table, kBadValue if another text hashes alike.
    [[nodiscard]] Result<Name> intern(std::string_view text);
    /// The text of a name that was interned here; nullopt for any other.
    [[nodiscard]] std::optional<std::string> text(Name name) const;

  private:
    mutable std::mutex mutex_;
    std::map<std::uint64_t, std::string> texts_;
};

}  // namespace maniple::sim
