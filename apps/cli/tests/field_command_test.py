#!/usr/bin/env python3
"""Runs `maniple field build | edit | solve | query | path | render` as a user would:
`field_command_test.py PATH_TO_MANIPLE`. Standard library only; it decodes streams and PNGs."""
import json
import struct
import unittest
import zlib

from command_case import CommandCase, maniple, read_png

MAP = b"""type octile
height 5
width 7
map
.......
.SS.@..
....@..
.T..@..
.......
"""


class Stream:
    """A full grid stream, decoded from docs/formats/substrate.md."""

    def __init__(self, data):
        assert data[:4] == b"FFS1"
        self.hash, *self.origin, self.yaw = struct.unpack_from("<I4i", data, 9)
        assert self.hash == zlib.crc32(data[13:])
        (count,) = struct.unpack_from("<i", data, 29)
        self.goals = [struct.unpack_from("<3i", data, 33 + 12 * i) for i in range(count)]
        at = 33 + 12 * count
        self.x_num, self.y_num, self.cell_cm = struct.unpack_from("<3i", data, at)
        self.records = data[at + 12:]

    def cell(self, x, y):
        """(cost, type, z relative to the origin, normal)"""
        record = self.records[9 * (x * self.y_num + y):][:9]
        cost, kind, z, *normal = struct.unpack("<BBi3b", record)
        return cost, kind, z, tuple(normal)

    def text(self):
        """One character a cell: its cost, `#` obstacle, `_` empty."""
        def char(x, y):
            cost, kind, _, _ = self.cell(x, y)
            return "_" if kind == 0 else "#" if kind == 2 else str(cost)
        return ["".join(char(x, y) for x in range(self.x_num)) for y in range(self.y_num)]


def grey_png(width, height, rows, colour=0):
    """An 8-bit PNG with the given samples, whatever size it declares."""
    def chunk(kind, body):
        crc = zlib.crc32(kind + body)
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", crc)
    raw = b"".join(b"\0" + bytes(row) for row in rows)
    return (b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, colour, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))


class FieldCase(CommandCase):
    def field(self, *arguments):
        """The JSON of a `maniple field` run that must succeed."""
        return self.run_json("field", *arguments)

    def stream(self, name):
        return Stream((self.folder / name).read_bytes())

    def built(self, *options, data=MAP, name="small.ffs"):
        self.field("build", self.write("small.map", data), "-o", self.folder / name, *options)
        return self.folder / name

    def fails(self, status, *arguments):
        done = maniple("field", *arguments, "--json")
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        self.assertTrue(done.stderr)
        return json.loads(done.stdout)["error"] if status == 3 else None


