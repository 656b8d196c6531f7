#!/usr/bin/env python3
"""The command line of `elenchus judge`: verdicts, exit codes, and what is no solver at all."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import unittest

ELENCHUS = None
HANG_LIMIT = 300.0
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FAKE = os.path.join(ROOT, "tests", "fake_solvers", "fake")
SCRIPT = "(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n"


def judge(*solvers, options=(), script=SCRIPT):
    arguments = [word for solver in solvers for word in ("--solver", solver)]
    return subprocess.run([ELENCHUS, "judge", "-", "-q", *arguments, *options], input=script,
                          capture_output=True, text=True, timeout=HANG_LIMIT, check=False)


class JudgeTest(unittest.TestCase):
    def test_nothing_wrong(self):
        done = judge(f"{FAKE} honest")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("verdict: nothing wrong", done.stdout)

    def test_a_wrong_model(self):
        done = judge(f"{FAKE} wrong-model", options=["--json"])
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(found["verdict"], "wrong")
        self.assertEqual(found["wrong"], [f"{FAKE} wrong-model 0.0.1"])
        self.assertEqual([finding["kind"] for finding in found["findings"]], ["invalid-model"])

    def test_the_guilty_are_named_with_the_right_answer(self):
        # The honest one gives no values; any that are chosen for it hold.
        script = "(declare-const x Int)\n(assert (= x x))\n(check-sat)\n"
        done = judge(f"{FAKE} honest", f"{FAKE} unsat", script=script)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertIn(f"verdict: wrong: {FAKE} unsat 0.0.1\n", done.stdout)
        self.assertIn("right answer: sat", done.stdout)

    def test_many_answers_that_are_alike_are_told_once(self):
        done = judge(f"{FAKE} honest", script=SCRIPT + "(check-sat)\n" * 99)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(" s  100 times sat", done.stdout)

    @unittest.skipUnless(shutil.which("cvc5"), "cvc5 is not installed")
    def test_a_dispute_accuses_nobody(self):
        # The honest one gives no values, so that nothing disproves its sat.
        script = "(declare-const x Int)\n(assert (> x 5))\n(assert (< x 3))\n(check-sat)\n"
        done = judge("cvc5", f"{FAKE} honest", script=script)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout, r"verdict: wrong: one of cvc5 [0-9.]+, .*fake honest 0.0.1, "
                         r"and nothing settles which\n")
        found = json.loads(judge("cvc5", f"{FAKE} honest", script=script,
                                 options=["--json"]).stdout)
        self.assertEqual(found["wrong"], [])
        self.assertEqual(len(found["disputed"]), 2)

    def test_what_stayed_unchecked_is_said(self):
        done = judge(f"{FAKE} unsat")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("verdict: nothing wrong found, but not all of it could be checked\n",
                      done.stdout)
        self.assertIn("unchecked: the unsat of z3, which no other solver confirms", done.stdout)
        found = json.loads(judge(f"{FAKE} unsat", options=["--json"]).stdout)
        self.assertEqual(len(found["unchecked"]), 1)
        self.assertEqual(found["right"], [""])

    def test_the_status_is_a_claim(self):
        done = judge(f"{FAKE} unsat", script="(set-info :status sat)\n" + SCRIPT)
        self.assertIn("answers unsat, and (set-info :status sat) says otherwise", done.stdout)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertRegex(done.stdout,
                         r"verdict: wrong: one of \S+ unsat 0.0.1, \(set-info :status sat\), and nothing")
        done = judge(f"{FAKE} unsat", script="(set-info :status unsat)\n" + SCRIPT)
        self.assertNotIn("otherwise", done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_status_that_a_model_refutes(self):
        script = "(set-info :status unsat)\n" + SCRIPT
        done = judge("cvc5", script=script)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("verdict: wrong: (set-info :status unsat)\n", done.stdout)
        found = json.loads(judge("cvc5", script=script, options=["--json"]).stdout)
        self.assertEqual((found["wrong"], found["right"]), (["(set-info :status unsat)"], ["sat"]))
        (status,) = found["statuses"]
        self.assertTrue(status["refuted"])
        # Who contradicts what a model proves is wrong, not the status.
        done = judge(f"{FAKE} unsat", "cvc5", script="(set-info :status sat)\n" + SCRIPT)
        self.assertNotIn("status", done.stdout)

    def test_silence_is_no_acquittal(self):
        for mode in ("rejects", "hang"):
            with self.subTest(mode):
                done = judge(f"{FAKE} {mode}", options=["--timeout", "0.3s"])
                self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
                self.assertIn("verdict: undecided", done.stdout)
        # One that answers is enough.
        done = judge(f"{FAKE} rejects", f"{FAKE} honest")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_policy_refuses_options(self):
        two = f"{FAKE} some honest"
        self.assertEqual(judge(two).returncode, 0)
        for policy in ("default", "regular"):
            done = judge(two, options=["--policy", policy])
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(policy, done.stderr)
        self.assertEqual(judge(two, options=["--policy", "anything"]).returncode, 0)
        self.assertIn("regular", judge(two, options=["--policy", "wild"]).stderr)

    def test_what_is_no_solver_is_refused(self):
        for program in ("/bin/true", "/bin/ls /", "/bin/echo sat"):
            with self.subTest(program):
                done = judge(program)
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn("is it a solver", done.stderr)


def main():
    global ELENCHUS
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    arguments, rest = parser.parse_known_args()
    ELENCHUS = arguments.elenchus
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
