#!/usr/bin/env python3
"""The command line of `elenchus judge`: verdicts, exit codes, and what is no solver at all."""

import argparse
import json
import os
import subprocess
import sys
import unittest

ELENCHUS = None
HANG_LIMIT = 120.0
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FAKE = os.path.join(ROOT, "tests", "fake_solvers", "fake")
SCRIPT = "(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n"


def judge(*solvers, options=()):
    arguments = [word for solver in solvers for word in ("--solver", solver)]
    return subprocess.run([ELENCHUS, "judge", "-", "-q", *arguments, *options], input=SCRIPT,
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
        self.assertEqual([finding["kind"] for finding in found["findings"]], ["invalid-model"])

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
