#pragma once

#include <algorithm>
#include <optional>

#include "maniple/sim/variables.h"

/// Builds a class's VarLayout from its description.
namespace maniple::sim {

namespace detail {

/// Handles of the process and sequential streams are never synced (VAR-011).
template <typename T>
constexpr bool kIsHandle = std::is_same_v<T, EntityRow> || std::is_same_v<T, core::RandomStream>;

template <typename T>
constexpr bool is_text() {
    return std::is_same_v<T, std::string> || std::is_same_v<T, Name>;
}

// implements: VAR-005, VAR-006, VAR-010, VAR-011, VAR-012, VAR-013, O-VAR-01, O-VAR-02
template <typename T>
constexpr VarCategory var_category() {
    if constexpr (is_text<T>()) {
        return VarCategory::kText;
    } else if constexpr (IsVector<T>::value) {
        constexpr VarCategory kInner = var_category<typename T::value_type>();
        return kInner == VarCategory::kArray || kInner == VarCategory::kUnsupported
                   ? VarCategory::kUnsupported
                   : VarCategory::kArray;
    } else if constexpr (kIsHandle<T> || !is_plain<T>()) {
        return VarCategory::kUnsupported;
    } else {
        return holds<T, Name>()            ? VarCategory::kUnsupported
               : holds<T, float, double>() ? VarCategory::kCanonicalizeFloatStruct
                                           : VarCategory::kRawBytes;
    }
}

template <typename T>
const FieldLayout& value_layout() {
    static const FieldLayout kLayout = layout_of_value<T>();
    return kLayout;
}

inline std::vector<std::uint32_t> float_offsets(const FieldLayout& layout) {
    std::vector<std::uint32_t> offsets;
    for (const FieldLeaf& leaf : layout.leaves) {
        if (leaf.type == ScalarType::kF32 || leaf.type == ScalarType::kF64) {
            offsets.push_back(leaf.wire_offset);
        }
    }
    return offsets;
}

// implements: VAR-007, VAR-008, VAR-009, VAR-016, O-VAR-03
template <typename T>
void write_variable(const T& value, const NameTable& names, bool canonical, core::ByteWriter& out) {
    if constexpr (std::is_same_v<T, std::string>) {
        write_utf16(value, out);
    } else if constexpr (std::is_same_v<T, Name>) {
        const std::optional<std::string> text = names.text(value);
        MANIPLE_ASSERT(text.has_value());
        write_utf16(text.value_or(""), out);
    } else if constexpr (IsVector<T>::value) {
        out.i32(static_cast<std::int32_t>(value.size()));
        // A vector<bool> has no elements to refer to.
        for (const auto& item : value) {
            write_variable<typename T::value_type>(item, names, canonical, out);
        }
    } else {
        const FieldLayout& layout = value_layout<T>();
        std::array<std::uint8_t, sizeof(T)> wire;
        const auto* memory = reinterpret_cast<const std::byte*>(&value);
        if (canonical) {
            rows_to_canonical_wire(layout, memory, 1, wire.data());
        } else {
            rows_to_wire(layout, memory, 1, wire.data());
        }
        out.bytes({wire.data(), layout.wire_bytes});
    }
}

template <typename T>
T read_variable(NameTable& names, core::ByteReader& in) {
    T value{};
    const std::size_t start = in.at();
    if constexpr (std::is_same_v<T, std::string>) {
        value = read_utf16(in);
    } else if constexpr (std::is_same_v<T, Name>) {
        const Result<Name> name = names.intern(read_utf16(in));
        if (!name) in.fail(name.error().code, start, name.error().message);
        if (name) value = *name;
    } else if constexpr (IsVector<T>::value) {
        using Item = typename T::value_type;
        std::size_t item_bytes_min = sizeof(std::int32_t);  // a text's length
        if constexpr (!is_text<Item>()) item_bytes_min = value_layout<Item>().wire_bytes;
        const std::uint32_t count = in.count(kVarArrayMax, item_bytes_min, "array items");
        for (std::uint32_t i = 0; i < count && in.ok(); ++i) {
            value.push_back(read_variable<Item>(names, in));
        }
    } else {
        const FieldLayout& layout = value_layout<T>();
        const core::ByteSpan wire = in.bytes(layout.wire_bytes);
        if (in.ok() &&
            !rows_from_wire(layout, wire.data(), 1, reinterpret_cast<std::byte*>(&value))) {
            in.fail(ErrorCode::kBadValue, start, "a bool is neither 0 nor 1");
        }
    }
    return value;
}

template <typename T>
void flatten_variable(const T& value, const std::string& name, const NameTable& names,
                      std::vector<NamedValue>& out) {
    if constexpr (std::is_same_v<T, Name>) {
        out.push_back({name, names.text(value).value_or("")});
    } else if constexpr (IsVector<T>::value) {
        out.push_back({name + ".count", static_cast<std::int64_t>(value.size())});
        std::size_t index = 0;
        for (const auto& item : value) {
            flatten_variable<typename T::value_type>(
                item, name + "[" + std::to_string(index++) + "]", names, out);
        }
    } else {
        flatten_record(value, name, out);
    }
}

template <typename T>
constexpr bool is_transient(std::string_view name) {
    if constexpr (requires { T::kTransient; }) {
        return std::find(std::begin(T::kTransient), std::end(T::kTransient), name) !=
               std::end(T::kTransient);
    } else {
        return false;
    }
}

/// `Field` in objects of `T`, whose member `pointer` it is.
template <typename T, typename Field, typename Pointer>
VarField var_field(const char* name, Pointer pointer) {
    VarField field;
    field.name = name;
    field.category = var_category<Field>();
    field.is_name = std::is_same_v<Field, Name>;
    if constexpr (IsVector<Field>::value) {
        using Item = typename Field::value_type;
        field.inner_category = var_category<Item>();
        field.inner_is_name = std::is_same_v<Item, Name>;
        if constexpr (!is_text<Item>()) {
            field.inner_size = value_layout<Item>().wire_bytes;
            field.inner_float_leaves = float_offsets(value_layout<Item>());
        }
    } else if constexpr (!is_text<Field>()) {
        field.size = value_layout<Field>().wire_bytes;
        field.float_leaves = float_offsets(value_layout<Field>());
    }
    field.write = [pointer](const void* object, const NameTable& names, bool canonical,
                            core::ByteWriter& out) {
        write_variable(static_cast<const T*>(object)->*pointer, names, canonical, out);
    };
    field.read = [pointer](void* object, NameTable& names, core::ByteReader& in) {
        static_cast<T*>(object)->*pointer = read_variable<Field>(names, in);
    };
    field.flatten = [pointer, text = field.name](const void* object, const NameTable& names,
                                                 std::vector<NamedValue>& out) {
        flatten_variable(static_cast<const T*>(object)->*pointer, text, names, out);
    };
    return field;
}

// implements: VAR-014, VAR-015, VAR-019, VAR-020, VAR-021, VAR-022, O-VAR-11
template <typename T>
VarLayout build_variable_layout() {
    VarLayout layout;
    using Members = boost::describe::describe_members<T, boost::describe::mod_any_access |
                                                             boost::describe::mod_inherited>;
    boost::mp11::mp_for_each<Members>([&](auto member) {
        using Field = std::remove_cvref_t<decltype(std::declval<T&>().*member.pointer)>;
        if (is_transient<T>(member.name)) {
            layout.warnings.push_back(std::string(member.name) + " is transient, not synced");
        } else if constexpr (var_category<Field>() == VarCategory::kUnsupported) {
            layout.warnings.push_back(std::string(member.name) +
                                      " is of a type that cannot be synced");
        } else {
            layout.fields.push_back(var_field<T, Field>(member.name, member.pointer));
        }
    });
    return layout;
}

}  // namespace detail

// implements: VAR-017, VAR-018
/// The layout of a described class of variables, built on first use and kept: one a type, valid
/// even when it lists nothing. Members named in a static `kTransient` list are left out.
template <typename T>
[[nodiscard]] const VarLayout& variable_layout() {
    static_assert(boost::describe::has_describe_members<T>::value,
                  "describe the struct with BOOST_DESCRIBE_STRUCT first");
    static const VarLayout kLayout = detail::build_variable_layout<T>();
    return kLayout;
}

}  // namespace maniple::sim
