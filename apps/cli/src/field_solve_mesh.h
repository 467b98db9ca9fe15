#pragma once

#include <string>

#include "maniple/core/executor.h"
#include "maniple/nav/grid_types.h"

namespace maniple::cli {

/// `field solve` of a navmesh stream: floods it, prints the figures and, with a folder, writes
/// `poly.u32` and `dir.f32` into it.
/// @return the exit status.
[[nodiscard]] int solve_mesh_stream(const std::string& file, const nav::FieldConfig& config,
                                    core::Executor& executor, const std::string& dump_folder,
                                    bool json);

}  // namespace maniple::cli
