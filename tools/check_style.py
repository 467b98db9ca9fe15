#!/usr/bin/env python3
"""Checks what STYLE.md marks (T): `check_style.py [ROOT]`.

Prints `file:line: rule: message` for every breach and exits 1 if there is one. Long functions and
files are only reported, after `note:`; a person judges those. Standard library only.
"""
import os
import pathlib
import re
import sys

DETERMINISTIC = ("engine/core", "engine/nav", "engine/substrate", "engine/sim", "engine/snapshot",
                 "engine/replay", "engine/net/session", "games/skirmish")
NO_THIRD_PARTY = ("engine/nav", "engine/sim", "engine/snapshot", "engine/replay",
                  "engine/net/session")
# sim's registration header carries the BOOST_DESCRIBE macros.
THIRD_PARTY_ALLOWED = {
    "engine/sim/include/maniple/sim/describe.h": ("boost/describe", "boost/mp11"),
}

COLUMNS_MAX = 100
FUNCTION_LINES = 70
FILE_LINES = 500
SKIPPED_FOLDERS = {".git", "build", "out", "node_modules", "__pycache__", ".cache"}
CODE = (".h", ".cpp", ".inc")
NAMED = CODE + (".py", ".sh", ".fbs", ".ts")
WIDE = NAMED + (".cmake",)
TEXT = WIDE + (".md", ".txt", ".json", ".tsv")

LIBM = ("sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log2 "
        "log10 log1p pow cbrt hypot fma fmod erf tgamma lgamma rint nearbyint lrint llrint").split()
LIBM_QUALIFIED = LIBM + ["log", "remainder", "lerp"]  # plain, these are common method names
BANNED = [
    ("libm", re.compile(r"(?<![\w.>:])(?:%s)[fl]?\s*\((?!\))|\bstd::(?:%s)[fl]?\s*\("
                        % ("|".join(LIBM), "|".join(LIBM_QUALIFIED))),
     "results differ between C libraries; use maniple/core/math.h"),
    ("std-hash", re.compile(r"\bstd::hash\b"),
     "differs between standard libraries; use core::xxh3_64"),
    ("distribution", re.compile(r"\bstd::\w+_distribution\b"),
     "differs between standard libraries; use core::RandomStream or core::site_random"),
    ("shuffle", re.compile(r"\b(?:std::|ranges::)(?:shuffle|sample)\b"),
     "differs between standard libraries; draw indices with core::RandomStream"),
    ("rand", re.compile(r"(?<![\w.>:])(?:std::)?(?:s?rand\s*\(|random_device\b|mt19937(?:_64)?\b)"),
     "use core::RandomStream, seeded by the match"),
    ("clock", re.compile(r"\b(?:steady_clock|system_clock|high_resolution_clock|clock_gettime|"
                         r"gettimeofday)\b|(?<![\w.>:])(?:std::)?time\s*\((?:nullptr|NULL|0|&)"),
     "time is ticks; the host passes milliseconds in"),
    ("locale", re.compile(r"\bstd::(?:locale|[io]?stringstream|sto[dfil]|stou?ll?|regex)\b"
                          r"|\bsetlocale\b|\bstrto[dfl]\b"),
     "depends on the locale; use std::to_string of integers and std::from_chars"),
    ("parallel-reduce", re.compile(r"\bparallel_(?:reduce|deterministic_reduce|scan|sort)\b"),
     "splits by thread; reduce the slots of core::for_blocks in block order"),
    ("threads", re.compile(r"\bstd::(?:jthread|thread|async)\b(?!::)"),
     "threads are passed in; use core::Executor or core::Background"),
    ("pragma", re.compile(r"#\s*pragma\s+(?:GCC\s+optimize|STDC\s+FP_CONTRACT|omp)\b"),
     "float rules are set once, in cmake/Determinism.cmake"),
]
THREADS_HOME = "engine/core/src/background.cpp"
UNORDERED = re.compile(r"\bunordered_\w+\s*<")
UNORDERED_NAME = re.compile(r"\bunordered_\w+\s*<[^;={}()]*>\s*[&*]?\s*(\w+)\s*[;={(\[,)]")
UNORDERED_ALIAS = re.compile(r"\busing\s+(\w+)\s*=\s*[\w:]*unordered_")
RANGE_FOR = re.compile(r"\bfor\s*\([^;()]*[^:]:\s*[*&]?(?:this->)?([\w.>-]+?)\s*\)")
BEGIN_OF = re.compile(r"\b(\w+)\s*(?:\.|->)\s*c?r?begin\s*\(")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')
PROMISE = re.compile(r"\b(?:TO" r"DO|FIX" r"ME|X" r"XX)\b")
SNAKE = re.compile(r"[a-z0-9]+(_[a-z0-9]+)*(\.[a-z0-9]+)+$")


def strip_comments(text):
    """The code with comments, string and character literals blanked, line breaks kept."""
    pattern = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'
                         r"'(?:\\.|[^'\\\n])*'", re.DOTALL)

    def blank(match):
        found = match.group(0)
        if found[0] == "'" and text[max(0, match.start() - 1)].isalnum():
            return found  # a digit separator: 2'147'483'000
        kept = re.sub(r"[^\n]", " ", found)
        return kept if found[0] == "/" else found[0] + kept[1:-1] + found[-1]

    return pattern.sub(blank, text)


