"""What tests of the command share: the program, named first on the command line, a test case with a
folder of its own, and a decoder of PNGs. Import it before a test takes arguments of its own from
sys.argv. Standard library only."""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

MANIPLE = sys.argv.pop(1)


def maniple(*arguments, timeout=240):
    return subprocess.run([MANIPLE, *map(str, arguments)], capture_output=True, text=True,
                          timeout=timeout)


def read_png(data):
    """Rows of (r, g, b) of an 8-bit RGB PNG without interlacing."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlace = struct.unpack(">IIBBBBB", body)
            assert (depth, colour, interlace) == (8, 2, 0)
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    raw, stride, rows = zlib.decompress(packed), 3 * width, []
    above = bytearray(stride)
    for y in range(height):
        mode, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:][:stride])
        for i in range(stride):
            left = line[i - 3] if i >= 3 else 0
            corner = above[i - 3] if i >= 3 else 0
            guess = left + above[i] - corner
            paeth = min((abs(guess - left), 0, left), (abs(guess - above[i]), 1, above[i]),
                        (abs(guess - corner), 2, corner))[2]
            line[i] = (line[i] + (0, left, above[i], (left + above[i]) // 2, paeth)[mode]) & 255
        rows.append([tuple(line[i:i + 3]) for i in range(0, stride, 3)])
        above = line
    return rows


class CommandCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, data):
        """A file of text or bytes."""
        path = self.folder / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    def run_json(self, *arguments, status=0):
        done = maniple(*arguments, "--json")
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout)
