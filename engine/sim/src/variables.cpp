#include "maniple/sim/variables.h"

#include <algorithm>

#include "maniple/core/hash.h"

namespace maniple::sim {

// implements: O-VAR-13
std::array<std::uint8_t, 2> VarField::tag() const {
    const auto low = static_cast<unsigned>(category);
    const auto high = category == VarCategory::kArray ? static_cast<unsigned>(inner_category) : 0U;
    const std::uint32_t bytes = category == VarCategory::kArray ? inner_size : size;
    return {static_cast<std::uint8_t>(low | high << 4),
            static_cast<std::uint8_t>(std::min<std::uint32_t>(bytes, 0xFF))};
}

// implements: VAR-004, VAR-023
std::uint64_t fold_variables(const VarLayout& layout, const void* object, const NameTable& names,
                             std::uint64_t hash) {
    core::Bytes bytes;
    for (const VarField& field : layout.fields) {
        bytes.clear();
        core::ByteWriter out(bytes);
        field.write(object, names, true, out);
        hash = core::xxh3_64(bytes, hash);
    }
    return hash;
}

// implements: VAR-004, VAR-026, VAR-034
void serialize_variables(const VarLayout& layout, const void* object, const NameTable& names,
                         std::vector<VarEntry>& out) {
    for (const VarField& field : layout.fields) {
        VarEntry& entry = out.emplace_back(VarEntry{field.name, field.tag(), {}});
        core::ByteWriter data(entry.data);
        field.write(object, names, false, data);
    }
}

namespace {

const VarEntry* find_entry(std::span<const VarEntry> entries, const std::string& name) {
    const auto found = std::find_if(entries.begin(), entries.end(),
                                    [&](const VarEntry& entry) { return entry.name == name; });
    return found == entries.end() ? nullptr : &*found;
}

}  // namespace

// implements: VAR-027, VAR-028, VAR-029, O-VAR-07, O-VAR-08, O-VAR-13, O-VAR-15
Result<void> deserialize_variables(const VarLayout& layout, std::span<const VarEntry> entries,
                                   NameTable& names, void* object,
                                   std::vector<std::string>& missing) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (find_entry(entries.first(i), entries[i].name) != nullptr) {
            return refuse(ErrorCode::kBadValue, "variable " + entries[i].name + " is there twice");
        }
    }
    for (const VarField& field : layout.fields) {
        const VarEntry* entry = find_entry(entries, field.name);
        if (entry == nullptr) {
            missing.push_back(field.name);
            continue;
        }
        if (entry->tag != field.tag()) {
            return refuse(ErrorCode::kRegistryMismatch,
                          "variable " + field.name + " is of another type");
        }
        core::ByteReader in(entry->data);
        field.read(object, names, in);
        in.expect_end();
        if (!in.ok()) {
            return refuse(in.error().code, in.error().at_byte,
                          "variable " + field.name + ": " + in.error().message);
        }
    }
    return {};
}

namespace {

constexpr char32_t kSurrogateFirst = 0xD800;
constexpr char32_t kSurrogateLow = 0xDC00;
constexpr char32_t kSurrogateEnd = 0xE000;
constexpr char32_t kSupplementary = 0x10000;

/// The code point at `at`, which is moved behind it. The text is well-formed UTF-8.
char32_t next_code_point(std::string_view text, std::size_t& at) {
    const auto byte = [&] { return static_cast<std::uint8_t>(text[at++]); };
    const char32_t lead = byte();
    if (lead < 0x80) return lead;
    const int more = lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
    char32_t point = lead & (0x3FU >> more);
    for (int i = 0; i < more; ++i) point = point << 6 | (byte() & 0x3FU);
    return point;
}

}  // namespace

// implements: VAR-008, O-VAR-05
void write_utf16(std::string_view text, core::ByteWriter& out) {
    MANIPLE_ASSERT(core::is_utf8(text));
    std::int32_t units = 0;
    for (std::size_t at = 0; at < text.size();) {
        units += next_code_point(text, at) >= kSupplementary ? 2 : 1;
    }
    MANIPLE_ASSERT(units <= kVarTextUnitsMax);
    out.i32(units);
    for (std::size_t at = 0; at < text.size();) {
        const char32_t point = next_code_point(text, at);
        if (point < kSupplementary) {
            out.u16(static_cast<std::uint16_t>(point));
            continue;
        }
        const char32_t offset = point - kSupplementary;
        out.u16(static_cast<std::uint16_t>(kSurrogateFirst + (offset >> 10)));
        out.u16(static_cast<std::uint16_t>(kSurrogateLow + (offset & 0x3FF)));
    }
}

std::string read_utf16(core::ByteReader& in) {
    std::string text;
    const std::uint32_t units =
        in.count(std::uint32_t{kVarTextUnitsMax}, sizeof(std::uint16_t), "text units");
    for (std::uint32_t i = 0; i < units; ++i) {
        const std::size_t start = in.at();
        char32_t point = in.u16();
        if (point >= kSurrogateFirst && point < kSurrogateEnd) {
            const char32_t low = ++i < units ? in.u16() : 0;
            if (point >= kSurrogateLow || low < kSurrogateLow || low >= kSurrogateEnd) {
                in.fail(ErrorCode::kBadText, start, "a lone surrogate");
                return {};
            }
            point = kSupplementary + ((point - kSurrogateFirst) << 10) + (low - kSurrogateLow);
        }
        core::append_utf8(point, text);
    }
    return text;
}

}  // namespace maniple::sim
