#!/usr/bin/env python3
"""The command line of `elenchus check`: verdicts, exit codes, messages, and where output goes."""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

ELENCHUS = None
HANG_LIMIT = 300.0

SCRIPT = """\
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (> x 0))
(assert (or (< x y) (and (= x 7) (> y x))))
(check-sat)
"""
GOOD = "sat\n(\n  (define-fun x () Int\n    1)\n  (define-fun y () Int\n    2)\n)\n"
WRONG = GOOD.replace("2)", "1)")
LEVELS = """\
(declare-const x Int)
(assert (> x 0))
(check-sat)
(push)
(assert (< x 0))
(check-sat)
(pop)
(check-sat-assuming ((> x 5)))
"""


def model(value):
    return f"(\n(define-fun x () Int {value})\n)\n"


class CheckTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="check_test.")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def run_check(self, *arguments, script=SCRIPT, output=GOOD, text=None):
        """Paths of the script and of the model come first, unless they are given as None."""
        paths = []
        if script is not None:
            paths.append(self.write("a.smt2", script))
        if output is not None:
            paths.append(self.write("a.out", output))
        return subprocess.run([ELENCHUS, "check", *paths, *arguments], input=text,
                              capture_output=True, text=True, timeout=HANG_LIMIT, check=False)

    def judge(self, verdict, *arguments, **how):
        """The verdict is the first word, and fits the exit code."""
        done = self.run_check(*arguments, **how)
        self.assertEqual(done.stdout.split("\n")[0], verdict, done.stdout + done.stderr)
        self.assertEqual(done.returncode, {"valid": 0, "invalid": 1, "unknown": 4}[verdict])
        return done

    def refuse(self, *arguments, **how):
        done = self.run_check(*arguments, **how)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertEqual(done.stdout, "")
        return done.stderr

    def test_help_has_an_example(self):
        done = self.run_check("--help", script=None, output=None)
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"Example(.|\n)*elenchus check .*\.smt2")
        for option in ("--explain", "--json", "--check", "--steps", "--operators", "--out",
                       "--quiet"):
            self.assertIn(option, done.stdout)

    def test_valid(self):
        done = self.judge("valid")
        self.assertEqual(done.stdout, "valid\ncheck-sat 1: valid\n  2 assertions hold\n")
        self.assertEqual(done.stderr, "")

    def test_invalid_says_why(self):
        done = self.judge("invalid", output=WRONG)
        lines = done.stdout.splitlines()
        self.assertEqual(lines[1], "check-sat 1: invalid")
        self.assertRegex(lines[2], r"^  \S+a\.smt2:5:1: false: \(or \(< x y\) ")
        for line in ("    (< x y) is false", "      x = 1", "      y = 1"):
            self.assertIn(line, lines)
        self.assertEqual(len(lines), len(set(lines)), "something is said twice")

    def test_recursion_that_has_no_solution_makes_nothing_valid(self):
        for body, verdict in (("(+ 1 (f x))", "unknown"), ("(ite (> x 0) (f (- x 1)) 7)", "valid")):
            script = (f"(define-fun-rec f ((x Int)) Int {body})\n(declare-const y Int)\n"
                      "(assert (> y 3))\n(check-sat)\n")
            with self.subTest(body):
                self.judge(verdict, script=script, output="((define-fun y () Int 4))\n")

    def test_a_fraction_is_no_integer(self):
        script = "(declare-const x Int)\n(assert (= x 1))\n(check-sat)\n"
        for value in ("1.5", "(/ 3 2)", "(- 1.5)", "(/ 3.0 2.0)"):
            self.assertIn("not an integer", self.refuse(script=script, output=model(value)))
        self.judge("valid", script=script, output=model("1.0"))
        arrays = "(declare-const x (Array Int Int))\n(assert (= (select x 0) 2))\n(check-sat)\n"
        self.assertIn("not an integer", self.refuse(script=arrays, output=(
            "((define-fun x () (Array Int Int) ((as const (Array Int Int)) 2.5)))")))

    def test_a_backslash_may_be_one(self):
        script = ('(declare-const s String)\n(assert (= s (str.++ "\\u{5c}" "u{e9}")))\n'
                  "(check-sat)\n")
        strings = '((define-fun s () String "{}"))\n'
        self.judge("unknown", script=script, output=strings.format("\\u{e9}"))
        self.judge("valid", script=script, output=strings.format("\\u{5c}u{e9}"))
        self.judge("invalid", script=script, output=strings.format("\\u{e8}"))

    def test_explanation_is_the_path(self):
        done = self.judge("invalid", "--explain",
                          script=SCRIPT + "(assert (=> (> x 0) (= (+ x y) 5)))\n(check-sat)\n",
                          output=GOOD)
        self.assertIn("(+ x y) = 3", done.stdout)
        self.assertNotIn("(or ", done.stdout)

    def test_explanation_of_a_quantifier_shows_the_instance(self):
        script = ("(declare-fun p (Int) Bool)\n"
                  "(assert (forall ((i Int)) (=> (and (<= 0 i) (<= i 9)) (p i))))\n(check-sat)\n")
        output = "sat\n((define-fun p ((a Int)) Bool (not (= a 3))))\n"
        self.assertIn("i = 3", self.judge("invalid", script=script, output=output).stdout)

    def test_explanation_shows_a_lambda(self):
        script = "(declare-const a (Array Int Int))\n(assert (= (select a 1) 3))\n(check-sat)\n"
        output = "sat\n((define-fun a () (Array Int Int) (lambda ((i Int)) (* 2 i))))\n"
        done = self.judge("invalid", script=script, output=output)
        self.assertIn("a = (lambda ((i Int)) (* 2 i))", done.stdout)

    def test_unknown_says_why(self):
        script = "(declare-const x Int)\n(assert (= (div x 0) 3))\n(check-sat)\n"
        done = self.judge("unknown", script=script, output="sat\n" + model(1))
        self.assertRegex(done.stdout, r"a\.smt2:2:1: unknown: \(= \(div x 0\) 3\)\n  reason: ")

    def test_explanation_of_unknown_leaves_out_what_is_known(self):
        script = ("(declare-const x Int)\n(assert (and (= x 1) (= (- 7) (div x 0))))\n"
                  "(check-sat)\n")
        done = self.judge("unknown", "--explain", script=script, output="sat\n" + model(1))
        self.assertIn("(div x 0)", done.stdout)
        self.assertNotIn("(= x 1) is", done.stdout)

    def test_completed_constants_are_noted(self):
        script = SCRIPT.replace("(assert (or", "(declare-const z Int)\n(assert (= z z))\n(assert (or")
        script = script.replace("(= z z)", "(>= (* z z) 0)")
        done = self.judge("valid", script=script)
        self.assertIn("  note: the model says nothing of z;", done.stdout)
        self.assertNotIn("nothing of x", done.stdout)

    def test_a_model_after_unknown_is_no_claim(self):
        done = self.judge("invalid", output=WRONG.replace("sat", "unknown"))
        self.assertIn("answered unknown", done.stdout)
        self.assertNotIn("answered", self.judge("invalid", output=WRONG).stdout)

    def test_errors_of_the_solver_are_pointed_out(self):
        done = self.judge("invalid", output='(error "line 5: no such thing")\n' + WRONG)
        self.assertRegex(done.stderr, r"a\.out:1:1: warning: the solver reported an error")
        done = self.judge("invalid", "--check", "1", output=WRONG + '(error "later")\n')
        self.assertEqual(done.stderr, "")

    def test_levels_and_assumptions(self):
        error = '(error "model is not available")\n'
        for last, verdict in ((6, "valid"), (5, "invalid")):
            output = f"sat\n{model(1)}unsat\n{error}sat\n{model(last)}"
            done = self.judge(verdict, script=LEVELS, output=output)
            self.assertIn("check-sat 1: valid\n  1 assertion holds\n", done.stdout)
            self.assertIn(f"check-sat 3: {verdict}\n", done.stdout)
            self.assertNotIn("check-sat 2", done.stdout)
        self.assertRegex(done.stdout, r"a\.smt2:8:1: false: \(> x 5\)")

    def test_check_option(self):
        self.judge("valid", "--check", "1", script=LEVELS, output=model(1))
        self.judge("invalid", "--check", "2", script=LEVELS, output=model(1))
        self.judge("invalid", "--check", "3", script=LEVELS, output=model(1))
        self.judge("invalid", script=LEVELS, output=model(1))  # the last one
        several = f"sat\n{model(1)}unsat\nsat\n{model(5)}"
        self.judge("valid", "--check", "1", script=LEVELS, output=several)
        self.judge("invalid", "--check", "3", script=LEVELS, output=several)
        self.assertIn("no model for this", self.refuse("--check", "2", script=LEVELS,
                                                       output=several))
        self.assertIn("the script has 3 check-sat commands",
                      self.refuse("--check", "4", script=LEVELS, output=several))
        self.refuse("--check", "0")
        self.refuse("--check", "x")

    def test_more_answers_than_checks(self):
        self.assertIn("there are 2 answers, but the script has 1 check-sat command",
                      self.refuse(output=GOOD + GOOD))

    def test_a_script_without_check_sat(self):
        self.judge("valid", script=SCRIPT.replace("(check-sat)", ""))

    def test_json(self):
        result = json.loads(self.run_check("--json").stdout)
        self.assertEqual(result["verdict"], "valid")
        self.assertTrue(result["file"].endswith("a.smt2") and result["model"].endswith("a.out"))
        self.assertEqual(result["checks"], [{"check": 1, "answer": "sat", "verdict": "valid",
                                             "assertions": 2, "completed": []}])
        done = self.run_check("--json", output=WRONG)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(len(done.stdout.splitlines()), 1)
        check = json.loads(done.stdout)["checks"][0]
        self.assertEqual((check["verdict"], check["line"], check["column"]), ("invalid", 5, 1))
        self.assertTrue(check["assertion"].startswith("(or "))
        self.assertEqual(check["explanation"][0], {"depth": 0, "term": check["assertion"],
                                                   "value": "false"})
        self.assertIn({"depth": 2, "term": "y", "value": "1"}, check["explanation"])

    def test_json_of_an_error(self):
        done = self.run_check("--json", output=GOOD.replace("Int", "Nat"))
        self.assertEqual(done.returncode, 2)
        result = json.loads(done.stdout)
        self.assertIsNone(result["verdict"])
        self.assertEqual(result["error"]["line"], 3)
        self.assertTrue(result["error"]["file"].endswith("a.out"))
        self.assertIn("Nat", result["error"]["message"])

    def test_standard_input(self):
        path = self.write("a.smt2", SCRIPT)
        self.judge("valid", path, "-", script=None, output=None, text=GOOD)
        self.judge("invalid", path, "-", script=None, output=None, text=WRONG)
        output = self.write("a.out", GOOD)
        self.judge("valid", "-", output, script=None, output=None, text=SCRIPT)
        self.assertIn("standard input",
                      self.refuse("-", "-", script=None, output=None, text=SCRIPT))

    def test_quiet_and_out(self):
        self.assertEqual(self.judge("invalid", "-q", output=WRONG).stdout, "invalid\n")
        target = os.path.join(self.folder, "out")
        done = self.run_check("-o", target, output=WRONG)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        with open(target, encoding="utf-8") as f:
            self.assertTrue(f.read().startswith("invalid\n"))
        missing = os.path.join(self.folder, "missing", "out")
        self.assertIn(missing, self.refuse("-o", missing))

    def test_errors_name_their_file(self):
        self.assertRegex(self.refuse(script="(assert x)"), r"a\.smt2:1:9: error: .*x")
        self.assertRegex(self.refuse(output="sat\n((define-fun x () Int z))"),
                         r"a\.out:2:23: error: .*z")
        self.assertRegex(self.refuse(output="sat\n"), r"a\.out:1:1: error: there is no model")
        self.assertRegex(self.refuse(output=model("x")),
                         r"a\.out:2:13: error: the model defines 'x' by itself")
        self.assertIn("missing.out", self.refuse(os.path.join(self.folder, "missing.out"),
                                                 output=None))

    def test_steps(self):
        script = ("(declare-const x Int)\n(assert (forall ((a (_ BitVec 16))) "
                  "(= (bvadd a #x0000) a)))\n(check-sat)\n")
        self.judge("valid", script=script, output=model(1))
        done = self.judge("unknown", "--steps", "1000", script=script, output=model(1))
        self.assertIn("too many steps", done.stdout)

    def test_operators(self):
        operators = self.write("my.ops", "(my.op Int Bool)\n")
        script = SCRIPT.replace("(> x 0)", "(my.op x)")
        done = self.judge("unknown", "--operators", operators, script=script)
        self.assertIn("my.op", done.stdout)

    def test_declarations_that_outlive_their_level(self):
        script = ("(set-option :global-declarations\ttrue)(push 1)(declare-const x Int)(pop 1)"
                  "(assert (= x 3))(check-sat)")
        self.judge("valid", script=script, output=model(3))
        self.judge("valid", script=script.replace("declarations\t", "decls ; why\n"),
                   output=model(3))
        self.judge("invalid", script=script, output=model(4))

    def test_same_bytes_twice(self):
        for flags in ([], ["--explain"], ["--json"]):
            first = self.run_check(*flags, output=WRONG)
            second = self.run_check(*flags, output=WRONG)
            self.assertEqual((first.stdout, first.stderr), (second.stdout, second.stderr))

    def test_line_ends_of_windows(self):
        done = self.judge("invalid", output=WRONG.replace("\n", "\r\n"))
        self.assertEqual(re.sub("\r", "", done.stdout), done.stdout)


def main():
    global ELENCHUS
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elenchus", required=True, metavar="BIN")
    args, rest = parser.parse_known_args()
    ELENCHUS = os.path.abspath(args.elenchus)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
