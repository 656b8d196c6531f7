#!/usr/bin/env python3
"""Scripts that carry their expected output, and the round trip of everything that parses.

The leading comment lines of each tests/regress/**/*.smt2 say what is expected:

  ; RUN: parse --print             the arguments; the file's name is added at the end
  ; EXPECT: (check-sat)            the lines of standard output, exactly, in order
  ; EXPECT-ERROR: 5:9: error: ...  a line on standard error, without the file's name
  ; EXPECT-WARNING: 3:1: warning: ...

With an EXPECT-ERROR the exit code must be 2, otherwise 0. Without any EXPECT line standard output
is free. The program runs in the file's folder, so an argument may name a file beside it. Other
comment lines say what the case is about. `tools/promote` writes the EXPECT lines.

Every file here and in data/seeds that parses must survive the round trip: printing the printed
script gives the same bytes.

label: sanitized
"""

import argparse
import difflib
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HANG_LIMIT = 300.0
DIAGNOSTICS = {"; EXPECT-ERROR:": "error", "; EXPECT-WARNING:": "warning"}


class Case:
    """A script with the expectation in its leading comment lines."""

    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8", errors="surrogateescape", newline="") as f:
            self.lines = f.read().split("\n")
        self.arguments = None
        self.output = []
        self.diagnostics = []
        self.fails = False
        for line in self.header():
            text = line.rstrip("\r")
            if text.startswith("; RUN:"):
                self.arguments = text[len("; RUN:"):].split()
            elif text.startswith("; EXPECT:"):
                self.output.append(text[len("; EXPECT: "):])
            for mark, kind in DIAGNOSTICS.items():
                if text.startswith(mark):
                    self.diagnostics.append(text[len(mark):].strip())
                    self.fails = self.fails or kind == "error"

    def header(self):
        for line in self.lines:
            if not line.startswith(";"):
                return
            yield line

    def run(self, program):
        """Returns (exit code, stdout lines, stderr lines without the file's name)."""
        name = os.path.basename(self.path)
        code, out, err = run([program, *self.arguments, name], os.path.dirname(self.path))
        strip = name + ":"
        return code, to_lines(out), [line[len(strip):] if line.startswith(strip) else line
                                     for line in to_lines(err)]


def run(command, folder=None):
    child = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True,
                           timeout=HANG_LIMIT, check=False)
    return child.returncode, child.stdout, child.stderr


def to_lines(data):
    text = data.decode("utf-8", "surrogateescape")
    return text.split("\n")[:-1] if text.endswith("\n") else text.split("\n") if text else []


def safe(text):
    return text.encode("utf-8", "backslashreplace").decode()


def check_expectation(program, case):
    """Returns a list of complaint lines, empty when all is as expected."""
    if case.arguments is None:
        return ["no RUN line"]
    code, out, err = case.run(program)
    complaints = []
    expected_code = 2 if case.fails else 0
    if code != expected_code:
        complaints.append(f"exit code {code}, expected {expected_code}")
    complaints += difference("standard error", case.diagnostics, err)
    if case.output or case.fails:
        complaints += difference("standard output", case.output, out)
    return complaints


def difference(name, expected, actual):
    lines = difflib.unified_diff(expected, actual, "expected " + name, "actual " + name, n=2,
                                 lineterm="")
    return [safe(line) for line in lines]


def check_round_trip(program, path, must_parse):
    """Returns (whether the file parses, complaint lines)."""
    code, once, err = run([program, "parse", "--print", path])
    if code == 2 and not must_parse:
        return False, []
    if code != 0:
        return False, [f"exit code {code}", *map(safe, to_lines(err))]
    child = subprocess.run([program, "parse", "--print", "-"], input=once, capture_output=True,
                           timeout=HANG_LIMIT, check=False)
    if child.returncode != 0:
        return True, ["the printed script is refused", *map(safe, to_lines(child.stderr))]
    return True, difference("second print", to_lines(once), to_lines(child.stdout))


def find_scripts(folder):
    found = []
    for path, folders, names in os.walk(folder):
        folders.sort()
        found += [os.path.join(path, n) for n in sorted(names) if n.endswith(".smt2")]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elenchus", required=True, metavar="BIN")
    parser.add_argument("--only", default="", metavar="TEXT",
                        help="only files whose path contains TEXT")
    args = parser.parse_args()
    program = os.path.abspath(args.elenchus)
    regress = [f for f in find_scripts(os.path.join(ROOT, "tests", "regress")) if args.only in f]
    seeds = [f for f in find_scripts(os.path.join(ROOT, "data", "seeds")) if args.only in f]
    if not regress and not seeds:
        parser.error("no files found")
    failures = 0

    def complain(path, complaints):
        nonlocal failures
        if complaints:
            failures += 1
            print(f"FAILED {os.path.relpath(path, ROOT)}")
            for line in complaints:
                print("  " + line)

    for path in regress:
        complain(path, check_expectation(program, Case(path)))
    trips = 0
    for path in regress + seeds:
        parses, complaints = check_round_trip(program, path, must_parse=path in seeds)
        trips += parses
        complain(path, complaints)
    print(f"{len(regress)} expectations, {trips} round trips, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
