#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "maniple/core/bytes.h"
#include "maniple/core/math.h"
#include "maniple/sim/command.h"
#include "maniple/sim/describe.h"

/// Records: lockstep state that is no column (tasks, spawn requests, counters). A record is a
/// described struct of plain values, text, vectors and records; the description drives its hashed
/// bytes and its names in a desync report. Scalars are little-endian, a text is an i32 length and
/// UTF-8, a vector an i32 count and its elements (docs/formats/desync.md §1).
namespace maniple::sim {

inline constexpr std::uint32_t kRecordItemsMax = 1U << 24;

/// One leaf of a record: `agent_uids[3]`, `goals[0].x`; a vector's length is `agent_uids.count`.
struct NamedValue {
    std::string name;
    Value value;
};

namespace detail {

template <typename T>
struct IsVector : std::false_type {};
template <typename T>
struct IsVector<std::vector<T>> : std::true_type {};

template <typename T, typename Each>
void for_members(T& record, Each&& each) {
    using Struct = std::remove_const_t<T>;
    static_assert(boost::describe::has_describe_members<Struct>::value,
                  "a record is described with BOOST_DESCRIBE_STRUCT");
    using Members = boost::describe::describe_members<Struct, boost::describe::mod_any_access |
                                                                  boost::describe::mod_inherited>;
    boost::mp11::mp_for_each<Members>(
        [&](auto member) { each(member.name, record.*member.pointer); });
}

template <typename T>
constexpr bool kIsScalar = std::is_arithmetic_v<T> || std::is_enum_v<T>;

/// x, y, z of each, canonical.
void write_locations(std::span<const Vec3d> locations, core::ByteWriter& out);

/// −0 → +0, any NaN → the one quiet NaN (O-VAR-06).
template <typename T>
T canonical_scalar(T value) {
    if constexpr (std::is_floating_point_v<T>) {
        using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        constexpr Bits kNan = sizeof(T) == 4 ? Bits{0x7FC00000} : Bits(0x7FF8000000000000);
        if (value != value) return std::bit_cast<T>(kNan);
        return value == T{0} ? T{0} : value;
    } else {
        return value;
    }
}

}  // namespace detail

/// Appends the canonical bytes of `value`, which the hash is made of.
template <typename T>
void write_record(const T& value, core::ByteWriter& out) {
    if constexpr (std::is_same_v<T, bool>) {
        out.u8(value ? 1 : 0);
    } else if constexpr (std::is_enum_v<T>) {
        out.put(static_cast<std::underlying_type_t<T>>(value));
    } else if constexpr (std::is_arithmetic_v<T>) {
        out.put(detail::canonical_scalar(value));
    } else if constexpr (std::is_same_v<T, Name>) {
        out.u64(value.id);
    } else if constexpr (std::is_same_v<T, std::string>) {
        out.i32(static_cast<std::int32_t>(value.size()));
        out.bytes({reinterpret_cast<const std::uint8_t*>(value.data()), value.size()});
    } else if constexpr (detail::IsVector<T>::value) {
        out.i32(static_cast<std::int32_t>(value.size()));
        using Item = typename T::value_type;
        constexpr bool kCopyable =
            std::is_same_v<Item, std::uint8_t> ||
            (std::is_same_v<Item, std::int32_t> && std::endian::native == std::endian::little);
        if constexpr (kCopyable) {
            out.bytes(
                {reinterpret_cast<const std::uint8_t*>(value.data()), value.size() * sizeof(Item)});
        } else if constexpr (std::is_same_v<Item, Vec3d>) {
            detail::write_locations(value, out);
        } else {
            for (const Item& item : value) write_record(item, out);
        }
    } else {
        detail::for_members(value,
                            [&](const char*, const auto& field) { write_record(field, out); });
    }
}

/// Reads what write_record wrote; the bytes are untrusted, a failure latches in `in`.
template <typename T>
void read_record(core::ByteReader& in, T& value) {
    const std::size_t start = in.at();
    if constexpr (std::is_same_v<T, bool>) {
        const std::uint8_t byte = in.u8();
        if (byte > 1) in.fail(ErrorCode::kBadValue, start, "a bool is neither 0 nor 1");
        value = byte == 1;
    } else if constexpr (std::is_enum_v<T>) {
        value = static_cast<T>(in.get<std::underlying_type_t<T>>());
    } else if constexpr (std::is_arithmetic_v<T>) {
        value = in.get<T>();
    } else if constexpr (std::is_same_v<T, Name>) {
        value.id = in.u64();
    } else if constexpr (std::is_same_v<T, std::string>) {
        value = in.text(kCommandTextBytesMax, "text");
    } else if constexpr (detail::IsVector<T>::value) {
        const std::uint32_t count = in.count(kRecordItemsMax, 1, "items");
        value.clear();
        for (std::uint32_t i = 0; i < count && in.ok(); ++i) read_record(in, value.emplace_back());
    } else {
        detail::for_members(value, [&](const char*, auto& field) { read_record(in, field); });
    }
}

/// Appends every leaf of `value` with its name, in description order.
template <typename T>
void flatten_record(const T& value, const std::string& name, std::vector<NamedValue>& out) {
    if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
        out.push_back({name, value});
    } else if constexpr (std::is_floating_point_v<T>) {
        out.push_back({name, static_cast<double>(value)});
    } else if constexpr (detail::kIsScalar<T>) {
        out.push_back({name, static_cast<std::int64_t>(value)});
    } else if constexpr (std::is_same_v<T, Name>) {
        out.push_back({name, static_cast<std::int64_t>(value.id)});
    } else if constexpr (detail::IsVector<T>::value) {
        out.push_back(
            {name.empty() ? "count" : name + ".count", static_cast<std::int64_t>(value.size())});
        for (std::size_t i = 0; i < value.size(); ++i) {
            flatten_record(value[i], name + "[" + std::to_string(i) + "]", out);
        }
    } else {
        detail::for_members(value, [&](const char* field_name, const auto& field) {
            flatten_record(field, name.empty() ? field_name : name + "." + field_name, out);
        });
    }
}

}  // namespace maniple::sim
