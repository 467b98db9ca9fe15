#include "maniple/sim/describe.h"

#include <bit>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

#include "maniple/core/math.h"

namespace maniple::sim {

struct Offset {
    float x = 0, y = 0;
};
BOOST_DESCRIBE_STRUCT(Offset, (), (x, y))

enum class Stance : std::uint16_t { kHold = 1, kCharge = 0x0203 };

struct Mixed {
    std::uint8_t rank = 0;
    double height = 0;
    bool is_alive = false;
    Stance stance = Stance::kHold;
    Offset offset;
    std::array<float, 3> slots{};
    std::int64_t owner = 0;
};
BOOST_DESCRIBE_STRUCT(Mixed, (), (rank, height, is_alive, stance, offset, slots, owner))

struct Packed {
    std::int32_t a = 0;
    float b = 0;
    double c = 0;
};
BOOST_DESCRIBE_STRUCT(Packed, (), (a, b, c))

struct Tag {};
BOOST_DESCRIBE_STRUCT(Tag, (), ())

namespace {

constexpr std::size_t kMixedWireBytes = 1 + 8 + 1 + 2 + 8 + 12 + 8;

/// `value` over memory whose padding is `padding`.
template <typename T>
std::array<std::byte, sizeof(T)> with_padding(const T& value, std::uint8_t padding) {
    const FieldLayout layout = layout_of<T>();
    std::array<std::byte, sizeof(T)> memory;
    std::memset(memory.data(), padding, memory.size());
    const auto* from = reinterpret_cast<const std::byte*>(&value);
    for (const FieldLeaf& leaf : layout.leaves) {
        std::memcpy(memory.data() + leaf.memory_offset, from + leaf.memory_offset,
                    scalar_bytes(leaf.type));
    }
    return memory;
}

template <std::size_t kBytes>
core::Bytes canonical(const FieldLayout& layout, const std::array<std::byte, kBytes>& memory) {
    core::Bytes wire(layout.wire_bytes);
    rows_to_canonical_wire(layout, memory.data(), 1, wire.data());
    return wire;
}

Mixed sample() { return {7, 1.5, true, Stance::kCharge, {-2.0F, 0.5F}, {1.0F, 2.0F, 3.0F}, -2}; }

TEST(FieldLayout, FlattensNestedStructsArraysAndEnumsInDeclarationOrder) {
    const FieldLayout layout = layout_of<Mixed>();
    std::vector<std::string> names;
    for (const FieldLeaf& leaf : layout.leaves) names.push_back(leaf.name);
    EXPECT_EQ(names,
              (std::vector<std::string>{"rank", "height", "is_alive", "stance", "offset.x",
                                        "offset.y", "slots[0]", "slots[1]", "slots[2]", "owner"}));
    EXPECT_EQ(layout.wire_bytes, kMixedWireBytes);
    EXPECT_FALSE(layout.packed);
    EXPECT_TRUE(layout_of<Packed>().packed);
    EXPECT_EQ(layout_of<Tag>().wire_bytes, 0U);
}

TEST(RowsToWire, WritesPackedLittleEndianFields) {
    const Mixed value = sample();
    core::Bytes wire(kMixedWireBytes);
    rows_to_wire(layout_of<Mixed>(), reinterpret_cast<const std::byte*>(&value), 1, wire.data());
    const core::Bytes expected = {
        7,                                                                 // rank
        0,    0,    0,    0,    0,    0,    0xF8, 0x3F,                    // height
        1,                                                                 // is_alive
        3,    2,                                                           // stance
        0,    0,    0,    0xC0, 0,    0,    0,    0x3F,                    // offset
        0,    0,    0x80, 0x3F, 0,    0,    0,    0x40, 0, 0, 0x40, 0x40,  // slots
        0xFE, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,                    // owner
    };
    EXPECT_EQ(wire, expected);
}

TEST(RowsToWire, ManyRowsOfAPackedLayoutEqualRowByRow) {
    const std::array<Packed, 3> rows{{{1, -0.0F, 2.0}, {-3, 4.0F, -5.5}, {7, 8.0F, 9.0}}};
    const FieldLayout layout = layout_of<Packed>();
    core::Bytes all(rows.size() * layout.wire_bytes);
    rows_to_wire(layout, reinterpret_cast<const std::byte*>(rows.data()), rows.size(), all.data());
    core::Bytes single;
    core::ByteWriter writer(single);
    for (const Packed& row : rows) {
        writer.i32(row.a);
        writer.f32(row.b);
        writer.f64(row.c);
    }
    EXPECT_EQ(all, single);
}

// proves: VAR-007
TEST(CanonicalWire, PaddingNeverEnters) {
    const FieldLayout layout = layout_of<Mixed>();
    const auto ones = with_padding(sample(), 0xAA);
    const auto zeros = with_padding(sample(), 0x55);
    ASSERT_NE(ones, zeros) << "the struct has no padding to test";
    EXPECT_EQ(canonical(layout, ones), canonical(layout, zeros));
}

// proves: O-VAR-04, VAR-007, HASH-005
TEST(CanonicalWire, NegativeZeroIsZeroInScalarsMembersAndArraysAndMemoryKeepsIt) {
    const FieldLayout layout = layout_of<Mixed>();
    Mixed negative;
    negative.height = -0.0;
    negative.offset.y = -0.0F;
    negative.slots[2] = -0.0F;
    const auto memory = with_padding(negative, 0xAA);
    const auto before = memory;
    EXPECT_EQ(canonical(layout, memory), canonical(layout, with_padding(Mixed{}, 0)));
    EXPECT_EQ(memory, before);

    core::Bytes raw(layout.wire_bytes);
    rows_to_wire(layout, memory.data(), 1, raw.data());
    EXPECT_NE(raw, canonical(layout, memory)) << "the serialised form keeps the sign";
    Mixed back;
    ASSERT_TRUE(rows_from_wire(layout, raw.data(), 1, reinterpret_cast<std::byte*>(&back)));
    EXPECT_EQ(std::bit_cast<std::uint64_t>(back.height), 0x8000000000000000U);
    EXPECT_EQ(std::bit_cast<std::uint32_t>(back.slots[2]), 0x80000000U);
}

// proves: O-VAR-06
TEST(CanonicalWire, EveryNanIsOneQuietNanAndInfinitiesStay) {
    const FieldLayout layout = layout_of<Packed>();
    const auto wire_of = [&](std::uint32_t f, std::uint64_t d) {
        Packed value;
        std::memcpy(&value.b, &f, sizeof f);
        std::memcpy(&value.c, &d, sizeof d);
        const core::Bytes wire = canonical(layout, with_padding(value, 0));
        return std::pair{core::load_le<std::uint32_t>(wire.data() + 4),
                         core::load_le<std::uint64_t>(wire.data() + 8)};
    };
    const std::pair<std::uint32_t, std::uint64_t> quiet{0x7FC00000U, 0x7FF8000000000000U};
    EXPECT_EQ(wire_of(0x7F800001U, 0x7FF0000000000001U), quiet);
    EXPECT_EQ(wire_of(0xFFC12345U, 0xFFF8000000001234U), quiet);
    const std::pair<std::uint32_t, std::uint64_t> infinities{0xFF800000U, 0x7FF0000000000000U};
    EXPECT_EQ(wire_of(infinities.first, infinities.second), infinities);
    const std::pair<std::uint32_t, std::uint64_t> subnormals{0x80000001U, 0x0000000000000001U};
    EXPECT_EQ(wire_of(subnormals.first, subnormals.second), subnormals);
}

TEST(CanonicalWire, UniformFloatsAreCanonicalInEveryRow) {
    const std::array<Offset, 2> rows{{{-0.0F, 1.0F}, {2.0F, -0.0F}}};
    const std::array<Offset, 2> positive{{{0.0F, 1.0F}, {2.0F, 0.0F}}};
    const FieldLayout layout = layout_of<Offset>();
    core::Bytes a(2 * layout.wire_bytes);
    core::Bytes b(2 * layout.wire_bytes);
    rows_to_canonical_wire(layout, reinterpret_cast<const std::byte*>(rows.data()), 2, a.data());
    rows_to_canonical_wire(layout, reinterpret_cast<const std::byte*>(positive.data()), 2,
                           b.data());
    EXPECT_EQ(a, b);
}

TEST(RowsFromWire, ZeroesPaddingAndGivesTheValuesBack) {
    const FieldLayout layout = layout_of<Mixed>();
    const auto memory = with_padding(sample(), 0xAA);
    core::Bytes wire(layout.wire_bytes);
    rows_to_wire(layout, memory.data(), 1, wire.data());
    std::array<std::byte, sizeof(Mixed)> back;
    back.fill(std::byte{0x55});
    ASSERT_TRUE(rows_from_wire(layout, wire.data(), 1, back.data()));
    EXPECT_EQ(back, with_padding(sample(), 0));
}

TEST(RowsFromWire, RefusesABoolOfTwoAndLeavesMemory) {
    constexpr std::size_t kBoolAt = 9;
    const FieldLayout layout = layout_of<Mixed>();
    core::Bytes wire(layout.wire_bytes);
    std::array<std::byte, sizeof(Mixed)> memory;
    memory.fill(std::byte{0x55});
    const auto before = memory;
    wire[kBoolAt] = 2;
    EXPECT_FALSE(rows_from_wire(layout, wire.data(), 1, memory.data()));
    EXPECT_EQ(memory, before);
    wire[kBoolAt] = 1;
    EXPECT_TRUE(rows_from_wire(layout, wire.data(), 1, memory.data()));
}

}  // namespace
}  // namespace maniple::sim
