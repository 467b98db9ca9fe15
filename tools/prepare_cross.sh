#!/usr/bin/env bash
# tools/prepare_cross.sh: makes build/sysroot-{aarch64,s390x} (Debian's libdeflate for that machine)
# and build/cross-include (links to the host's header-only libraries) for cmake/toolchains/*.cmake.
# apt works in build/apt with its own package lists: the system's architectures stay untouched.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root"
mkdir -p build/apt/lists/partial build/apt/cache/archives/partial build/cross-include/usr/include

for header in boost tl xxhash.h xxh3.h; do
    if [ -e "/usr/include/$header" ]; then
        ln -sfn "/usr/include/$header" "build/cross-include/usr/include/$header"
    fi
done

private_apt() {
    apt-get -q -o Dir::State::Lists="$root/build/apt/lists" -o Dir::Cache="$root/build/apt/cache" \
        -o APT::Architectures::=arm64 -o APT::Architectures::=s390x -o APT::Sandbox::User=root "$@"
}

updated=no
for pair in aarch64:arm64 s390x:s390x; do
    machine=${pair%:*} debian=${pair#*:}
    sysroot=build/sysroot-$machine
    if [ -e "$sysroot/usr/include/libdeflate.h" ]; then continue; fi
    if [ "$updated" = no ]; then
        private_apt update
        updated=yes
    fi
    rm -f build/apt/libdeflate-dev_*_"$debian".deb
    (cd build/apt && private_apt download "libdeflate-dev:$debian")
    rm -rf "$sysroot"
    dpkg -x build/apt/libdeflate-dev_*_"$debian".deb "$sysroot"
done
