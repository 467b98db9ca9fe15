#!/usr/bin/env bash
# ./run check: what needs no build. Last line: N passed, N failed.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh

check_format() { source_files | xargs clang-format-19 --dry-run --Werror; }

attempt "format" check_format
attempt "style" python3 -B tools/check_style.py
attempt "traceability" python3 -B tools/traceability.py --check
finish
