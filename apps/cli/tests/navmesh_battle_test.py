#!/usr/bin/env python3
"""Runs `maniple simulate` and `battle` with --mode navmesh on a mesh made here, with a ramp, a
bridge and off-mesh links: `navmesh_battle_test.py PATH_TO_MANIPLE`. Standard library only."""
import json
import subprocess
import unittest
import urllib.request

from command_case import MANIPLE, CommandCase, maniple


def quad(x0, z0, x1, z1, y0, y1):
    """A floor in OBJ coordinates, metres, that faces up; y0 at x0 and y1 at x1."""
    return [(x0, y0, z0), (x0, y0, z1), (x1, y1, z1), (x1, y1, z0)]


def obj(quads):
    lines = [f"v {x} {y} {z}" for corners in quads for x, y, z in corners]
    lines += [f"f {i + 1} {i + 2} {i + 3} {i + 4}" for i in range(0, 4 * len(quads), 4)]
    return "\n".join(lines) + "\n"


# A plain of 40 m by 30 m; a ramp from it to a bridge 4 m up, which leads over the plain's end to a
# terrace; an island beside the plain, joined by links.
MESH = obj([quad(0, 0, 40, 30, 0, 0), quad(10, 10, 22, 16, 0, 4), quad(22, 10, 60, 16, 4, 4),
            quad(60, 0, 90, 30, 4, 4), quad(0, 34, 40, 60, 0, 0)])
LINKS = [{"name": f"jump {x}", "left": [-100 * x, -2900, 0], "right": [-100 * x, -3500, 0],
          "direction": "both"} for x in (5, 12, 20, 28, 35)]


