#!/usr/bin/env python3
"""Runs `maniple field build | info | solve | query | path | render` on meshes made here:
`navmesh_command_test.py PATH_TO_MANIPLE`. Standard library only."""
import json
import struct
import unittest

from command_case import CommandCase, maniple, read_png


def floor(x0, z0, x1, z1, y):
    """A floor in OBJ coordinates, metres, that faces up."""
    return [(x0, y, z0), (x0, y, z1), (x1, y, z1), (x1, y, z0)]


def obj(quads):
    lines = [f"v {x} {y} {z}" for quad in quads for x, y, z in quad]
    lines += [f"f {i + 1} {i + 2} {i + 3} {i + 4}" for i in range(0, 4 * len(quads), 4)]
    return "\n".join(lines) + "\n"


# Two plains of 20 m by 20 m, 4 m apart along X.
ISLANDS = obj([floor(0, 0, 20, 20, 0), floor(24, 0, 44, 20, 0)])
LINK = {"name": "bridge", "left": [-1850, -1000, 0], "right": [-2550, -1000, 0],
        "direction": "left_to_right"}


class NavMeshes(CommandCase):
    def build(self, text, *options, config=None, status=0):
        stream = self.folder / "mesh.ffs"
        if config is not None:
            options += ("--nav-config", self.write("nav.json", json.dumps(config)))
        answer = self.run_json("field", "build", self.write("mesh.obj", text), "-o", stream,
                               "--mode", "navmesh", *options, status=status)
        return stream, answer

    def test_a_way_leads_over_a_link_and_only_along_it(self):
        here, there = "--from=-500,-1000,0", "--to=-3500,-1000,0"
        stream, _ = self.build(ISLANDS, config={"off_mesh_links": [LINK]})
        found = self.run_json("field", "path", stream, here, there)
        self.assertTrue(found["found"])
        self.assertEqual(found["points"][0], [-500, -1000, 0])
        for got, want in zip(found["points"][-1], (-3500, -1000, 0)):
            self.assertAlmostEqual(got, want, delta=40)
        self.assertGreater(found["length"], 2900)
        back = self.run_json("field", "path", stream, "--from=-3500,-1000,0", "--to=-500,-1000,0",
                             status=1)
        self.assertFalse(back["found"])
        self.assertLess(max(x for x, _, _ in back["points"]), -2300)
        for options in (["--optimal"], ["--scen", "none.scen"]):
            done = maniple("field", "path", stream, *options,
                           *([here, there] if options == ["--optimal"] else []))
            self.assertEqual(done.returncode, 2, options)

    def test_a_mesh_becomes_a_stream_that_says_what_it_is(self):
        stream, answer = self.build(ISLANDS, "--goal", "-1000,-1000")
        info = self.run_json("field", "info", stream)
        self.assertEqual(info["mode"], "navmesh")
        self.assertEqual(info["content_hash"], answer["content_hash"])
        self.assertEqual(info["goals_cm"][0][:2], [-1000, -1000])
        self.assertLessEqual(abs(info["goals_cm"][0][2]), 40)
        self.assertGreater(info["navmesh"]["tiles"], 2)
        self.assertGreaterEqual(info["navmesh"]["polys"], info["navmesh"]["tiles"])
        first = stream.read_bytes()
        self.build(ISLANDS, "--goal", "-1000,-1000", "--threads", "4")
        self.assertEqual(stream.read_bytes(), first)

    # proves: NAVM-013, NAVM-015
    def test_a_one_way_link_carries_the_flow_its_own_way(self):
        for goal, here, there in (("-3400,-1000,0", True, True), ("-1000,-1000,0", True, False)):
            stream, _ = self.build(ISLANDS, "--goal", goal, config={"off_mesh_links": [LINK]})
            near = self.run_json("field", "query", stream, "--at", "-500,-500,0")
            far = self.run_json("field", "query", stream, "--at", "-4000,-500,0")
            self.assertEqual((near["valid"], far["valid"]), (here, there))

    def test_solve_counts_polygons_and_dumps_them(self):
        stream, _ = self.build(ISLANDS, "--goal", "-1000,-1000,0")
        solved = self.run_json("field", "solve", stream, "--dump", self.folder / "dump")
        polygons = self.run_json("field", "info", stream)["navmesh"]["polys"]
        poly = (self.folder / "dump/poly.u32").read_bytes()
        self.assertEqual(len(poly), 20 * polygons)
        self.assertEqual((self.folder / "dump/dir.f32").stat().st_size, 12 * polygons)
        rows = list(struct.iter_unpack("<5I", poly))
        covered = [row for row in rows if row[2] != 0xFFFFFFFF]
        self.assertEqual(solved["reachable"], len(covered))
        self.assertLess(len(covered), polygons)
        self.assertEqual(solved["max_dist"], max(row[2] for row in covered))
        self.assertEqual([row[3:] for row in covered if row[2] == 0], [(0xFFFFFFFF, 0xFFFFFFFF)])
        index = {row[:2]: row for row in rows}
        for row in covered:
            if row[2] != 0:
                self.assertLess(index[row[3:]][2], row[2])
        again = self.run_json("field", "solve", stream, "--threads", "4")
        self.assertEqual(again["field_hash"], solved["field_hash"])

    def test_dear_areas_lengthen_ways_where_asked(self):
        mud = {"name": "mud", "cost": 5, "box": [[-2000, -2000, -100], [0, 0, 100]]}
        stream, _ = self.build(ISLANDS, "--goal", "-1000,-1000,0", config={"areas": [mud]})
        at = ("field", "query", stream, "--at", "-200,-200,0")
        plain, dear = self.run_json(*at)["dist"], self.run_json(*at, "--area-costs")["dist"]
        self.assertAlmostEqual(dear / plain, 5, delta=0.1)
        self.assertLess(300, plain)
        self.assertLess(plain, 3000, "cm")

    def test_render_draws_every_layer(self):
        stream, _ = self.build(ISLANDS, "--goal", "-1000,-1000,0",
                               config={"off_mesh_links": [LINK]})
        sizes = set()
        for layer in ("cost", "dist", "dir", "type"):
            picture = self.folder / f"{layer}.png"
            drawn = self.run_json("field", "render", stream, "-o", picture, "--layer", layer,
                                  "--scale", 4, "--arrows")
            self.assertTrue(picture.read_bytes().startswith(b"\x89PNG"))
            sizes.add((drawn["width"], drawn["height"]))
        self.assertEqual(len(sizes), 1)
        width, height = sizes.pop()
        self.assertGreater(width, height)

    def test_hostile_meshes_are_refused_with_a_reason(self):
        wall = obj([[(0, 0, 0), (10, 0, 0), (10, 10, 0), (0, 10, 0)]])
        for text, code in (
                ("v 0 0 nan\nv 1 0 0\nv 0 0 1\nf 1 2 3\n", "BadValue"),
                ("v 0 0 1e30\nv 1 0 0\nv 0 0 1\nf 1 2 3\n", "BadValue"),
                ("v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "NoGround"),
                ("v 0 0 0\nv 1 0 0\nf 1 2 9\n", "BadValue"),
                ("", "NoGround"),
                (wall, "NoGround"),
                (obj([floor(0, 0, 9000, 9000, 0)]), "OverCap")):
            _, answer = self.build(text, status=3)
            self.assertEqual(answer["error"]["code"], code, text)

    def test_a_bad_configuration_is_refused_by_name(self):
        for config, words in (({"cell_cm": 0}, "cell_cm"), ({"cells": 1}, "key"),
                              ({"cell_cm": "30"}, "cell_cm"), ([], "object"),
                              ({"off_mesh_links": [{"name": "x"}]}, "off_mesh_links[0]"),
                              ({"areas": [{"name": "x", "cost": 1, "box": [1]}]}, "areas[0]")):
            _, answer = self.build(ISLANDS, config=config, status=3)
            self.assertIn(words, answer["error"]["message"])
        done = maniple("field", "build", "builtin:valley:64", "-o", self.folder / "x.ffs",
                       "--mode", "navmesh")
        self.assertEqual(done.returncode, 3)

    def refused_config(self, mesh, config, code, words):
        """Every command that bakes names the configuration first."""
        for command in (("field", "build", mesh, "-o", self.folder / "x.ffs"), ("simulate", mesh),
                        ("battle", mesh)):
            done = maniple(*command, "--mode", "navmesh", "--nav-config", config, "--json")
            self.assertEqual(done.returncode, 3, (command, done.stderr))
            self.assertTrue(done.stderr.startswith(f"{config}: "), done.stderr)
            self.assertIn(words, done.stderr)
            self.assertEqual(json.loads(done.stdout)["error"]["code"], code, words)

    def test_a_refusal_of_the_configuration_begins_with_its_file(self):
        mesh = self.write("mesh.obj", ISLANDS)
        nowhere = json.dumps({"off_mesh_links": [{**LINK, "left": [-2200, -1000, 0]}]})
        for text, code, words in (
                ("", "BadText", "not JSON"),
                ('{"cell_cm": NaN}', "BadText", "not JSON"),
                ('{"cell_cm": 1e999}', "BadText", "number"),
                ('{"cell_cm": 20, "cell_cm": 40}', "BadText", "`cell_cm` twice"),
                ('{"areas": [{"name": "x", "box": 1, "box": 2}]}', "BadText", "`box` twice"),
                ('{"areas": null}', "BadValue", "areas"),
                ('{"cells": 1, "cell_cm": 30}', "BadValue", "`cells`"),
                ('{"tile_cells": 1e300}', "BadValue", "tile_cells"),
                ('{"agent_radius_cm": -1}', "BadValue", "agent_radius_cm"),
                ("[" * 100 + "]" * 100, "BadText", "levels"),
                (nowhere, "BadValue", "off_mesh_links[0] bridge: its left end has no ground")):
            self.refused_config(mesh, self.write("nav.json", text), code, words)
        self.refused_config(mesh, self.folder / "none.json", "NotFound", "No such file")
        self.refused_config(mesh, self.folder, "Io", "directory")

    def test_options_of_the_other_mode_are_usage(self):
        mesh, nav = self.write("mesh.obj", ISLANDS), self.write("nav.json", "{}")
        for command in (("field", "build", mesh, "-o", self.folder / "x.ffs"), ("simulate", mesh),
                        ("battle", mesh)):
            done = maniple(*command, "--nav-config", nav)
            self.assertEqual(done.returncode, 2, command)
            self.assertIn("--nav-config", done.stderr)
        for options in (["--cell-cm", 50], ["--max-slope", 30]):
            done = maniple("field", "build", mesh, "-o", self.folder / "x.ffs", "--mode", "navmesh",
                           *options)
            self.assertEqual(done.returncode, 2, options)

    def test_solver_options_that_mean_nothing_on_a_navmesh_are_usage(self):
        stream, _ = self.build(ISLANDS, "--goal", "-1000,-1000,0")
        dump, picture = self.folder / "dump", self.folder / "mesh.png"
        of_grids = (["--style", "diagonal"], ["--metric", "octile"], ["--distance-limit", 9],
                    ["--through-obstacles"], ["--max-slope", 45])
        for name, arguments, made in (
                ("solve", ["--dump", dump], dump),
                ("query", ["--at=-500,-500,0"], None),
                ("path", ["--from=-500,-500,0", "--to=-1000,-1000,0"], None),
                ("render", ["-o", picture], picture)):
            known, unknown = "--area-costs", "--straight-first"
            if name == "path":
                known, unknown = unknown, known
            for options in (*of_grids, [unknown]):
                done = maniple("field", name, stream, *arguments, *options)
                self.assertEqual((done.returncode, done.stdout), (2, ""), (name, options))
                self.assertIn(f"{options[0]}: has no meaning for", done.stderr)
                self.assertIn("over a navmesh", done.stderr)
                self.assertFalse(made and made.exists(), "refused before anything is made")
            self.run_json("field", name, stream, *arguments, known)

    # proves: PATH-023
    def test_a_path_takes_the_straight_line_through_dear_ground_only_where_asked(self):
        mud = {"name": "mud", "cost": 50, "box": [[-1400, -1600, -100], [-600, -300, 100]]}
        stream, _ = self.build(ISLANDS, config={"areas": [mud]})
        way = ("field", "path", stream, "--from=-300,-900,0", "--to=-1700,-900,0")
        around, straight = self.run_json(*way), self.run_json(*way, "--straight-first")
        self.assertEqual(len(straight["points"]), 2)
        self.assertGreater(len(around["points"]), 2)
        self.assertGreater(around["length"], straight["length"] + 100)

    def test_no_output_replaces_the_mesh_or_its_configuration(self):
        mesh, nav = self.write("mesh.obj", ISLANDS), self.write("nav.json", "{}")
        for out in (mesh, nav):
            done = maniple("field", "build", mesh, "-o", out, "--mode", "navmesh", "--nav-config",
                           nav)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("one file for two options", done.stderr)
        self.assertEqual((mesh.read_text(), nav.read_text()), (ISLANDS, "{}"))
        stream, _ = self.build(ISLANDS)
        before = stream.read_bytes()
        self.assertEqual(maniple("field", "render", stream, "-o", stream).returncode, 2)
        self.assertEqual(stream.read_bytes(), before)

    def test_goals_beside_the_mesh_are_named(self):
        mesh, stream = self.write("mesh.obj", ISLANDS), self.folder / "mesh.ffs"
        done = maniple("field", "build", mesh, "-o", stream, "--mode", "navmesh",
                       "--goal", "-1000,-1000,0", "--goal=9000,0,0", "--goal", "-2200,-1000,5000")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--goal 9000,0,0: not on the navmesh\n", done.stderr)
        self.assertIn("--goal -2200,-1000,5000: not on the navmesh\n", done.stderr)
        self.assertNotIn("--goal -1000,-1000,0", done.stderr)
        for command in (("solve", stream), ("query", stream, "--at=-500,-500,0"),
                        ("render", stream, "-o", self.folder / "mesh.png")):
            done = maniple("field", *command)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"{stream}: 2 of 3 goals are not on the navmesh, the first at 9000,0,0",
                          done.stderr)
        for command, option in ((("query", "--at=9000,0"), "--at"),
                                (("path", "--from=-1000,-1000", "--to=9000,0"), "--to")):
            done = maniple("field", command[0], stream, *command[1:])
            self.assertIn(f"{option} 9000,0: not on the navmesh\n", done.stderr)
        edited = self.folder / "edited.ffs"
        done = maniple("field", "edit", stream, "-o", edited, "--goal=-1000,-1000")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(maniple("field", "solve", edited).stderr, "")

    def test_edit_replaces_the_goals_of_a_navmesh_and_nothing_else(self):
        stream, _ = self.build(ISLANDS, "--goal=-1000,-1000", config={"off_mesh_links": [LINK]})
        same, moved = self.folder / "same.ffs", self.folder / "moved.ffs"
        self.run_json("field", "edit", stream, "-o", same)
        self.assertEqual(same.read_bytes(), stream.read_bytes())
        answer = self.run_json("field", "edit", stream, "-o", moved, "--goal=-3000,-1000",
                               "--goal=-500,-500,7")
        info = self.run_json("field", "info", moved)
        self.assertEqual(info["content_hash"], answer["content_hash"])
        self.assertEqual(info["goals_cm"][0][:2], [-3000, -1000])
        self.assertLessEqual(abs(info["goals_cm"][0][2]), 40)
        self.assertEqual(info["goals_cm"][1], [-500, -500, 7])
        delta = self.run_json("field", "diff", stream, moved, "-o", self.folder / "d.ffd")
        self.assertEqual((delta["changed_tiles"], delta["goals_changed"]), (0, True))
        for options in (["--block", "0,0,1,1"], ["--set-cost", "0,0,1,1,3"],
                        ["--unblock", "0,0,1,1"], ["--goal", "nan,0"]):
            done = maniple("field", "edit", stream, "-o", moved, *options)
            self.assertEqual(done.returncode, 2, options)

    def test_places_and_radii_that_are_none_are_usage(self):
        stream, _ = self.build(ISLANDS, "--goal=-1000,-1000,0")
        for options in (["query", "--at", "nan,0"], ["query", "--at", "0,0,inf"],
                        ["query", "--at", "1e30,0"], ["query", "--at", "0,0", "--radius", -1],
                        ["query", "--at", "0,0", "--radius", "nan"],
                        ["path", "--from", "nan,0", "--to", "0,0"],
                        ["path", "--from", "0,0", "--to", "0,-inf"]):
            done = maniple("field", options[0], stream, *options[1:])
            self.assertEqual(done.returncode, 2, (options, done.stderr))

    def test_floors_over_one_another_are_told_apart(self):
        stream, _ = self.build(obj([floor(0, 0, 20, 20, 0), floor(0, 0, 20, 20, 8)]),
                               "--goal=-1000,-1000,0")
        for z, reached in ((0, True), (800, False)):
            answer = self.run_json("field", "query", stream, f"--at=-500,-500,{z}")
            self.assertEqual(answer["valid"], reached, z)
            self.run_json("field", "path", stream, "--from=-500,-500,0", f"--to=-1500,-1500,{z}",
                          status=0 if reached else 1)
        # Without a height a goal lies on the upper one.
        upper, _ = self.build(obj([floor(0, 0, 20, 20, 0), floor(0, 0, 20, 20, 8)]),
                              "--goal=-1000,-1000")
        self.assertTrue(self.run_json("field", "query", upper, "--at=-500,-500,800")["valid"])
        # As do other places.
        self.assertTrue(self.run_json("field", "query", upper, "--at=-500,-500")["valid"])
        way = self.run_json("field", "path", upper, "--from=-500,-500", "--to=-1500,-1500")
        self.assertGreater(min(z for _, _, z in way["points"]), 700)

    def test_odd_but_sound_meshes_are_taken(self):
        ground = floor(0, 0, 20, 20, 0)
        wall = [(0, 0, 10), (20, 0, 10), (20, 5, 10), (0, 5, 10)]
        fin = [(0, 0, 10), (20, 0, 10), (20, 5, 14), (0, 5, 14)]
        line = [(0, 0, 0), (10, 0, 0), (20, 0, 0), (20, 0, 0)]
        for quads in ([ground] * 5, [ground, wall, fin, wall], [ground, line]):
            stream, _ = self.build(obj(quads), "--goal=-1000,-500")
            self.assertTrue(self.run_json("field", "query", stream, "--at=-500,-500")["valid"])

    def test_areas_are_seen_by_their_colours(self):
        def area(name, cost, low, high):
            return {"name": name, "cost": cost, "box": [[low, -2000, -100], [high, 0, 100]]}
        areas = [area("road", 1, -600, -100), area("mud", 5, -1200, -700),
                 area("swamp", 30, -1900, -1300)]
        stream, _ = self.build(ISLANDS, config={"areas": areas})
        picture = self.folder / "areas.png"
        self.run_json("field", "render", stream, "-o", picture, "--scale", 2)
        rows = read_png(picture.read_bytes())
        seen = {pixel for row in rows for pixel in row}
        for colour in ((120, 190, 90), (240, 220, 80), (214, 60, 50)):
            self.assertIn(colour, seen)
        plain = self.folder / "plain.png"
        self.run_json("field", "render", self.build(ISLANDS)[0], "-o", plain, "--scale", 2)
        self.assertLess(len({pixel for row in read_png(plain.read_bytes()) for pixel in row}),
                        len(seen))


if __name__ == "__main__":
    unittest.main()