class Build(FieldCase):
    def test_a_movingai_map_keeps_its_cells_and_takes_goals_in_world_centimetres(self):
        out = self.folder / "out.ffs"
        printed = self.field("build", self.write("a.map", MAP), "-o", out, "--goal", "600,0",
                             "--goal", "-100.5,200,30")
        stream = self.stream("out.ffs")
        self.assertEqual(printed, {"file": str(out), "bytes": out.stat().st_size,
                                   "content_hash": f"{stream.hash:08x}"})
        self.assertEqual(stream.text(), ["1111111", "1331#11", "1111#11",
                                         "1#11#11", "1111111"])
        self.assertEqual((stream.origin, stream.yaw, stream.cell_cm), ([300, 200, 0], 0, 100))
        self.assertEqual(stream.goals, [(300, -200, 0), (-401, 0, 30)])

    def test_a_builtin_map_and_its_own_stream_are_the_same_bytes(self):
        first, second = self.folder / "first.ffs", self.folder / "second.ffs"
        self.field("build", "builtin:fortress:64", "-o", first, "--goal", "0,0")
        self.field("build", first, "-o", second)
        self.assertEqual(first.read_bytes(), second.read_bytes())

    def test_a_pose_of_its_own_asks_the_map_anew(self):
        fine = self.built("--cell-cm", 50)
        self.assertEqual((self.stream("small.ffs").x_num, self.stream("small.ffs").y_num), (14, 10))
        turned = self.built("--yaw", 90, "--origin", "300,200,0")
        stream = self.stream("small.ffs")
        self.assertEqual((stream.x_num, stream.y_num, stream.yaw), (5, 7, 9000))
        # The map's Y runs along the turned grid's X, its X against the grid's Y.
        self.assertEqual(stream.cell(1, 2)[1], 2)
        self.assertEqual((stream.cell(1, 5)[0], stream.cell(1, 4)[0]), (3, 3))
        self.assertEqual(fine, turned)

    def test_a_height_map_has_a_cell_for_every_sample(self):
        png = self.write("h.png", grey_png(4, 2, [[0, 0, 50, 255], [0, 0, 50, 255]]))
        out = self.folder / "h.ffs"
        self.field("build", png, "-o", out, "--height-cm=-5:250", "--cell-cm", 100)
        stream = self.stream("h.ffs")
        self.assertEqual((stream.x_num, stream.y_num, stream.cell_cm), (4, 2, 100))
        self.assertEqual([stream.cell(x, 1)[2] for x in range(4)], [0, 0, 50, 255])
        # Rises of 0, 0.25, 1.275 and 2.05: an angle of 45 degrees is 1.
        self.assertEqual([stream.cell(x, 0)[1] for x in range(4)], [1, 1, 2, 2])
        self.field("build", png, "-o", out, "--height-cm=-5:250", "--max-slope", 60)
        self.assertEqual([self.stream("h.ffs").cell(x, 0)[1] for x in range(4)], [1, 1, 1, 2])
        self.field("build", png, "-o", out, "--height-cm=-5:250", "--max-slope", 10)
        self.assertEqual(self.stream("h.ffs").text(), ["1###"] * 2)

    def test_a_mesh_is_ground_walls_and_nothing(self):
        mesh = self.write("m.obj", b"""# A floor 6 by 4 m with a wall 2 m high across it
v 0 0 0
v -6 0 0
v -6 0 -4
v 0 0 -4
v -3 0 0
v -3 0 -4
v -3 2 -4
v -3 2 0
f 4 3 2 1
f 5 6 7 8
""")
        out = self.folder / "m.ffs"
        self.field("build", mesh, "-o", out)
        self.assertEqual(self.stream("m.ffs").text(), ["11##11"] * 4)
        self.field("build", mesh, "-o", out, "--max-slope", 90)
        self.assertEqual(self.stream("m.ffs").text(), ["111111"] * 4)
        self.field("build", mesh, "-o", out, "--cell-cm", 50, "--threads", 2)
        one = self.stream("m.ffs")
        self.field("build", mesh, "-o", out, "--cell-cm", 50, "--threads", 1)
        self.assertEqual(one.records, self.stream("m.ffs").records)
        self.assertEqual(one.text(), ["11111##11111"] * 8)

    def test_broken_files_are_refused_with_byte_and_reason(self):
        out = self.folder / "out.ffs"
        grey = grey_png(2, 2, [[0, 1], [2, 3]])
        for name, data, code, at in (
                ("a.png", b"\x89PNG", "BadMagic", 0),
                ("b.png", grey[:40], "Truncated", None),
                ("c.png", grey_png(8000, 8000, [[0]]), "Truncated", 8),
                ("d.png", grey_png(70000, 1000, [[0]]), "OverCap", 8),
                ("e.png", grey_png(1, 1, [[0, 0, 0]], colour=2), "Unsupported", 8),
                ("a.obj", b"v 0 nan 0\n", "BadValue", 4),
                ("b.obj", b"v 0 0 1e9\n", "BadValue", 6),
                ("c.obj", b"v 0 0 0\nf 1 2 3\n", "BadValue", 12),
                ("d.obj", b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "NoGround", 32),
                ("a.txt", b"", "Unsupported", None)):
            error = self.fails(3, "build", self.write(name, data), "-o", out)
            self.assertEqual(error["code"], code, name)
            if at is not None:
                self.assertEqual(error["at_byte"], at, name)
        small = self.write("a.map", MAP)
        error = self.fails(3, "build", small, "-o", out, "--origin", "9e7,9e7,0")
        self.assertEqual(error["code"], "OverCap")
        self.assertEqual(self.fails(3, "build", small, "-o", out, "--mode", "navmesh")["code"],
                         "Unsupported")
        for options in (["--cell-cm", 0], ["--origin", "1,2"], ["--origin", "nan,0,0"],
                        ["--max-slope", 181], ["--max-slope", "nan"],
                        ["--height-cm", "5:1"], ["--unit-cm", "nan"], ["--height-cm", "5"],
                        ["--unit-cm", 0], ["--yaw", "nan"], ["--mode", "mesh"],
                        ["--nav-config", "nav.json"]):
            self.fails(2, "build", small, "-o", out, *options)
        self.assertFalse(out.exists())

    def test_usage_and_refusals(self):
        out = self.folder / "out.ffs"
        small = self.write("a.map", MAP)
        for goal in ("1", "1,2,3,4", "1,2,", "a,b", "nan,0", "1,inf", "", "1;2"):
            self.fails(2, "build", small, "-o", out, "--goal", goal)
        self.fails(2, "build", small)
        self.assertEqual(self.fails(3, "build", self.write("b.map", MAP[:-3]), "-o", out)["code"],
                         "Truncated")
        self.assertEqual(self.fails(3, "build", self.folder / "none.map", "-o", out)["code"],
                         "NotFound")
        nowhere = self.folder / "no" / "dir.ffs"
        self.assertEqual(self.fails(3, "build", small, "-o", nowhere)["code"], "Io")
        self.assertFalse(out.exists())


