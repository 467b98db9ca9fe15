#!/usr/bin/env python3
"""merge_benchmarks.py OUT.json PART.json…: one Google Benchmark report out of several."""
import json
import pathlib
import sys


def main():
    out, *parts = sys.argv[1:]
    reports = [json.loads(pathlib.Path(part).read_text(encoding="utf-8")) for part in parts]
    merged = {"context": reports[0]["context"],
              "benchmarks": [row for report in reports for row in report["benchmarks"]]}
    pathlib.Path(out).write_text(json.dumps(merged, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
