"""What the tests that run campaigns share."""

import argparse
import contextlib
import glob
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FAKE = os.path.join(ROOT, "tests", "fake_solvers", "fake")
ELENCHUS = None
HANG_LIMIT = 300.0

SEED = """; A seed that the fake solvers can judge: x is an integer that is not zero.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (> x 0))
(assert (or (< y x) (= y 7)))
(check-sat)
"""


def fake(mode):
    return f"{FAKE} {mode}"


# The fakes answer at once, or never: with this limit a busy machine makes no seed too slow.
UNHURRIED = ("--timeout", "20s")

# With an engine that promises no answers: the fake knows only `false` for unsatisfiable, and a promise
# would find it out.
HONEST = ("--solver", fake("honest"), "--engine", "opfuzz", *UNHURRIED)


# Whatever a campaign of this test starts has this in its environment, and nothing else has.
MARK = f"ELENCHUS_TEST={os.getpid()}-{time.time_ns()}"
ENVIRONMENT = {**os.environ, **dict([MARK.split("=")])}


def left_running():
    """Command lines of processes that a campaign started and that live on."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as f:
                is_ours = MARK.encode() in f.read()
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                command = f.read().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if is_ours and command:
            found.append((int(pid), command))
    return found


class CampaignTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="campaign_test.")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        self.out = os.path.join(self.folder, "out")
        self.seeds = os.path.join(self.folder, "seeds")
        os.mkdir(self.seeds)

    def seed(self, text, name="a.smt2"):
        path = os.path.join(self.seeds, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def command(self, *arguments, out=True):
        # Why bugs show is no matter here, and costs time.
        return [ELENCHUS, "fuzz", "--diagnosis", "0s", *arguments, *(["--out", self.out] if out else [])]

    def fuzz(self, *arguments, out=True, timeout=HANG_LIMIT):
        return subprocess.run(self.command(*arguments, out=out), capture_output=True, text=True,
                              timeout=timeout, check=False, env=ENVIRONMENT)

    def stats(self):
        with open(os.path.join(self.out, "stats.json"), encoding="utf-8") as f:
            return json.load(f)

    def count_of_tests(self):
        """As the campaign has written it down last."""
        with contextlib.suppress(OSError, ValueError):
            return self.stats()["tests"]
        return 0

    def wait_for_tests(self, more_than=0):
        """Until the campaign has said that it has tested something."""
        ends = time.monotonic() + HANG_LIMIT
        while self.count_of_tests() <= more_than:
            self.assertLess(time.monotonic(), ends)
            time.sleep(0.05)

    def assert_nothing_is_left_running(self, *what):
        """Those that were told to end may need a moment for it."""
        ends = time.monotonic() + 60
        while left_running() and time.monotonic() < ends:
            time.sleep(0.01)
        self.assertEqual(left_running(), [], *what)

    def is_shown_by(self, solver, bug):
        """Whether this solver has the bug, too."""
        again = subprocess.run(
            [ELENCHUS, "bugs", self.out, "replay", bug["id"], "--solver", solver],
            capture_output=True, text=True, timeout=HANG_LIMIT, check=False, env=ENVIRONMENT)
        return again.stdout.startswith("open ")

    def wait_until_delivered(self, pid, number):
        """Until no such signal waits for the process."""
        ends = time.monotonic() + HANG_LIMIT
        while True:
            self.assertLess(time.monotonic(), ends)
            with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as f:
                fields = dict(line.rstrip("\n").split(":\t", 1) for line in f if ":\t" in line)
            if not int(fields["ShdPnd"], 16) >> (number - 1) & 1:
                return
            time.sleep(0.01)

    def bugs(self):
        folder = os.path.join(self.out, "bugs")
        manifests = []
        for name in sorted(os.listdir(folder)):
            self.assertFalse(name.startswith(".tmp"), name)
            with open(os.path.join(folder, name, "manifest.json"), encoding="utf-8") as f:
                manifests.append(json.load(f))
        return manifests


def has_children(pid):
    """Whether the process runs another, which for a campaign is a solver."""
    for name in glob.glob(f"/proc/{pid}/task/*/children"):
        with contextlib.suppress(OSError), open(name, encoding="ascii") as f:
            if f.read():
                return True
    return False


def main(about):
    """Runs the tests of the script that calls it."""
    global ELENCHUS
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--elenchus", required=True)
    args, rest = parser.parse_known_args()
    ELENCHUS = os.path.abspath(args.elenchus)
    unittest.main(argv=[sys.argv[0], *rest])