class Edit(FieldCase):
    def test_options_apply_in_the_order_given(self):
        base, new = self.built(), self.folder / "new.ffs"
        self.field("edit", base, "-o", new, "--block", "0,0,2,1", "--set-cost", "2,1,3,2,9",
                   "--unblock", "0,0,0,0,4", "--block", "6,4,6,4", "--unblock", "6,4,6,4")
        self.assertEqual(self.stream("new.ffs").text(),
                         ["4##1111", "###9#11", "1199#11", "1#11#11", "1111111"])
        self.assertEqual(self.stream("new.ffs").cell(2, 1)[:2], (9, 2))
        self.field("edit", base, "-o", new, "--unblock", "0,0,0,0,4", "--block", "0,0,2,1")
        self.assertEqual(self.stream("new.ffs").text()[0], "###1111")

    def test_goals_replace_all_goals_and_no_goal_keeps_them(self):
        base, new = self.built("--goal", "0,0", "--goal", "100,0"), self.folder / "new.ffs"
        self.field("edit", base, "-o", new, "--block", "3,3,3,3")
        self.assertEqual(self.stream("new.ffs").goals, [(-300, -200, 0), (-200, -200, 0)])
        self.field("edit", base, "-o", new, "--goal", "300,200,5")
        self.assertEqual(self.stream("new.ffs").goals, [(0, 0, 5)])

    def test_bad_rectangles_and_costs_are_usage(self):
        base, new = self.built(), self.folder / "new.ffs"
        for arguments in (["--block", "2,0,1,0"], ["--block", "0,0,7,0"], ["--block", "-1,0,1,1"],
                          ["--block", "0,0,1"], ["--block", "0,0,1,1,1"], ["--block", "0,0,1,1.5"],
                          ["--set-cost", "0,0,1,1"], ["--set-cost", "0,0,1,1,256"],
                          ["--unblock", "0,0,1,1,-1"], ["--block", "0,0,99999999999,1"]):
            self.fails(2, "edit", base, "-o", new, *arguments)
        self.assertFalse(new.exists())

    def test_a_broken_base_is_refused_with_its_byte(self):
        data = bytearray(self.built().read_bytes())
        data[50] ^= 1
        error = self.fails(3, "edit", self.write("bad.ffs", data), "-o", self.folder / "new.ffs")
        self.assertEqual((error["code"], error["at_byte"]), ("BadHash", 9))


