#!/usr/bin/env python3
"""Runs the built command as a user would and checks statuses, messages and JSON:
`command_test.py PATH_TO_MANIPLE`. Standard library only."""
import json
import unittest

from command_case import CommandCase, maniple

class Simulate(CommandCase):
    def refused(self, map_bytes, code):
        done = maniple("simulate", self.write("bad.map", map_bytes), "--units", "4", "--json")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(json.loads(done.stdout)["error"]["code"], code)
        self.assertIn("bad.map: ", done.stderr)

    def test_one_trace_for_one_and_two_threads(self):
        traces = []
        for threads in ("1", "2"):
            trace = self.folder / f"trace{threads}"
            done = maniple("simulate", "builtin:valley:128", "--units", "400", "--ticks", "60",
                           "--edit-map-every", "20", "--threads", threads, "--hash-trace",
                           trace, "--json")
            self.assertEqual(done.returncode, 0, done.stderr)
            lines = trace.read_text().splitlines()
            self.assertEqual(len(lines), 60)
            self.assertEqual(json.loads(done.stdout)["final_hash"], lines[-1].split()[1])
            traces.append(lines)
        self.assertEqual(traces[0], traces[1])

    def test_the_seed_decides_the_trace(self):
        hashes = [json.loads(maniple("simulate", "builtin:valley:128", "--units", "200", "--ticks",
                                     "5", "--seed", seed, "--json").stdout)["final_hash"]
                  for seed in ("1", "2")]
        self.assertNotEqual(*hashes)

    def test_usage_errors_are_2(self):
        for arguments in (["--units", "0"], ["--ticks", "0"], ["--no-such-option"]):
            done = maniple("simulate", "builtin:valley", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertTrue(done.stderr)
        self.assertEqual(maniple().returncode, 2)

    def test_crlf_line_ends_are_accepted(self):
        rows = b"type octile\r\nheight 16\r\nwidth 16\r\nmap\r\n" + (b"." * 16 + b"\r\n") * 16
        done = maniple("simulate", self.write("crlf.map", rows), "--units", "8", "--ticks", "3",
                       "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["units_spawned"], 8)

    def test_bad_maps_are_3_with_the_reason(self):
        self.refused(b"type octile\nheight 2\nwidth 2\nmap\n..\n", "Truncated")
        self.refused(b"tipe octile\nheight 1\nwidth 1\nmap\n.\n", "BadText")
        self.refused(b"type octile\nheight 2\nwidth 2\nmap\n@@\n@@\n", "NoGround")
        self.refused(b"type octile\nheight 1\nwidth 1\nmap\n.\n", "TooManyUnits")

    def test_a_missing_map_is_3(self):
        done = maniple("simulate", self.folder / "none.map", "--json")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(json.loads(done.stdout)["error"]["code"], "NotFound")

    def test_more_units_than_ground_is_3(self):
        done = maniple("simulate", "builtin:valley:64", "--units", "100000", "--json")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(json.loads(done.stdout)["error"]["code"], "TooManyUnits")

    def test_version_prints_the_build_id(self):
        self.assertRegex(maniple("--version").stdout, r"^maniple \d+\.\d+\.\d+ [0-9a-f]{16}\n$")


if __name__ == "__main__":
    unittest.main()
