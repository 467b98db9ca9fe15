#!/usr/bin/env python3
"""Fails when a static library of a deterministic layer imports what differs between machines.

    check_determinism.py [--nm NM] LIBRARY.a…

Looks at the undefined symbols of every object file: libm beyond sqrt and floor (their results are
not fixed by IEEE-754 and glibc picks a variant by CPU), clocks, unseeded randomness, locale.
Prints one line a finding, `library(object): symbol: what to use instead`. Standard library only.
"""
import argparse
import re
import subprocess
import sys

LIBM = """acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 fdim
fma fmod hypot ldexp lgamma llrint log log10 log1p log2 lrint modf nearbyint pow remainder remquo
rint sin sincos sinh tan tanh tgamma""".split()
CLOCKS = "clock clock_gettime ftime gettimeofday time times timespec_get".split()
RANDOM = "drand48 getentropy getrandom lrand48 rand rand_r random srand".split()
LOCALE = "localeconv setlocale strtod strtof strtold".split()

EXACT = {}
for name in LIBM:
    for variant in (name, name + "f", name + "l", f"__{name}_finite", f"__{name}f_finite"):
        EXACT[variant] = "libm: use maniple/core/math.h"
EXACT.update((name, "clock: time is ticks, the host passes them in") for name in CLOCKS)
EXACT.update((name, "randomness: use maniple/core/random.h") for name in RANDOM)
EXACT.update((name, "locale: format integers, read numbers with std::from_chars")
             for name in LOCALE)
PATTERNS = [
    (re.compile(r"^_ZGV"), "vector libm: use maniple/core/math.h"),
    (re.compile(r"^_ZNSt6chrono.*3nowEv"), "clock: time is ticks, the host passes them in"),
    (re.compile(r"^_ZNSt13random_device"), "randomness: use maniple/core/random.h"),
    (re.compile(r"^_ZNSt11_Hash_bytes|^_ZSt11_Hash_bytes"), "std::hash: use maniple/core/hash.h"),
]


def reason(symbol):
    """Why a symbol may not be imported, or None."""
    if symbol in EXACT:
        return EXACT[symbol]
    for pattern, why in PATTERNS:
        if pattern.search(symbol):
            return why
    return None


def findings(nm, library):
    """Yields (object, symbol, why) for every forbidden import of a static library."""
    command = [nm, "--undefined-only", "--format=posix", "--print-file-name", library]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    for line in listing.splitlines():
        place, _, entry = line.partition("]: ")
        symbol = entry.split(" ")[0].split("@")[0]
        why = reason(symbol)
        if why:
            yield place.partition("[")[2], symbol, why


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--nm", default="nm")
    parser.add_argument("libraries", nargs="+")
    options = parser.parse_args()
    count = 0
    for library in options.libraries:
        for member, symbol, why in findings(options.nm, library):
            print(f"{library}({member}): {symbol}: {why}")
            count += 1
    print(f"{len(options.libraries)} libraries, {count} forbidden imports")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