class Solve(FieldCase):
    def test_the_dump_is_the_field_and_its_hash(self):
        field = self.built("--goal", "600,0")
        printed = self.field("solve", field, "--dump", self.folder / "dump")
        dist = struct.unpack("<35I", (self.folder / "dump/dist.u32").read_bytes())
        dirs = struct.unpack("<105f", (self.folder / "dump/dir.f32").read_bytes())
        goal = struct.unpack("<70i", (self.folder / "dump/goal.i32").read_bytes())

        def at(x, y):
            return x * 5 + y

        self.assertEqual(printed["reachable"], 31)
        self.assertEqual(printed["max_dist"], max(d for d in dist if d < 65535))
        self.assertEqual([dist[at(x, 0)] for x in range(7)], [6, 5, 4, 3, 2, 1, 0])
        self.assertEqual(dist[at(4, 1)], 65535)
        self.assertEqual(dirs[3 * at(5, 0):][:3], (1, 0, 0))
        self.assertEqual(dirs[3 * at(6, 0):][:3], (0, 0, 0))
        self.assertEqual((goal[2 * at(0, 4):][:2], goal[2 * at(4, 1):][:2]), ((6, 0), (-1, -1)))

    def test_settings_change_the_field_and_repeat_exactly(self):
        field = self.built("--goal", "600,0")
        plain = self.field("solve", field)
        again = self.field("solve", field, "--threads", 2)
        self.assertEqual(plain["field_hash"], again["field_hash"])
        for options in (["--straight-first"], ["--style", "diagonal"], ["--metric", "octile"],
                        ["--through-obstacles"], ["--distance-limit", "4"]):
            other = self.field("solve", field, *options)
            self.assertNotEqual(plain["field_hash"], other["field_hash"], options)
        self.assertLess(self.field("solve", field, "--distance-limit", 4)["max_dist"], 4)
        self.assertEqual(self.field("solve", field, "--through-obstacles")["reachable"], 35)

    def test_area_costs_are_of_navmeshes_alone(self):
        field = self.built("--goal", "600,0")
        for command in (["solve", field], ["query", field, "--at", "0,0"],
                        ["path", field, "--from", "0,0", "--to", "100,0"],
                        ["render", field, "-o", self.folder / "x.png"]):
            done = maniple("field", *command, "--area-costs")
            self.assertEqual(done.returncode, 2, command)
            self.assertIn("--area-costs: has no meaning for", done.stderr)
            self.assertIn("over a grid", done.stderr)

    def test_a_path_refuses_what_only_a_flow_heeds(self):
        field = self.built("--goal", "600,0")
        ways = ["path", field, "--from", "0,0", "--to", "100,0"]
        for options in (["--metric", "octile"], ["--distance-limit", "4"]):
            done = maniple("field", *ways, *options)
            self.assertEqual(done.returncode, 2, options)
            self.assertIn(options[0] + ": has no meaning for a path over a grid", done.stderr)
        self.field(*ways, "--style", "diagonal", "--max-slope", "30", "--through-obstacles")

    def test_without_goals_nothing_is_reachable(self):
        self.assertEqual(self.field("solve", self.built())["reachable"], 0)

    def test_usage(self):
        field = self.built()
        for options in (["--distance-limit", 0], ["--style", "none"], ["--metric", "m"],
                        ["--max-slope", "-1"], ["--threads", 0], ["--no-such"]):
            self.fails(2, "solve", field, *options)


