#!/usr/bin/env python3
"""Runs `maniple field build | info | solve | query | path | render` on meshes made here:
`navmesh_command_test.py PATH_TO_MANIPLE`. Standard library only."""
import json
import struct
import unittest

from command_case import CommandCase, maniple


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


if __name__ == "__main__":
    unittest.main()
