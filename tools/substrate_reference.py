#!/usr/bin/env python3
"""Second reader and writer of substrate streams, written from docs/formats/substrate.md alone.

  substrate_reference.py decode FILE          the stream's fields as JSON
  substrate_reference.py encode JSON OUT      a full stream from the JSON that decode prints
  substrate_reference.py verify FOLDER        runs the vectors of tests/vectors/substrate

It shares nothing with the engine: where the two disagree, the document decides.
"""
import json
import pathlib
import struct
import sys
import zlib

CELLS_MAX = 67108864
GOALS_MAX = 65536
TILES_MAX = 65536
TILE_BYTES_MAX = 67108864
VALUE_MAX = 1e7
FLT_MAX = 3.4028234663852886e38


class Refused(Exception):
    def __init__(self, code, at):
        super().__init__(f"{code} {at}")


class Reader:
    """Little-endian fields; a field that leaves the stream is Truncated at its first byte."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, form):
        size = struct.calcsize("<" + form)
        if self.at + size > len(self.data):
            raise Refused("Truncated", self.at)
        value = struct.unpack_from("<" + form, self.data, self.at)[0]
        self.at += size
        return value

    def left(self):
        return len(self.data) - self.at


def read_head(r, magic, version):
    """Checks 1 to 8 of section 2.4: everything up to the last goal."""
    s = {}
    if r.take("4s") != magic:
        raise Refused("BadMagic", 0)
    if r.take("I") != version:
        raise Refused("BadVersion", 4)
    s["mode"] = r.take("B")
    if s["mode"] > 1:
        raise Refused("BadMode", 8)
    s["hash"] = r.take("I")
    if magic == b"FFD1":
        s["base_hash"] = r.take("I")
    s["origin"] = [r.take("i") for _ in range(3)]
    yaw_at = r.at
    s["yaw"] = r.take("i")
    if not -18000 <= s["yaw"] < 18000:
        raise Refused("BadValue", yaw_at)
    count_at = r.at
    count = r.take("i")
    if count < 0:
        raise Refused("BadValue", count_at)
    if count > GOALS_MAX:
        raise Refused("OverCap", count_at)
    if 12 * count > r.left():
        raise Refused("Truncated", count_at)
    s["goals"] = [[r.take("i") for _ in range(3)] for _ in range(count)]
    return s


def read_positive(r):
    at = r.at
    value = r.take("i")
    if value < 1:
        raise Refused("BadValue", at)
    return value


def decode_full(data):
    r = Reader(data)
    s = read_head(r, b"FFS1", 4)
    if s["mode"] == 1:
        return decode_navmesh(r, s)
    shape_at = r.at
    s["grid"] = [read_positive(r) for _ in range(3)]
    cells = s["grid"][0] * s["grid"][1]
    if cells > CELLS_MAX:
        raise Refused("OverCap", shape_at)
    if 9 * cells > r.left():
        raise Refused("Truncated", r.at)
    if 9 * cells < r.left():
        raise Refused("Trailing", r.at + 9 * cells)
    if zlib.crc32(data[13:]) != s["hash"]:
        raise Refused("BadHash", 9)
    s["cells"] = []
    for _ in range(cells):
        cell = [r.take("B"), r.take("B"), r.take("i"), r.take("b"), r.take("b"), r.take("b")]
        if cell[1] > 2:
            raise Refused("BadValue", r.at - 8)
        s["cells"].append(cell)
    return s


def encode_full(s):
    if s["mode"] == 1:
        return encode_navmesh(s)
    tail = encode_head(s) + struct.pack("<3i", *s["grid"])
    tail += b"".join(struct.pack("<BBi3b", *cell) for cell in s["cells"])
    return b"FFS1" + struct.pack("<IBI", 4, 0, zlib.crc32(tail)) + tail


def decode_delta(data):
    r = Reader(data)
    s = read_head(r, b"FFD1", 1)
    if s["mode"] == 1:
        return decode_navmesh_delta(r, s)
    count_at = r.at
    count = r.take("I")
    if count > CELLS_MAX:
        raise Refused("OverCap", count_at)
    if 13 * count > r.left():
        raise Refused("Truncated", r.at)
    if 13 * count < r.left():
        raise Refused("Trailing", r.at + 13 * count)
    s["changes"] = []
    for _ in range(count):
        at = r.at
        index = r.take("I")
        cell = [r.take("B"), r.take("B"), r.take("i"), r.take("b"), r.take("b"), r.take("b")]
        if s["changes"] and index <= s["changes"][-1][0]:
            raise Refused("BadValue", at)
        if cell[1] > 2:
            raise Refused("BadValue", at + 5)
        s["changes"].append([index] + cell)
    return s


def apply_delta(base, delta):
    """Checks 15 to 18 of section 3.3; the new full stream's bytes."""
    if delta["base_hash"] != base["hash"]:
        raise Refused("BaseMismatch", 13)
    if (delta["origin"], delta["yaw"]) != (base["origin"], base["yaw"]):
        raise Refused("IdentityDrift", 17)
    if base["mode"] == 1:
        return apply_navmesh_delta(base, delta)
    new = dict(base, goals=delta["goals"], cells=list(base["cells"]))
    for record, (index, *cell) in enumerate(delta["changes"]):
        if index >= len(new["cells"]):
            raise Refused("BadValue", 41 + 12 * len(delta["goals"]) + 13 * record)
        new["cells"][index] = cell
    data = encode_full(new)
    if struct.unpack_from("<I", data, 9)[0] != delta["hash"]:
        raise Refused("BadHash", 9)
    return data