class Query(FieldCase):
    def test_radius_0_reads_the_cell_and_a_radius_averages(self):
        field = self.built("--goal", "600,0")
        one = self.field("query", field, "--at", "149,0")
        self.assertEqual((one["valid"], one["dist"], one["dir"], one["goal"]),
                         (True, 5, [1, 0, 0], [600, 0, 0]))
        wide = self.field("query", field, "--at", "149,0", "--radius", 150)
        self.assertTrue(wide["valid"])
        self.assertNotEqual(wide["sampled_hash"], one["sampled_hash"])
        # FNV-1a over the one sampled index, 1 * 5 + 0.
        self.assertEqual(one["sampled_hash"], self.fnv(5))

    @staticmethod
    def fnv(index):
        value = 2166136261
        for byte in struct.pack("<I", index):
            value = ((value ^ byte) * 16777619) & 0xffffffff
        return f"{value:08x}"

    def test_places_off_the_grid_are_clamped_and_non_finite_ones_usage(self):
        field = self.built("--goal", "600,0")
        self.assertEqual(self.field("query", field, "--at=-5000,0")["dist"], 6)
        for options in (["--at", "nan,0"], ["--at", "0,inf"], ["--at", "0,0", "--radius", "nan"],
                        ["--at", "0,0", "--radius", -1], ["--at", "0,0", "--radius", "1e10"]):
            self.fails(2, "query", field, *options)


class Path(FieldCase):
    SCEN = b"version 1\n0\tsmall.map\t7\t5\t0\t0\t6\t0\t6\n" \
           b"0\tsmall.map\t7\t5\t0\t2\t6\t2\t8.24264\n" \
           b"0 small.map 7 5 0 0 4 1 0\r\n"

    def test_a_way_begins_at_the_start_and_ends_at_the_goal(self):
        found = self.field("path", self.built(), "--from", "0,200", "--to", "600,200", "--optimal")
        self.assertTrue(found["found"])
        self.assertEqual((found["points"][0], found["points"][-1]), ([0, 200, 0], [600, 200, 0]))
        # Around the wall of three cells no corner is cut.
        self.assertAlmostEqual(found["length"], 100 * (4 + 3 * 2 ** .5), 3)
        plain = self.field("path", self.write("small.map", MAP), "--from", "0,0", "--to", "600,0")
        self.assertEqual(plain["length"], 600)

    def test_a_place_on_another_planet_is_usage(self):
        for places in (["--from", "1e308,1", "--to", "1,1"], ["--from", "1,1", "--to", "1,-2e9"],
                       ["--from", "nan,0", "--to", "600,0"], ["--from", "0,0", "--to", "inf,0"]):
            self.assertEqual(maniple("field", "path", self.built(), *places).returncode, 2)

    def test_no_way_is_1(self):
        field = self.folder / "cut.ffs"
        self.field("edit", self.built(), "-o", field, "--block", "4,0,4,4")
        for options in ([], ["--optimal"]):
            done = maniple("field", "path", field, "--from", "0,0", "--to", "600,0", "--json",
                           *options)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertEqual(json.loads(done.stdout),
                             {"found": False, "length": 0, "points": []})

    def test_a_scenario_compares_lengths_and_leaves_out_those_of_0(self):
        small, scen = self.write("small.map", MAP), self.write("a.scen", self.SCEN)
        told = self.field("path", small, "--scen", scen, "--optimal")
        self.assertEqual((told["queries"], told["found"]), (3, 2))
        self.assertLess(told["max_difference"], 0.01)
        self.assertAlmostEqual(told["mean_ratio"], 1, 4)
        self.assertGreater(told["us_per_query"], 0)
        one = self.field("path", small, "--scen", scen, "--limit", 1)
        self.assertEqual((one["queries"], one["max_ratio"]), (1, 1))
        missed = self.write("b.scen", self.SCEN.replace(b"4 1 0", b"4 1 5"))
        done = maniple("field", "path", small, "--scen", missed, "--optimal")
        self.assertEqual(done.returncode, 1, done.stderr)

    def test_broken_scenarios_and_usage(self):
        small = self.write("small.map", MAP)
        for data, code, at in ((b"", "BadText", 0), (b"version 1\n0 a 7 5 0 0 1\n", "BadText", 10),
                               (b"version 1\n0 a 8 5 0 0 1 1 1\n", "MapMismatch", 10),
                               (b"version 1\n0 a 7 5 0 0 7 1 1\n", "BadValue", 10),
                               (b"version 1\n0 a 7 5 0 0 1 1 nan\n", "BadValue", 10),
                               (b"version 1\n0 a 7 5 0 0 1 1 1 1\n", "BadText", 10)):
            error = self.fails(3, "path", small, "--scen", self.write("bad.scen", data))
            self.assertEqual((error["code"], error["at_byte"]), (code, at), data)
        self.fails(2, "path", small)
        self.fails(2, "path", small, "--from", "0,0")
        self.fails(2, "path", small, "--from", "0", "--to", "1,1")
        self.fails(2, "path", small, "--from", "0,0", "--scen", small)


