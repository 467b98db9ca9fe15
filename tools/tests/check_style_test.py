#!/usr/bin/env python3
"""Each rule of check_style.py fires on its bad line and stays silent on its good twin."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import check_style  # noqa: E402

SIM = "engine/sim/src/tick.cpp"
SIM_PUBLIC = "engine/sim/include/maniple/sim/tick.h"
# (rule, file, bad text, good text)
TWINS = [
    ("libm", SIM, "double y = std::sin(x);", "double y = core::sin_centideg(x);"),
    ("libm", SIM, "float y = powf(x, 2);", "float y = grid.pow(x, 2);"),
    ("libm", SIM, "double y = std::log(x);", "log(\"text\");"),
    ("libm", SIM, "double y = std::fma(a, b, c);", "double y = a * b + c;  // no std::fma(a)"),
    ("std-hash", SIM, "std::hash<int>{}(1);", "core::xxh3_64(bytes);"),
    ("distribution", SIM, "std::uniform_int_distribution<int> d;", "stream.next_below(6);"),
    ("shuffle", SIM, "std::shuffle(a, b, g);", "reshuffle(a, b, g);"),
    ("rand", SIM, "int x = rand();", "int x = grand();"),
    ("rand", SIM, "std::random_device device;", "core::RandomStream stream(7);"),
    ("clock", SIM, "auto t = std::chrono::steady_clock::now();", "auto t = world.tick();"),
    ("clock", SIM, "auto t = time(nullptr);", "auto t = idle_time(nullptr);"),
    ("locale", SIM, "std::stringstream text;", "std::string text;"),
    ("locale", SIM, "double d = std::stod(s);", "std::from_chars(a, b, d);"),
    ("parallel-reduce", SIM, "tbb::parallel_reduce(r, 0, f, g);", "core::for_blocks(e, n, 64, f);"),
    ("threads", SIM, "std::thread worker(f);", "std::thread::id who;"),
    ("pragma", SIM, "#pragma STDC FP_CONTRACT ON", "#pragma once"),
    ("unordered", SIM, "std::unordered_map<int, int> seen;\nfor (auto& [k, v] : seen) f(k);",
     "std::unordered_map<int, int> seen;\nstd::vector<int> keys;\nfor (int k : keys) f(seen[k]);"),
    ("unordered", SIM, "boost::unordered_flat_set<int> seen;\nf(seen.begin(), seen.end());",
     "boost::unordered_flat_set<int> seen;\nf(seen.contains(3));"),
    ("unordered", SIM, "using Rows = boost::unordered_flat_map<int, int>;\nRows rows_;\n"
     "for (auto& row : this->rows_) f(row);",
     "using Rows = std::map<int, int>;\nRows rows_;\nfor (auto& row : this->rows_) f(row);"),
    ("columns", "engine/net/src/a.cpp", "x" * 101, "x" * 100),
    ("file-name", "engine/net/src/BadName.cpp", "int x;", None),
    ("promise", "docs/plan.md", "TO" "DO: later", "todos"),
    ("private-include", SIM, '#include "../../nav/src/heap.h"', '#include "heap.h"'),
    ("private-include", SIM_PUBLIC, '#include "heap.h"', '#include "maniple/sim/heap.h"'),
    ("third-party-include", SIM_PUBLIC, "#include <boost/container/flat_map.hpp>",
     "#include <vector>"),
    ("third-party-include", SIM_PUBLIC, "#include <zstd.h>", "#include <cstdint>"),
]


def breaches_of(files):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text + "\n", encoding="utf-8")
        return check_style.check_tree(root)


class StyleRules(unittest.TestCase):
    def test_each_rule_fires_on_its_bad_line_only(self):
        for rule, path, bad, good in TWINS:
            with self.subTest(rule=rule, bad=bad):
                found = {breach[2] for breach in breaches_of({path: bad}).breaches}
                self.assertEqual(found, {rule})
                if good is not None:
                    self.assertEqual(breaches_of({path: good}).breaches, [])

    def test_a_member_declared_in_a_header_is_known_in_the_source(self):
        report = breaches_of({
            "engine/sim/src/index.h": "std::unordered_map<int, int> rows_;",
            SIM: "for (const auto& row : rows_) f(row);"})
        self.assertEqual([breach[:3] for breach in report.breaches], [(SIM, 1, "unordered")])

    def test_other_layers_and_tests_may_use_libm_and_clocks(self):
        line = "double y = std::sin(x); auto t = std::chrono::steady_clock::now();"
        files = {"engine/net/transport/src/a.cpp": line, "engine/sim/tests/a_test.cpp": line}
        self.assertEqual(breaches_of(files).breaches, [])

    def test_comments_and_literals_do_not_count(self):
        text = '// std::sin(x)\n/* std::hash<int>\n rand() */\nf("std::rand()", 1\'000);'
        self.assertEqual(breaches_of({SIM: text}).breaches, [])

    def test_each_replacement_is_named(self):
        for rule, _, message in check_style.BANNED:
            self.assertRegex(message, r"use |set once|passed in|passes|draw|reduce", rule)

    def test_long_functions_and_files_are_notes(self):
        body = "\n".join(["    f();"] * 80)
        report = breaches_of({SIM: f"void long_one(int x) {{\n{body}\n}}\n" + "\n" * 500})
        self.assertEqual(report.breaches, [])
        self.assertEqual([note[2] for note in report.notes],
                         ["583 lines", "function of 82 lines"])


if __name__ == "__main__":
    unittest.main()