def build_delta(base, new):
    """Section 3.2 for two decoded streams of one identity and geometry."""
    if base["mode"] == 1:
        return build_navmesh_delta(base, new)
    changes = [(i, cell) for i, (old, cell) in enumerate(zip(base["cells"], new["cells"]))
               if old != cell]
    data = encode_delta_head(base, new)
    data += struct.pack("<I", len(changes))
    return data + b"".join(struct.pack("<IBBi3b", i, *cell) for i, cell in changes)


def encode_head(s):
    """Identity and goals."""
    tail = struct.pack("<3ii", *s["origin"], s["yaw"]) + struct.pack("<i", len(s["goals"]))
    return tail + b"".join(struct.pack("<3i", *goal) for goal in s["goals"])


def encode_delta_head(base, new):
    head = b"FFD1" + struct.pack("<IBII", 1, new["mode"], new["hash"], base["hash"])
    return head + encode_head(new)


def in_bounds(value):
    return abs(value) <= VALUE_MAX


def bits_for(count):
    return (count - 1).bit_length()


def read_params(r):
    """Checks 9 to 13 of section 2.5: three origins, width, height, max tiles, max polygons."""
    if r.take("i") != 28:
        raise Refused("ParamsMismatch", r.at - 4)
    at = r.at
    if r.left() < 28:
        raise Refused("Truncated", at)
    params = [r.take("f") for _ in range(5)] + [r.take("i") for _ in range(2)]
    for i, value in enumerate(params):
        if i < 3:
            sound = in_bounds(value)
        elif i < 5:
            sound = 1 / 64 <= value <= VALUE_MAX
        else:
            sound = 1 <= value <= 65536
        if not sound:
            raise Refused("BadValue", at + 4 * i)
    if min(31, 32 - bits_for(params[5]) - bits_for(params[6])) < 10:
        raise Refused("BadValue", at + 20)
    return params


def read_costs(r):
    costs = []
    for _ in range(64):
        costs.append(r.take("f"))
        if not 0 <= costs[-1] <= FLT_MAX:
            raise Refused("BadValue", r.at - 4)
    return costs


def read_tiles(r, count, slots_end, size_min):
    """Checks 17 to 21 of section 2.5: [slot, blob, byte of the blob] each."""
    tiles = []
    for _ in range(count):
        slot = r.take("i")
        if not (tiles[-1][0] if tiles else -1) < slot < slots_end:
            raise Refused("BadValue", r.at - 4)
        size = r.take("i")
        if size < size_min:
            raise Refused("BadValue", r.at - 4)
        if size > TILE_BYTES_MAX:
            raise Refused("OverCap", r.at - 4)
        if size > r.left():
            raise Refused("Truncated", r.at)
        tiles.append([slot, r.data[r.at:r.at + size], r.at])
        r.at += size
    if r.left():
        raise Refused("Trailing", r.at)
    return tiles


