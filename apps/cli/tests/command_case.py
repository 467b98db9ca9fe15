"""What tests of the command share: the program, named first on the command line, and a test case
with a folder of its own. Import it before anything else reads sys.argv. Standard library only."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

MANIPLE = sys.argv.pop(1)


def maniple(*arguments):
    return subprocess.run([MANIPLE, *map(str, arguments)], capture_output=True, text=True,
                          timeout=120)


class CommandCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def run_json(self, *arguments, status=0):
        done = maniple(*arguments, "--json")
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(done.stdout)
