#!/usr/bin/env python3
"""`elenchus reduce`: small scripts that show the same bug, with the buggy solver alone.

label: sanitized
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ELENCHUS = None
HANG_LIMIT = 300.0
HERE = os.path.dirname(os.path.abspath(__file__))
FAKES = os.path.join(os.path.dirname(HERE), "fake_solvers")
PLANTED = os.path.join(FAKES, "planted.py")
FAKE = os.path.join(FAKES, "fake")

NOISE = "".join(f"(declare-const i{k} Int)\n(assert (> (* {k + 2} i{k}) {k}))\n" for k in range(20))
SCRIPT = f"""\
(set-logic ALL)
(declare-const first (_ BitVec 8))
(declare-const second (_ BitVec 8))
{NOISE}(assert (=> (> i3 0) (or (= (bvsmod first #x05) (bvadd second #x01)) (= i4 (- 7)))))
(check-sat)
"""
MODEL = "((define-fun first () (_ BitVec 8) #x07) (define-fun second () (_ BitVec 8) #x01)\n" + \
    "".join(f"(define-fun i{k} () Int 9)" for k in range(20)) + ")\n"


def run(*arguments, text=None):
    return subprocess.run([ELENCHUS, "reduce", *arguments], input=text, capture_output=True,
                          text=True, timeout=HANG_LIMIT, check=False)


class ReduceTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    @unittest.skipUnless(shutil.which("z3"), "z3 is not installed")
    def test_wrong_unsat_with_the_buggy_solver_alone(self):
        script = self.write("bug.smt2", SCRIPT)
        self.write("bug.model", MODEL)
        out = os.path.join(self.folder, "small.smt2")
        done = run(script, "--solver", f"{PLANTED} bvsmod", "--json", "--out", out)
        self.assertEqual(done.returncode, 1, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(found["kind"], "refutation-unsound")
        self.assertTrue(found["minimal"])
        with open(out, encoding="utf-8") as f:
            small = f.read()
        self.assertEqual(small, found["script"])
        self.assertIn("bvsmod", small)
        self.assertEqual(small.count("assert"), 1, small)
        self.assertLess(len(small), 120, small)
        # The witness was adapted on the way, and holds for what is left.
        model = self.write("small.model", found["witness"])
        check = subprocess.run([ELENCHUS, "check", out, model], capture_output=True, text=True,
                               timeout=HANG_LIMIT, check=False)
        self.assertTrue(check.stdout.startswith("valid"), check.stdout + small + found["witness"])

    @unittest.skipUnless(shutil.which("z3"), "z3 is not installed")
    def test_invalid_model(self):
        script = self.write("bug.smt2", SCRIPT)
        done = run(script, "--solver", f"{PLANTED} lie-model bvsmod")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("invalid-model", done.stderr)
        self.assertIn("bvsmod", done.stdout)
        self.assertLess(len(done.stdout), 200, done.stdout)

    def test_crash(self):
        script = self.write("bug.smt2", SCRIPT)
        done = run(script, "--solver", f"{FAKE} assertion", "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(found["kind"], "crash")
        self.assertEqual(found["script"], "(set-logic ALL)\n(check-sat)\n")

    @unittest.skipUnless(shutil.which("z3"), "z3 is not installed")
    def test_bug_of_a_campaign(self):
        script = self.write("bug.smt2", SCRIPT)
        campaign = os.path.join(self.folder, "campaign")
        subprocess.run([ELENCHUS, "fuzz", script, "--solver", f"{PLANTED} bvsmod", "--solver", "z3",
                        "--only-seeds", "--reduce-tries", "0", "--out", campaign, "--quiet"],
                       capture_output=True, timeout=HANG_LIMIT, check=False)
        names = [name for name in os.listdir(os.path.join(campaign, "bugs"))
                 if "refutation" in name]
        self.assertEqual(len(names), 1, names)
        done = run("--bug", names[0], campaign, "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual(found["kind"], "refutation-unsound")
        self.assertLess(found["size_reduced"], 120, found["script"])

    def test_bugs_that_are_looked_for_only_when_asked(self):
        script = self.write("bug.smt2", "(declare-const x Int)\n(declare-const y Int)\n"
                            "(assert (> x 0))\n(assert (< y 3))\n(check-sat)\n")
        # To be quick is to need less than a twentieth of the limit, on a busy machine as well.
        for kind, mode, limit in (("slow", "hang", "3s"), ("incomplete", "unknown", "20s")):
            with self.subTest(kind):
                campaign = os.path.join(self.folder, kind)
                subprocess.run([ELENCHUS, "fuzz", script, "--solver", f"{FAKE} {mode}",
                                "--solver", f"{FAKE} honest", "--oracle", kind, "--only-seeds",
                                "--policy", "anything", "--timeout", limit, "--reduce-tries", "0",
                                "--out", campaign, "--quiet"],
                               capture_output=True, timeout=HANG_LIMIT, check=False)
                names = [name for name in os.listdir(os.path.join(campaign, "bugs"))
                         if kind in name]
                self.assertEqual(len(names), 1, names)
                done = run("--bug", names[0], campaign, "--json", "--timeout", limit, "--tries", "6")
                self.assertEqual(done.returncode, 1, done.stderr)
                found = json.loads(done.stdout)
                self.assertEqual(found["kind"], kind)
                self.assertLess(found["size_reduced"], found["size_original"], found["script"])

    def test_nothing_wrong(self):
        script = self.write("fine.smt2", "(assert true)\n(check-sat)\n")
        done = run(script, "--solver", f"{FAKE} honest")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertIn("nothing wrong", done.stderr)
        done = run(script, "--solver", f"{FAKE} honest", "--json")
        self.assertEqual(json.loads(done.stdout)["verdict"], "nothing wrong")

    def test_nobody_answers(self):
        script = self.write("fine.smt2", "(assert true)\n(check-sat)\n")
        done = run(script, "--solver", f"{FAKE} rejects")
        self.assertEqual((done.returncode, done.stdout), (4, ""))
        self.assertIn("undecided", done.stderr)

    def test_a_model_that_does_not_hold_is_no_evidence(self):
        script = self.write("fine.smt2", "(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n")
        model = self.write("wrong.model", "((define-fun x () Int 0))")
        done = run(script, "--solver", f"{FAKE} unsat", "--model", model)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_wrong_input(self):
        script = self.write("fine.smt2", "(check-sat)\n")
        for arguments, message in (
                (["missing.smt2"], "missing.smt2"),
                ([self.write("bad.smt2", "(assert (and 1 true))\n(check-sat)"), "--solver", FAKE],
                 "bad.smt2:1:"),
                ([self.write("none.smt2", "(assert true)"), "--solver", f"{FAKE} honest"],
                 "no check-sat"),
                ([script, "--solver", "no-such-solver"], "no-such-solver"),
                ([script, "--solver", f"{FAKE} honest", "--model", "missing.model"],
                 "missing.model"),
                ([script, "--solver", f"{FAKE} honest", "--time", "soon"], "soon"),
                (["--bug", "nothing", self.folder], "campaign"),
        ):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stdout, done.stderr))
            self.assertIn(message, done.stderr, arguments)

    @unittest.skipUnless(shutil.which("z3"), "z3 is not installed")
    def test_how_many_run_at_once_makes_no_difference(self):
        script = self.write("bug.smt2", SCRIPT)
        self.write("bug.model", MODEL)
        found = [json.loads(run(script, "--solver", f"{PLANTED} bvsmod", "--json", "--jobs",
                                jobs).stdout) for jobs in ("1", "2", "5")]
        for other in found[1:]:
            self.assertEqual(other["script"], found[0]["script"])
            self.assertEqual(other["tries"], found[0]["tries"])

    def test_interrupted_it_keeps_the_best_so_far(self):
        lines = "".join(f"(assert (> x {k}))\n" for k in range(3000))
        script = self.write("long.smt2", f"(declare-const x Int)\n{lines}(check-sat)\n")
        out = os.path.join(self.folder, "small.smt2")
        with subprocess.Popen([ELENCHUS, "reduce", script, "--solver", f"{FAKE} slow-wrong",
                               "--fresh", "--out", out], stderr=subprocess.PIPE,
                              text=True) as process:
            self.assertIn("long.smt2", process.stderr.readline())
            # A dozen slow runs are still to come.
            process.send_signal(signal.SIGINT)
            _, message = process.communicate(timeout=HANG_LIMIT)
            self.assertEqual(process.returncode, 1, message)
        with open(out, encoding="utf-8") as f:
            self.assertIn("(check-sat)", f.read())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    options, rest = parser.parse_known_args()
    ELENCHUS = os.path.abspath(options.elenchus)
    unittest.main(argv=[sys.argv[0], *rest])