class BadTile(Exception):
    """At which byte of the blob."""


class Tile:
    """Section 2.6. `check` raises BadTile; x, y and layer say where the tile lies."""

    SIZES = (12, 32, 12, 12, 12, 4, 16, 36)

    def __init__(self, blob):
        self.blob = blob
        if len(blob) < 100 or blob[:4] != b"VAND":
            raise BadTile(0)
        (self.version, self.x, self.y, self.layer, _, self.P, self.V, self.L, self.D, self.W,
         self.T, self.B, self.C, self.G) = struct.unpack_from("<14i", blob, 4)

    def get(self, form, at):
        return struct.unpack_from("<" + form, self.blob, at)[0]

    def need(self, sound, at):
        if not sound:
            raise BadTile(at)

    def need_floats(self, at, count):
        for i in range(count):
            self.need(in_bounds(self.get("f", at + 4 * i)), at + 4 * i)

    def check(self, polygons_max):
        self.check_header(polygons_max)
        counts = (self.V, self.P, self.L, self.D, self.W, self.T, self.B, self.C)
        at = [100]
        for count, size in zip(counts, self.SIZES):
            at.append(at[-1] + count * size)
        self.need(at[-1] == len(self.blob), 24)
        (self.verts, self.polys, _, self.details, self.detail_verts, self.tris, self.nodes,
         self.connections, _) = at
        self.need(self.G + self.C == self.P, 56)
        self.need(self.D >= self.G, 36)
        self.check_bounds()
        self.need_floats(self.verts, 3 * self.V)
        self.need_floats(self.detail_verts, 3 * self.W)
        for i in range(self.P):
            self.check_polygon(i, self.polys + 32 * i)
        for i in range(self.D):
            self.check_detail(i, self.details + 12 * i)
        for i in range(self.B):
            index = self.get("i", self.nodes + 16 * i + 12)
            self.need(index < self.G if index >= 0 else i - index <= self.B,
                      self.nodes + 16 * i + 12)
        for i in range(self.C):
            at = self.connections + 36 * i
            self.need_floats(at, 7)
            self.need(self.get("H", at + 28) == self.G + i, at + 28)
            self.need(self.blob[at + 31] in (0, 1, 2, 3, 4, 5, 6, 7, 255), at + 31)

    def check_header(self, polygons_max):
        self.need(self.version == 7, 4)
        self.need(-2**20 < self.x < 2**20, 8)
        self.need(-2**20 < self.y < 2**20, 12)
        for at in range(24, 60, 4):
            self.need(self.get("i", at) >= 0, at)
        self.need(1 <= self.P <= polygons_max, 24)
        self.need(self.L >= 1, 32)

    def check_bounds(self):
        self.need_floats(60, 10)
        factor = self.get("f", 96)
        for axis in range(0, 12, 4):
            low, high = self.get("f", 72 + axis), self.get("f", 84 + axis)
            self.need(low <= high, 84 + axis)
            edge = struct.unpack("<f", struct.pack("<f", high - low))[0]
            steps = struct.unpack("<f", struct.pack("<f", factor * edge))[0]
            self.need(not self.B or 0 <= steps <= 65533, 96)

    def check_polygon(self, i, at):
        ground = i < self.G
        n, kind = self.blob[at + 30], self.blob[at + 31] >> 6
        self.need(3 <= n <= 6 if ground else n == 2, at + 30)
        self.need(kind == (0 if ground else 1), at + 31)
        for v in range(at + 4, at + 4 + 2 * n, 2):
            self.need(self.get("H", v) < self.V, v)
        for edge in range(at + 16, at + 16 + 2 * n, 2) if ground else ():
            value = self.get("H", edge)
            portal = value - 0x8000
            self.need(portal in (0, 2, 4, 6) if portal >= 0 else value <= self.G, edge)

    def check_detail(self, i, at):
        verts, tris = self.blob[at + 8], self.blob[at + 9]
        self.need(not verts or self.get("I", at) + verts <= self.W, at)
        first = self.get("I", at + 4)
        self.need(first + tris <= self.T, at + 4)
        if i >= self.G:
            return
        all_verts = self.blob[self.polys + 32 * i + 30] + verts
        boundary = False
        for triangle in range(self.tris + 4 * first, self.tris + 4 * (first + tris), 4):
            for v in range(triangle, triangle + 3):
                self.need(self.blob[v] < all_verts, v)
            boundary = boundary or self.blob[triangle + 3] & 0x15 != 0
        self.need(boundary, at + 9)