class NavmeshBattles(CommandCase):
    def setUp(self):
        super().setUp()
        self.mesh = self.write("mesh.obj", MESH)
        config = self.write("nav.json", json.dumps({"off_mesh_links": LINKS, "climb_cm": 45}))
        self.ground = [self.mesh, "--mode", "navmesh", "--nav-config", config]

    def trace_of(self, command, *arguments):
        trace = self.folder / "trace"
        result = self.run_json(command, *self.ground, "--hash-trace", trace, *arguments)
        return result, trace.read_text()

    # proves: O-NET-14, O-SYNC-13
    def test_a_battle_is_the_one_that_simulate_plays_with_one_thread_or_two(self):
        options = ["--units", "300", "--ticks", "240", "--edit-map-every", "25", "--seed", "3"]
        simulated, trace = self.trace_of("simulate", *options)
        self.assertEqual(simulated["units_spawned"], 300)
        self.assertLess(simulated["units_alive"], 300, "they fought")
        self.assertEqual(simulated["units_stuck"], 0)
        self.assertEqual(len(trace.splitlines()), 240)
        self.assertEqual(self.trace_of("simulate", *options, "--threads", "2")[1], trace)
        for threads, late in (("1", "70"), ("2", "none")):
            result, fought = self.trace_of("battle", *options, "--threads", threads,
                                           "--late-join", late)
            self.assertEqual(fought, trace)
            self.assertEqual(result["mode"], "navmesh")
            self.assertTrue(result["replay"]["verified"])
            self.assertEqual(result["replay"]["verified_ticks"], 240)
            self.assertGreaterEqual(result["substrate"]["delta"]["count"], 6)
            for client in result["clients"]:
                self.assertEqual(client["final_hash"], simulated["final_hash"])
            joined = result["clients"][-1]["joined_at_tick"]
            self.assertGreaterEqual(joined, 70) if late == "70" else self.assertEqual(joined, 0)

    # proves: O-SYNC-13
    def test_what_edits_take_beside_the_ticks_is_reported(self):
        options = [*self.ground, "--units", "40", "--ticks", "60"]
        for command in (["simulate"], ["battle", "--in-process"], ["battle"]):
            with self.subTest(command):
                result = self.run_json(*command, *options, "--edit-map-every", "20")
                rebuild = result["rebuild"]
                self.assertEqual(rebuild["count"], 3)
                for key in ("bake_ms", "prepare_ms"):
                    times = [rebuild[key][p] for p in ("p50", "p95", "max")]
                    self.assertGreater(times[0], 0)
                    self.assertEqual(times, sorted(times))
                # An edit waits for its tiles and for its mesh, where it waits.
                self.assertLessEqual(rebuild["waits"], 0 if command == ["simulate"] else 6)
                self.assertEqual(rebuild["waits"] > 0, rebuild["wait_ms"]["max"] > 0)
        calm = self.run_json("simulate", *options, "--edit-map-every", "0")["rebuild"]
        nothing = {"p50": 0, "p95": 0, "max": 0}
        self.assertEqual(calm, {"count": 0, "bake_ms": nothing, "prepare_ms": nothing,
                                "waits": 0, "wait_ms": nothing})
        shown = maniple("simulate", *options, "--edit-map-every", "20").stdout
        self.assertRegex(shown, r"rebuilds +3 changes, .* baked in [0-9.]+/[0-9.]+/[0-9.]+")

    def test_how_edits_travel_changes_nothing(self):
        options = ["--units", "60", "--ticks", "60", "--edit-map-every", "10", "--in-process"]
        full, one = self.trace_of("battle", *options, "--dispatch", "full")
        delta, other = self.trace_of("battle", *options, "--dispatch", "incremental")
        self.assertEqual(one, other)
        self.assertEqual(full["substrate"]["delta"]["count"], 0)
        self.assertEqual(delta["substrate"]["full"]["count"], 0)
        self.assertLess(delta["substrate"]["delta"]["bytes"], full["substrate"]["full"]["bytes"])

    # proves: NET-020, O-SYNC-13
    def test_a_corruption_over_a_poor_link_is_found_named_and_repaired(self):
        result = self.run_json("battle", *self.ground, "--units", "200", "--ticks", "200",
                               "--edit-map-every", "30", "--corrupt", "2@61", "--corrupt", "3@150",
                               "--link", "2:latency=30,jitter=10,loss=3")
        for index, tick in ((1, 61), (2, 150)):
            found, = result["clients"][index]["desyncs"]
            self.assertEqual((found["tick"], found["fragment"], found["field"]),
                             (tick, "Unit", "health"))
            self.assertEqual(found["client_value"] ^ 1, found["server_value"])
            self.assertGreaterEqual(found["repaired_at_tick"], tick)
        self.assertEqual(len({c["final_hash"] for c in result["clients"]}), 1)

    def test_the_replay_tools_play_the_file(self):
        replay, state = self.folder / "battle.mrp", self.folder / "state.mpss"
        _, trace = self.trace_of("simulate", "--units", "120", "--ticks", "150", "--replay", replay,
                                 "--edit-map-every", "30", "--snapshot-at", f"100:{state}")
        hashes = dict(line.split() for line in trace.splitlines())
        info = self.run_json("replay", "info", replay)
        self.assertEqual((info["game"], info["mode"], info["last_tick"]),
                         ("skirmish_navmesh", "navmesh", 150))
        verified = self.run_json("replay", "verify", replay, "--threads", "2")
        self.assertTrue(verified["ok"])
        self.assertEqual(verified["last_hash"], hashes["150"])
        self.assertEqual(self.run_json("replay", "seek", replay, "--tick", "91")["hash"],
                         hashes["91"])
        self.assertEqual(self.run_json("replay", "play", replay, "--speed", "1000")["hash"],
                         hashes["150"])
        part = self.folder / "part.mrp"
        self.run_json("replay", "trim", replay, "--from", "40", "--to", "120", "-o", part)
        self.assertTrue(self.run_json("replay", "verify", part)["ok"])
        names = [json.loads(line)["name"]
                 for line in maniple("replay", "export", replay).stdout.splitlines()]
        for name in ("SpawnSquad", "MoveTo", "FF.RebuildFlowField", "RaiseWall", "RazeWall"):
            self.assertIn(name, names)
        snapshot = self.run_json("snapshot", "info", state)
        self.assertEqual(snapshot["hash"], hashes["100"])
        self.assertIn("Footing", [f["fragment"] for f in snapshot["fragments"]])
        self.assertTrue(self.run_json("snapshot", "diff", state, state)["equal"])

    def test_the_viewer_shows_the_mesh_and_the_units_on_it(self):
        replay = self.folder / "battle.mrp"
        self.trace_of("simulate", "--units", "40", "--ticks", "30", "--replay", replay)
        viewer = subprocess.Popen([MANIPLE, "replay", "play", replay, "--http", "0"],
                                  stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        try:
            page = viewer.stderr.readline().split()[4]
            state = json.load(urllib.request.urlopen(page + "state"))
            self.assertGreater(state["x_num"], 60)
            self.assertTrue(urllib.request.urlopen(page + "map.png").read()
                            .startswith(b"\x89PNG"))
            units = memoryview(urllib.request.urlopen(page + "units").read()).cast("i")
            for i in range(2, len(units), 3):
                self.assertTrue(0 < units[i] / 256 < state["x_num"])
                self.assertTrue(0 < units[i + 1] / 256 < state["y_num"])
        finally:
            viewer.terminate()
            viewer.communicate(timeout=10)

    def test_the_report_draws_the_battlefield(self):
        report = self.folder / "report.html"
        self.run_json("battle", *self.ground, "--units", "40", "--ticks", "30", "--in-process",
                      "--report", report)
        self.assertEqual(report.read_text().count("data:image/png"), 3)

    def test_bad_input_is_refused_with_file_place_and_reason(self):
        cut = self.write("cut.obj", MESH + "v 1 2\n")
        huge = self.write("huge.obj", MESH.replace("v 0 0 0", "v 1e30 0 0"))
        flat = self.write("steep.obj", obj([quad(0, 0, 1, 40, 0, 40)]))
        empty = self.write("empty.obj", "")
        bell = self.write("bell\x07.obj", "f 1 2 3\n")
        bad_json = self.write("bad.json", '{"climb_cm": "high"}')
        cases = [(["simulate", cut], "cut.obj: byte"), (["simulate", huge], "huge.obj"),
                 (["simulate", flat], "steep.obj"), (["battle", empty], "empty.obj"),
                 (["simulate", bell], "bell?.obj"),
                 (["simulate", self.mesh, "--nav-config", bad_json], "climb_cm"),
                 (["simulate", self.folder / "none.obj"], "none.obj"),
                 (["battle", "builtin:valley:64"], "builtin:valley:64"),
                 (["simulate", self.mesh, "--units", "900000"], "900000 units")]
        for arguments, reason in cases:
            with self.subTest(reason):
                done = maniple(*arguments, "--mode", "navmesh", "--json")
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn(reason, done.stderr)
                self.assertIn("code", json.loads(done.stdout)["error"])
        for options in (["--mode", "sphere"], ["--unit-cm", "0"], ["--nav-config"]):
            self.assertEqual(maniple("simulate", self.mesh, *options).returncode, 2, options)


if __name__ == "__main__":
    unittest.main()
