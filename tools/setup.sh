#!/usr/bin/env bash
# tools/setup.sh build|all: installs the packages of tools/packages.txt that are missing. Touches
# apt only when one is.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh

wanted=$(awk -v sets="${1:-all}" '
    /^\[/ { wanted = sets == "all" || $0 == "[" sets "]"; next }
    wanted && NF && !/^#/ { print $1 }' tools/packages.txt)

if ! command -v dpkg-query >/dev/null; then
    die "this system has no dpkg: ./run setup knows Debian 12; install yourself: $wanted"
fi
installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' |
    awk '$1 == "installed" { print $2 }' | LC_ALL=C sort -u)
mapfile -t missing < <(LC_ALL=C comm -23 <(printf '%s\n' "$wanted" | LC_ALL=C sort -u) \
    <(printf '%s\n' "$installed"))
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        die "these packages are missing and only root can install them (there is no sudo):" \
            "${missing[@]}"
    fi
    as_root=(sudo)
fi
say "installing ${missing[*]}"
"${as_root[@]}" apt-get update -q </dev/null ||
    say "apt-get update failed: trying the lists at hand"
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends \
    "${missing[@]}" </dev/null