def check_tile(blob, at, polygons_max):
    try:
        tile = Tile(blob)
        tile.check(polygons_max)
    except BadTile as bad:
        raise Refused("BadTile", at + bad.args[0]) from None
    return tile


def find_conflict(tiles):
    """Check 24: the position of the tile to blame in the list of (slot, Tile), or None."""
    order = sorted(range(len(tiles)), key=lambda i: (tiles[i].x, tiles[i].y, tiles[i].layer, i))
    blamed, column = [], []
    for i in order:
        if column and (tiles[column[0]].x, tiles[column[0]].y) != (tiles[i].x, tiles[i].y):
            column = []
        if column and tiles[column[-1]].layer == tiles[i].layer or len(column) >= 32:
            blamed.append(i)
        column.append(i)
    return min(blamed, default=None)


def decode_navmesh(r, s):
    s["params"] = read_params(r)
    s["costs"] = read_costs(r)
    count_at = r.at
    count = r.take("i")
    if count < 0:
        raise Refused("BadValue", count_at)
    if count > s["params"][5]:
        raise Refused("OverCap", count_at)
    s["tiles"] = read_tiles(r, count, s["params"][5], 1)
    if zlib.crc32(r.data[13:]) != s["hash"]:
        raise Refused("BadHash", 9)
    parsed = [check_tile(blob, at, s["params"][6]) for _, blob, at in s["tiles"]]
    blamed = find_conflict(parsed)
    if blamed is not None:
        raise Refused("BadTile", s["tiles"][blamed][2])
    s["tiles"] = [[slot, blob.hex()] for slot, blob, _ in s["tiles"]]
    return s


