# shellcheck shell=bash
# Shared by ./run and tools/run_*.sh; sourced in the root folder.

say() { printf '== %s\n' "$*" >&2; }
die() {
    printf 'run: %s\n' "$*" >&2
    exit 1
}

# build_preset PRESET [TARGET…]: configures and builds; without a target, all that the preset names.
build_preset() {
    local preset=$1 log=build/$1.configure.log arguments=() quiet=()
    shift
    if [ $# -gt 0 ]; then arguments=(--target "$@"); fi
    if [ ! -t 1 ]; then quiet=(-- --quiet); fi
    say "building $preset"
    mkdir -p build
    case $preset in
        aarch64 | s390x) tools/prepare_cross.sh || return 1 ;;
    esac
    if ! cmake --preset "$preset" >"$log" 2>&1; then
        cat "$log" >&2
        return 1
    fi
    cmake --build --preset "$preset" "${arguments[@]}" "${quiet[@]}"
}

# Every C++ file of ours.
source_files() {
    find apps bench engine examples games scenes tests tools \
        \( -name node_modules -o -name __pycache__ \) -prune -o \
        -type f \( -name '*.h' -o -name '*.cpp' \) -print | LC_ALL=C sort
}

fuzzer_source() { find apps engine games -path "*/fuzz/$1.cpp" | head -n 1; }
list_fuzzers() {
    find apps engine games -path '*/fuzz/*_fuzz.cpp' -exec basename {} .cpp \; | LC_ALL=C sort
}

# fuzz_for TARGET SECONDS: the committed corpus is read, new inputs go to build/fuzz/corpus.
fuzz_for() {
    local target=$1 seconds=$2 source grown
    source=$(fuzzer_source "$target")
    grown=build/fuzz/corpus/$target
    mkdir -p "$grown" build/fuzz/findings
    local corpora=("$grown")
    if [ -d "$(dirname "$source")/corpus/$target" ]; then
        corpora+=("$(dirname "$source")/corpus/$target")
    fi
    "build/fuzz/bin/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="build/fuzz/findings/$target-" "${corpora[@]}"
}

# The running sum. `attempt NAME COMMAND…` counts one pass or failure and never ends the script.
passed=0
failed=0
count() { # count NAME STATUS
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
        say "passed: $1"
    else
        failed=$((failed + 1))
        say "FAILED: $1"
    fi
}
attempt() {
    local name=$1 status=0
    shift
    "$@" || status=$?
    count "$name" "$status"
}
# Prints the closing line; the script's exit status.
finish() {
    printf '%d passed, %d failed\n' "$passed" "$failed"
    [ "$failed" -eq 0 ]
}
