#!/usr/bin/env python3
"""count_junit.py REPORT.xml: prints `passed failed` of a ctest report. A case that was skipped,
disabled or not run counts as failed: nothing here may be left out."""
import sys
import xml.etree.ElementTree


def main():
    cases = list(xml.etree.ElementTree.parse(sys.argv[1]).getroot().iter("testcase"))
    good = [case for case in cases if case.get("status") == "run"]
    for case in cases:
        if case not in good:
            print(f"{case.get('status')}: {case.get('name')}", file=sys.stderr)
    print(len(good), len(cases) - len(good))
    return 0 if cases else 1


if __name__ == "__main__":
    sys.exit(main())
