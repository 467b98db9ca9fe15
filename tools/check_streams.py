#!/usr/bin/env python3
"""Streams of real maps and meshes, edited, compared and put together again, against the reference.

  check_streams.py MANIPLE DATA

DATA has maps/*.map and meshes/*.obj. For each map, each mesh as a grid and each mesh as a navmesh:
`field build` -> another stream of the same ground -> `field diff` -> `field apply` gives the other
stream byte for byte, both ways; substrate_reference.py decodes, encodes, builds and applies the
same bytes. Exit 1 at the first disagreement.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import substrate_reference as reference

MANIPLE = sys.argv[1]


def field(command, *arguments):
    done = subprocess.run([MANIPLE, "field", command, *map(str, arguments), "--json"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"field {command} {arguments}: {done.stderr}")
    return json.loads(done.stdout)


def require(sound, what):
    if not sound:
        sys.exit(f"FAILED: {what}")


def read_both(path, what):
    """The stream as the reference decodes it, which field info and its own encoder confirm."""
    data = path.read_bytes()
    stream = reference.decode_full(data)
    require(reference.encode_full(stream) == data, f"{what}: the reference encodes other bytes")
    info = field("info", path)
    require(info["origin_cm"] == list(stream["origin"]), f"{what}: origin")
    require(info["content_hash"] == f"{stream['hash']:08x}", f"{what}: hash")
    require(info["goals_cm"] == [list(goal) for goal in stream["goals"]], f"{what}: goals")
    if stream["mode"] == 0:
        kinds = [cell[1] for cell in stream["cells"]]
        require(info["grid"] == {"x": stream["grid"][0], "y": stream["grid"][1],
                                 "cell_cm": stream["grid"][2], "empty": kinds.count(0),
                                 "ground": kinds.count(1), "obstacle": kinds.count(2)},
                f"{what}: grid")
    return stream


def check_pair(base, new, folder, what):
    """The delta between two streams, given as (path, decoded), by both programs."""
    delta, again = folder / "delta.ffd", folder / "again.ffs"
    told = field("diff", base[0], new[0], "-o", delta)
    require(told["any_change"], f"{what}: nothing changed")
    field("apply", base[0], delta, "-o", again)
    young, change = new[0].read_bytes(), delta.read_bytes()
    require(again.read_bytes() == young, f"{what}: apply gives other bytes")
    require(reference.build_delta(base[1], new[1]) == change,
            f"{what}: the reference builds another delta")
    require(reference.apply_delta(base[1], reference.decode_delta(change)) == young,
            f"{what}: the reference applies to other bytes")
    return told


def check_grid(source, folder):
    base, new = folder / "base.ffs", folder / "new.ffs"
    field("build", source, "-o", base)
    grid = field("info", base)["grid"]
    x, y = grid["x"], grid["y"]
    field("edit", base, "-o", new, "--block", f"{x // 4},{y // 4},{x // 4 + 6},{y // 4 + 3}",
          "--set-cost", f"{x // 2},{y // 2},{x - 2},{y - 2},9", "--unblock", "0,0,3,3",
          "--goal", "120,250", "--goal", "-90,40")
    pair = [(path, read_both(path, f"{source.name} as a grid")) for path in (base, new)]
    there = check_pair(*pair, folder, source.name)
    check_pair(*reversed(pair), folder, f"{source.name} back")
    print(f"{source.name}: grid {x} x {y}, {base.stat().st_size} bytes, "
          f"{there['changed_cells']} cells in a delta of {there['bytes']} bytes", flush=True)


def without_middle(source, out):
    """The mesh without the triangles around its middle; its vertices stay."""
    lines = source.read_text().splitlines()
    points = [tuple(map(float, line.split()[1:4])) for line in lines if line.startswith("v ")]
    low, high = ([pick(p[axis] for p in points) for axis in (0, 2)] for pick in (min, max))

    def is_near(line):
        corners = [points[int(word.split("/")[0]) - 1] for word in line.split()[1:]]
        return all(abs(corner[axis] - (low[i] + high[i]) / 2) < 0.3 * (high[i] - low[i])
                   for corner in corners for i, axis in enumerate((0, 2)))

    out.write_text("\n".join(l for l in lines if not (l.startswith("f ") and is_near(l))) + "\n")


def check_navmesh(source, folder):
    whole, holed = folder / "whole.ffs", folder / "holed.ffs"
    hole, config = folder / source.name, folder / "config.json"
    without_middle(source, hole)
    config.write_text(json.dumps({"tile_cells": 16}))
    pair = []
    for mesh, out in ((source, whole), (hole, holed)):
        field("build", mesh, "-o", out, "--mode", "navmesh", "--nav-config", config)
        pair.append((out, read_both(out, f"{source.name} as a navmesh")))
    slots = [dict(stream["tiles"]) for _, stream in pair]
    removed = len(slots[0].keys() - slots[1].keys())
    replaced = sum(slots[0][slot] != slots[1][slot] for slot in slots[0].keys() & slots[1].keys())
    require(removed > 0 and replaced > 0, f"{source.name}: no tile is removed and replaced")
    there = check_pair(*pair, folder, f"{source.name} as a navmesh")
    back = check_pair(*reversed(pair), folder, f"{source.name} as a navmesh back")
    print(f"{source.name}: navmesh of {len(slots[0])} tiles, {whole.stat().st_size} bytes; "
          f"{removed} removed, {replaced} replaced in {there['bytes']} bytes, "
          f"added and replaced in {back['bytes']}", flush=True)


def main():
    data = pathlib.Path(sys.argv[2])
    meshes = sorted(data.glob("meshes/*.obj"))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for source in sorted(data.glob("maps/*.map")) + meshes:
            check_grid(source, folder)
        for source in meshes:
            check_navmesh(source, folder)


if __name__ == "__main__":
    main()
