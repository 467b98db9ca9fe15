#include "stream_vectors.h"

#include <gtest/gtest.h>

#include "maniple/substrate/checked_stream.h"
#include "maniple/substrate/delta.h"
#include "maniple/substrate/navmesh_delta.h"

namespace maniple::substrate {
namespace {

std::string outcome_of(const Error& error) {
    return std::string(error_code_name(error.code)) + " " + std::to_string(error.at_byte);
}

template <typename... Numbers>
std::string words(Numbers... numbers) {
    std::string text;
    ((text += (text.empty() ? "" : " ") + std::to_string(numbers)), ...);
    return text;
}

std::string cell_words(std::size_t index, core::ByteSpan record) {
    return words(index, record[0], record[1], core::load_le<std::int32_t>(record.data() + 2),
                 static_cast<std::int8_t>(record[6]), static_cast<std::int8_t>(record[7]),
                 static_cast<std::int8_t>(record[8]));
}

std::string goal_words(const std::vector<GoalCm>& goals) {
    std::string text;
    for (const GoalCm& goal : goals) {
        if (!text.empty()) text += ' ';
        text +=
            std::to_string(goal.x) + "," + std::to_string(goal.y) + "," + std::to_string(goal.z);
    }
    return text;
}

/// The decoded field as the vector words it, of those that both kinds of stream have.
std::string head_words(const std::string& key, const SubstrateHeader& header,
                       const std::vector<GoalCm>& goals) {
    const SubstrateIdentity& id = header.identity;
    if (key == "hash") return core::hex8(header.content_hash);
    if (key == "origin") return words(id.origin_x_cm, id.origin_y_cm, id.origin_z_cm);
    if (key == "yaw") return words(id.yaw_centideg);
    if (key == "goals") return goal_words(goals);
    return "no such field: " + key;
}

std::string full_words(const std::string& key, const std::string& rest, const CheckedView& view) {
    const GridShape& grid = view.grid();
    if (key == "grid") return words(grid.x_num, grid.y_num, grid.cell_size_cm);
    if (key != "cell") return head_words(key, view.header(), view.goals());
    const std::size_t index = std::stoul(rest);
    return cell_words(index, view.records().subspan(index * kCellRecordBytes, kCellRecordBytes));
}

bool is_navmesh(const StreamVector& vector) {
    const Result<SubstrateHeader> header = read_substrate_header(vector.bytes);
    return header && header->mode == StreamMode::kNavMesh;
}

/// The tile that a `tile SLOT SIZE` line names, in the same words.
std::string tile_words(std::span<const nav::MeshTile> tiles, const std::string& rest) {
    const std::int32_t slot = std::stoi(rest);
    const auto tile = std::ranges::find(tiles, slot, &nav::MeshTile::slot);
    return tile == tiles.end() ? "no such slot" : words(slot, tile->blob.size());
}

std::string navmesh_words(const std::string& key, const std::string& rest,
                          const NavMeshView& view) {
    if (key == "tile") return tile_words(view.tiles(), rest);
    if (key != "params") return head_words(key, view.header(), view.goals());
    const nav::MeshParams& p = view.params();
    const auto whole = [](float value) { return static_cast<int>(value); };
    return words(whole(p.origin[0]), whole(p.origin[1]), whole(p.origin[2]), whole(p.tile_width),
                 whole(p.tile_height), p.tiles_max, p.polygons_max);
}

std::string run_navmesh(const StreamVector& vector) {
    const Result<NavMeshView> view = NavMeshView::check(vector.bytes);
    if (!view) return outcome_of(view.error());
    for (const auto& [key, rest] : vector.fields) EXPECT_EQ(navmesh_words(key, rest, *view), rest);
    const Result<NavMeshStream> again = NavMeshStream::write(
        {view->identity(), view->goals(), view->params(), view->area_costs(), view->tiles()});
    EXPECT_EQ(to_hex(again->bytes()), to_hex(vector.bytes));
    return "accept";
}

std::string run_full(const StreamVector& vector) {
    const Result<CheckedView> view = CheckedView::check(vector.bytes);
    if (!view) return outcome_of(view.error());
    for (const auto& [key, rest] : vector.fields) EXPECT_EQ(full_words(key, rest, *view), rest);
    return "accept";
}

/// Builds the delta again from both streams.
void expect_built_again(const StreamVector& vector) {
    core::Bytes built;
    bool any_change = false;
    EXPECT_TRUE(build_substrate_delta_bytes(stream_vectors().bytes(vector.base),
                                            stream_vectors().bytes(vector.next), built,
                                            any_change));
    EXPECT_TRUE(any_change);
    EXPECT_EQ(to_hex(built), to_hex(vector.bytes));
}

/// Applies the delta to its base and builds it again from both streams.
std::string run_against_base(const StreamVector& vector, const DeltaView& delta) {
    Result<CheckedStream> standing = CheckedStream::check(stream_vectors().bytes(vector.base));
    EXPECT_TRUE(standing.has_value());
    if (const std::optional<Error> error = check_delta_fits(standing->view(), delta)) {
        return outcome_of(*error);
    }
    apply_delta(*standing, delta);
    const core::Bytes& next = stream_vectors().bytes(vector.next);
    EXPECT_EQ(to_hex(standing->bytes()), to_hex(next));
    EXPECT_EQ(standing->version(), delta.header().content_hash);
    expect_built_again(vector);
    return "accept";
}

std::string run_navmesh_delta(const StreamVector& vector) {
    const Result<NavMeshDeltaView> delta = NavMeshDeltaView::check(vector.bytes);
    if (!delta) return outcome_of(delta.error());
    for (const auto& [key, rest] : vector.fields) {
        EXPECT_EQ(key == "tile" ? tile_words(delta->changed_tiles(), rest)
                                : head_words(key, delta->header(), delta->goals()),
                  rest);
    }
    if (vector.base.empty()) return "accept";
    const Result<NavMeshView> base = NavMeshView::check(stream_vectors().bytes(vector.base));
    const Result<NavMeshStream> next = apply_delta(*base, *delta);
    if (!next) return outcome_of(next.error());
    EXPECT_EQ(to_hex(next->bytes()), to_hex(stream_vectors().bytes(vector.next)));
    expect_built_again(vector);
    return "accept";
}

std::string run_delta(const StreamVector& vector) {
    const Result<DeltaView> delta = DeltaView::check(vector.bytes);
    if (!delta) return outcome_of(delta.error());
    std::size_t record = 0;
    for (const auto& [key, rest] : vector.fields) {
        if (key != "cell") {
            EXPECT_EQ(head_words(key, delta->header(), delta->goals()), rest);
            continue;
        }
        EXPECT_EQ(cell_words(delta->cell_index(record), delta->cell_record(record)), rest);
        ++record;
    }
    return vector.base.empty() ? "accept" : run_against_base(vector, *delta);
}

class StreamVectorTest : public testing::TestWithParam<StreamVector> {};

// proves: SYNC-001, SYNC-002, SYNC-003, SYNC-004, SYNC-006, SYNC-007, SYNC-014, SYNC-015
// proves: SYNC-016, SYNC-017, SYNC-018, SYNC-019, SYNC-023, SYNC-024, SYNC-025, SYNC-026, SYNC-029
// proves: SYNC-044, O-SYNC-01, O-SYNC-07, O-SYNC-09, O-SYNC-10, O-SYNC-25, O-SYNC-29, O-SYNC-35
// proves: O-SYNC-27, O-SYNC-38, O-GRID-03, SYNC-020, SYNC-027, SYNC-028, O-SYNC-23, O-SYNC-24
// proves: O-SYNC-26, O-SYNC-28, O-SYNC-30, O-SYNC-37
TEST_P(StreamVectorTest, ReadsOrRefusesAsTheDocumentSays) {
    const StreamVector& vector = GetParam();
    if (is_navmesh(vector)) {
        EXPECT_EQ(vector.is_delta ? run_navmesh_delta(vector) : run_navmesh(vector), vector.expect);
    } else {
        EXPECT_EQ(vector.is_delta ? run_delta(vector) : run_full(vector), vector.expect);
    }
}

std::string test_name(const testing::TestParamInfo<StreamVector>& info) {
    std::string name;
    for (const char c : info.param.name) {
        if (c == '-') name += "Minus";
        if (c == '+') name += "Plus";
        name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
    }
    return name;
}

INSTANTIATE_TEST_SUITE_P(Vectors, StreamVectorTest, testing::ValuesIn(stream_vectors().all()),
                         test_name);

}  // namespace
}  // namespace maniple::substrate
