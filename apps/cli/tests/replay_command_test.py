#!/usr/bin/env python3
"""Runs `maniple replay` and `maniple snapshot` as a user would:
`replay_command_test.py PATH_TO_MANIPLE PATH_TO_BATTLE_TAMPER VECTORS`. Standard library only."""
import contextlib
import http.client
import json
import pathlib
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest

from command_case import MANIPLE, CommandCase, maniple

VECTORS = pathlib.Path(sys.argv.pop(2))
TAMPER = sys.argv.pop(1)
TICKS = 650  # Keyframes at 300 and 600.
BATTLE = ["simulate", "builtin:valley:128", "--units", "200", "--edit-map-every", "100"]


def result(*arguments):
    done = maniple(*arguments, "--json")
    return done.returncode, json.loads(done.stdout), done.stderr


def chunk_starts(data):
    """Where each chunk begins, by the sizes in the headers (docs/formats/battle_file.md)."""
    starts, at = [], 0
    while at < len(data):
        starts.append(at)
        at += 44 + int.from_bytes(data[at + 16:at + 20], "little")
    return starts


class Recorded(unittest.TestCase):
    """One small battle, recorded once for all tests."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        cls.file = cls.path / "battle.mrp"
        cls.trace = cls.path / "trace"
        done = maniple(*BATTLE, "--ticks", TICKS, "--replay", cls.file, "--hash-trace", cls.trace,
                       "--snapshot-at", f"300:{cls.path / 'state'}")
        assert done.returncode == 0, done.stderr
        cls.data = cls.file.read_bytes()
        cls.hashes = [line.split()[1] for line in cls.trace.read_text().splitlines()]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def write(self, data):
        path = self.path / "changed.mrp"
        path.write_bytes(data)
        return path

    def complete_tick(self, data):
        """The last tick whose hashes are there."""
        tick = 0
        for start in chunk_starts(data)[:-1]:
            if data[start:start + 4] == b"HASH":
                tick = int.from_bytes(data[start + 12:start + 16], "little")
        return tick


class Verify(Recorded):
    def test_a_recorded_battle_verifies_on_any_number_of_threads(self):
        for threads in (1, 2):
            status, report, _ = result("replay", "verify", self.file, "--threads", threads)
            self.assertEqual(status, 0)
            self.assertEqual(report, {"ok": True, "ticks": TICKS, "first_hash": self.hashes[0],
                                      "last_hash": self.hashes[-1], "mismatch": None})

    def test_recording_again_gives_the_same_bytes(self):
        again = self.path / "again.mrp"
        maniple(*BATTLE, "--ticks", TICKS, "--replay", again)
        self.assertEqual(again.read_bytes(), self.data)

    def test_a_mended_lie_is_a_mismatch_that_names_the_tick(self):
        lie = self.path / "lie.mrp"
        # The first command from 2 on is a move, from 100 on an edit, from 101 on a stance.
        for kind, tick in (("hash", 123), ("command", 2), ("keyframe", 300), ("command", 100),
                           ("command", 101)):
            done = subprocess.run([TAMPER, self.file, lie, kind, str(tick)], capture_output=True,
                                  text=True, check=True)
            named = int(done.stdout)
            self.assertGreaterEqual(named, tick)
            status, report, stderr = result("replay", "verify", lie)
            self.assertEqual(status, 1, kind)
            self.assertFalse(report["ok"])
            self.assertEqual(report["mismatch"]["tick"], named, kind)
            self.assertIn(f"lie.mrp: tick {named}: ", stderr)
            if kind == "command" and tick == 100:  # A stream of another version cannot be played.
                self.assertIsNone(report["mismatch"]["state_tick"])
            elif kind == "command":
                self.assertEqual(report["mismatch"]["state_tick"], 300)
                self.assertTrue(report["mismatch"]["fragment"])
                self.assertIsInstance(report["mismatch"]["field"], str)
            elif kind == "hash":
                self.assertEqual(report["mismatch"]["state_tick"], 300)
                self.assertIsNone(report["mismatch"]["fragment"])

    def test_a_lie_after_the_last_keyframe_has_no_state_to_compare(self):
        lie = self.path / "lie.mrp"
        subprocess.run([TAMPER, self.file, lie, "hash", "620"], check=True, capture_output=True)
        status, report, _ = result("replay", "verify", lie)
        self.assertEqual(status, 1)
        self.assertEqual(report["mismatch"]["tick"], 620)
        self.assertIsNone(report["mismatch"]["state_tick"])

    def test_a_lie_without_mended_checksums_is_refused(self):
        for start in chunk_starts(self.data)[:-1]:
            data = bytearray(self.data)
            data[start + 44] ^= 1
            status, report, stderr = result("replay", "verify", self.write(data))
            self.assertEqual(status, 3)
            self.assertEqual(report["error"]["code"], "BadHash")
            self.assertIn(f"changed.mrp: byte {report['error']['at_byte']}: ", stderr)

    def test_a_file_cut_at_every_chunk_names_the_last_good_tick(self):
        for start in chunk_starts(self.data):
            self.expect_truncated(self.data[:start])

    def test_a_file_cut_at_random_bytes_names_the_last_good_tick(self):
        seed = 7
        pick = random.Random(seed)
        for size in (pick.randrange(len(self.data)) for _ in range(10)):
            with self.subTest(seed=seed, size=size):
                self.expect_truncated(self.data[:size])

    def expect_truncated(self, data):
        status, report, stderr = result("replay", "verify", self.write(data))
        self.assertEqual(status, 3)
        self.assertFalse(report["ok"])
        self.assertEqual(report["error"]["code"], "Truncated")
        self.assertIsNone(report["mismatch"])
        starts = chunk_starts(self.data)
        if len(data) < starts[1]:
            return  # No header, so no battle to name ticks of.
        tick = self.complete_tick(self.data[:max(s for s in starts if s <= len(data))] + b"\0" * 44)
        self.assertEqual(report["ticks"], tick)
        self.assertIn(f"good up to tick {tick}", report["error"]["message"])
        self.assertIn(f"good up to tick {tick}", stderr)
        if tick:
            self.assertEqual(report["last_hash"], self.hashes[tick - 1])

    def test_a_file_with_a_flipped_bit_is_refused(self):
        seed = 8
        pick = random.Random(seed)
        for bit in (pick.randrange(len(self.data) * 8) for _ in range(20)):
            data = bytearray(self.data)
            data[bit // 8] ^= 1 << bit % 8
            status, report, _ = result("replay", "verify", self.write(data))
            with self.subTest(seed=seed, bit=bit):
                self.assertEqual(status, 3)
                self.assertFalse(report["ok"])
                self.assertTrue(report["error"]["code"])

    def test_what_is_no_battle_file_is_refused(self):
        for data, code in ((b"", "Truncated"), (b"no battle file at all", "BadMagic")):
            status, report, _ = result("replay", "verify", self.write(data))
            self.assertEqual(status, 3)
            self.assertEqual(report["error"]["code"], code)
        status, report, stderr = result("replay", "verify", self.path / "none.mrp")
        self.assertEqual(status, 3)
        self.assertEqual(report["error"]["code"], "NotFound")
        self.assertIn("none.mrp: ", stderr)

    def test_a_recorder_that_is_killed_leaves_a_file_that_verifies(self):
        killed = self.path / "killed.mrp"
        process = subprocess.Popen([MANIPLE, *BATTLE, "--ticks", "100000", "--replay", killed],
                                   stdout=subprocess.DEVNULL)
        while not killed.exists() or killed.stat().st_size < 12_000:
            time.sleep(0.01)
        process.kill()
        process.wait()
        status, report, _ = result("replay", "verify", killed)
        self.assertEqual(status, 3)
        self.assertEqual(report["error"]["code"], "Truncated")
        self.assertGreaterEqual(report["ticks"], 60)
        self.assertIsNone(report["mismatch"])

    def test_a_recorder_that_is_asked_to_stop_completes_its_file(self):
        stopped = self.path / "stopped.mrp"
        process = subprocess.Popen([MANIPLE, *BATTLE, "--ticks", "100000", "--replay", stopped],
                                   stdout=subprocess.DEVNULL)
        while not stopped.exists() or stopped.stat().st_size < 12_000:
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(), 0)
        self.assertEqual(result("replay", "verify", stopped)[0], 0)
        self.assertEqual(result("replay", "info", stopped)[1]["end"]["reason"], "stopped")

    def test_a_file_of_another_registry_is_explained_and_verified_from_its_start(self):
        other = self.path / "other.mrp"
        subprocess.run([TAMPER, self.file, other, "registry", "0"], check=True,
                       capture_output=True)
        status, report, stderr = result("replay", "verify", other)
        self.assertEqual(status, 0)
        self.assertEqual(report["ticks"], TICKS)
        self.assertIn("registry", report["note"])
        self.assertIn("recorded with registry", stderr)
        self.assertIsNone(result("replay", "seek", other, "--tick", 400)[1]["from_keyframe"])

    def test_a_file_of_another_game_is_explained(self):
        other = self.path / "other.mrp"
        subprocess.run([TAMPER, self.file, other, "game", "0"], check=True, capture_output=True)
        status, report, _ = result("replay", "verify", other)
        self.assertEqual(status, 3)
        self.assertEqual(report["error"]["code"], "RegistryMismatch")
        self.assertIn("skirmish", report["error"]["message"])
        self.assertEqual(result("replay", "info", other)[0], 0)


class Read(Recorded):
    def test_info_tells_what_the_file_holds(self):
        status, info, _ = result("replay", "info", self.file)
        self.assertEqual(status, 0)
        self.assertEqual((info["map"], info["seed"], info["units"], info["tick_rate_hz"]),
                         ("builtin:valley:128", 1, 200, 20))
        self.assertEqual((info["ticks"], info["last_tick"]), (TICKS, TICKS))
        self.assertEqual(info["keyframe_ticks"], [300, 600])
        self.assertEqual(info["bytes"], len(self.data))
        self.assertEqual(info["end"], {"reason": "finished", "last_hash": self.hashes[-1]})
        self.assertIn("builtin:valley:128", maniple("replay", "info", self.file).stdout)

    def test_beyond_commands_and_keyframes_a_tick_costs_twelve_bytes(self):
        info = result("replay", "info", self.file)[1]
        steps = [json.loads(line)
                 for line in maniple("replay", "export", self.file).stdout.splitlines()]
        quiet = {step["tick"] for step in steps if step["name"] == "TickAdvance"}
        self.assertLess(len(quiet), 30)
        self.assertLessEqual(info["chunk_bytes"]["hashes"] / TICKS, 12)

    def test_info_of_a_damaged_file_shows_the_good_part(self):
        status, info, _ = result("replay", "info", self.write(self.data[:-1]))
        self.assertEqual(status, 3)
        self.assertEqual(info["last_tick"], TICKS)
        self.assertEqual(info["error"]["code"], "Truncated")

    def test_seek_gives_the_hash_of_any_tick(self):
        for tick, keyframe in ((1, None), (299, None), (300, 300), (301, 300), (599, 300),
                               (TICKS, 600)):
            status, found, _ = result("replay", "seek", self.file, "--tick", tick)
            self.assertEqual(status, 0)
            self.assertEqual((found["tick"], found["hash"], found["from_keyframe"]),
                             (tick, self.hashes[tick - 1], keyframe))
            self.assertGreaterEqual(found["ms"], 0)
        status, report, _ = result("replay", "seek", self.file, "--tick", TICKS + 1)
        self.assertEqual((status, report["error"]["code"]), (3, "NotFound"))

    def test_export_gives_every_step_on_a_line(self):
        done = maniple("replay", "export", self.file)
        self.assertEqual(done.returncode, 0)
        steps = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(steps), result("replay", "info", self.file)[1]["steps"])
        self.assertEqual([step["step"] for step in steps], list(range(len(steps))))
        self.assertEqual(steps[0]["name"], "TickAdvance")
        self.assertEqual(steps[1]["name"], "SpawnSquad")
        edits = [step["tick"] for step in steps if step["name"] == "FF.RebuildFlowField"]
        self.assertEqual(edits, [100, 200, 300, 400, 500, 600])
        self.assertEqual(result("replay", "export", self.file)[1]["steps"], steps)

    def test_diff_names_the_first_differing_step(self):
        other = self.path / "seed2.mrp"
        maniple(*BATTLE, "--ticks", TICKS, "--seed", 2, "--replay", other)
        status, difference, _ = result("replay", "diff", self.file, other)
        self.assertEqual(status, 1)
        self.assertEqual(difference["header"], ["seed"])
        self.assertEqual(difference["step"]["tick"], 1)
        self.assertEqual(difference["hash_tick"], 1)
        status, difference, _ = result("replay", "diff", self.file, self.file)
        self.assertEqual((status, difference["equal"], difference["step"]), (0, True, None))

    def test_diff_finds_one_changed_parameter(self):
        lie = self.path / "lie.mrp"
        done = subprocess.run([TAMPER, self.file, lie, "command", "50"], check=True,
                              capture_output=True, text=True)
        status, difference, _ = result("replay", "diff", self.file, lie)
        self.assertEqual(status, 1)
        self.assertEqual(difference["step"]["tick"], int(done.stdout))
        self.assertNotEqual(difference["step"]["a"]["params"], difference["step"]["b"]["params"])
        self.assertIsNone(difference["hash_tick"])

    def test_trim_cuts_a_part_that_verifies_by_itself(self):
        part = self.path / "part.mrp"
        for first, last in ((1, TICKS), (1, 250), (301, 600), (310, 620), (450, 450)):
            status, _, stderr = result("replay", "trim", self.file, "--from", first, "--to", last,
                                       "-o", part)
            self.assertEqual(status, 0, stderr)
            status, report, _ = result("replay", "verify", part)
            self.assertEqual(status, 0, report)
            self.assertEqual(report["ticks"], last - first + 1)
            self.assertEqual(report["first_hash"], self.hashes[first - 1])
            self.assertEqual(report["last_hash"], self.hashes[last - 1])
            found = result("replay", "seek", part, "--tick", last)[1]
            self.assertEqual(found["hash"], self.hashes[last - 1])

    def test_trim_of_a_part_gives_the_bytes_of_trimming_at_once(self):
        part, once, twice = (self.path / name for name in ("part", "once", "twice"))
        maniple("replay", "trim", self.file, "--from", 150, "--to", 640, "-o", part)
        maniple("replay", "trim", part, "--from", 250, "--to", 500, "-o", twice)
        maniple("replay", "trim", self.file, "--from", 250, "--to", 500, "-o", once)
        self.assertEqual(once.read_bytes(), twice.read_bytes())

    def test_trim_rescues_the_good_part_of_a_damaged_file(self):
        part = self.path / "part.mrp"
        damaged = self.write(self.data[:chunk_starts(self.data)[-5]])
        tick = result("replay", "info", damaged)[1]["last_tick"]
        status = result("replay", "trim", damaged, "--from", 1, "--to", tick, "-o", part)[0]
        self.assertEqual(status, 0)
        self.assertEqual(result("replay", "verify", part)[1]["ticks"], tick)
        status, report, _ = result("replay", "trim", damaged, "--from", 1, "--to", TICKS + 1, "-o",
                                   part)
        self.assertEqual((status, report["error"]["code"]), (3, "NotFound"))

    def test_play_runs_in_the_battles_own_time(self):
        begin = time.monotonic()
        status, played, stderr = result("replay", "play", self.file, "--from", 600, "--speed", 5)
        self.assertEqual(status, 0)
        self.assertGreaterEqual(time.monotonic() - begin, 50 / 20 / 5)
        self.assertEqual((played["tick"], played["hash"]), (TICKS, self.hashes[-1]))
        self.assertIn(f"tick {TICKS}/{TICKS}", stderr)

    def test_play_ends_cleanly_on_a_signal(self):
        process = subprocess.Popen([MANIPLE, "replay", "play", self.file, "--json"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stderr.readline()  # A second of battle has been played.
        process.send_signal(signal.SIGINT)
        stdout, _ = process.communicate()
        self.assertEqual(process.returncode, 0)
        played = json.loads(stdout)
        self.assertEqual(played["hash"], self.hashes[played["tick"] - 1])

    def test_a_page_shows_the_battle_and_jumps_to_any_tick(self):
        process = subprocess.Popen([MANIPLE, "replay", "play", self.file, "--http", "0", "--json"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        port = int(process.stderr.readline().split("127.0.0.1:")[1].split("/")[0])

        def ask(method, path):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
            with contextlib.closing(connection):
                connection.request(method, path)
                answer = connection.getresponse()
                return answer.status, answer.read()

        def state_after(method, path):
            status, body = ask(method, path)
            self.assertEqual(status, 200, path)
            return json.loads(body)

        self.assertIn(b"<canvas", ask("GET", "/")[1])
        self.assertTrue(ask("GET", "/map.png")[1].startswith(b"\x89PNG"))
        self.assertFalse(state_after("POST", "/pause")["playing"])
        for tick in (TICKS, 1, TICKS // 2):
            state = state_after("POST", f"/seek?tick={tick}")
            self.assertEqual((state["tick"], state["hash"]), (tick, self.hashes[tick - 1]))
            units = ask("GET", "/units")[1]
            self.assertEqual(struct.unpack("<i", units[:4])[0], tick)
            count = struct.unpack("<i", units[4:8])[0]
            self.assertEqual(len(units), 8 + 12 * count)
            self.assertGreater(count, 0)
        self.assertEqual(state_after("POST", "/speed?times=50")["speed"], 50)
        self.assertTrue(state_after("POST", "/play")["playing"])
        while state_after("GET", "/state")["tick"] < TICKS:
            time.sleep(0.01)
        self.assertFalse(state_after("GET", "/state")["playing"])
        for method, path, status in (("POST", "/seek?tick=x", 400), ("POST", "/speed?times=0", 400),
                                     ("POST", "/units", 404), ("GET", "/seek?tick=1", 404),
                                     ("DELETE", "/", 405)):
            self.assertEqual(ask(method, path)[0], status, path)
        done = maniple("replay", "play", self.file, "--http", str(port))
        self.assertEqual(done.returncode, 3)
        process.send_signal(signal.SIGINT)
        stdout, _ = process.communicate()
        self.assertEqual(process.returncode, 0)
        self.assertEqual(json.loads(stdout)["hash"], self.hashes[-1])

    def test_usage_errors_are_2(self):
        for arguments in (["verify"], ["seek", self.file], ["seek", self.file, "--tick", "-1"],
                          ["trim", self.file, "--from", "1", "--to", "2"], ["none"],
                          ["verify", self.file, "--threads", "0"],
                          ["play", self.file, "--speed", "0"],
                          ["play", self.file, "--speed", "nan"]):
            done = maniple("replay", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertTrue(done.stderr)


class Snapshot(Recorded):
    def test_info_tells_what_the_state_holds(self):
        status, info, _ = result("snapshot", "info", self.path / "state")
        self.assertEqual(status, 0)
        self.assertEqual((info["tick"], info["hash"], info["seed"]), (300, self.hashes[299], 1))
        self.assertEqual(sum(entry["entities"] for entry in info["templates"]), info["entities"])
        self.assertEqual([entry["field"] for entry in info["substrates"]], ["ground"])

    def test_diff_counts_what_differs_by_fragment(self):
        later = self.path / "later"
        maniple(*BATTLE, "--ticks", 301, "--snapshot-at", f"301:{later}")
        status, difference, _ = result("snapshot", "diff", self.path / "state", later)
        self.assertEqual(status, 1)
        self.assertEqual(difference["tick"], [300, 301])
        moved = {entry["fragment"]: entry for entry in difference["fragments"]}
        self.assertGreater(moved["Position"]["differing"], 0)
        first = moved["Position"]["first"]
        self.assertIn(first["field"], ("x", "y"))
        self.assertNotEqual(first["a"], first["b"])
        status, difference, _ = result("snapshot", "diff", later, later)
        self.assertEqual((status, difference["equal"], difference["fragments"]), (0, True, []))

    def test_diff_shows_values_outside_the_entities(self):
        other = self.path / "other"
        maniple(*BATTLE, "--ticks", 300, "--seed", 2, "--snapshot-at", f"300:{other}")
        difference = result("snapshot", "diff", self.path / "state", other)[1]
        first = {entry["section"]: entry["first"] for entry in difference["sections"]}
        values = first["random streams"]
        self.assertEqual((values["field"], values["a"], values["b"]), ("agent.initial_seed", 1, 2))

    def test_a_damaged_state_is_refused_with_its_byte(self):
        state = (self.path / "state").read_bytes()
        cut = self.path / "cut"
        cut.write_bytes(state[:-1])
        status, report, stderr = result("snapshot", "info", cut)
        self.assertEqual(status, 3)
        self.assertEqual(report["error"]["code"], "Truncated")
        self.assertRegex(stderr, r"cut: byte \d+: ")
        self.assertEqual(result("snapshot", "diff", self.path / "state", cut)[0], 3)

    def test_the_tick_of_a_state_is_one_of_the_battle(self):
        for request in ("4:x", "0:x", "x", "3:"):
            done = maniple(*BATTLE, "--ticks", 3, "--snapshot-at", request)
            self.assertEqual(done.returncode, 2, request)


class Codec(CommandCase):
    def encode(self, text):
        done = maniple("replay", "encode", self.write("ops.json", text))
        return done.returncode, json.loads(done.stdout), done.stderr

    def test_encode_gives_the_bytes_of_the_vectors(self):
        vectors = json.loads((VECTORS / "steps.json").read_text())
        done = maniple("replay", "encode", VECTORS / "steps.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        results = json.loads(done.stdout)["results"]
        self.assertEqual(len(results), len(vectors))
        for vector, encoded in zip(vectors, results):
            self.assertEqual(encoded, {"id": vector["id"], **vector["expect"]})

    def test_decode_gives_back_what_encodes_to_the_same_bytes(self):
        for vector in json.loads((VECTORS / "steps.json").read_text()):
            expect = vector["expect"]
            done = maniple("replay", "decode", "--width", expect["width_bits"], "--commands",
                           expect["commands_hex"], "--params", expect["params_hex"])
            self.assertEqual(done.returncode, 0, done.stderr)
            decoded = json.loads(done.stdout)
            self.assertEqual(decoded["index"], expect["index"])
            ops = [{"op": "add", **step} for step in decoded["steps"]]
            status, again, _ = self.encode(json.dumps(
                [{"id": 0, "width_bits": expect["width_bits"], "ops": ops}]))
            self.assertEqual(status, 0)
            for key in ("commands_hex", "params_hex", "length"):
                self.assertEqual(again["results"][0][key], expect[key], vector["id"])

    def test_decode_refuses_malformed_regions(self):
        for vector in json.loads((VECTORS / "malformed.json").read_text()):
            done = maniple("replay", "decode", "--width", vector["width_bits"], "--commands",
                           vector["commands_hex"], "--params", vector["params_hex"])
            self.assertEqual(done.returncode, 3, vector["id"])
            error = json.loads(done.stdout)["error"]
            self.assertEqual((error["code"], error["at_byte"]),
                             (vector["code"], vector["at_byte"]), vector["id"])

    def test_decode_refuses_what_is_no_hex(self):
        for commands in ("0", "zz", "0x"):
            done = maniple("replay", "decode", "--width", 8, "--commands", commands, "--params", "")
            self.assertEqual(done.returncode, 3, commands)
            self.assertEqual(json.loads(done.stdout)["error"]["code"], "BadText")
        self.assertEqual(maniple("replay", "decode", "--width", 9, "--commands", "", "--params",
                                 "").returncode, 2)

    def test_output_that_cannot_be_written_is_1(self):
        script = self.folder / "script.json"
        script.write_text('[{"id":1,"width_bits":8,"ops":[]}]')
        for arguments in (["replay", "encode", script], ["--help"], ["--version"],
                          ["field", "info", "--help"]):
            with open("/dev/full", "w") as full:
                done = subprocess.run([MANIPLE, *map(str, arguments)], stdout=full,
                                      stderr=subprocess.PIPE, text=True)
            self.assertEqual(done.returncode, 1, arguments)
            self.assertIn("cannot be written", done.stderr)

    def test_encode_refuses_what_is_no_script(self):
        for text in ("", "{", "{}", "[1]", '[{"width_bits":8}]', '[{"width_bits":9,"ops":[]}]',
                     '[{"width_bits":8,"ops":[{"op":"none"}]}]',
                     '[{"width_bits":8,"ops":[{"op":"add","command":1}]}]',
                     '[{"width_bits":8,"ops":[{"op":"add","command":1,"params":[null]}]}]',
                     '[{"width_bits":8,"ops":[{"op":"add","command":1,"params":[{"bigint":1}]}]}]',
                     '[{"width_bits":8,"ops":[{"op":"add","command":1,"params":[1e400]}]}]'):
            status, report, stderr = self.encode(text)
            self.assertEqual(status, 3, text)
            self.assertEqual(report["error"]["code"], "BadText")
            self.assertIn("ops.json: ", stderr)

    def test_encode_takes_64_levels_and_refuses_65(self):
        for deep, status in ((62, 0), (63, 3), (200_000, 3)):
            value = "[" * deep + "]" * deep
            done, report, stderr = self.encode('[{"id":%s,"width_bits":8,"ops":[]}]' % value)
            self.assertEqual(done, status, deep)
        self.assertEqual(report["error"]["message"], "JSON of more than 64 levels")

    def test_encode_makes_no_more_than_16_mib_of_repeats(self):
        for texts, status in (([(8 << 20) - 1, (8 << 20) + 1], 0), ([8 << 20, (8 << 20) + 1], 3)):
            params = [{"repeat": {"text": "u", "count": count}} for count in texts]
            ops = [{"op": "add", "command": 1, "params": params}]
            done, _, _ = self.encode(json.dumps([{"id": 1, "width_bits": 8, "ops": ops}]))
            self.assertEqual(done, status, texts)


if __name__ == "__main__":
    unittest.main()