def encode_tile(slot, blob):
    return struct.pack("<2i", slot, len(blob) // 2) + bytes.fromhex(blob)


def encode_navmesh(s):
    tail = encode_head(s) + struct.pack("<i5f2i", 28, *s["params"])
    tail += struct.pack("<64f", *s["costs"]) + struct.pack("<i", len(s["tiles"]))
    tail += b"".join(encode_tile(slot, blob) for slot, blob in s["tiles"])
    return b"FFS1" + struct.pack("<IBI", 4, 1, zlib.crc32(tail)) + tail


def decode_navmesh_delta(r, s):
    if r.take("i") != 28:
        raise Refused("ParamsMismatch", r.at - 4)
    s["costs"] = read_costs(r)
    count_at = r.at
    count = r.take("I")
    if count > TILES_MAX:
        raise Refused("OverCap", count_at)
    tiles = read_tiles(r, count, TILES_MAX, 0)
    s["tile_bytes"] = [at for _, _, at in tiles]
    s["tiles"] = [[slot, blob.hex()] for slot, blob, _ in tiles]
    return s


def apply_navmesh_delta(base, delta):
    """Checks 14 to 16 of section 3.4."""
    slots = dict(base["tiles"])
    for (slot, blob), at in zip(delta["tiles"], delta["tile_bytes"]):
        if slot >= base["params"][5]:
            raise Refused("BadValue", at - 8)
        if blob:
            check_tile(bytes.fromhex(blob), at, base["params"][6])
            slots[slot] = blob
        else:
            slots.pop(slot, None)
    new = dict(base, goals=delta["goals"], costs=delta["costs"], tiles=sorted(slots.items()))
    if find_conflict([Tile(bytes.fromhex(blob)) for _, blob in new["tiles"]]) is not None:
        raise Refused("BadTile", 297 + 12 * len(delta["goals"]))
    data = encode_navmesh(new)
    if struct.unpack_from("<I", data, 9)[0] != delta["hash"]:
        raise Refused("BadHash", 9)
    return data


def build_navmesh_delta(base, new):
    before, after = dict(base["tiles"]), dict(new["tiles"])
    changed = [(slot, after.get(slot, "")) for slot in sorted(before | after)
               if before.get(slot) != after.get(slot)]
    data = encode_delta_head(base, new) + struct.pack("<i64f", 28, *new["costs"])
    data += struct.pack("<I", len(changed))
    return data + b"".join(encode_tile(slot, blob) for slot, blob in changed)


class Vectors:
    """The text files, in name order; see tests/vectors/substrate/README.md."""

    def __init__(self, folder):
        self.all = {}
        for path in sorted(pathlib.Path(folder).glob("*.txt")):
            current = None
            for line in path.read_text().splitlines():
                if line.startswith("["):
                    current = {"bytes": b"", "fields": [], "delta": "delta" in path.name}
                    self.all[line[1:-1]] = current
                elif line and not line.startswith("#"):
                    self.add(current, *line.partition(" ")[::2])

    def add(self, vector, key, rest):
        if key == "bytes":
            vector["bytes"] += bytes.fromhex(rest)
        elif key == "repeat":
            count, _, data = rest.partition(" ")
            vector["bytes"] += int(count) * bytes.fromhex(data)
        elif key == "from":
            vector["bytes"] = self.all[rest]["bytes"]
        elif key == "patch":
            at, _, data = rest.partition(" ")
            at, data = int(at), bytes.fromhex(data)
            vector["bytes"] = vector["bytes"][:at] + data + vector["bytes"][at + len(data):]
        elif key == "cut":
            vector["bytes"] = vector["bytes"][:int(rest)]
        elif key == "rehash":
            crc = struct.pack("<I", zlib.crc32(vector["bytes"][13:]))
            vector["bytes"] = vector["bytes"][:9] + crc + vector["bytes"][13:]
        elif key in ("base", "new", "expect"):
            vector[key] = rest
        else:
            vector["fields"].append((key, rest))


def check_field(stream, key, rest):
    if key == "hash":
        return f"{stream['hash']:08x}" == rest
    if key == "goals":
        return stream["goals"] == [[int(v) for v in goal.split(",")] for goal in rest.split()]
    numbers = [int(v) for v in rest.split()]
    if key == "tile":
        return numbers in [[slot, len(blob) // 2] for slot, blob in stream["tiles"]]
    if key == "cell" and "changes" in stream:
        return numbers in stream["changes"]
    if key == "cell":
        return stream["cells"][numbers[0]] == numbers[1:]
    return stream[key] == (numbers[0] if key == "yaw" else numbers)


def run_vector(vectors, vector):
    """The outcome as the vector's `expect` line words it."""
    try:
        decode = decode_delta if vector["delta"] else decode_full
        stream = decode(vector["bytes"])
        if "base" in vector:
            base = decode_full(vectors.all[vector["base"]]["bytes"])
            result = apply_delta(base, stream)
            new = vectors.all[vector["new"]]["bytes"]
            if result != new or build_delta(base, decode_full(new)) != vector["bytes"]:
                return "another result"
        elif not vector["delta"] and encode_full(stream) != vector["bytes"]:
            return "another encoding"
    except Refused as refused:
        return str(refused)
    for key, rest in vector["fields"]:
        if not check_field(stream, key, rest):
            return f"another {key}"
    return "accept"


def verify(folder):
    vectors = Vectors(folder)
    failed = 0
    for name, vector in vectors.all.items():
        outcome = run_vector(vectors, vector)
        if outcome != vector["expect"]:
            failed += 1
            print(f"{name}: expected {vector['expect']}, got {outcome}")
    print(f"{len(vectors.all)} vectors, {failed} failed")
    return 1 if failed or not vectors.all else 0


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "verify":
        return verify(arguments[1])
    if len(arguments) == 2 and arguments[0] == "decode":
        data = pathlib.Path(arguments[1]).read_bytes()
        try:
            print(json.dumps(decode_delta(data) if data[:4] == b"FFD1" else decode_full(data)))
        except Refused as refused:
            print(f"{arguments[1]}: {refused}", file=sys.stderr)
            return 3
        return 0
    if len(arguments) == 3 and arguments[0] == "encode":
        stream = json.loads(pathlib.Path(arguments[1]).read_text())
        pathlib.Path(arguments[2]).write_bytes(encode_full(stream))
        return 0
    print(__doc__, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
