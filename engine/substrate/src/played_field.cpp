#include "maniple/substrate/played_field.h"

#include <string>
#include <utility>

#include "maniple/substrate/grid_export.h"
#include "maniple/substrate/grid_records.h"

#include "grid_columns.h"

namespace maniple::substrate {
namespace {

/// Whether a head, which may still prove to be malformed, says navmesh.
bool is_navmesh(core::ByteSpan bytes) {
    return bytes.size() > kModeOffset &&
           bytes[kModeOffset] == static_cast<std::uint8_t>(StreamMode::kNavMesh);
}

}  // namespace

PlayedField::PlayedField(std::string name, nav::FieldConfig config,
                         std::unique_ptr<NavMeshSide> mesh)
    : field_(std::make_unique<nav::FlowField>(std::move(name), std::move(config))),
      mesh_(std::move(mesh)) {}

bool PlayedField::synced() const {
    return mode_ == StreamMode::kNavMesh ? !mesh_->stream().empty() : field_->synced();
}

std::uint32_t PlayedField::version() const {
    return mode_ == StreamMode::kNavMesh ? mesh_->version() : field_->substrate_version();
}

std::uint64_t PlayedField::config_digest() const {
    return mode_ == StreamMode::kNavMesh ? mesh_->config_digest() : field_->config().digest();
}

core::ByteSpan PlayedField::stream() const {
    if (mode_ == StreamMode::kNavMesh) return mesh_->stream();
    return stream_ ? stream_->bytes() : core::ByteSpan();
}

void PlayedField::prepare(core::ByteSpan bytes, core::Background& background) {
    if (mesh_ != nullptr && is_navmesh(bytes)) mesh_->prepare(bytes, background);
}

bool PlayedField::is_ready(core::ByteSpan bytes) const {
    return mesh_ == nullptr || !is_navmesh(bytes) || mesh_->is_ready(bytes);
}

void PlayedField::drop_preparation(core::ByteSpan bytes) {
    if (mesh_ != nullptr && is_navmesh(bytes)) mesh_->drop_preparation(bytes);
}

Result<ImportReport> PlayedField::import(core::ByteSpan bytes) {
    return import_any(bytes, [&] { return core::Bytes(bytes.begin(), bytes.end()); });
}

Result<ImportReport> PlayedField::import(core::Bytes&& bytes) {
    return import_any(bytes, [&] { return std::move(bytes); });
}

// implements: SYNC-048, O-SYNC-08, O-SYNC-16
bool PlayedField::has_version(std::uint32_t version) const {
    return stream_ && stream_->version() == version;
}

// implements: SYNC-005, SYNC-043, SYNC-044, SYNC-056, O-SYNC-15, O-SYNC-40
template <typename TakeBytes>
Result<ImportReport> PlayedField::import_any(core::ByteSpan bytes, TakeBytes&& take) {
    if (mesh_ != nullptr && is_navmesh(bytes)) return import_navmesh(bytes);
    if (peek_stream_kind(bytes) == StreamKind::kDelta) return import_delta(bytes);
    const Result<CheckedView> view = CheckedView::check(bytes);
    if (!view) return refuse(view.error());
    ImportReport report{StreamKind::kFull, view->version(), !has_version(view->version()), {}};
    if (report.applied) flood_from(CheckedStream::adopt(*view, take()));
    return report;
}

// implements: SYNC-047, SYNC-050, SYNC-059, SYNC-064, SYNC-065, SYNC-066, O-SYNC-33
void PlayedField::flood_from(CheckedStream stream) {
    if (mode_ == StreamMode::kNavMesh) mesh_->release();
    mode_ = StreamMode::kGrid;
    stream_ = std::move(stream);
    nav::GridSubstrate ground = field_->take_substrate();
    read_grid_stream(stream_->view(), ground);
    field_->set_substrate(std::move(ground));
    field_->mark_synced(stream_->version());
}

// implements: O-SYNC-17
Result<ImportReport> PlayedField::import_navmesh(core::ByteSpan bytes) {
    Result<ImportReport> report = mesh_->import(bytes);
    if (report && mode_ == StreamMode::kGrid) {
        mode_ = StreamMode::kNavMesh;
        stream_.reset();
    }
    return report;
}

// implements: SYNC-051, SYNC-052, SYNC-054, SYNC-055, O-SYNC-15
Result<ImportReport> PlayedField::import_delta(core::ByteSpan bytes) {
    const Result<DeltaView> delta = DeltaView::check(bytes);
    if (!delta) return refuse(delta.error());
    if (!stream_) {
        return refuse(ErrorCode::kNotReady,
                      "field " + field_->name() + " never had a full stream; a delta needs one");
    }
    ImportReport report{StreamKind::kDelta, delta->header().content_hash, false, {}};
    if (has_version(report.version)) return report;

    if (const auto error = check_delta_fits(stream_->view(), *delta)) return refuse(*error);

    apply_delta(*stream_, *delta);
    nav::GridSubstrate ground = field_->take_substrate();
    const GridColumns columns = detail::columns_of(ground);
    report.changed_cells.reserve(delta->changed_cells());
    for (std::size_t i = 0; i < delta->changed_cells(); ++i) {
        unpack_record(delta->cell_record(i), columns, delta->cell_index(i));
        report.changed_cells.push_back(delta->cell_index(i));
    }
    detail::set_goals(ground, delta->goals());
    field_->set_substrate(std::move(ground), report.changed_cells);
    field_->mark_synced(report.version);
    report.applied = true;
    return report;
}

}  // namespace maniple::substrate