def under(path, folders):
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


class Report:
    def __init__(self):
        self.breaches = []
        self.notes = []

    def breach(self, path, line, rule, message):
        self.breaches.append((path, line, rule, message))

    def note(self, path, line, message):
        self.notes.append((path, line, message))


def check_lines(path, lines, report):
    for number, line in enumerate(lines, 1):
        if path.endswith(WIDE) and len(line) > COLUMNS_MAX:
            report.breach(path, number, "columns", f"{len(line)} columns, at most {COLUMNS_MAX}")
        if PROMISE.search(line):
            report.breach(path, number, "promise", "do it now, or write it into the issue")


def check_banned(path, code_lines, report):
    for number, line in enumerate(code_lines, 1):
        for rule, pattern, message in BANNED:
            match = pattern.search(line)
            if match and not (rule == "threads" and path == THREADS_HOME):
                report.breach(path, number, rule, f"{match.group(0).strip()}: {message}")


def unordered_names(sources):
    """The variables of unordered types declared in the files of one layer."""
    names = set()
    for code in sources:
        names.update(UNORDERED_NAME.findall(code))
        for alias in UNORDERED_ALIAS.findall(code):
            names.update(re.findall(r"\b%s\s*[&*]?\s*(\w+)\s*[;={(,)]" % re.escape(alias), code))
    return names


def check_unordered(path, code_lines, names, report):
    for number, line in enumerate(code_lines, 1):
        targets = [re.split(r"\.|->", found)[-1] for found in RANGE_FOR.findall(line)]
        targets += BEGIN_OF.findall(line)
        for target in targets:
            if target in names:
                report.breach(path, number, "unordered",
                              f"iterates {target}: order differs between libraries; keep keys in a "
                              "sorted vector")


def check_includes(path, lines, report):
    public = "/include/maniple/" in path
    layer = path.split("/include/")[0]
    allowed = THIRD_PARTY_ALLOWED.get(path, ())
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        kind, name = match.groups()
        foreign = kind == "<" and ("/" in name or "." in name)
        if ".." in name.split("/") or "/src/" in name:
            report.breach(path, number, "private-include",
                          f"{name}: include the layer's public header")
        elif public and kind == '"' and not name.startswith("maniple/"):
            report.breach(path, number, "private-include",
                          f"{name}: a public header includes public headers only")
        elif foreign and public and layer in NO_THIRD_PARTY and not name.startswith(allowed):
            report.breach(path, number, "third-party-include",
                          f"{name}: hide it in src/ behind a plain type")


def check_lengths(path, lines, report):
    if len(lines) > FILE_LINES:
        report.note(path, 1, f"{len(lines)} lines")
    start = None
    for number, line in enumerate(lines, 1):
        # clang-format puts a function's opening line and its closing brace in one column.
        if start is None and re.match(r"\s*[\w~:<>&*\[].*\)[^;]*\{$", line) \
                and not re.match(r"\s*(if|for|while|switch|else|namespace|do|\}|TEST)", line):
            start, indent = number, len(line) - len(line.lstrip())
        elif start is not None and line.startswith(" " * indent + "}"):
            if number - start + 1 > FUNCTION_LINES:
                report.note(path, start, f"function of {number - start + 1} lines")
            start = None


def all_files(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in SKIPPED_FOLDERS)
        for name in sorted(files):
            path = pathlib.Path(folder, name)
            yield path, path.relative_to(root).as_posix()


def check_tree(root):
    """All breaches and notes of the tree at `root`."""
    report = Report()
    deterministic = {}
    for file, path in all_files(root):
        if path.endswith(NAMED) and not SNAKE.match(file.name):
            report.breach(path, 1, "file-name", "files are snake_case")
        if not (path.endswith(TEXT) or path == "run" or path.startswith(".ci/")):
            continue
        text = file.read_text(encoding="utf-8")
        lines = text.splitlines()
        check_lines(path, lines, report)
        if path.endswith(CODE):
            check_includes(path, lines, report)
            check_lengths(path, lines, report)
        if path.endswith(CODE) and under(path, DETERMINISTIC) and "/tests/" not in path:
            layer = next(folder for folder in DETERMINISTIC if under(path, (folder,)))
            deterministic.setdefault(layer, {})[path] = strip_comments(text)
    for sources in deterministic.values():
        names = unordered_names(sources.values())
        for path, code in sources.items():
            check_banned(path, code.splitlines(), report)
            check_unordered(path, code.splitlines(), names, report)
    return report


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent
    report = check_tree(root)
    for path, line, message in report.notes:
        print(f"note: {path}:{line}: {message}")
    for path, line, rule, message in report.breaches:
        print(f"{path}:{line}: {rule}: {message}")
    print(f"style: {len(report.breaches)} breaches, {len(report.notes)} notes")
    return 1 if report.breaches else 0


if __name__ == "__main__":
    sys.exit(main())
