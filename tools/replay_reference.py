#!/usr/bin/env python3
"""Second writer of replay regions, written from docs/formats/replay.md alone.

  replay_reference.py encode OPS.json      the results of `maniple replay encode`
  replay_reference.py verify FOLDER        runs the vectors of tests/vectors/replay

It keeps a replay as a list of Python steps and writes all bytes anew after every edit, so that it
shares no way of working with the engine: where the two disagree, the document decides.
"""
import json
import math
import pathlib
import struct
import sys


class Dropped(Exception):
    """A parameter that is not written; the argument is the warning."""


def write_number(value):
    if math.isnan(value):
        return bytes.fromhex("067ff8000000000000")
    whole = math.isfinite(value) and value == math.floor(value)
    if not whole or abs(value) >= 2**64 or (value == 0 and math.copysign(1, value) < 0):
        return b"\x06" + struct.pack(">d", value)
    value = int(value)
    for code, form, bits in ((1, ">b", 8), (2, ">h", 16), (3, ">i", 32)):
        if -(1 << bits - 1) <= value < 1 << bits - 1:
            return bytes([code]) + struct.pack(form, value)
    low, high = abs(value) % 2**32, abs(value) // 2**32
    return bytes([4 if value >= 0 else 5]) + struct.pack(">II", low, high)


def write_bigint(value):
    size = max(1, (abs(value).bit_length() + 7) // 8)
    if size > 255:
        raise Dropped(152)
    return bytes([7 if value >= 0 else 8, size]) + abs(value).to_bytes(size, "little")


def write_text(text):
    """`text` may hold lone surrogates, as UTF-16 does."""
    data = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace").encode()
    if len(data) <= 223:
        return bytes([32 + len(data)]) + data
    return b"\x09" + struct.pack(">I", len(data)) + data


def write_utf16(units):
    text, i = "", 0
    while i < len(units):
        unit = units[i]
        i += 1
        if 0xD800 <= unit < 0xDC00 and i < len(units) and 0xDC00 <= units[i] < 0xE000:
            text += chr(0x10000 + ((unit & 0x3FF) << 10 | units[i] & 0x3FF))
            i += 1
        else:
            text += "\ufffd" if 0xD800 <= unit < 0xE000 else chr(unit)
    return write_text(text)


def write_param(param):
    if isinstance(param, bool):
        return bytes([0, int(param)])
    if isinstance(param, (int, float)):
        return write_number(float(param))
    if isinstance(param, str):
        return write_text(param)
    (kind, value), = param.items()
    if kind == "number":
        return write_number(float(value.replace("Infinity", "inf")))
    if kind == "bigint":
        return write_bigint(int(value))
    if kind == "repeat":
        return write_text(value["text"] * value["count"])
    if kind == "utf16":
        return write_utf16(value)
    raise Dropped(148)


class Replay:
    def __init__(self, width):
        self.width, self.steps, self.warnings = width, [], []

    def make_step(self, code, params):
        written = []
        if len(params) > 255:
            self.warnings.append(153)
        for param in params[:255]:
            try:
                written.append(write_param(param))
            except Dropped as why:
                self.warnings.append(why.args[0])
        return [code % (1 << self.width), written]

    def run(self, op):
        kind, index = op["op"], op.get("index", 0)
        limit = {"insert": len(self.steps) + 1, "set": len(self.steps),
                 "delete": len(self.steps)}.get(kind, 1)
        if not 0 <= index < limit:
            self.warnings.append(179)
        elif kind == "add":
            self.steps.append(self.make_step(op["command"], op["params"]))
        elif kind == "insert":
            self.steps.insert(index, self.make_step(op["command"], op["params"]))
        elif kind == "set":
            self.steps[index] = self.make_step(op["command"], op["params"])
        elif kind == "delete":
            del self.steps[index]
        else:
            self.set_width(op["width_bits"])

    def set_width(self, width):
        for step in self.steps:
            if width == 8 and self.width == 16 and step[0] > 255:
                self.warnings.append(154)
            step[0] %= 1 << width
        self.width = width

    def result(self):
        commands, params, index = b"", b"", []
        for code, written in self.steps:
            index.append(len(params))
            commands += bytes([len(written)]) + code.to_bytes(self.width // 8, "big")
            params += b"".join(written)
        return {"width_bits": self.width, "length": len(self.steps), "warnings": self.warnings,
                "index": index, "commands_hex": commands.hex(), "params_hex": params.hex()}


def encode(script):
    replay = Replay(script["width_bits"])
    for op in script["ops"]:
        replay.run(op)
    return {"id": script["id"], **replay.result()}


def verify(folder):
    failures = 0
    for path in sorted(pathlib.Path(folder).glob("steps*.json")):  # malformed.json is for readers
        for vector in json.loads(path.read_text()):
            expected = {"id": vector["id"], **vector["expect"]}
            if encode(vector) != expected:
                failures += 1
                print(f"{path.name}: {vector['id']}: {encode(vector)}")
    return failures


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in ("encode", "verify"):
        sys.exit(__doc__)
    if sys.argv[1] == "verify":
        sys.exit(1 if verify(sys.argv[2]) else 0)
    scripts = json.loads(pathlib.Path(sys.argv[2]).read_text())
    print(json.dumps({"results": [encode(script) for script in scripts]}))


if __name__ == "__main__":
    main()
