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
#include "maniple/core/math.h"
#include "maniple/sim/ids.h"
#include "maniple/sim/names.h"

/// One description of a struct (BOOST_DESCRIBE_STRUCT) drives its storage, hash, snapshot, diff,
/// desync report and print. This header turns that description into a FieldLayout.
namespace maniple {
BOOST_DESCRIBE_STRUCT(Vec2d, (), (x, y))
BOOST_DESCRIBE_STRUCT(Vec3d, (), (x, y, z))
BOOST_DESCRIBE_STRUCT(Vec3f, (), (x, y, z))
}  // namespace maniple

namespace maniple::sim {

BOOST_DESCRIBE_STRUCT(Uid, (), (value))

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
    kName = 11,  ///< A Name: 8 bytes, the same in every process.
};
inline constexpr std::uint8_t kScalarTypeMax = static_cast<std::uint8_t>(ScalarType::kName);
[[nodiscard]] constexpr std::uint32_t scalar_bytes(ScalarType type) {
    constexpr std::array<std::uint8_t, 12> kBytes{1, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8};
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
    else if constexpr (std::is_same_v<T, Name>)
        return ScalarType::kName;
    else {
        constexpr int kLog2 = sizeof(T) == 1 ? 0 : sizeof(T) == 2 ? 1 : sizeof(T) == 4 ? 2 : 3;
        return static_cast<ScalarType>(1 + 2 * kLog2 + (std::is_signed_v<T> ? 0 : 1));
    }
}

template <typename T>
struct IsStdArray : std::false_type {};
template <typename T, std::size_t kCount>
struct IsStdArray<std::array<T, kCount>> : std::true_type {};

/// Tells whether a value of T has a fixed wire form: a scalar, an enum, a Name, or a std::array or
/// described struct of such.
template <typename T>
constexpr bool is_plain() {
    if constexpr (IsStdArray<T>::value) {
        return is_plain<typename T::value_type>();
    } else if constexpr (std::is_class_v<T> && boost::describe::has_describe_members<T>::value) {
        using Members = boost::describe::describe_members<T, boost::describe::mod_any_access |
                                                                 boost::describe::mod_inherited>;
        return []<typename... Member>(boost::mp11::mp_list<Member...>) {
            return (
                is_plain<std::remove_cvref_t<decltype(std::declval<T&>().*Member::pointer)>>() &&
                ... && std::is_trivially_copyable_v<T>);
        }(boost::mp11::mp_rename<Members, boost::mp11::mp_list>{});
    } else {
        return std::is_enum_v<T> || (std::is_integral_v<T> && sizeof(T) <= 8) ||
               std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, Name>;
    }
}

/// Tells whether a plain T has a leaf of one of `Leaf...` somewhere.
template <typename T, typename... Leaf>
constexpr bool holds() {
    if constexpr (IsStdArray<T>::value) {
        return holds<typename T::value_type, Leaf...>();
    } else if constexpr (boost::describe::has_describe_members<T>::value) {
        using Members = boost::describe::describe_members<T, boost::describe::mod_any_access |
                                                                 boost::describe::mod_inherited>;
        return []<typename... Member>(boost::mp11::mp_list<Member...>) {
            return (holds<std::remove_cvref_t<decltype(std::declval<T&>().*Member::pointer)>,
                          Leaf...>() ||
                    ... || false);
        }(boost::mp11::mp_rename<Members, boost::mp11::mp_list>{});
    } else {
        return (std::is_same_v<T, Leaf> || ...);
    }
}

/// Fails to compile for a field that cannot be synced; the compiler names it as `kMember`.
template <typename Field, auto kMember>
constexpr void require_plain() {
    static_assert(is_plain<Field>(),
                  "this field cannot be synced: it is no scalar, enum, Name, std::array or "
                  "described struct of such");
}

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
            require_plain<Field, decltype(member)::pointer>();
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

/// The layout of one value of any plain type (detail::is_plain); a scalar's only leaf has no name.
template <typename T>
[[nodiscard]] FieldLayout layout_of_value() {
    FieldLayout layout;
    layout.memory_bytes = sizeof(T);
    layout.memory_alignment = alignof(T);
    detail::append_leaves<T>(layout, "", 0);
    layout.packed = layout.packed && layout.wire_bytes == layout.memory_bytes;
    return layout;
}

/// The layout of a described, trivially copyable struct (an empty one is a tag).
template <typename T>
[[nodiscard]] FieldLayout layout_of() {
    static_assert(std::is_trivially_copyable_v<T>, "a fragment's memory is copied as bytes");
    static_assert(boost::describe::has_describe_members<T>::value,
                  "describe the struct with BOOST_DESCRIBE_STRUCT first");
    return layout_of_value<T>();
}

/// True if rows in memory are their wire bytes on this machine: no padding, no bool.
[[nodiscard]] bool is_wire_in_memory(const FieldLayout& layout);

/// Rows of memory to packed little-endian wire rows, values bit for bit. `out` has room for
/// rows · wire_bytes.
void rows_to_wire(const FieldLayout& layout, const std::byte* rows, std::size_t row_count,
                  std::uint8_t* out);
/// The same with every float canonicalised for hashing: −0 → +0, any NaN → one quiet NaN (O-VAR-04,
/// O-VAR-06). Memory is never touched.
void rows_to_canonical_wire(const FieldLayout& layout, const std::byte* rows, std::size_t row_count,
                            std::uint8_t* out);
/// The same in place, on rows already in wire form.
void canonicalise_wire(const FieldLayout& layout, std::size_t row_count, std::uint8_t* wire);
/// True if the rows as they stand in memory are their canonical wire bytes already, as nearly all
/// rows without padding are. False may also mean that it would take long to find out.
[[nodiscard]] bool are_canonical(const FieldLayout& layout, const std::byte* rows,
                                 std::size_t row_count);
/// Wire rows back to memory, padding zeroed. False if a bool byte is neither 0 nor 1.
[[nodiscard]] bool rows_from_wire(const FieldLayout& layout, const std::uint8_t* wire,
                                  std::size_t row_count, std::byte* rows);

}  // namespace maniple::sim
