#!/usr/bin/env python3
"""Tests with objectives: the engines' suffix, and a solver whose optima are only second best.

label: slow
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SECOND_BEST = os.path.join(ROOT, "tests", "fake_solvers", "second_best.py")
ELENCHUS = None

SEED = """(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const p Bool)
(assert (and (<= 0 x) (<= x 9)))
(assert (or p (< (+ x y) 12)))
(assert (=> p (< y (* 2 x))))
(assert (<= y 20))
(check-sat)
"""

OPTIMUM = """(declare-const x Int)
(declare-const y Int)
(assert (<= 0 x 9))
(assert (<= 0 y 7))
(assert (< (+ x y) 14))
(maximize (+ x (* 2 y)))
(check-sat)
"""


def run(*arguments, code=None, timeout=300):
    done = subprocess.run([ELENCHUS, *arguments], capture_output=True, text=True, timeout=timeout,
                          check=False)
    if code is not None and done.returncode != code:
        raise AssertionError(f"exit {done.returncode}: {done.stdout[-3000:]}{done.stderr[-3000:]}")
    return done


class WithFolder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="objectives_test.")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        self.seed = self.put("seed.smt2", SEED)

    def put(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path


class Mutants(WithFolder):
    def mutants(self, engine, count=20):
        return run("mutate", "--engine", engine, "--count", str(count), "--rng", "5", "--solver",
                   "none", self.seed, code=0).stdout

    def test_every_kind_of_objective_comes_up(self):
        text = self.mutants("opfuzz+objectives", 60)
        for word in ("(maximize ", "(minimize ", "(assert-soft ", ":opt.priority"):
            self.assertIn(word, text)

    def test_there_is_at_most_one_priority(self):
        self.seed = self.put("two.smt2", "(set-option :opt.priority pareto)\n"
                                         + SEED.replace("(check-sat)", "(maximize x)\n(check-sat)"))
        text = self.mutants("opfuzz+objectives", 60)
        self.assertIn(":opt.priority box)", text)
        for mutant in text.split("(check-sat)"):
            self.assertLessEqual(mutant.count(":opt.priority"), 1, mutant)

    def test_they_depend_on_the_number_alone(self):
        for engine in ("opfuzz", "storm", "diver", "generate"):
            with self.subTest(engine):
                name = engine + "+objectives"
                self.assertEqual(self.mutants(name), self.mutants(name))
                self.assertRegex(self.mutants(name), r"\n\((maximize|minimize|assert-soft) ")

    def test_others_get_the_plain_question(self):
        if shutil.which("cvc5") is None:
            self.skipTest("no cvc5")
        path = self.put("optimum.smt2", OPTIMUM)
        done = run("judge", path, "--solver", "cvc5", code=0)
        self.assertIn("sat", done.stdout)
        self.assertNotIn("rejected", done.stdout)


class Optima(WithFolder):
    def setUp(self):
        super().setUp()
        if shutil.which("z3") is None:
            self.skipTest("no z3")

    def is_of_z3(self, out, bug):
        """Whether z3 itself shows it, too."""
        return run("bugs", out, "replay", bug, "--solver", "z3").stdout.startswith("open ")

    def test_an_honest_solver_is_not_accused(self):
        path = self.put("optimum.smt2", OPTIMUM)
        done = run("judge", path, "--solver", "z3", code=0)
        self.assertNotIn("wrong-optimum", done.stdout)

    def test_judge_names_the_second_best(self):
        path = self.put("optimum.smt2", OPTIMUM)
        done = run("judge", path, "--solver", SECOND_BEST, code=1)
        self.assertIn("wrong-optimum", done.stdout)
        self.assertIn("is 19, and 20 is possible", done.stdout)

    def test_a_campaign_catches_and_reduces_it(self):
        out = os.path.join(self.folder, "out")
        bugs = os.path.join(out, "bugs")
        run("fuzz", self.seed, "--solver", SECOND_BEST, "--engine",
            "opfuzz+objectives,storm+objectives", "--tests", "120", "--jobs", "1", "--rng", "3",
            "--bugs", "1", "--timeout", "20s", "--out", out, "--quiet", code=1)
        # It ends with the first bug, and goes on while z3's own are all that it has found.
        for _ in range(10):
            planted = [bug for bug in sorted(os.listdir(bugs)) if not self.is_of_z3(out, bug)]
            if planted:
                break
            run("fuzz", "--resume", out, "--quiet", code=1)
        (bug,) = planted
        with open(os.path.join(bugs, bug, "manifest.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        self.assertEqual(manifest["kind"], "wrong-optimum")
        self.assertRegex(manifest["evidence"], "makes all assertions true")
        with open(os.path.join(bugs, bug, "reduced.smt2"), encoding="utf-8") as file:
            script = file.read()
        self.assertIn("(maximize ", script)
        self.assertIn("(get-objectives)", script)
        self.assertLess(len(re.findall(r"[\w.+*<=>-]+", script)), 40, script)
        shown = subprocess.run(["sh", os.path.join(bugs, bug, "repro.sh")], capture_output=True,
                               text=True, timeout=300, check=False)
        self.assertEqual(shown.returncode, 1, shown.stdout + shown.stderr)
        honest = subprocess.run(["sh", os.path.join(bugs, bug, "repro.sh"), shutil.which("z3")],
                                capture_output=True, text=True, timeout=300, check=False)
        self.assertNotEqual(honest.returncode, 1, honest.stdout + honest.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    known, others = parser.parse_known_args()
    ELENCHUS = os.path.abspath(known.elenchus)
    unittest.main(argv=sys.argv[:1] + others)
