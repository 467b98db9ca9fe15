#pragma once

#include <deque>

#include "bench_maps.h"

namespace maniple::bench {

/// Registers what is done with fields: lookups, paths, layers on two threads, lazy solves, memory.
/// `maps` outlive the run.
void add_field_use(const std::deque<BenchMap>& maps);

}  // namespace maniple::bench