class Render(FieldCase):
    def test_every_layer_has_its_colours_where_the_cells_are(self):
        field, png = self.built("--goal", "600,0"), self.folder / "out.png"
        wall, ground, swamp = (4, 2), (3, 3), (2, 1)
        for layer in ("cost", "dist", "dir", "type"):
            printed = self.field("render", field, "-o", png, "--layer", layer, "--scale", 3)
            self.assertEqual((printed["width"], printed["height"]), (21, 15))
            rows = read_png(png.read_bytes())

            def pixel(cell):
                return rows[3 * cell[1] + 1][3 * cell[0] + 1]

            self.assertEqual(pixel(wall), (52, 56, 66), layer)
            self.assertGreater(sum(pixel(ground)), 2 * sum(pixel(wall)), layer)
            self.assertEqual(pixel(swamp) == pixel(ground), layer == "type", layer)
            self.assertEqual(pixel((6, 0)) == (224, 36, 94), layer != "type", layer)

    # proves: VIS-010, O-VIS-01
    def test_the_debug_image_shows_cost_and_distance_of_each_cell(self):
        field, png = self.built("--goal", "600,0"), self.folder / "cells.png"
        self.field("render", field, "-o", png, "--layer", "cells")
        rows = read_png(png.read_bytes())
        wall, ground, swamp, goal = (rows[y][x] for x, y in ((4, 2), (3, 3), (2, 1), (6, 0)))
        self.assertEqual(wall, (255, 0, 255))
        self.assertEqual(goal, (0, 0, 0))
        self.assertEqual((ground[:2], swamp[:2]), ((1, 0), (3, 0)))
        beside_goal = rows[0][5]
        self.assertTrue(0 < beside_goal[2] < ground[2] <= 255, (beside_goal, ground))

    def test_arrows_are_drawn_over_the_picture(self):
        field = self.built("--goal", "600,0")
        plain, arrows = self.folder / "plain.png", self.folder / "arrows.png"
        self.field("render", field, "-o", plain, "--scale", 15)
        self.field("render", field, "-o", arrows, "--scale", 15, "--arrows")
        middle = read_png(arrows.read_bytes())[7][2 * 15 + 7]
        self.assertNotEqual(middle, read_png(plain.read_bytes())[7][2 * 15 + 7])
        self.assertLess(sum(middle), 150)

    def test_usage(self):
        field = self.built()
        out = self.folder / "out.png"
        for options in (["--layer", "none"], ["--scale", 0], ["--scale", 257]):
            self.fails(2, "render", field, "-o", out, *options)
        big = self.folder / "big.ffs"
        self.field("build", "builtin:valley:256", "-o", big)
        self.fails(2, "render", big, "-o", out, "--scale", 64)
        self.assertFalse(out.exists())


if __name__ == "__main__":
    unittest.main()
