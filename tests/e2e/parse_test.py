#!/usr/bin/env python3
"""The command line of `elenchus parse`: options, exit codes, messages, and where output goes."""

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
(declare-fun f (Int Int) Bool)
(assert (> (+ x x 1) 0))
(assert (f x (- 3)))
(check-sat)
(check-sat)
"""
BAD = "(declare-const x Int)\n(assert (and x true))\n"


def run(*arguments, text=None):
    return subprocess.run([ELENCHUS, *arguments], input=text, capture_output=True, text=True,
                          timeout=HANG_LIMIT, check=False)


class ParseTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="parse_test.")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def accept(self, *arguments, **how):
        done = run(*arguments, **how)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def refuse(self, *arguments, **how):
        done = run(*arguments, **how)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertNotEqual(done.stderr, "")
        return done

    def test_help_has_an_example(self):
        text = self.accept("parse", "--help")
        self.assertRegex(text.lower(), "example")
        self.assertRegex(text, r"elenchus parse .*\.smt2")
        for option in ("--print", "--stats", "--json", "--strict", "--operators", "--out",
                       "--quiet"):
            self.assertIn(option, text)
        self.assertIn("parse", self.accept("--help"))

    def test_version(self):
        self.assertRegex(self.accept("--version"), r"\d+\.\d+")

    def test_wrong_option(self):
        done = self.refuse("parse", "--pritn", self.write("a.smt2", SCRIPT))
        self.assertIn("--pritn", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_no_file(self):
        self.refuse("parse")

    def test_no_command(self):
        self.assertIn("elenchus help COMMAND", self.accept())

    def test_wrong_command(self):
        self.assertIn("prase", self.refuse("prase").stderr)

    def test_summary_line(self):
        path = self.write("a.smt2", SCRIPT)
        out = self.accept("parse", path)
        self.assertEqual(len(out.splitlines()), 1)
        self.assertTrue(out.startswith(f"{path}: ok ("), out)
        self.assertIn("7 commands", out)
        self.assertIn("2 assertions", out)

    def test_one_bad_file_among_good_ones(self):
        first = self.write("first.smt2", SCRIPT)
        bad = self.write("bad.smt2", BAD)
        last = self.write("last.smt2", SCRIPT)
        done = self.refuse("parse", first, bad, last)
        self.assertIn(f"{first}: ok", done.stdout)
        self.assertIn(f"{last}: ok", done.stdout)
        self.assertRegex(done.stderr, rf"^{re.escape(bad)}:2:\d+: error: ")
        self.assertNotIn(bad, done.stdout)

    def test_error_place_is_exact(self):
        path = self.write("a.smt2", "(set-logic QF_LIA)\n\n  (assert (> unknown 0))\n")
        done = self.refuse("parse", path)
        self.assertRegex(done.stderr, rf"^{re.escape(path)}:3:14: error: .*unknown")

    def test_json(self):
        good = self.write("good.smt2", SCRIPT)
        bad = self.write("bad.smt2", BAD)
        done = run("parse", "--json", good, bad)
        self.assertEqual(done.returncode, 2)
        lines = done.stdout.splitlines()
        self.assertEqual(len(lines), 2)
        facts, failure = map(json.loads, lines)
        self.assertEqual(facts["file"], good)
        self.assertIs(facts["ok"], True)
        self.assertEqual(facts["logic"], "QF_LIA")
        self.assertEqual(facts["commands"], 7)
        self.assertEqual(facts["assertions"], 2)
        self.assertEqual(facts["checks"], 2)
        self.assertEqual(facts["declarations"], 2)
        self.assertEqual(facts["operators"]["+"], 1)
        self.assertEqual(facts["operators"][">"], 1)
        self.assertIn("Int", facts["sorts"])
        self.assertEqual(facts["warnings"], [])
        self.assertGreaterEqual(facts["depth"], 3)
        self.assertGreaterEqual(facts["tree_size"], facts["terms"] - 2)
        self.assertEqual(failure["file"], bad)
        self.assertIs(failure["ok"], False)
        self.assertEqual(failure["error"]["line"], 2)
        self.assertGreater(failure["error"]["column"], 0)
        self.assertTrue(failure["error"]["message"])
        self.assertTrue(failure["error"]["kind"])

    def test_json_escapes(self):
        path = self.write('a "b"\\\u00e9.smt2', '(declare-const |a "x"| Int)(assert (|a "x"| 1))')
        result = json.loads(run("parse", "--json", path).stdout)
        self.assertEqual(result["file"], path)
        self.assertIs(result["ok"], False)

    def test_print_is_smtlib(self):
        out = self.accept("parse", "--print", self.write("a.smt2", SCRIPT))
        again = self.write("b.smt2", out)
        self.assertEqual(out, self.accept("parse", "--print", again))
        self.assertEqual(out.count("(check-sat)"), 2)
        self.assertIn("(assert (> (+ x x 1) 0))", out)

    def test_print_of_a_bad_file_is_empty(self):
        done = self.refuse("parse", "--print", self.write("bad.smt2", BAD))
        self.assertEqual(done.stdout, "")

    def test_stats(self):
        out = self.accept("parse", "--stats", self.write("a.smt2", SCRIPT))
        self.assertRegex(out, r"assertions")
        self.assertRegex(out, r"QF_LIA")

    def test_out_file(self):
        path = self.write("a.smt2", SCRIPT)
        expected = self.accept("parse", "--print", path)
        for option in ("-o", "--out"):
            target = os.path.join(self.folder, "out.smt2")
            self.assertEqual(self.accept("parse", "--print", path, option, target), "")
            with open(target, encoding="utf-8") as f:
                self.assertEqual(f.read(), expected)
            os.unlink(target)

    def test_out_file_that_cannot_be_written(self):
        path = self.write("a.smt2", SCRIPT)
        target = os.path.join(self.folder, "missing", "out.smt2")
        self.assertIn(target, self.refuse("parse", "--print", path, "-o", target).stderr)

    def test_standard_input(self):
        named = self.accept("parse", "--print", self.write("a.smt2", SCRIPT))
        self.assertEqual(named, self.accept("parse", "--print", "-", text=SCRIPT))
        done = self.refuse("parse", "-", text=BAD)
        self.assertRegex(done.stderr, r"^\S+:2:\d+: error: ")

    def test_quiet(self):
        path = self.write("a.smt2", SCRIPT)
        self.assertEqual(self.accept("parse", "--quiet", path), "")
        done = self.refuse("parse", "--quiet", self.write("bad.smt2", BAD))
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, ": error: ")

    def test_same_bytes_twice(self):
        path = self.write("a.smt2", SCRIPT)
        for flags in ([], ["--print"], ["--stats"], ["--json"]):
            first = run("parse", *flags, path)
            second = run("parse", *flags, path)
            self.assertEqual((first.stdout, first.stderr), (second.stdout, second.stderr))

    def test_unknown_operator(self):
        path = self.write("a.smt2", "(declare-const x Int)\n(assert (no.such x))\n")
        done = run("parse", "--print", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("(assert (no.such x))", done.stdout)
        self.assertRegex(done.stderr, rf"^{re.escape(path)}:2:\d+: warning: .*no\.such")
        strict = self.refuse("parse", "--strict", path)
        self.assertRegex(strict.stderr, rf"^{re.escape(path)}:2:\d+: error: .*no\.such")
        warned = json.loads(run("parse", "--json", path).stdout)
        self.assertEqual(len(warned["warnings"]), 1)

    def test_operators_file(self):
        operators = self.write("my.ops", "; two of our own\n(my.op Int Int Bool :chainable)\n"
                                         "(par (A) (pick A A A))\n")
        path = self.write("a.smt2", "(declare-const s String)\n(declare-const x Int)\n"
                                    "(assert (my.op x 2 (pick x 3)))\n"
                                    "(assert (= s (pick s \"a\")))\n")
        out = self.accept("parse", "--strict", "--print", "--operators", operators, path)
        self.assertIn("(assert (my.op x 2 (pick x 3)))", out)
        wrong = self.write("b.smt2", "(declare-const x Int)\n(assert (my.op x \"a\"))\n")
        done = self.refuse("parse", "--operators", operators, wrong)
        self.assertRegex(done.stderr, rf"^{re.escape(wrong)}:2:\d+: error: ")
        mixed = self.write("c.smt2", "(assert (= 1 (pick 1 \"a\")))\n")
        self.refuse("parse", "--operators", operators, mixed)

    def test_malformed_operators_file(self):
        path = self.write("a.smt2", SCRIPT)
        for text, line in (("(my.op Int Int Bool\n", None), ("\n(my.op Imt Bool)\n", 2),
                           ("(my.op Int Bool :no-such-attribute)\n", 1), ("my.op\n", 1),
                           ("(ok Int Bool)\n()\n", 2), ("(ok Int Bool))\n", 1)):
            with self.subTest(text=text):
                operators = self.write("bad.ops", text)
                done = self.refuse("parse", "--operators", operators, path)
                place = r"\d+" if line is None else str(line)
                self.assertRegex(done.stderr, rf"^{re.escape(operators)}:{place}:\d+: error: ")
                self.assertEqual(done.stdout, "")

    def test_missing_operators_file(self):
        missing = os.path.join(self.folder, "missing.ops")
        done = self.refuse("parse", "--operators", missing, self.write("a.smt2", SCRIPT))
        self.assertIn(missing, done.stderr)


def main():
    global ELENCHUS
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elenchus", required=True, metavar="BIN")
    args, rest = parser.parse_known_args()
    ELENCHUS = os.path.abspath(args.elenchus)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
