#!/usr/bin/env python3
"""Runs `maniple field info | diff | apply` as a user would, on edited maps and on every vector of
tests/vectors/substrate: `stream_command_test.py PATH_TO_MANIPLE REPOSITORY`. Standard library
only."""
import json
import pathlib
import sys
import unittest

from command_case import CommandCase, maniple

REPOSITORY = pathlib.Path(sys.argv.pop(1))
sys.path.insert(0, str(REPOSITORY / "tools"))
import substrate_reference  # noqa: E402

VECTORS = substrate_reference.Vectors(REPOSITORY / "tests/vectors/substrate").all


class Streams(CommandCase):
    def diff(self, base, new, status=0):
        return self.run_json("field", "diff", base, new, "-o", self.folder / "d.ffd",
                             status=status)

    # proves: SYNC-026, SYNC-052, O-SYNC-15
    def test_edit_diff_apply_gives_the_new_stream_byte_for_byte(self):
        base, new, again = (self.folder / name for name in ("base.ffs", "new.ffs", "again.ffs"))
        self.run_json("field", "build", "builtin:valley:64", "-o", base, "--goal", "800,800")
        built = self.run_json("field", "edit", base, "-o", new, "--block", "3,4,5,9",
                              "--set-cost", "10,10,20,12,7", "--goal", "400,1200")
        figures = self.diff(base, new)
        self.assertTrue(figures["any_change"])
        self.assertTrue(figures["goals_changed"])
        self.assertGreater(figures["changed_cells"], 0)
        delta = (self.folder / "d.ffd").read_bytes()
        self.assertEqual(figures["bytes"], len(delta))
        self.assertEqual(figures["bytes"], 41 + 12 + 13 * figures["changed_cells"])
        self.assertEqual(figures["full_bytes"], new.stat().st_size)
        applied = self.run_json("field", "apply", base, self.folder / "d.ffd", "-o", again)
        self.assertEqual(again.read_bytes(), new.read_bytes())
        self.assertEqual(applied["content_hash"], built["content_hash"])
        self.assertEqual(applied["bytes"], new.stat().st_size)

    # proves: SYNC-037
    def test_diff_of_equal_streams_writes_nothing(self):
        base = self.write("base.ffs", VECTORS["golden"]["bytes"])
        figures = self.diff(base, base)
        self.assertEqual(figures, {"any_change": False, "changed_cells": 0,
                                   "goals_changed": False, "bytes": 0,
                                   "full_bytes": base.stat().st_size})
        self.assertFalse((self.folder / "d.ffd").exists())

    def test_info_says_what_a_full_stream_says(self):
        info = self.run_json("field", "info", self.write("a.ffs", VECTORS["golden"]["bytes"]))
        self.assertEqual(info, {
            "kind": "full", "version": 4, "mode": "grid", "content_hash": "87db36fb",
            "origin_cm": [1000, -2000, 300], "yaw_centideg": 9000, "goals_cm": [[150, -50, 7]],
            "grid": {"x": 3, "y": 2, "cell_cm": 100, "empty": 1, "ground": 4, "obstacle": 1},
            "bytes": 111})

    def test_info_says_what_a_delta_says(self):
        info = self.run_json("field", "info", self.write("a.ffd", VECTORS["golden delta"]["bytes"]))
        self.assertEqual(info, {
            "kind": "delta", "version": 1, "mode": "grid", "new_hash": "ca1721b0",
            "base_hash": "87db36fb", "origin_cm": [1000, -2000, 300], "yaw_centideg": 9000,
            "goals_cm": [[151, -50, 7]], "changed_cells": 2, "bytes": 79})

    # proves: O-SYNC-35
    def test_every_vector_is_read_or_refused_as_the_document_says(self):
        for name, vector in VECTORS.items():
            with self.subTest(name):
                stream = self.write("stream", vector["bytes"])
                if "base" in vector:
                    base = self.write("base", VECTORS[vector["base"]]["bytes"])
                    self.check("apply", vector, base, stream, "-o", self.folder / "new")
                    if vector["expect"] == "accept":
                        new = VECTORS[vector["new"]]["bytes"]
                        self.assertEqual((self.folder / "new").read_bytes(), new)
                        self.diff(base, self.write("next", new))
                        self.assertEqual((self.folder / "d.ffd").read_bytes(), vector["bytes"])
                else:
                    self.check("info", vector, stream)

    def check(self, command, vector, *arguments):
        done = maniple("field", command, *arguments, "--json")
        if vector["expect"] == "accept":
            self.assertEqual(done.returncode, 0, done.stderr)
            return
        self.assertEqual(done.returncode, 3)
        error = json.loads(done.stdout)["error"]
        code, at = vector["expect"].split()
        wrong_kind = code == "BadMagic" and vector["bytes"][:3] in (b"FFS", b"FFD")
        if not wrong_kind:  # info takes both kinds.
            self.assertEqual(f"{error['code']} {error['at_byte']}", f"{code} {at}")
            self.assertIn(f"stream: byte {at}: ", done.stderr)

    # proves: SYNC-032
    def test_no_delta_between_unlike_streams_is_1_with_the_reason(self):
        golden = VECTORS["golden"]["bytes"]
        base = self.write("base.ffs", golden)
        other = self.folder / "other.ffs"
        self.run_json("field", "build", "builtin:valley:64", "-o", other)
        error = self.diff(base, other, status=1)["error"]
        self.assertEqual((error["code"], error["at_byte"]), ("IdentityDrift", 13))
        self.assertFalse((self.folder / "d.ffd").exists())

    def test_a_missing_file_is_3_and_a_missing_output_is_2(self):
        base = self.write("base.ffs", VECTORS["golden"]["bytes"])
        self.assertEqual(self.diff(base, self.folder / "none", status=3)["error"]["code"],
                         "NotFound")
        self.assertEqual(maniple("field", "diff", base, base).returncode, 2)


if __name__ == "__main__":
    unittest.main()
