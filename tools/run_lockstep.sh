#!/usr/bin/env bash
# ./run lockstep: the determinism matrix (docs/determinism.md). The same battle is simulated by
# every compiler, thread count and machine here, and each hash trace must equal the committed one.
# Last line: N passed, N failed.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh

golden=tests/golden/valley_2000x300.trace
traces=build/lockstep

# compare NAME COMMAND…: runs a maniple_trace and compares what it prints with the golden trace.
compare() {
    local name=$1 trace=$traces/$1.trace
    shift
    "$@" --units 2000 --ticks 300 >"$trace" || return 1
    if ! cmp -s "$golden" "$trace"; then
        printf '%s: first difference (golden | here):\n' "$name" >&2
        diff -y --suppress-common-lines "$golden" "$trace" 2>&1 | head -n 1 >&2
        return 1
    fi
}

# matrix PRESET: builds that preset's maniple_trace. A failed build fails its rows below.
matrix() {
    build_preset "$1" maniple_trace || say "the $1 build failed"
}

mkdir -p "$traces"
rm -f "$traces"/*.trace build/*/bin/maniple_trace
for preset in release clang tsan aarch64 s390x; do
    matrix "$preset"
done

attempt "gcc, 1 thread" compare gcc-1 build/release/bin/maniple_trace --threads 1
attempt "gcc, 2 threads" compare gcc-2 build/release/bin/maniple_trace --threads 2
attempt "gcc, C library without FMA" compare gcc-no-fma \
    env GLIBC_TUNABLES=glibc.cpu.hwcaps=-FMA build/release/bin/maniple_trace --threads 1
attempt "clang, 1 thread" compare clang-1 build/clang/bin/maniple_trace --threads 1
attempt "clang, 2 threads" compare clang-2 build/clang/bin/maniple_trace --threads 2
attempt "thread sanitizer, 1 thread" compare tsan-1 build/tsan/bin/maniple_trace --threads 1
attempt "thread sanitizer, 2 threads" compare tsan-2 \
    env TSAN_OPTIONS=halt_on_error=1 build/tsan/bin/maniple_trace --threads 2
attempt "aarch64" compare aarch64 qemu-aarch64 build/aarch64/bin/maniple_trace --threads 1
attempt "s390x, big-endian" compare s390x qemu-s390x build/s390x/bin/maniple_trace --threads 1
finish
