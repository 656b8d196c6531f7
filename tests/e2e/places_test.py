#!/usr/bin/env python3
"""A bug has the same id wherever the solver stands, and counts for the solver that was tested."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FAKE = os.path.join(ROOT, "tests", "fake_solvers", "fake")
ELENCHUS = None

SEED = """(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 0))
(check-sat)
"""


class PlacesTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="places_test.")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        self.seeds = os.path.join(self.folder, "seeds")
        os.mkdir(self.seeds)
        with open(os.path.join(self.seeds, "a.smt2"), "w", encoding="utf-8") as f:
            f.write(SEED)

    def solver_in(self, place, mode):
        os.makedirs(os.path.join(self.folder, place))
        program = shutil.copy(FAKE, os.path.join(self.folder, place, "fake"))
        return f"{program} {mode}"

    def campaign(self, name, *solvers):
        out = os.path.join(self.folder, name)
        command = [ELENCHUS, "fuzz", self.seeds, "--only-seeds", "--jobs", "1", "--reduce-tries",
                   "10", "--policy", "anything", "--out", out]
        for solver in solvers:
            command += ["--solver", solver]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        with open(os.path.join(out, "stats.json"), encoding="utf-8") as f:
            return sorted(os.listdir(os.path.join(out, "bugs"))), json.load(f)["solvers"]

    def test_two_places_one_id(self):
        for mode in ("segv", "assertion", "wrong-model"):
            with self.subTest(mode):
                here = self.solver_in(f"{mode}-1/here", mode)
                there = self.solver_in(f"{mode}-2/there/at last", mode).replace("at last", "'at last'")
                first, _ = self.campaign(f"{mode}-out-1", here)
                second, _ = self.campaign(f"{mode}-out-2", there)
                self.assertEqual(len(first), 1)
                self.assertEqual(first, second)

    def test_runs_and_bugs_have_one_key(self):
        solver = self.solver_in("here", "segv")
        _, counts = self.campaign("out", solver)
        self.assertEqual(list(counts), [solver])
        self.assertGreater(counts[solver]["runs"], 0)
        self.assertEqual(counts[solver]["bugs"], 1)


def main():
    global ELENCHUS
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    arguments, rest = parser.parse_known_args()
    ELENCHUS = arguments.elenchus
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
