#pragma once

#include <any>
#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/log.h"
#include "maniple/core/random.h"
#include "maniple/core/result.h"
#include "maniple/sim/ids.h"
#include "maniple/sim/record.h"

/// Lockstep variables: ordinary members of a described struct, one object for each registered
/// store, folded into every tick's hash and carried by snapshots (VAR-001).
namespace maniple::sim {

/// How a variable is coded; decided once, when its layout is built (VAR-005).
enum class VarCategory : std::uint8_t {
    kRawBytes = 0,                 ///< Integers, bool, enums, plain structs without floats.
    kCanonicalizeFloatStruct = 1,  ///< A float or a plain struct with floats.
    kText = 2,                     ///< std::string or Name.
    kArray = 3,                    ///< std::vector of one of the above.
    kUnsupported = 4,
};

inline constexpr std::int32_t kVarTextUnitsMax = 1'048'576;
inline constexpr std::int32_t kVarArrayMax = 1'000'000;

/// One synced variable (VAR-014). `size` is in wire bytes. The functions reach it in an object of
/// its class; `write` appends its coding, canonical for the hash, bit for bit for a snapshot.
struct VarField {
    std::string name;
    VarCategory category = VarCategory::kUnsupported;
    std::uint32_t size = 0;
    std::vector<std::uint32_t> float_leaves;  ///< Wire offsets.
    VarCategory inner_category = VarCategory::kUnsupported;
    std::uint32_t inner_size = 0;
    std::vector<std::uint32_t> inner_float_leaves;
    bool is_name = false;
    bool inner_is_name = false;

    using Write = std::function<void(const void* object, const NameTable&, bool canonical,
                                     core::ByteWriter&)>;
    using Read = std::function<void(void* object, NameTable&, core::ByteReader&)>;
    using Flatten =
        std::function<void(const void* object, const NameTable&, std::vector<NamedValue>& out)>;
    Write write;
    Read read;
    Flatten flatten;

    /// Category and size as an entry carries them, so that another type of the same size is seen
    /// (O-VAR-13).
    [[nodiscard]] std::array<std::uint8_t, 2> tag() const;
};

/// The synced variables of one class in declaration order, bases first, and what was left out.
struct VarLayout {
    std::vector<VarField> fields;
    std::vector<std::string> warnings;  ///< One a variable that is not synced (VAR-020, VAR-021).
    [[nodiscard]] bool has_synced_fields() const { return !fields.empty(); }
};

/// One variable of a snapshot (VAR-026). The tag is not part of the data and not folded (VAR-034).
struct VarEntry {
    std::string name;
    std::array<std::uint8_t, 2> tag{};
    core::Bytes data;
    friend bool operator==(const VarEntry&, const VarEntry&) = default;
};

/// Folds every variable, canonicalised, one mix a field; the caller salts (VAR-023, VAR-024).
[[nodiscard]] std::uint64_t fold_variables(const VarLayout& layout, const void* object,
                                           const NameTable& names, std::uint64_t hash);
/// Appends one entry a variable in layout order.
void serialize_variables(const VarLayout& layout, const void* object, const NameTable& names,
                         std::vector<VarEntry>& out);
/// Overwrites the variables that `entries` name. Names only one side has are skipped; a missing one
/// is reported to `missing` and keeps its value. `object` is half written after a failure: decode
/// into a copy. @return kBadValue, kTruncated, kTrailing, kOverCap or kBadText of a bad entry,
/// kRegistryMismatch for another tag.
Result<void> deserialize_variables(const VarLayout& layout, std::span<const VarEntry> entries,
                                   NameTable& names, void* object,
                                   std::vector<std::string>& missing);

/// i32 count of UTF-16 units and the units (O-VAR-05). `text` is UTF-8.
void write_utf16(std::string_view text, core::ByteWriter& out);
/// Reads it back as UTF-8; a bad count, a lone surrogate or missing bytes latch.
[[nodiscard]] std::string read_utf16(core::ByteReader& in);

class World;

/// A registered store: a class of variables and one object of it, by key.
struct VariableStore {
    std::string key;
    const VarLayout* layout = nullptr;
    std::any initial;
    const void* (*address)(const std::any&) = nullptr;
    /// After a successful restore and the task rebuild, before the gap is replayed (VAR-035).
    std::function<void(World&, std::any&)> on_resync_recovered;
    /// Names a variable that the game cannot bear (value_check.h).
    std::function<const char*(const void* object)> check;

    [[nodiscard]] void* address_of(std::any& object) const {
        return const_cast<void*>(address(object));
    }
};

}  // namespace maniple::sim

#include "maniple/sim/detail/variable_layout.h"
