#pragma once

#include <cstdint>
#include <memory>

#include "maniple/core/background.h"
#include "maniple/core/bytes.h"
#include "maniple/core/result.h"
#include "maniple/nav/field_job.h"
#include "maniple/substrate/import_report.h"

namespace maniple::nav {
class MeshField;
}

namespace maniple::substrate {

/// The navmesh half of a played field. The one that there is, PlayedMesh, needs Detour, which not
/// every build of the simulation links; a field without it refuses navmesh streams.
class NavMeshSide {
  public:
    virtual ~NavMeshSide() = default;
    /// The field itself, whose type those know who link the navmesh layer.
    [[nodiscard]] virtual nav::MeshField& field() = 0;
    [[nodiscard]] virtual const nav::MeshField& field() const = 0;
    /// The full stream of the applied version; empty before the first import.
    [[nodiscard]] virtual core::ByteSpan stream() const = 0;
    [[nodiscard]] virtual std::uint32_t version() const = 0;
    [[nodiscard]] virtual std::uint64_t config_digest() const = 0;
    /// Begins to compute on `background` what an import of these bytes will need, after the imports
    /// that were announced before. The bytes are untrusted and copied. Announced again, what they
    /// need by now is added.
    virtual void prepare(core::ByteSpan bytes, core::Background& background) = 0;
    /// False while that is under way: an import would compute it a second time, inside the tick.
    [[nodiscard]] virtual bool is_ready(core::ByteSpan bytes) const = 0;
    /// What was announced up to these bytes will not be imported any more.
    virtual void drop_preparation(core::ByteSpan bytes) = 0;
    /// Imports a full or a delta navmesh stream, all or nothing. The bytes are untrusted.
    virtual Result<ImportReport> import(core::ByteSpan bytes) = 0;
    virtual void flush_pending_destroys() = 0;
    /// The field's asynchronous update, as MeshField::async_update.
    [[nodiscard]] virtual std::unique_ptr<nav::FieldJob> async_update(bool full) = 0;
    /// Ends the synced state; may be repeated.
    virtual void release() = 0;
};

}  // namespace maniple::substrate
