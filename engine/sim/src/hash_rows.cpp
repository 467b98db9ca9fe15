#include "hash_rows.h"

#include <algorithm>
#include <array>
#include <bit>

#include "maniple/core/hash.h"

namespace maniple::sim {
namespace {

using PlainRows = std::array<std::uint8_t, kBlockUids * kIdentityRowBytes>;
constexpr PlainRows plain_rows(EntityType type) {
    PlainRows rows{};
    for (std::size_t i = 0; i < rows.size(); i += kIdentityRowBytes) {
        rows[i] = static_cast<std::uint8_t>(type);
    }
    return rows;
}

}  // namespace

core::ByteSpan canonical_rows(const FieldLayout& layout, const std::byte* rows, std::size_t count,
                              core::Bytes& scratch) {
    const std::size_t bytes = count * layout.wire_bytes;
    const core::ByteSpan live{reinterpret_cast<const std::uint8_t*>(rows), bytes};
    if (bytes == 0 || are_canonical(layout, rows, count)) return live;
    scratch.resize(std::max(scratch.size(), bytes));
    rows_to_canonical_wire(layout, rows, count, scratch.data());
    return {scratch.data(), bytes};
}

std::uint64_t hash_uids(const Uid* uids, std::size_t count) {
    if constexpr (std::endian::native == std::endian::little) {
        return core::xxh3_64({reinterpret_cast<const std::uint8_t*>(uids), count * sizeof(Uid)});
    } else {
        std::array<std::uint8_t, kBlockUids * sizeof(std::int32_t)> raw;
        for (std::size_t i = 0; i < count; ++i) {
            core::store_le(raw.data() + i * sizeof(std::int32_t), uids[i].value);
        }
        return core::xxh3_64({raw.data(), count * sizeof(std::int32_t)});
    }
}

bool is_plain(const EntityGroup& group, std::size_t begin, std::size_t end) {
    std::uint16_t tags = 0;
    for (std::size_t row = begin; row < end; ++row) tags |= group.tags[row];
    if (group.flags_low.is_bare() && group.flags_high.is_bare()) return tags == 0;
    std::int64_t flags = 0;
    for (std::size_t row = begin; row < end; ++row) {
        flags |= group.flags_low[row] | group.flags_high[row];
    }
    return tags == 0 && flags == 0;
}

const std::uint8_t* plain_identity_rows(EntityType type) {
    static constexpr std::array<PlainRows, 4> kRows{
        plain_rows(EntityType::kAgent), plain_rows(EntityType::kObstacle),
        plain_rows(EntityType::kProjectile), plain_rows(EntityType::kOther)};
    return kRows[static_cast<std::size_t>(type)].data();
}

std::uint64_t hash_plain_identity(EntityType type, std::size_t count) {
    using Hashes = std::array<std::uint64_t, kBlockUids + 1>;
    static const auto kHashes = [] {
        std::array<Hashes, 4> hashes;
        for (std::size_t t = 0; t < hashes.size(); ++t) {
            const std::uint8_t* rows = plain_identity_rows(static_cast<EntityType>(t));
            for (std::size_t n = 0; n <= std::size_t{kBlockUids}; ++n) {
                hashes[t][n] = core::xxh3_64({rows, n * kIdentityRowBytes});
            }
        }
        return hashes;
    }();
    return kHashes[static_cast<std::size_t>(type)][count];
}

void write_identity_rows(const EntityGroup& group, EntityType type, std::size_t begin,
                         std::size_t end, std::uint8_t* out) {
    std::copy_n(plain_identity_rows(type), (end - begin) * kIdentityRowBytes, out);
    const bool has_flags = !group.flags_low.is_bare() || !group.flags_high.is_bare();
    for (std::size_t row = begin; row < end; ++row, out += kIdentityRowBytes) {
        if (group.tags[row] != 0) core::store_le(out + 1, group.tags[row]);
        if (!has_flags) continue;
        core::store_le(out + 3, group.flags_low[row]);
        core::store_le(out + 11, group.flags_high[row]);
    }
}

}  // namespace maniple::sim
