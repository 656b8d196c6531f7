#!/usr/bin/env python3
"""`elenchus experiment` with a fake solver, interrupted and resumed; and the recipe for CI."""

import argparse
import csv
import glob
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FAKE = os.path.join(ROOT, "tests", "fake_solvers", "fake")
CHECK = os.path.join(ROOT, "docs", "ci", "check_new_bugs")
ELENCHUS = None
BUILD = None
HANG_LIMIT = 300.0

SEED = """(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (> x 0))
(assert (or (< y x) (= y 7)))
(check-sat)
"""

PLAN = """name = "fake"
repetitions = {repetitions}
{budget}
rng = 11
[campaign]
seeds = ["{home}/seed.smt2"]
solvers = ["{fake} honest"]
jobs = 1
timeout = 20.0
reduce-tries = 0
[[arm]]
name = "typefuzz"
engines = ["typefuzz"]
[[arm]]
name = "opfuzz"
engines = ["opfuzz"]
"""


def run(*arguments, **options):
    return subprocess.run([ELENCHUS, *arguments], capture_output=True, text=True,
                          timeout=HANG_LIMIT, check=False, **options)


class ExperimentTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="experiment_test.")
        self.addCleanup(holder.cleanup)
        self.home = holder.name
        self.out = os.path.join(self.home, "out")
        with open(os.path.join(self.home, "seed.smt2"), "w", encoding="utf-8") as f:
            f.write(SEED)

    def plan(self, budget="tests = 8", repetitions=2):
        path = os.path.join(self.home, "plan.toml")
        with open(path, "w", encoding="utf-8") as f:
            f.write(PLAN.format(home=self.home, fake=FAKE, budget=budget, repetitions=repetitions))
        return path

    def rows(self):
        with open(os.path.join(self.out, "runs.csv"), encoding="utf-8") as f:
            return list(csv.DictReader(f))

    def test_runs_tables_and_plots(self):
        done = run("experiment", self.plan(), "-o", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = self.rows()
        self.assertEqual([(row["arm"], row["repetition"], row["tests"]) for row in rows],
                         [("typefuzz", "1", "8"), ("opfuzz", "1", "8"),
                          ("typefuzz", "2", "8"), ("opfuzz", "2", "8")])
        self.assertEqual(len({row["rng"] for row in rows}), 4)
        for row in rows:
            settings = os.path.join(self.out, "runs", f"{row['arm']}-{row['repetition']}",
                                    "campaign.toml")
            with open(settings, encoding="utf-8") as f:
                self.assertIn(f"rng = {row['rng']}\n", f.read())
        self.assertIn("## Against typefuzz", done.stdout)
        with open(os.path.join(self.out, "summary.md"), encoding="utf-8") as f:
            self.assertEqual(f.read(), done.stdout)
        self.assertIn("keys_over_time.svg", os.listdir(os.path.join(self.out, "plots")))

    def test_complete_runs_are_not_made_again(self):
        plan = self.plan()
        self.assertEqual(run("experiment", plan, "-o", self.out, "-q").returncode, 0)
        first = self.rows()
        os.remove(os.path.join(self.out, "runs", "opfuzz-2.done"))
        mark = os.path.join(self.out, "runs", "typefuzz-1", "campaign.db")
        before = os.stat(mark).st_mtime_ns
        self.assertEqual(run("experiment", plan, "-o", self.out, "-q").returncode, 0)
        self.assertEqual(os.stat(mark).st_mtime_ns, before)
        self.assertEqual([row["rng"] for row in self.rows()], [row["rng"] for row in first])

    def test_the_budget_is_scaled(self):
        plan = self.plan("tests = 80", 1)
        done = run("experiment", plan, "--scale", "0.05", "-o", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([row["tests"] for row in self.rows()], ["4", "4"])
        self.assertIn("4 tests a run (0.05 times what the plan says)", done.stdout)
        for more in ([], ["--scale", "0.1"]):
            refused = run("experiment", plan, "-o", self.out, *more)
            self.assertEqual(refused.returncode, 2)
            self.assertIn("another budget", refused.stderr)
        self.assertEqual(run("experiment", plan, "--scale", "0.05", "-o", self.out).returncode, 0)
        # The plan that is kept beside the results says all.
        kept = os.path.join(self.out, "experiment.toml")
        again = run("experiment", kept, "-o", self.out)
        self.assertEqual((again.returncode, again.stdout), (0, done.stdout))
        self.assertIn("already", run("experiment", kept, "--scale", "0.5").stderr)
        for scale in ("0", "-1", "much", "inf"):
            self.assertEqual(run("experiment", plan, "--scale", scale).returncode, 2, scale)

    def test_a_missing_file_is_missed_before_anything_runs(self):
        path = self.plan()
        with open(path, "a", encoding="utf-8") as f:
            f.write('history = "/no/such/knowledge"\n')
        done = run("experiment", path, "-o", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("/no/such/knowledge", done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.out, "runs")))

    def test_bugs_cost_no_budget(self):
        """What is spent on findings counts: an arm that meets a bug in every second test gets no more."""
        path = os.path.join(self.home, "plan.toml")
        with open(path, "w", encoding="utf-8") as f:
            f.write(PLAN.format(home=self.home, fake=FAKE, budget="cpu = 4.0", repetitions=1)
                    .split("[[arm]]")[0].replace("reduce-tries = 0\n", ""))
            for arm in ("honest", "often-wrong"):
                f.write(f'[[arm]]\nname = "{arm}"\nengines = ["opfuzz"]\n'
                        f'solvers = ["{FAKE} {arm}"]\n')
        done = run("experiment", path, "-o", self.out)
        self.assertEqual(done.returncode, 0, done.stderr)
        spent = {row["arm"]: float(row["cpu_seconds"]) for row in self.rows()}
        bugs = {row["arm"]: int(row["bugs"]) for row in self.rows()}
        self.assertEqual(bugs["honest"], 0)
        self.assertGreater(bugs["often-wrong"], 0)
        # What is under way when the budget is spent comes to its end. Bugs that cost no budget would add a
        # third, as a quarter of the time is theirs.
        for arm, seconds in spent.items():
            self.assertGreaterEqual(seconds, 4.0, arm)
            self.assertLess(seconds, 4.8, arm)

    def test_interrupted_and_resumed(self):
        plan = self.plan("cpu = 1000.0", 1)
        process = subprocess.Popen([ELENCHUS, "experiment", plan, "-o", self.out],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        stats = os.path.join(self.out, "runs", "typefuzz-1", "stats.json")
        deadline = time.monotonic() + HANG_LIMIT
        while not os.path.exists(stats) and time.monotonic() < deadline:
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(HANG_LIMIT), 0)
        self.assertEqual(self.rows(), [])
        self.assertNotIn("typefuzz-1.done", os.listdir(os.path.join(self.out, "runs")))
        refused = run("experiment", self.plan("tests = 8"), "-o", self.out)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("another plan", refused.stderr)

    def test_mistakes_name_the_place(self):
        path = self.plan("tests = 8\nnonsense = 1")
        done = run("experiment", path, "-o", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("plan.toml:4:", done.stderr)
        self.assertEqual(run("experiment", os.path.join(self.home, "none.toml")).returncode, 2)
        self.assertRegex(run("experiment", "--help").stdout, r"Examples:\n +elenchus experiment ")

    def test_the_plans_of_the_bench_are_read(self):
        paths = sorted(glob.glob(os.path.join(ROOT, "bench", "experiments", "*.toml")))
        self.assertGreater(len(paths), 8)
        for path in paths:
            with self.subTest(os.path.basename(path)):
                done = run("experiment", path, "--dry-run")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, r"^\S+ 1 rng [0-9]+\n")
                with open(path, encoding="utf-8") as f:
                    self.assertRegex(f.readline(), r"^# \S")

    def test_only_new_bugs_fail_a_build(self):
        subprocess.run([os.path.join(BUILD, "make_campaign"), self.out, "--bugs", "3"], check=True,
                       timeout=HANG_LIMIT)
        known = os.path.join(self.home, "known-bugs.txt")
        check = [sys.executable, CHECK, "--elenchus", ELENCHUS, "--known", known, self.out]

        def code(*more):
            return subprocess.run([*check, *more], stdout=subprocess.DEVNULL, timeout=HANG_LIMIT,
                                  check=False).returncode

        self.assertEqual(code(), 1)
        self.assertEqual(code("--add"), 0)
        self.assertEqual(code(), 0)
        with open(known, encoding="utf-8") as f:
            lines = f.read().splitlines()
        with open(known, "w", encoding="utf-8") as f:
            f.write("\n".join(lines[1:]))
        self.assertEqual(code(), 1)
        self.assertEqual(code("--kind", "no-such-kind"), 0)


def main():
    global ELENCHUS, BUILD
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elenchus", required=True, metavar="BIN")
    args, rest = parser.parse_known_args()
    ELENCHUS = os.path.abspath(args.elenchus)
    BUILD = os.path.dirname(ELENCHUS)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
