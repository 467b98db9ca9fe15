#pragma once

#include <array>
#include <boost/describe.hpp>
#include <boost/mp11.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "maniple/core/bytes.h"

/// One description of a struct (BOOST_DESCRIBE_STRUCT) drives its storage, hash, snapshot, diff,
/// desync report and print. This header turns that description into a FieldLayout.
namespace maniple::sim {

enum class ScalarType : std::uint8_t {
    kBool = 0,
    kI8 = 1,
    kU8 = 2,
    kI16 = 3,
    kU16 = 4,
    kI32 = 5,
    kU32 = 6,
    kI64 = 7,
    kU64 = 8,
    kF32 = 9,
    kF64 = 10,
};
[[nodiscard]] constexpr std::uint32_t scalar_bytes(ScalarType type) {
    constexpr std::array<std::uint8_t, 11> kBytes{1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8};
    return kBytes[static_cast<std::size_t>(type)];
}

/// One scalar inside a described struct, nested structs and fixed arrays flattened: `velocity.x`,
/// `slots[3]`. Wire form: little-endian, packed, in declaration order.
struct FieldLeaf {
    std::string name;
    ScalarType type = ScalarType::kU8;
    std::uint32_t memory_offset = 0;
    std::uint32_t wire_offset = 0;
    friend bool operator==(const FieldLeaf&, const FieldLeaf&) = default;
};

struct FieldLayout {
    std::uint32_t memory_bytes = 0;
    std::uint32_t memory_alignment = 1;
    std::uint32_t wire_bytes = 0;
    std::vector<FieldLeaf> leaves;
    /// Memory and wire bytes agree on a little-endian machine: no padding, no bool.
    bool packed = true;
};

namespace detail {

template <typename T>
constexpr ScalarType scalar_type_of() {
    if constexpr (std::is_enum_v<T>)
        return scalar_type_of<std::underlying_type_t<T>>();
    else if constexpr (std::is_same_v<T, bool>)
        return ScalarType::kBool;
    else if constexpr (std::is_same_v<T, float>)
        return ScalarType::kF32;
    else if constexpr (std::is_same_v<T, double>)
        return ScalarType::kF64;
    else {
        static_assert(std::is_integral_v<T>,
                      "a synced field is a scalar, an enum, a std::array or a described struct");
        constexpr int kLog2 = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
        return static_cast<ScalarType>(1 + 2 * kLog2 + (std::is_signed_v<T> ? 0 : 1));
    }
}

template <typename T>
struct IsStdArray : std::false_type {};
template <typename T, std::size_t kCount>
struct IsStdArray<std::array<T, kCount>> : std::true_type {};

template <typename T>
void append_leaves(FieldLayout& layout, const std::string& name, std::size_t offset) {
    if constexpr (IsStdArray<T>::value) {
        using Element = typename T::value_type;
        for (std::size_t i = 0; i < std::tuple_size_v<T>; ++i) {
            append_leaves<Element>(layout, name + "[" + std::to_string(i) + "]",
                                   offset + i * sizeof(Element));
        }
    } else if constexpr (boost::describe::has_describe_members<T>::value) {
        using Members = boost::describe::describe_members<T, boost::describe::mod_any_access |
                                                                 boost::describe::mod_inherited>;
        alignas(T) static const T kProbe{};
        boost::mp11::mp_for_each<Members>([&](auto member) {
            using Field = std::remove_cvref_t<decltype(kProbe.*member.pointer)>;
            const auto* base = reinterpret_cast<const std::byte*>(&kProbe);
            const auto* at = reinterpret_cast<const std::byte*>(&(kProbe.*member.pointer));
            append_leaves<Field>(layout, name.empty() ? member.name : name + "." + member.name,
                                 offset + static_cast<std::size_t>(at - base));
        });
    } else {
        constexpr ScalarType kType = scalar_type_of<T>();
        if (kType == ScalarType::kBool || offset != layout.wire_bytes) layout.packed = false;
        layout.leaves.push_back(
            {name, kType, static_cast<std::uint32_t>(offset), layout.wire_bytes});
        layout.wire_bytes += scalar_bytes(kType);
    }
}

}  // namespace detail

/// The layout of a described, trivially copyable struct (an empty one is a tag).
template <typename T>
[[nodiscard]] FieldLayout layout_of() {
    static_assert(std::is_trivially_copyable_v<T>, "a fragment's memory is copied as bytes");
    static_assert(boost::describe::has_describe_members<T>::value,
                  "describe the struct with BOOST_DESCRIBE_STRUCT first");
    FieldLayout layout;
    layout.memory_bytes = sizeof(T);
    layout.memory_alignment = alignof(T);
    detail::append_leaves<T>(layout, "", 0);
    layout.packed = layout.packed && layout.wire_bytes == layout.memory_bytes;
    return layout;
}

/// Rows of memory to packed little-endian wire rows, values bit for bit. `out` has room for
/// rows · wire_bytes.
void rows_to_wire(const FieldLayout& layout, const std::byte* rows, std::size_t row_count,
                  std::uint8_t* out);
/// The same with every float canonicalised for hashing: −0 → +0, any NaN → one quiet NaN (O-VAR-04,
/// O-VAR-06). Memory is never touched.
void rows_to_canonical_wire(const FieldLayout& layout, const std::byte* rows, std::size_t row_count,
                            std::uint8_t* out);
/// Wire rows back to memory, padding zeroed. False if a bool byte is neither 0 nor 1.
[[nodiscard]] bool rows_from_wire(const FieldLayout& layout, const std::uint8_t* wire,
                                  std::size_t row_count, std::byte* rows);

}  // namespace maniple::sim
