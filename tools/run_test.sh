#!/usr/bin/env bash
# ./run test: the whole tree as release and asan with all tests, the navigation tests under
# ThreadSanitizer, the lockstep matrix, and every fuzzer for MANIPLE_FUZZ_SECONDS (20). Goes on
# after a failure. Last line: N passed, N failed.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh

# run_ctest PRESET [ctest options…]: adds the preset's test cases to the sum.
run_ctest() {
    local preset=$1 junit=$PWD/build/$1/junit.xml counts
    shift
    rm -f "$junit"
    if ! build_preset "$preset"; then
        count "build $preset" 1
        return
    fi
    count "build $preset" 0
    ctest --test-dir "build/$preset" --parallel 2 --output-on-failure --progress \
        --output-junit "$junit" "$@" </dev/null || say "ctest $preset reports failures"
    if ! counts=$(python3 -B tools/count_junit.py "$junit"); then
        count "test report of $preset" 1
        return
    fi
    say "$preset: ${counts% *} passed, ${counts#* } failed"
    passed=$((passed + ${counts% *}))
    failed=$((failed + ${counts#* }))
}

# Queries of many threads, jobs beside the ticks, and battles on several threads; a report ends the
# program.
run_thread_sanitizer() {
    local programs=(maniple_nav_grid_tests maniple_navmesh_tests maniple_navmesh_play_tests
                    maniple_skirmish_mesh_tests)
    local program
    if ! build_preset tsan "${programs[@]}"; then
        count "build tsan" 1
        return
    fi
    count "build tsan" 0
    for program in "${programs[@]}"; do
        attempt "thread sanitizer, $program" \
            env TSAN_OPTIONS=halt_on_error=1 "build/tsan/bin/$program" --gtest_brief=1
    done
}

run_lockstep() {
    local log=build/lockstep.log last
    tools/run_lockstep.sh | tee "$log" || say "the lockstep matrix reports failures"
    last=$(tail -n 1 "$log")
    passed=$((passed + ${last%% passed*}))
    last=${last#*, }
    failed=$((failed + ${last%% failed}))
}

# Two fuzzers at a time; their output is shown only when they find something.
run_fuzzers() {
    local seconds=${MANIPLE_FUZZ_SECONDS:-20} targets target status
    mapfile -t targets < <(list_fuzzers)
    if ! build_preset fuzz; then
        count "build fuzz" 1
        return
    fi
    count "build fuzz" 0
    say "fuzzing ${#targets[@]} targets for $seconds s each"
    mkdir -p build/fuzz/logs
    rm -f build/fuzz/logs/*
    # shellcheck disable=SC2016  # expanded by the inner bash
    printf '%s\n' "${targets[@]}" | xargs -P 2 -I{} bash -c '
        . tools/common.sh
        status=0
        fuzz_for "$1" "$2" >"build/fuzz/logs/$1.log" 2>&1 </dev/null || status=$?
        echo "$status" >"build/fuzz/logs/$1.status"' fuzz {} "$seconds"
    for target in "${targets[@]}"; do
        status=$(cat "build/fuzz/logs/$target.status")
        if [ "$status" -ne 0 ]; then tail -n 40 "build/fuzz/logs/$target.log" >&2; fi
        count "fuzz $target" "$status"
    done
}

run_ctest release
run_ctest asan --label-exclude slow
run_thread_sanitizer
run_lockstep
run_fuzzers
finish
