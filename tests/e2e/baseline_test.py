#!/usr/bin/env python3
"""What a new version of a solver shows and an old one does not; operator sets of files.

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
FAKE = os.path.join(ROOT, "tests", "fake_solvers", "fake")
ELENCHUS = None

SEED = """(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (> x 0))
(assert (or (< y x) (= y 7)))
(check-sat)
"""


class WithFolder(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="baseline_test.")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        self.out = os.path.join(self.folder, "out")
        self.seed = self.put("seed.smt2", SEED)

    def put(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def run_elenchus(self, *arguments):
        return subprocess.run([ELENCHUS, *arguments], capture_output=True, text=True, timeout=300,
                              check=False)

    def fuzz(self, new, old, *options, tests="6", timeout="20s", tries="3"):
        return self.run_elenchus(
            "fuzz", self.seed, "--solver", f"{FAKE} {new}", "--baseline", f"{FAKE} {old}",
            "--engine", "opfuzz", "--tests", tests, "--jobs", "1", "--rng", "1", "--timeout", timeout,
            "--policy", "anything", "--reduce-tries", tries, "--grace", "20s", "--out", self.out, "--quiet", *options)

    def bugs(self):
        done = self.run_elenchus("bugs", self.out, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        listed = json.loads(done.stdout)
        return listed if isinstance(listed, list) else listed["bugs"]


class Baseline(WithFolder):
    def test_a_crash_of_the_new_version_is_marked(self):
        done = self.fuzz("assertion", "honest")
        self.assertEqual(done.returncode, 1, done.stderr)
        (bug,) = self.bugs()
        self.assertEqual(bug["kind"], "crash")
        self.assertIn("honest", bug["new_since"])
        self.assertLess(bug["rank"], 1)
        table = self.run_elenchus("bugs", self.out).stdout
        self.assertIn("new since", table)
        with open(os.path.join(self.out, "bugs", bug["id"], "report.md"), encoding="utf-8") as f:
            self.assertIn("New since", f.read())

    def test_what_both_show_is_not_new(self):
        self.fuzz("assertion", "again assertion")
        (bug,) = self.bugs()
        self.assertEqual(bug["new_since"], "")
        self.assertGreaterEqual(bug["rank"], 1)

    def test_the_baseline_is_not_under_test(self):
        done = self.fuzz("honest", "assertion")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.bugs(), [])

    def test_unknown_where_the_old_version_decides(self):
        self.fuzz("unknown", "honest")
        kinds = {bug["kind"]: bug["new_since"] for bug in self.bugs()}
        self.assertEqual(set(kinds), {"incomplete"})
        self.assertIn("honest", kinds["incomplete"])

    def test_a_timeout_where_the_old_version_decides(self):
        # The old version must need less than a twentieth of the limit, on a busy machine as well.
        self.fuzz("hang", "honest", "--bugs", "1", tests="2", timeout="4s", tries="0")
        kinds = {bug["kind"]: bug["new_since"] for bug in self.bugs()}
        self.assertEqual(set(kinds), {"slow"})
        self.assertIn("honest", kinds["slow"])

    def test_it_goes_on_with_the_same_baseline(self):
        self.fuzz("honest", "again honest")
        with open(os.path.join(self.out, "campaign.toml"), encoding="utf-8") as file:
            self.assertRegex(file.read(), r"baseline = .*honest")
        done = self.run_elenchus("fuzz", "--resume", self.out, "--tests", "4", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_it_must_be_a_version_of_a_solver_under_test(self):
        if shutil.which("cvc5") is None:
            self.skipTest("no cvc5")
        done = self.run_elenchus("fuzz", self.seed, "--solver", f"{FAKE} honest", "--baseline",
                                 "cvc5", "--out", self.out)
        self.assertEqual(done.returncode, 2)
        self.assertIn("not another version", done.stderr)


class OperatorsOnly(WithFolder):
    def mutants(self, *options):
        done = self.run_elenchus("mutate", "--engine", "typefuzz", "--count", "40", "--rng", "3",
                                 *options, self.seed)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_mutants_have_no_other_operators(self):
        only = self.put("only.txt", "; of the paper\n(+ Int Int Int)\n(< Int Int Bool)\n"
                                    "(and Bool Bool Bool)\n")
        text = self.mutants("--operators-only", only)
        self.assertRegex(text, r"\(\+ ")
        used = set(re.findall(r"\((\*|div|mod|abs|ite|xor|=>|distinct)[ )]", text))
        self.assertEqual(used, set())
        self.assertNotEqual(text, self.mutants())

    def test_an_unknown_operator_is_one_of_them(self):
        only = self.put("only.txt", "(my.sum Int Int Int)\n")
        self.assertIn("(my.sum ", self.mutants("--operators-only", only))

    def test_it_goes_for_campaigns(self):
        only = self.put("only.txt", "(+ Int Int Int)\n")
        done = self.run_elenchus("fuzz", self.seed, "--solver", f"{FAKE} honest", "--engine",
                                 "typefuzz", "--operators-only", only, "--tests", "10", "--rng",
                                 "1", "--jobs", "1", "--out", self.out, "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.out, "campaign.toml"), encoding="utf-8") as file:
            self.assertIn("operators-only", file.read())

    def test_a_file_without_operators_is_refused(self):
        done = self.run_elenchus("mutate", "--engine", "typefuzz", "--operators-only",
                                 self.put("none.txt", "; nothing\n"), self.seed)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no operator", done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    known, others = parser.parse_known_args()
    ELENCHUS = os.path.abspath(known.elenchus)
    unittest.main(argv=sys.argv[:1] + others)
