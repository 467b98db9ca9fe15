#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "maniple/core/background.h"
#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/nav/flow_field.h"
#include "maniple/substrate/checked_stream.h"
#include "maniple/substrate/delta.h"
#include "maniple/substrate/import_report.h"
#include "maniple/substrate/navmesh_side.h"

namespace maniple::substrate {

/// A field as a peer plays it: what it navigates on, and the full stream that said so, which it can
/// hand to another peer at any time (O-SYNC-27). Its ground is a grid, or a navmesh once such a
/// stream was imported; the other of the two then rests (O-SYNC-17). Imports belong into the serial
/// window of a tick and are all or nothing: a refused stream leaves everything as it was. Not
/// copyable: units hold the field's address.
class PlayedField {
  public:
    /// Without `mesh` navmesh streams are refused.
    PlayedField(std::string name, nav::FieldConfig config,
                std::unique_ptr<NavMeshSide> mesh = nullptr);
    PlayedField(PlayedField&&) = default;
    PlayedField& operator=(PlayedField&&) = default;

    [[nodiscard]] nav::FlowField& field() { return *field_; }
    [[nodiscard]] const nav::FlowField& field() const { return *field_; }
    /// Null where none was given. Its synced state is this field's while mode() is kNavMesh.
    [[nodiscard]] NavMeshSide* mesh() { return mesh_.get(); }
    [[nodiscard]] const NavMeshSide* mesh() const { return mesh_.get(); }

    /// The mode of the last full stream.
    [[nodiscard]] StreamMode mode() const { return mode_; }
    [[nodiscard]] bool synced() const;
    /// The applied substrate version; 0 while not synced.
    [[nodiscard]] std::uint32_t version() const;
    /// Of what shapes its floods and is not on the wire (O-SYNC-39).
    [[nodiscard]] std::uint64_t config_digest() const;
    /// The full stream of the applied version; empty before the first import.
    [[nodiscard]] core::ByteSpan stream() const;

    /// Begins to compute beside the simulation what an import of these bytes will need, where that
    /// is worth while: on a navmesh (O-SYNC-13). The bytes are untrusted and copied.
    void prepare(core::ByteSpan bytes, core::Background& background);
    /// False while what was announced by prepare() is not computed.
    [[nodiscard]] bool is_ready(core::ByteSpan bytes) const;
    /// What was announced up to these bytes will not be imported any more: something else brought
    /// the field there.
    void drop_preparation(core::ByteSpan bytes);

    /// Imports a full or a delta stream, told apart by its first four bytes, and floods from the
    /// goals in the stream (SYNC-043 … 059). The bytes are untrusted.
    /// @return report, or as CheckedView::check and DeltaView::check, and for a delta kNotReady
    /// (never synchronised), kBaseMismatch, kIdentityDrift, kBadValue or kBadHash with the byte.
    Result<ImportReport> import(core::ByteSpan bytes);
    /// The same. A full stream's bytes are taken when they are accepted, so that they are never
    /// held twice (O-SYNC-40); refused bytes, a delta's and a repeated stream's stay.
    Result<ImportReport> import(core::Bytes&& bytes);

  private:
    template <typename TakeBytes>
    Result<ImportReport> import_any(core::ByteSpan bytes, TakeBytes&& take);
    [[nodiscard]] bool has_version(std::uint32_t version) const;
    void flood_from(CheckedStream stream);
    Result<ImportReport> import_delta(core::ByteSpan bytes);
    Result<ImportReport> import_navmesh(core::ByteSpan bytes);

    std::unique_ptr<nav::FlowField> field_;
    std::unique_ptr<NavMeshSide> mesh_;
    StreamMode mode_ = StreamMode::kGrid;
    std::optional<CheckedStream> stream_;  ///< In mode kGrid.
};

}  // namespace maniple::substrate
