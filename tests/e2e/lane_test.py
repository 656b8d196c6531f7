#!/usr/bin/env python3
"""Terms: wrong rewrites and wrong values are found, confirmed, reduced and grouped.

label: slow
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import unittest

import campaigns
from campaigns import ENVIRONMENT, HANG_LIMIT, ROOT, CampaignTest, left_running

PLANTED = os.path.join(ROOT, "tests", "fake_solvers", "planted_terms.py")

# The planted operator stands deep in terms with much around it.
REMAINDERS = """; Signed remainders of bit-vectors.
(set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(declare-const c (_ BitVec 8))
(assert (bvult (bvadd a (bvmul b (bvsmod a (bvor b c)))) (bvsub #xf0 (bvand a c))))
(assert (not (= (bvxor a b) (bvshl c #x02))))
(check-sat)
"""

# Satisfiable, whatever its remainder is.
VALUES = """; A signed remainder that says little.
(set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (bvult (bvadd a (bvmul b #x03)) #xf0))
(assert (or (= b #x05) (bvult (bvsmod a b) #xf0)))
(check-sat)
"""


@unittest.skipUnless(shutil.which("z3"), "z3 is not installed")
class Lane(CampaignTest):
    def terms(self, fault, *options, seed=REMAINDERS, turns=12, timeout="30s"):
        self.seed(seed)
        done = self.fuzz(self.seeds, "--solver", f"{PLANTED} {fault}", "--lane", "terms", "--tests",
                         str(turns), "--jobs", "1", "--rng", "5", "--timeout", timeout, *options)
        self.assertEqual(left_running(), [])
        return done

    def of_kind(self, *kinds):
        return [bug for bug in self.bugs() if bug["kind"] in kinds]

    def read(self, bug, name):
        with open(os.path.join(self.out, "bugs", bug["id"], name), encoding="utf-8") as f:
            return f.read()

    def groups(self):
        shown = subprocess.run([campaigns.ELENCHUS, "bugs", self.out, "--json"],
                               capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
        return {bug.get("group", bug["id"]) for bug in json.loads(shown.stdout)["bugs"]}

    def test_a_wrong_rewrite(self):
        done = self.terms("rewrite")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertNotIn("nothing was tested", done.stderr)
        wrong = self.of_kind("wrong-rewrite")
        self.assertEqual(wrong, self.bugs())
        self.assertEqual({bug["signature"].split(": ")[1] for bug in wrong}, {"bvsmod"})
        bug = wrong[0]
        report = self.read(bug, "report.md")
        self.assertIn("the term:", report)
        self.assertIn("what it is rewritten to:", report)
        reduced = self.read(bug, "reduced.smt2")
        self.assertIn("(simplify (bvsmod ", reduced)
        self.assertLessEqual(reduced.count("(declare-"), 2, reduced)
        # Nothing around it.
        self.assertRegex(reduced, r"\n\(assert \(= \(bvsmod [^()]*\) #[xb][0-9a-f]*\)\)\n")
        self.assertIn("(check-sat) of this script it answers sat, which is right", report)
        # The operator, two arguments, a value, and what says that they are equal.
        asserted = [line for line in reduced.splitlines() if line.startswith("(assert")]
        self.assertLessEqual(sum(len(line.split()) for line in asserted), 12, reduced)
        self.assertEqual(len(self.groups()), 1, wrong)
        repro = os.path.join(self.out, "bugs", bug["id"], "repro.sh")
        self.assertEqual(subprocess.run([repro], capture_output=True, timeout=HANG_LIMIT,
                                        check=False).returncode, 1)
        replayed = subprocess.run([campaigns.ELENCHUS, "bugs", self.out, "replay", bug["id"]],
                                  capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
        self.assertIn("open", replayed.stdout, replayed.stderr)
        lanes = self.stats()["lanes"]
        self.assertGreater(lanes["terms"]["tests"], 500)
        self.assertGreater(lanes["terms"]["findings"], 0)
        self.assertGreater(lanes["terms"]["cpu_seconds_solvers"], 0)
        self.assertEqual(lanes["checks"]["tests"], 0)
        (terms,) = lanes["terms"]["solvers"].values()
        self.assertEqual(terms["asked"], lanes["terms"]["tests"])
        self.assertGreater(terms["answered"], 0.5 * terms["asked"])
        self.assertGreater(terms["compared"], 100)

    def test_a_wrong_answer_that_the_rewrite_explains(self):
        done = self.terms("fold")
        self.assertEqual(done.returncode, 1, done.stderr)
        wrong = self.of_kind("refutation-unsound")
        self.assertEqual(wrong, self.bugs())
        self.assertEqual(len(wrong), 1, wrong)
        self.assertEqual(wrong[0]["signature"].split(": ")[1], "bvsmod")
        report = self.read(wrong[0], "report.md")
        self.assertRegex(report, r"why it errs: \(simplify \(bvsmod [^\n]* gives \(?bvnot")

    def test_a_solver_that_answers_little(self):
        done = self.terms("refuses", turns=4)
        self.assertIn("of the terms that it is asked about", done.stderr)

    def test_a_wrong_value(self):
        self.seed(VALUES)
        done = self.fuzz(self.seeds, "--solver", f"{PLANTED} value", "--lane", "checks", "--engine",
                         "opfuzz", "--tests", "600", "--jobs", "1", "--rng", "5", "--timeout", "30s")
        self.assertEqual(done.returncode, 1, done.stderr)
        # What has nothing of the planted bug is z3's own.
        bugs = [bug for bug in self.bugs() if not self.is_shown_by("z3", bug)]
        self.assertEqual({bug["kind"] for bug in bugs}, {"wrong-value"})
        self.assertTrue(any("bvsmod" in self.read(bug, "reduced.smt2") for bug in bugs))
        self.assertIn("in its own model", self.read(bugs[0], "report.md"))
        repro = os.path.join(self.out, "bugs", bugs[0]["id"], "repro.sh")
        # z3 itself, which does not know the word that names the fault.
        honest = os.path.join(self.folder, "honest")
        with open(honest, "w", encoding="utf-8") as f:
            f.write('#!/bin/sh\nfor word; do shift; [ "$word" = value ] || set -- "$@" "$word"; done\n'
                    'exec z3 "$@"\n')
        os.chmod(honest, 0o755)
        for solver, code in (([], 1), ([honest], 0)):
            shown = subprocess.run([repro, *solver], capture_output=True, text=True,
                                   timeout=HANG_LIMIT, check=False)
            self.assertEqual(shown.returncode, code, shown.stdout)
        self.assertEqual(len(self.groups() & {bug["id"] for bug in bugs}), 1, bugs)
        self.assertEqual(self.stats()["lanes"]["terms"]["tests"], 0)

    def test_judge(self):
        for fault, kind in (("rewrite", "wrong-rewrite"), ("value", "wrong-value")):
            with self.subTest(fault):
                script = self.seed(VALUES)
                done = subprocess.run(
                    [campaigns.ELENCHUS, "judge", script, "--solver", f"{PLANTED} {fault}"],
                    capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                self.assertIn(kind, done.stdout)

    def test_faults_cost_no_other_term_its_answer(self):
        for fault in ("other-sort", "deep", "endless", "dies", "hangs", "swaps"):
            with self.subTest(fault):
                shutil.rmtree(self.out, ignore_errors=True)
                done = self.terms(fault, "--grace", "0s", turns=4, timeout="5s")
                wrong = {bug["kind"] for bug in self.bugs()} - {"crash"}
                self.assertEqual(wrong, set(), done.stderr)
                self.assertGreater(self.stats()["lanes"]["terms"]["tests"], 150)

    @unittest.skipUnless(shutil.which("cvc4"), "cvc4 is not installed")
    def test_cvc4_can_be_asked(self):
        self.seed(REMAINDERS)
        self.fuzz(self.seeds, "--solver", "cvc4", "--lane", "terms", "--tests", "4", "--jobs", "1",
                  "--rng", "5", "--timeout", "30s")
        self.assertGreater(self.stats()["lanes"]["terms"]["tests"], 100)

    def test_a_solver_that_cannot_be_asked(self):
        self.seed(REMAINDERS)
        # Of which no profile knows.
        plain = os.path.join(self.folder, "plain")
        with open(plain, "w", encoding="utf-8") as f:
            f.write('#!/bin/sh\ncase "$*" in *version*) echo "Plain 1.0"; exit ;; esac\n'
                    'cat > /dev/null\necho sat\n')
        os.chmod(plain, 0o755)
        done = self.fuzz(self.seeds, "--solver", plain, "--lane", "terms", "--tests", "3")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("asked about terms", done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    arguments, rest = parser.parse_known_args()
    campaigns.ELENCHUS = os.path.abspath(arguments.elenchus)
    unittest.main(argv=sys.argv[:1] + rest)
