#!/usr/bin/env python3
"""A campaign and an experiment on a solver that was built with --coverage."""

import argparse
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOY = os.path.join(ROOT, "tests", "fake_solvers", "toy.c")
ELENCHUS = None
HANG_LIMIT = 300.0

SEED = """(set-logic QF_LIA)
(declare-const x Int)
(assert (> x 0))
(check-sat)
"""

PLAN = """repetitions = 1
tests = 4
[campaign]
seeds = ["{home}/seed.smt2"]
solvers = ["{solver}"]
timeout = 20.0
reduce-tries = 0
[[arm]]
name = "one"
engines = ["opfuzz"]
[[arm]]
name = "two"
engines = ["typefuzz"]
"""


def run(*arguments):
    return subprocess.run([ELENCHUS, *arguments], capture_output=True, text=True,
                          timeout=HANG_LIMIT, check=False)


class GcovTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="gcov_test.")
        self.addCleanup(holder.cleanup)
        self.home = holder.name
        self.build = os.path.join(self.home, "build")
        os.mkdir(self.build)
        self.solver = os.path.join(self.build, "toy")
        subprocess.run(["gcc", "--coverage", "-O0", "-o", self.solver, TOY], check=True,
                       cwd=self.build)
        self.seed = os.path.join(self.home, "seed.smt2")
        with open(self.seed, "w", encoding="utf-8") as f:
            f.write(SEED)
        self.out = os.path.join(self.home, "out")

    def fuzz(self):
        done = run("fuzz", self.seed, "--solver", self.solver, "--tests", "5", "--engine", "opfuzz",
                   "--timeout", "20s", "--rng", "1", "--out", self.out, "--quiet")
        self.assertIn(done.returncode, (0, 1), done.stderr)

    def report(self):
        page = os.path.join(self.home, "page.html")
        done = run("report", self.out, "-o", page)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr, page

    def coverage(self):
        with open(os.path.join(self.out, "coverage.json"), encoding="utf-8") as f:
            return json.load(f)["solvers"]

    def test_report_says_what_was_reached(self):
        self.fuzz()
        said, page = self.report()
        self.assertNotIn("warning", said)
        [solver] = self.coverage()
        self.assertEqual(solver["name"], self.solver)
        # starts, echo, check and main
        self.assertEqual(solver["functions"], {"reached": 4, "all": 4})
        self.assertGreater(solver["lines"]["reached"], 15)
        self.assertLess(solver["lines"]["reached"], solver["lines"]["all"])
        self.assertLess(solver["branches"]["reached"], solver["branches"]["all"])
        self.assertEqual([os.path.basename(one["name"]) for one in solver["files"]], ["toy.c"])
        with open(page, encoding="utf-8") as f:
            self.assertIn(f'"functions":[4,4]', f.read())

    def test_counts_of_a_campaign_stay_with_it(self):
        subprocess.run([self.solver, "--version"], check=True, capture_output=True)
        before = {name: os.stat(os.path.join(self.build, name)).st_mtime_ns
                  for name in os.listdir(self.build) if name.endswith(".gcda")}
        self.assertEqual(len(before), 1)
        self.fuzz()
        counts = [name for _, _, names in os.walk(os.path.join(self.out, "gcov"))
                  for name in names if name.endswith(".gcda")]
        self.assertEqual(counts, list(before))

    def test_counts_are_added_up_again_only_when_they_changed(self):
        self.fuzz()
        self.report()
        path = os.path.join(self.out, "coverage.json")
        first = os.stat(path).st_mtime_ns
        self.report()
        self.assertEqual(os.stat(path).st_mtime_ns, first)

    def test_a_page_without_counts_is_better_than_none(self):
        self.fuzz()
        shutil.rmtree(self.build)
        said, page = self.report()
        self.assertIn("was the solver's build removed?", said)
        self.assertTrue(os.path.exists(page))

    def test_experiment_compares_lines(self):
        plan = os.path.join(self.home, "plan.toml")
        with open(plan, "w", encoding="utf-8") as f:
            f.write(PLAN.format(home=self.home, solver=self.solver))
        done = run("experiment", plan, "-o", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.out, "runs.csv"), encoding="utf-8") as f:
            rows = list(csv.DictReader(f))
        self.assertEqual(len(rows), 2)
        for row in rows:
            self.assertGreater(int(row["lines"]), 15)
            self.assertEqual(row["functions"], "4")
            self.assertGreater(int(row["branches"]), 5)
        self.assertIn("| branches |", done.stdout)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    options, rest = parser.parse_known_args()
    ELENCHUS = options.elenchus
    if shutil.which("gcc") is None or shutil.which("gcov") is None:
        print("no gcc or gcov here: skipped")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *rest])
