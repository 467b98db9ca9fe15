#!/usr/bin/env python3
"""Runs `maniple battle` as a user would: processes, poor links, corruption, deaths.
`battle_command_test.py PATH_TO_MANIPLE`. Standard library only."""
import contextlib
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time
import unittest

from command_case import MANIPLE, CommandCase, maniple

SMALL = ["builtin:valley:128", "--units", "400", "--edit-map-every", "40"]
LONG = ["builtin:valley:128", "--units", "100", "--ticks", "4000", "--realtime"]


def read_trace(path):
    lines = [line.split() for line in pathlib.Path(path).read_text().splitlines()]
    return [(int(tick), value) for tick, value in lines]


def children_of(pid):
    """Peer processes by the name ps shows."""
    found = {}
    for folder in pathlib.Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            text = (folder / "stat").read_text()
        except OSError:
            continue
        name, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:]
        if int(rest.split()[1]) == pid:
            found[name] = int(folder.name)
    return found


class Battle(CommandCase):
    def battle(self, *arguments):
        return self.run_json("battle", *arguments)

    def trace_of(self, *arguments):
        trace = self.folder / "trace"
        result = self.battle(*SMALL, "--ticks", "120", "--hash-trace", trace, *arguments)
        self.assertEqual(result["failures"], [])
        return read_trace(trace)

    # proves: NET-001, NET-007, NET-010, SNAP-011, SNAP-020, SNAP-035
    def test_one_trace_whatever_links_clients_joins_threads_and_repairs_do(self):
        trace = self.folder / "simulated"
        maniple("simulate", *SMALL, "--ticks", "120", "--hash-trace", trace)
        expected = read_trace(trace)
        self.assertEqual([tick for tick, _ in expected], list(range(1, 121)))
        for arguments in (
                [],
                ["--clients", "1", "--late-join", "none"],
                ["--clients", "4", "--late-join", "90", "--threads", "2"],
                ["--link", "1:latency=20,jitter=15,loss=10", "--corrupt", "1@50", "--corrupt",
                 "2@70"],
                ["--in-process", "--link", "2:latency=5,jitter=5,loss=20", "--corrupt", "2@60"]):
            self.assertEqual(self.trace_of(*arguments), expected, arguments)

    # proves: O-MOD-10, SNAP-049
    def test_modifiers_by_command_reach_joiners_and_repaired_clients(self):
        modified = [*SMALL, "--modify-every", "25"]
        trace = self.folder / "simulated"
        maniple("simulate", *modified, "--ticks", "120", "--hash-trace", trace)
        expected = read_trace(trace)
        # Both fall into ticks in which a modifier stands.
        self.assertEqual(self.trace_of("--modify-every", "25", "--late-join", "90", "--corrupt",
                                       "1@85"), expected)
        self.assertNotEqual(self.trace_of(), expected)

    # proves: NET-004, NET-005, NET-006
    def test_one_trace_whatever_an_edit_travels_as(self):
        # Every tick: two edits lie within one input delay.
        battle = ["builtin:valley:128", "--units", "400", "--ticks", "120", "--edit-map-every", "1"]
        trace = self.folder / "simulated"
        maniple("simulate", *battle, "--hash-trace", trace)
        expected = read_trace(trace)
        for dispatch, sent in (("full", "full"), ("incremental", "delta"), ("auto", "delta")):
            result = self.battle(*battle, "--dispatch", dispatch, "--hash-trace", trace)
            self.assertEqual(read_trace(trace), expected, dispatch)
            counts = {kind: streams["count"] for kind, streams in result["substrate"].items()}
            self.assertGreater(counts.pop(sent), 20)
            self.assertEqual(list(counts.values()), [0], dispatch)

    def test_whole_streams_of_a_large_map_do_not_stall_a_client_behind_a_poor_link(self):
        result = self.battle("builtin:valley:1024", "--units", "200", "--ticks", "100",
                             "--realtime", "--clients", "2", "--late-join", "none",
                             "--edit-map-every", "30", "--dispatch", "full",
                             "--link", "2:latency=60,loss=5")
        self.assertEqual(result["substrate"]["full"]["count"], 3)
        self.assertGreater(result["substrate"]["full"]["bytes"], 3 * 9_000_000)
        for client in result["clients"]:
            self.assertEqual(client["final_hash"], result["final_hash"])
            self.assertEqual((client["joined_at_tick"], client["desyncs"]), (0, []))

    def test_a_corrupted_client_is_found_named_and_repaired(self):
        trace = self.folder / "trace"
        result = self.battle(*SMALL, "--ticks", "150", "--corrupt", "1@80", "--link",
                             "2:latency=10,loss=5", "--hash-trace", trace)
        server = dict(read_trace(trace))
        by_index = {client["index"]: client for client in result["clients"]}
        self.assertEqual(sorted(by_index), [1, 2, 3])
        self.assertEqual([len(by_index[i]["desyncs"]) for i in (1, 2, 3)], [1, 0, 0])
        desync = by_index[1]["desyncs"][0]
        self.assertEqual((desync["tick"], desync["fragment"], desync["field"]),
                         (80, "Unit", "health"))
        self.assertEqual(desync["client_value"], desync["server_value"] ^ 1)
        self.assertGreaterEqual(desync["uid"], 0)
        self.assertGreaterEqual(desync["detected_after_ticks"], 0)
        self.assertGreaterEqual(desync["repaired_at_tick"], 80)
        for client in by_index.values():
            self.assertEqual(client["final_hash"], result["final_hash"])
            own = read_trace(f"{trace}.client{client['index']}")
            self.assertEqual(own[0][0], client["joined_at_tick"] + 1)
            self.assertEqual(own[-1], (150, result["final_hash"]))
            for tick, value in own:
                wrong = (client["index"] == 1 and
                         80 <= tick <= desync["repaired_at_tick"])
                self.assertEqual(value != server[tick], wrong, (client["index"], tick))
        self.assertGreaterEqual(by_index[3]["joined_at_tick"], 50)
        self.assertEqual(len({client["pid"] for client in by_index.values()} |
                             {result["server"]["pid"]}), 4)

    def test_a_corruption_within_a_repair_goes_with_it(self):
        result = self.battle(*SMALL, "--ticks", "120", "--link", "1:latency=40", "--corrupt",
                             "1@60", "--corrupt", "1@61", "--corrupt", "1@62")
        desyncs = result["clients"][0]["desyncs"]
        self.assertEqual(desyncs[0]["tick"], 60)
        self.assertGreaterEqual(desyncs[-1]["repaired_at_tick"], 62)
        self.assertEqual(result["clients"][0]["final_hash"], result["final_hash"])

    def test_the_json_object_has_every_promised_key(self):
        replay = self.folder / "battle.mrp"
        result = self.battle(*SMALL, "--ticks", "90", "--replay", replay)
        self.assertEqual(result["map"], "builtin:valley:128")
        self.assertEqual((result["mode"], result["seed"], result["ticks"]), ("grid", 1, 90))
        self.assertEqual(result["units_spawned"], 400)
        self.assertEqual(result["units_alive"], 400 - sum(result["lost"]))
        self.assertLessEqual(result["moves"]["half_way_in_time"], result["moves"]["judged"])
        self.assertIn("units_stuck", result)
        self.assertEqual(result["tick_rate_hz"], 20)
        for times in [result["server"]["tick_ms"], *(c["tick_ms"] for c in result["clients"]),
                      *(c["command_latency_ms"] for c in result["clients"])]:
            self.assertLessEqual(times["p50"], times["p95"])
            self.assertLessEqual(times["p95"], times["max"])
        snapshot = result["server"]["snapshot"]
        self.assertLess(snapshot["packed_bytes"], snapshot["bytes"])
        streams = result["substrate"]
        self.assertEqual(streams["full"]["count"] + streams["delta"]["count"], 2)
        for client in result["clients"]:
            self.assertGreater(client["bytes_in_per_s"], 0)
            self.assertGreater(client["bytes_out_per_s"], 0)
            self.assertGreater(client["join_ms"], 0)
        recorded = result["replay"]
        self.assertEqual(recorded["file"], str(replay))
        self.assertEqual(recorded["bytes"], replay.stat().st_size)
        self.assertTrue(recorded["verified"])
        self.assertEqual(recorded["verified_ticks"], 90)
        self.assertEqual(recorded["last_hash"], result["final_hash"])
        self.assertGreater(recorded["steps"], 0)

    def test_the_report_is_one_page_with_tables_and_pictures(self):
        report = self.folder / "battle.html"
        self.battle(*SMALL, "--ticks", "90", "--report", report)
        page = report.read_text()
        self.assertEqual(page.count("data:image/png;base64,"), 4)
        self.assertIn("Every peer ended on", page)
        self.assertNotRegex(page, r"(src|href)='?(https?:|//)")
        self.assertEqual(len(re.findall("<svg class=strip", page)), 3)

    def start_long(self, *arguments):
        process = subprocess.Popen([MANIPLE, "battle", *LONG, *arguments],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 60
        peers = {}
        while time.monotonic() < deadline and not {"server", "client 1", "client 2"} <= set(peers):
            time.sleep(0.05)
            peers = children_of(process.pid)
        time.sleep(1.5)  # some ticks of battle
        return process, peers

    def end_of(self, process, peers):
        begin = time.monotonic()
        text, _ = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - begin, 10)
        for pid in peers.values():
            self.assertFalse(os.path.exists(f"/proc/{pid}"), "a peer outlives the battle")
        return text

    def test_a_killed_client_ends_the_battle_by_name(self):
        replay = self.folder / "battle.mrp"
        process, peers = self.start_long("--link", "1:latency=5", "--replay", replay)
        self.assertIn("link 1", peers)
        os.kill(peers["client 2"], signal.SIGKILL)
        text = self.end_of(process, peers)
        self.assertEqual(process.returncode, 1)
        self.assertIn("client 2 was killed by signal 9", text)
        self.assertIn("client 2 is lost", text)
        self.assertIn("every hash equal", text)

    def test_a_killed_server_leaves_a_replay_up_to_its_last_chunk(self):
        replay = self.folder / "battle.mrp"
        process, peers = self.start_long("--replay", replay)
        time.sleep(2)  # past the first chunk of 60 ticks
        os.kill(peers["server"], signal.SIGKILL)
        text = self.end_of(process, peers)
        self.assertEqual(process.returncode, 1)
        self.assertIn("server was killed by signal 9", text)
        self.assertRegex(text, r"60 ticks re-simulated, every hash equal as far as the file goes")

    def test_an_interrupt_ends_the_battle_cleanly(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process, peers = self.start_long()
            process.send_signal(number)
            text = self.end_of(process, peers)
            self.assertEqual(process.returncode, 0, text)
            self.assertIn("every peer holds", text)

    def test_a_sleeping_client_is_played_for_and_comes_back(self):
        process = subprocess.Popen(
            [MANIPLE, "battle", "builtin:valley:128", "--units", "100", "--ticks", "3000",
             "--late-join", "none", "--link", "2:latency=1", "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and "client 2" not in children_of(process.pid):
            time.sleep(0.01)
        time.sleep(0.3)
        sleeper = children_of(process.pid)["client 2"]
        os.kill(sleeper, signal.SIGSTOP)
        time.sleep(4)
        os.kill(sleeper, signal.SIGCONT)
        text, errors = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, errors)
        self.assertEqual(len(json.loads(text)["clients"]), 3)

    def test_a_client_that_joins_later_than_its_corruption_is_corrupted_when_it_joins(self):
        result = self.battle(*SMALL, "--ticks", "120", "--clients", "2", "--late-join", "40",
                             "--link", "2:latency=30", "--corrupt", "2@41")
        client = result["clients"][1]
        self.assertEqual(client["desyncs"][0]["tick"], max(41, client["joined_at_tick"] + 1))
        self.assertEqual(client["final_hash"], result["final_hash"])

    def test_no_output_replaces_the_map_or_another_output(self):
        text = "type octile\nheight 20\nwidth 20\nmap\n" + ("." * 20 + "\n") * 20
        grid = self.folder / "field.map"
        grid.write_text(text)
        (self.folder / "link.map").symlink_to(grid)
        other = str(self.folder / "out")
        for arguments in (["battle", grid, "--replay", grid],
                          ["battle", grid, "--report", self.folder / "link.map"],
                          ["battle", grid, "--report", other, "--hash-trace", other],
                          ["simulate", grid, "--replay", grid],
                          ["simulate", grid, "--hash-trace", other, "--replay", other],
                          ["simulate", grid, "--ticks", "9", "--snapshot-at", f"5:{grid}"]):
            done = maniple(*map(str, arguments), "--units", "4")
            self.assertEqual((done.returncode, done.stdout), (2, ""), arguments)
            self.assertIn("one file for two options", done.stderr)
        self.assertEqual(grid.read_text(), text)

    def test_usage_errors_are_2(self):
        for arguments in (["--units", "0"], ["--clients", "0"], ["--ticks", "0"],
                          ["--corrupt", "4@50"], ["--corrupt", "0@50"], ["--corrupt", "1"],
                          ["--corrupt", "3@10"], ["--corrupt", "1@99999"],
                          ["--link", "9:latency=5"], ["--link", "1:speed=5"], ["--link", "1"],
                          ["--link", "1:loss=100"], ["--link", "1:latency=nan"],
                          ["--late-join", "never"], ["--late-join", "1200"], ["--mode", "hex"],
                          ["--no-such-option"]):
            done = maniple("battle", "builtin:valley:128", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertTrue(done.stderr, arguments)

    def test_refused_input_is_3_with_the_reason(self):
        bad = {
            "header.map": (b"type octile\nheight x\nwidth 4\nmap\n", "BadText"),
            "short.map": (b"type octile\nheight 2\nwidth 4\nmap\n....\n", "Truncated"),
            "walls.map": (b"type octile\nheight 2\nwidth 4\nmap\n@@@@\n@@@@\n", "NoGround"),
            "one.map": (b"type octile\nheight 1\nwidth 1\nmap\n.\n", "TooManyUnits"),
            "small.map": (b"type octile\nheight 2\nwidth 4\nmap\n....\n....\n", "TooManyUnits"),
        }
        for name, (data, code) in bad.items():
            path = self.folder / name
            path.write_bytes(data)
            done = maniple("battle", str(path), "--units", "20", "--json")
            self.assertEqual(done.returncode, 3, (name, done.stderr))
            self.assertEqual(json.loads(done.stdout)["error"]["code"], code)
            self.assertIn(name, done.stderr)
        done = maniple("battle", str(self.folder / "none.map"), "--json")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(json.loads(done.stdout)["error"]["code"], "NotFound")
        done = maniple("battle", "builtin:valley:128", "--mode", "navmesh")
        self.assertEqual(done.returncode, 3)
        done = maniple("battle", "builtin:valley:128", "--replay", "/no/such/folder/x.mrp")
        self.assertEqual(done.returncode, 3)

    def test_devices_and_shared_files_are_no_outputs(self):
        for option in ("--replay", "--hash-trace", "--report"):
            done = maniple("battle", "builtin:valley:128", "--units", "20", option, "/dev/full")
            self.assertEqual(done.returncode, 3, option)
            self.assertIn("is no regular file", done.stderr)
        same = str(self.folder / "same")
        done = maniple("battle", "builtin:valley:128", "--replay", same, "--report", same)
        self.assertEqual(done.returncode, 2)
        for arguments in (["simulate", "/dev/zero"], ["field", "info", "/dev/zero"],
                          ["replay", "info", "/dev/zero"]):
            self.assertEqual(maniple(*arguments).returncode, 3, arguments)

    def test_a_path_that_is_no_text_is_printed_all_the_same(self):
        done = subprocess.run([os.fsencode(MANIPLE), b"battle", b"\xff\xfe.map", b"--json"],
                              capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(json.loads(done.stdout)["error"]["code"], "NotFound")

    def test_a_stranger_neither_takes_a_seat_nor_ends_the_battle(self):
        process, peers = self.start_long("--late-join", "60")
        inodes = {os.readlink(link) for link in
                  pathlib.Path(f"/proc/{peers['server']}/fd").iterdir()}
        ports = [int(fields[1].split(":")[1], 16)
                 for fields in map(str.split, pathlib.Path("/proc/net/tcp").read_text()
                                   .splitlines()[1:])
                 if fields[3] == "0A" and f"socket:[{fields[9]}]" in inodes]
        self.assertEqual(len(ports), 1)
        for port in ports:
            for greeting in (b"\x03\0\0\0", b"\x03\0\0\0\xff\xff\xff\xff\x01garbage", b"x"):
                with contextlib.suppress(OSError):
                    with socket.create_connection(("127.0.0.1", port), timeout=1) as stranger:
                        stranger.sendall(greeting)
        time.sleep(3)  # client 3 joins at tick 60
        process.send_signal(signal.SIGINT)
        text, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, text + errors)
        self.assertIn("client 3", text)

    def test_crlf_line_ends_are_accepted(self):
        path = self.folder / "crlf.map"
        rows = b"".join(b"." * 40 + b"\r\n" for _ in range(40))
        path.write_bytes(b"type octile\r\nheight 40\r\nwidth 40\r\nmap\r\n" + rows)
        self.battle(str(path), "--units", "40", "--ticks", "30")


if __name__ == "__main__":
    unittest.main()
