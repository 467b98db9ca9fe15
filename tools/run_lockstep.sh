#!/usr/bin/env bash
# ./run lockstep: the determinism matrix (docs/determinism.md). The same battles are simulated by
# every compiler, thread count and machine here, and each hash trace must equal the committed one.
# Last line: N passed, N failed.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh

traces=build/lockstep

# compare GOLDEN NAME COMMAND…: runs a trace program and compares what it prints with tests/golden.
compare() {
    local golden=tests/golden/$1.trace name=$2 trace=$traces/$2.trace
    shift 2
    "$@" >"$trace" || return 1
    if ! cmp -s "$golden" "$trace"; then
        printf '%s: first difference (golden | here):\n' "$name" >&2
        diff -y --suppress-common-lines "$golden" "$trace" 2>&1 | head -n 1 >&2
        return 1
    fi
}

# valley NAME THREADS COMMAND…: the battle on a grid.
valley() { compare valley_2000x300 "$1" "${@:3}" --units 2000 --ticks 300 --threads "$2"; }
# bridge NAME THREADS COMMAND…: the battle on a navmesh that changes.
bridge() {
    compare bridge_400x300 "$1" "${@:3}" tests/golden/navmesh/{bridge,bridge_boxes}.ffs \
        --units 400 --ticks 300 --threads "$2"
}

# matrix PRESET PROGRAM…: builds that preset's trace programs. A failed build fails its rows below.
matrix() {
    build_preset "$@" || say "the $1 build failed"
}

mkdir -p "$traces"
rm -f "$traces"/*.trace build/*/bin/maniple_trace build/*/bin/maniple_mesh_trace
for preset in release clang tsan; do
    matrix "$preset" maniple_trace maniple_mesh_trace
done
matrix aarch64 maniple_trace
matrix s390x maniple_trace

no_fma=(env GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA)
no_race=(env TSAN_OPTIONS=halt_on_error=1)
gcc=build/release/bin clang=build/clang/bin tsan=build/tsan/bin
attempt "gcc, 1 thread" valley gcc-1 1 $gcc/maniple_trace
attempt "gcc, 2 threads" valley gcc-2 2 $gcc/maniple_trace
attempt "gcc, C library without FMA" valley gcc-no-fma 1 "${no_fma[@]}" $gcc/maniple_trace
attempt "clang, 1 thread" valley clang-1 1 $clang/maniple_trace
attempt "clang, 2 threads" valley clang-2 2 $clang/maniple_trace
attempt "thread sanitizer, 1 thread" valley tsan-1 1 "${no_race[@]}" $tsan/maniple_trace
attempt "thread sanitizer, 2 threads" valley tsan-2 2 "${no_race[@]}" $tsan/maniple_trace
attempt "aarch64" valley aarch64 1 qemu-aarch64 build/aarch64/bin/maniple_trace
attempt "s390x, big-endian" valley s390x 1 qemu-s390x build/s390x/bin/maniple_trace
attempt "navmesh, gcc, 1 thread" bridge mesh-gcc-1 1 $gcc/maniple_mesh_trace
attempt "navmesh, gcc, 2 threads" bridge mesh-gcc-2 2 $gcc/maniple_mesh_trace
attempt "navmesh, C library without FMA" \
    bridge mesh-gcc-no-fma 1 "${no_fma[@]}" $gcc/maniple_mesh_trace
attempt "navmesh, clang, 1 thread" bridge mesh-clang-1 1 $clang/maniple_mesh_trace
attempt "navmesh, clang, 2 threads" bridge mesh-clang-2 2 $clang/maniple_mesh_trace
attempt "navmesh, thread sanitizer, 2 threads" \
    bridge mesh-tsan-2 2 "${no_race[@]}" $tsan/maniple_mesh_trace
finish
