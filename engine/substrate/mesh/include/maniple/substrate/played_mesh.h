#pragma once

#include <memory>
#include <string>
#include <vector>

#include "maniple/core/background.h"
#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/nav/mesh_field.h"
#include "maniple/substrate/navmesh_side.h"
#include "maniple/substrate/navmesh_stream.h"

namespace maniple::substrate {

/// A navmesh field as a peer plays it: the field, and the full stream that it stands on. Every
/// import builds the mesh anew beside the standing one and swaps it in; refused bytes leave
/// everything as it was (O-SYNC-13, O-SYNC-15). What can be computed ahead is, where prepare() was
/// called: the import then is a swap. All calls on the simulation thread.
class PlayedMesh final : public NavMeshSide {
  public:
    PlayedMesh(std::string name, nav::FieldConfig config, nav::FieldHost host = {},
               const nav::NavProvider* provider = nullptr);
    ~PlayedMesh() override;

    [[nodiscard]] nav::MeshField& field() override { return *field_; }
    [[nodiscard]] const nav::MeshField& field() const override { return *field_; }
    [[nodiscard]] core::ByteSpan stream() const override;
    [[nodiscard]] std::uint32_t version() const override { return field_->substrate_version(); }
    [[nodiscard]] std::uint64_t config_digest() const override { return field_->config().digest(); }
    void prepare(core::ByteSpan bytes, core::Background& background) override;
    [[nodiscard]] bool is_ready(core::ByteSpan bytes) const override;
    void drop_preparation(core::ByteSpan bytes) override;
    /// @return report, or as NavMeshView::check and NavMeshDeltaView::check, kBadTile for a tile
    /// with more links than it has room for, and for a delta kNotReady (never synchronised) or as
    /// apply_delta.
    Result<ImportReport> import(core::ByteSpan bytes) override;
    void flush_pending_destroys() override { field_->flush_pending_destroys(); }
    [[nodiscard]] std::unique_ptr<nav::FieldJob> async_update(bool full) override {
        return field_->async_update(full);
    }
    void release() override;

  private:
    struct Preparation;
    using Preparations = std::vector<std::shared_ptr<Preparation>>;
    [[nodiscard]] Preparations::const_iterator find_preparation(core::ByteSpan bytes) const;
    /// Null where none was announced. Those before it go too.
    std::shared_ptr<Preparation> take_preparation(core::ByteSpan bytes);
    [[nodiscard]] Result<ImportReport> import_again(core::ByteSpan bytes);

    std::shared_ptr<nav::MeshField> field_;  ///< Shared with the jobs under way.
    std::shared_ptr<const NavMeshStream> stream_;
    Preparations preparations_;  ///< In order of their commands.
};

}  // namespace maniple::substrate
