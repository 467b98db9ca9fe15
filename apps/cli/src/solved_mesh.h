#pragma once

#include <string>

#include "maniple/core/bytes.h"
#include "maniple/core/executor.h"
#include "maniple/core/result.h"
#include "maniple/nav/mesh_field.h"

namespace maniple::cli {

/// Whether a stream file's head says that it carries a navmesh. False for one that is not there.
[[nodiscard]] bool is_navmesh_file(const std::string& file);

/// A navmesh field on the replica of a stream file, its default layer solved from the stream's
/// goals.
/// @return field, or the file's or the stream's refusal.
[[nodiscard]] Result<nav::MeshField> load_mesh_field(const std::string& file,
                                                     const nav::FieldConfig& config,
                                                     core::Executor& executor);

}  // namespace maniple::cli
