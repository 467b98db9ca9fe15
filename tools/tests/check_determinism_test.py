#!/usr/bin/env python3
"""check_determinism_test.py NM FIXTURE.a: the import check names every forbidden import of the
fixture library and nothing else."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import check_determinism  # noqa: E402

EXPECTED = {"sin", "powf", "fma", "time", "_ZNSt6chrono3_V212steady_clock3nowEv", "rand", "strtod",
            "_ZSt11_Hash_bytesPKvmm"}


def main():
    nm, library = sys.argv[1:]
    named = {symbol for _, symbol, _ in check_determinism.findings(nm, library)}
    for symbol in sorted(EXPECTED - named):
        print(f"not found: {symbol}")
    for symbol in sorted(named - EXPECTED):
        print(f"found, but allowed: {symbol}")
    return 0 if named == EXPECTED else 1


if __name__ == "__main__":
    sys.exit(main())
