#!/usr/bin/env python3
"""traceability.py accepts a tree that fits and names each thing that does not."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parent.parent / "traceability.py"
FITTING = {
    "docs/requirements.tsv": "GRID-001\tA field has a mode.\tdone\nGRID-002\tThree types.\topen\n",
    "docs/decisions.tsv": "O-GRID-08\tTies are pure.\n",
    "engine/nav/src/field.cpp": "// implements: GRID-001, O-GRID-08\nvoid f();\n",
    "engine/nav/tests/field_test.cpp":
        "// proves: GRID-001\nTEST(Field, HasAMode) {}\n\n"
        "// proves: O-GRID-08\nTEST_F(Heap, BreaksTies) {}\n",
}


def run(files, generate=True):
    """Exit status and output of --check on a tree, after generating the page there."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in files.items():
            target = pathlib.Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        command = [sys.executable, "-B", str(SCRIPT)]
        if generate:
            subprocess.run(command + [folder], capture_output=True, check=False)
        result = subprocess.run(command + ["--check", folder], capture_output=True, text=True,
                                check=False)
        page = pathlib.Path(folder, "docs/traceability.md")
        return result.returncode, result.stdout, page.read_text("utf-8") if page.exists() else ""


def changed(path, old, new):
    files = dict(FITTING)
    assert old in files[path]
    files[path] = files[path].replace(old, new)
    return files


class Traceability(unittest.TestCase):
    def test_a_tree_that_fits_passes_and_lists_code_and_tests(self):
        status, output, page = run(FITTING)
        self.assertEqual((status, output), (0, "traceability: 0 problems\n"))
        self.assertIn("| GRID-001 | A field has a mode. | done | engine/nav/src/field.cpp | "
                      "engine/nav/tests/field_test.cpp Field.HasAMode |", page)
        self.assertIn("| O-GRID-08 | Ties are pure. | done | engine/nav/src/field.cpp | "
                      "engine/nav/tests/field_test.cpp Heap.BreaksTies |", page)
        self.assertIn("| GRID-002 | Three types. | open |  |  |", page)

    def test_each_gap_is_named(self):
        gaps = [
            (changed("engine/nav/src/field.cpp", "GRID-001", "GRID-999"), "unknown id GRID-999"),
            (changed("engine/nav/src/field.cpp", "GRID-001, ", ""), "GRID-001 is done but no code"),
            (changed("engine/nav/tests/field_test.cpp", "GRID-001", "GRID-002"),
             "GRID-001 is done but no test"),
            (changed("engine/nav/src/field.cpp", "GRID-001, O", "GRID-001 and O"),
             "not a list of ids"),
            (changed("engine/nav/tests/field_test.cpp", "TEST(Field, HasAMode) {}", "\n" * 6),
             "no test follows the marker"),
            (changed("docs/requirements.tsv", "\topen", "\tnearly"), "malformed or repeated"),
            (changed("docs/requirements.tsv", "GRID-002", "GRID-001"), "malformed or repeated"),
        ]
        for files, message in gaps:
            with self.subTest(message=message):
                status, output, _ = run(files)
                self.assertEqual(status, 1)
                self.assertIn(message, output)

    def test_a_page_that_is_missing_or_old_is_named(self):
        old = dict(FITTING, **{"docs/traceability.md": "# Traceability\n"})
        for files in (FITTING, old):
            status, output, _ = run(files, generate=False)
            self.assertEqual(status, 1)
            self.assertIn("docs/traceability.md: out of date", output)


if __name__ == "__main__":
    unittest.main()
