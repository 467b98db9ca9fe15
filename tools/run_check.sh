#!/usr/bin/env bash
# ./run check: what needs no build. Last line: N passed, N failed.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh

# Each public header must compile as the first thing a file includes.
check_headers() {
    local includes=() folder
    for folder in engine/*/include engine/{nav,net}/*/include games/*/include; do
        if [ -d "$folder" ]; then includes+=(-I "$folder"); fi
    done
    find engine games -path '*/include/maniple/*.h' -print0 |
        xargs -0 -P 2 -n 1 g++ -std=c++20 -fsyntax-only -w -x c++ "${includes[@]}"
}
check_format() { source_files | xargs clang-format-19 --dry-run --Werror; }

attempt "format" check_format
attempt "public headers compile alone" check_headers
attempt "style" python3 -B tools/check_style.py
attempt "traceability" python3 -B tools/traceability.py --check
finish
