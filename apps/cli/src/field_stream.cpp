#include "field_stream.h"

#include <memory>
#include <string>
#include <utility>

#include "maniple/core/hash.h"
#include "maniple/substrate/delta.h"
#include "maniple/substrate/navmesh_delta.h"

#include "exit_status.h"
#include "file_io.h"
#include "print_object.h"
#include "refusal.h"
#include "stream_output.h"

namespace maniple::cli {
namespace {

using substrate::CheckedStream;
using substrate::CheckedView;
using substrate::DeltaView;
using substrate::NavMeshDeltaView;
using substrate::NavMeshStream;
using substrate::NavMeshView;
using substrate::StreamKind;
using substrate::StreamMode;

struct StreamOptions {
    std::string first, second, output;
    bool json = false;
};

int refused(const Error& error, const std::string& source, const StreamOptions& options) {
    report_refusal(error, source, options.json);
    return kInputRefused;
}

Result<StreamMode> mode_of(core::ByteSpan bytes) {
    const auto header = substrate::read_substrate_header(bytes);
    if (!header) return refuse(header.error());
    return header->mode;
}

nlohmann::ordered_json grid_json(const CheckedView& stream) {
    std::array<std::uint64_t, substrate::kCellTypeMax + 1> cells{};
    const core::ByteSpan records = stream.records();
    for (std::size_t at = 1; at < records.size(); at += substrate::kCellRecordBytes) {
        ++cells[records[at]];
    }
    const substrate::GridShape& grid = stream.grid();
    return {{"x", grid.x_num},   {"y", grid.y_num},    {"cell_cm", grid.cell_size_cm},
            {"empty", cells[0]}, {"ground", cells[1]}, {"obstacle", cells[2]}};
}

nlohmann::ordered_json navmesh_json(const NavMeshView& stream) {
    std::size_t bytes = 0;
    for (const nav::MeshTile& tile : stream.tiles()) bytes += tile.blob.size();
    return {{"tiles", stream.tiles().size()}, {"polys", stream.polygon_count()}, {"bytes", bytes}};
}

nlohmann::ordered_json head_json(const substrate::SubstrateHeader& header,
                                 const std::vector<substrate::GoalCm>& goals) {
    const bool full = header.kind == StreamKind::kFull;
    const substrate::SubstrateIdentity& at = header.identity;
    nlohmann::ordered_json object{
        {"kind", full ? "full" : "delta"},
        {"version", full ? substrate::kFullVersion : substrate::kDeltaVersion},
        {"mode", header.mode == StreamMode::kGrid ? "grid" : "navmesh"},
        {full ? "content_hash" : "new_hash", core::hex8(header.content_hash)}};
    if (!full) object["base_hash"] = core::hex8(header.base_hash);
    object["origin_cm"] = {at.origin_x_cm, at.origin_y_cm, at.origin_z_cm};
    object["yaw_centideg"] = at.yaw_centideg;
    object["goals_cm"] = nlohmann::ordered_json::array();
    for (const auto& goal : goals) object["goals_cm"].push_back({goal.x, goal.y, goal.z});
    return object;
}

/// One of the four streams, verified: its head, its goals, and what it has beside them.
template <typename View, typename Describe>
Result<nlohmann::ordered_json> describe_stream(core::ByteSpan bytes, Describe&& describe) {
    const Result<View> view = View::check(bytes);
    if (!view) return refuse(view.error());
    nlohmann::ordered_json object = head_json(view->header(), view->goals());
    const auto [key, value] = describe(*view);
    object[key] = value;
    object["bytes"] = bytes.size();
    return object;
}

Result<nlohmann::ordered_json> info_json(core::ByteSpan bytes) {
    const auto header = substrate::read_substrate_header(bytes);
    if (!header) return refuse(header.error());
    using Entry = std::pair<std::string, nlohmann::ordered_json>;
    const bool grid = header->mode == StreamMode::kGrid;
    if (header->kind == StreamKind::kDelta) {
        if (grid) {
            return describe_stream<DeltaView>(bytes, [](const DeltaView& delta) {
                return Entry{"changed_cells", delta.changed_cells()};
            });
        }
        return describe_stream<NavMeshDeltaView>(bytes, [](const NavMeshDeltaView& delta) {
            return Entry{"changed_tiles", delta.changed_tiles().size()};
        });
    }
    if (grid) {
        return describe_stream<CheckedView>(
            bytes, [](const CheckedView& stream) { return Entry{"grid", grid_json(stream)}; });
    }
    return describe_stream<NavMeshView>(
        bytes, [](const NavMeshView& stream) { return Entry{"navmesh", navmesh_json(stream)}; });
}

int info(const StreamOptions& options) {
    const auto bytes = read_file(options.first);
    if (!bytes) return refused(bytes.error(), options.first, options);
    const auto object = info_json(*bytes);
    if (!object) return refused(object.error(), options.first, options);
    print_object(*object, options.json);
    return kDone;
}

/// Prints the delta's figures and writes it unless nothing changed. No delta between two sound
/// streams is a failed check, not a refused input.
int finish_diff(const Result<substrate::DeltaBuild>& build, StreamMode mode, std::size_t full_bytes,
                const StreamOptions& options) {
    if (!build) {
        report_refusal(build.error(), options.second, options.json);
        return kCheckFailed;
    }
    if (build->any_change) {
        const auto written = write_file(options.output, build->bytes);
        if (!written) return refused(written.error(), options.output, options);
    }
    nlohmann::ordered_json object{{"any_change", build->any_change}};
    if (mode == StreamMode::kGrid) {
        object["changed_cells"] = build->changed_cells;
    } else {
        object["changed_tiles"] = build->changed_tiles;
        object["costs_changed"] = build->costs_changed;
    }
    object["goals_changed"] = build->goals_changed;
    object["bytes"] = build->bytes.size();
    object["full_bytes"] = full_bytes;
    print_object(object, options.json);
    return kDone;
}

template <typename View>
int diff_streams(core::ByteSpan base_bytes, core::ByteSpan next_bytes,
                 const StreamOptions& options) {
    const auto base = View::check(base_bytes);
    if (!base) return refused(base.error(), options.first, options);
    const auto next = View::check(next_bytes);
    if (!next) return refused(next.error(), options.second, options);
    return finish_diff(substrate::build_substrate_delta(*base, *next), base->header().mode,
                       next_bytes.size(), options);
}

int diff(const StreamOptions& options) {
    const auto base = read_file(options.first);
    if (!base) return refused(base.error(), options.first, options);
    const auto next = read_file(options.second);
    if (!next) return refused(next.error(), options.second, options);
    const auto base_mode = mode_of(*base);
    if (!base_mode) return refused(base_mode.error(), options.first, options);
    const auto next_mode = mode_of(*next);
    if (!next_mode) return refused(next_mode.error(), options.second, options);
    if (*base_mode != *next_mode) {
        const Error error{ErrorCode::kBadMode, substrate::kModeOffset,
                          "one stream is a grid, one a navmesh"};
        return finish_diff(refuse(error), *next_mode, next->size(), options);
    }
    if (*base_mode == StreamMode::kGrid) return diff_streams<CheckedView>(*base, *next, options);
    return diff_streams<NavMeshView>(*base, *next, options);
}

int apply_grid(core::Bytes base_bytes, core::ByteSpan delta_bytes, const StreamOptions& options) {
    auto stream = CheckedStream::check(std::move(base_bytes));
    if (!stream) return refused(stream.error(), options.first, options);
    const auto delta = DeltaView::check(delta_bytes);
    if (!delta) return refused(delta.error(), options.second, options);
    if (const auto misfit = substrate::check_delta_fits(stream->view(), *delta)) {
        return refused(*misfit, options.second, options);
    }
    substrate::apply_delta(*stream, *delta);
    return write_stream(stream->bytes(), stream->version(), options.output, options.json);
}

int apply_navmesh(core::ByteSpan base_bytes, core::ByteSpan delta_bytes,
                  const StreamOptions& options) {
    const auto base = NavMeshView::check(base_bytes);
    if (!base) return refused(base.error(), options.first, options);
    const auto delta = NavMeshDeltaView::check(delta_bytes);
    if (!delta) return refused(delta.error(), options.second, options);
    const auto next = substrate::apply_delta(*base, *delta);
    if (!next) return refused(next.error(), options.second, options);
    return write_stream(next->bytes(), next->version(), options.output, options.json);
}

int apply(const StreamOptions& options) {
    auto base = read_file(options.first);
    if (!base) return refused(base.error(), options.first, options);
    const auto delta = read_file(options.second);
    if (!delta) return refused(delta.error(), options.second, options);
    const auto mode = mode_of(*base);
    if (!mode) return refused(mode.error(), options.first, options);
    if (*mode == StreamMode::kGrid) return apply_grid(std::move(*base), *delta, options);
    return apply_navmesh(*base, *delta, options);
}

}  // namespace

void add_field_info(CLI::App& field, int& status) {
    auto options = std::make_shared<StreamOptions>();
    CLI::App* sub = field.add_subcommand("info", "What a full or delta stream says");
    sub->add_option("FILE", options->first, "A stream, .ffs or .ffd")->required();
    sub->add_flag("--json", options->json, "One JSON object on stdout");
    sub->callback([options, &status] { status = info(*options); });
}

void add_field_diff(CLI::App& field, int& status) {
    auto options = std::make_shared<StreamOptions>();
    CLI::App* sub = field.add_subcommand("diff", "The delta between two full streams");
    sub->add_option("BASE", options->first, "The full stream that peers stand on")->required();
    sub->add_option("NEW", options->second, "The full stream they are to stand on")->required();
    sub->add_option("-o,--output", options->output,
                    "The delta, .ffd; not written when nothing changed")
        ->required();
    sub->add_flag("--json", options->json, "One JSON object on stdout");
    sub->callback([options, &status] { status = diff(*options); });
}

void add_field_apply(CLI::App& field, int& status) {
    auto options = std::make_shared<StreamOptions>();
    CLI::App* sub = field.add_subcommand("apply", "The full stream that a delta makes of its base");
    sub->add_option("BASE", options->first, "The full stream that the delta is for")->required();
    sub->add_option("DELTA", options->second, "The delta stream, .ffd")->required();
    sub->add_option("-o,--output", options->output, "The new full stream")->required();
    sub->add_flag("--json", options->json, "One JSON object on stdout");
    sub->callback([options, &status] { status = apply(*options); });
}

}  // namespace maniple::cli
