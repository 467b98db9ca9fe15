#!/usr/bin/env python3
"""Second reader and writer of grid substrate streams, written from docs/formats/substrate.md alone.

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
    if s["mode"] == 1:
        raise Refused("Unsupported", 8)
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
    tail = struct.pack("<3ii", *s["origin"], s["yaw"]) + struct.pack("<i", len(s["goals"]))
    tail += b"".join(struct.pack("<3i", *goal) for goal in s["goals"])
    tail += struct.pack("<3i", *s["grid"])
    tail += b"".join(struct.pack("<BBi3b", *cell) for cell in s["cells"])
    return b"FFS1" + struct.pack("<IBI", 4, 0, zlib.crc32(tail)) + tail


def decode_delta(data):
    r = Reader(data)
    s = read_head(r, b"FFD1", 1)
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
    changes = [(i, cell) for i, (old, cell) in enumerate(zip(base["cells"], new["cells"]))
               if old != cell]
    data = b"FFD1" + struct.pack("<IBII", 1, 0, new["hash"], base["hash"])
    data += struct.pack("<3ii", *new["origin"], new["yaw"]) + struct.pack("<i", len(new["goals"]))
    data += b"".join(struct.pack("<3i", *goal) for goal in new["goals"])
    data += struct.pack("<I", len(changes))
    return data + b"".join(struct.pack("<IBBi3b", i, *cell) for i, cell in changes)


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
