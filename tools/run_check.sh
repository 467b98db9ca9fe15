#!/usr/bin/env bash
# ./run check: what needs no build. Last line: N passed, N failed.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh

# Each public header must compile as the first thing a file includes.
check_headers() {
    local includes=() folder
    while read -r folder; do includes+=(-I "$folder"); done < <(
        find engine games -type d -name include -prune | sort
    )
    find engine games -path '*/include/maniple/*.h' -print0 |
        xargs -0 -P 2 -n 1 g++ -std=c++20 -fsyntax-only -w -x c++ "${includes[@]}"
}
check_format() { source_files | xargs clang-format-19 --dry-run --Werror; }

attempt "format" check_format
attempt "public headers compile alone" check_headers
attempt "style" python3 -B tools/check_style.py
attempt "traceability" python3 -B tools/traceability.py --check
finish
