#include "maniple/sim/names.h"

#include "maniple/core/bytes.h"
#include "maniple/core/hash.h"

namespace maniple::sim {

// implements: O-VAR-12
Result<Name> NameTable::intern(std::string_view text) {
    if (text.empty()) return Name{};
    if (text.size() > kNameTextBytesMax) {
        return refuse(ErrorCode::kOverCap, "a name of " + std::to_string(text.size()) + " bytes");
    }
    if (!core::is_utf8(text)) return refuse(ErrorCode::kBadText, "a name that is not UTF-8");
    const Name name{
        core::xxh3_64({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()})};
    const std::lock_guard lock(mutex_);
    const auto found = texts_.find(name.id);
    if (found != texts_.end() ? found->second != text : name == Name{}) {
        return refuse(ErrorCode::kBadValue, "two names hash alike: " + std::string(text));
    }
    if (found != texts_.end()) return name;
    if (texts_.size() >= kNamesMax) return refuse(ErrorCode::kOverCap, "the name table is full");
    texts_.emplace(name.id, text);
    return name;
}

std::optional<std::string> NameTable::text(Name name) const {
    if (name == Name{}) return std::string();
    const std::lock_guard lock(mutex_);
    const auto found = texts_.find(name.id);
    if (found == texts_.end()) return std::nullopt;
    return found->second;
}

}  // namespace maniple::sim
