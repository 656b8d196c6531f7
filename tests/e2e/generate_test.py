#!/usr/bin/env python3
"""The command line of `elenchus generate`: options, exit codes, messages, where scripts go, that the
same number gives the same bytes, and that z3 takes them."""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ELENCHUS = None
HANG_LIMIT = 300.0


def run(*arguments, text=None):
    return subprocess.run([ELENCHUS, *arguments], input=text, capture_output=True, text=True,
                          timeout=HANG_LIMIT, check=False)


class GenerateTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="generate_test.")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def accept(self, *arguments):
        done = run("generate", *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def refuse(self, *arguments):
        done = run("generate", *arguments)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        return done.stderr

    def test_scripts_go_to_standard_output(self):
        text = self.accept("--logic", "QF_BV", "--count", "5", "--rng", "3")
        self.assertEqual(text.count("; expect: unknown"), 5)
        self.assertEqual(text.count("(set-logic QF_BV)"), 5)
        self.assertEqual(text, self.accept("--logic", "QF_BV", "-n", "5", "--rng", "3"))
        self.assertNotEqual(text, self.accept("--logic", "QF_BV", "-n", "5", "--rng", "4"))

    def test_scripts_go_to_a_folder(self):
        out = os.path.join(self.folder, "new", "folder")
        self.assertEqual(self.accept("--count", "12", "--out", out), f"12 scripts in {out}\n")
        self.assertEqual(sorted(os.listdir(out)), sorted(f"{i}.smt2" for i in range(1, 13)))
        for name in os.listdir(out):
            with open(os.path.join(out, name), encoding="utf-8") as f:
                lines = f.read().splitlines()
            checks = sum(line.startswith("(check-sat") for line in lines)
            self.assertEqual(lines[0], "; expect:" + " unknown" * checks)
        done = run("parse", "--strict", *(os.path.join(out, name) for name in os.listdir(out)))
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_json_counts_the_logics(self):
        out = os.path.join(self.folder, "out")
        summary = json.loads(self.accept("--logic", "UF", "--logic", "LIA", "-n", "6", "-o", out,
                                         "--json"))
        self.assertEqual(summary["scripts"], 6)
        self.assertEqual(summary["logics"], {"LIA": 3, "UF": 3})
        self.assertEqual(summary["bytes"], sum(os.path.getsize(os.path.join(out, name))
                                               for name in os.listdir(out)))
        self.assertIn("needs --out", self.refuse("--json"))

    def test_logics_are_listed_and_checked(self):
        logics = self.accept("--list-logics").split()
        self.assertGreaterEqual(len(logics), 80)
        self.assertEqual(logics, json.loads(self.accept("--list-logics", "--json")))
        message = self.refuse("--logic", "QF_BVV")
        self.assertIn("no logic 'QF_BVV'; did you mean QF_BV", message)
        self.accept("--logic", "QF_AUFBVDTLIRA")

    def test_a_script_does_not_depend_on_those_before(self):
        few = self.accept("--logic", "QF_SLIA", "--count", "3")
        many = self.accept("--logic", "QF_SLIA", "--count", "30")
        self.assertTrue(many.startswith(few))

    def test_jobs_change_nothing(self):
        alone = self.accept("--count", "60", "--rng", "4")
        for jobs in ("2", "7"):
            self.assertEqual(self.accept("--count", "60", "--rng", "4", "--jobs", jobs), alone)

    def test_sizes(self):
        small = self.accept("--logic", "QF_LIA", "-n", "30", "--size", "10")
        large = self.accept("--logic", "QF_LIA", "-n", "30", "--size", "1000", "--depth", "30")
        self.assertLess(5 * len(small), len(large))
        self.assertIn("--depth", self.refuse("--depth", "0"))
        self.assertIn("--size", self.refuse("--size", "x"))

    def test_solvers_restrict_operators(self):
        text = self.accept("--logic", "ALL", "-n", "500", "--solver", "cvc5")
        self.assertIn("set.", text)
        self.assertNotIn("seq.", self.accept("--logic", "ALL", "-n", "500", "--solver", "cvc4"))
        self.assertIn("--solver", self.refuse("--solver", "nobody"))

    def test_solvers_have_versions(self):
        made = ("--logic", "ALL", "-n", "300")
        self.assertNotIn("(ff.add", self.accept(*made, "--solver", "cvc5"))
        self.assertNotIn("(ff.add", self.accept(*made, "--solver", "cvc5 1.0.3"))
        self.assertIn("(ff.add", self.accept(*made, "--solver", "cvc5 1.0.4"))

    def test_a_profile_says_what_a_solver_reads(self):
        made = ("--logic", "QF_BV", "-n", "300", "--profiles", self.folder, "--solver", "mine")
        self.write_profile("")
        text = self.accept(*made)
        self.assertIn("(bvsmod", text)
        self.assertNotIn("(bvnego", text)
        self.assertNotIn("(my.twist", text)
        self.write_profile('also = ["bvnego", "(my.twist (_ BitVec m) (_ BitVec m))"]\n'
                           'not = ["bvsmod"]\n')
        text = self.accept(*made)
        self.assertNotIn("(bvsmod", text)
        self.assertIn("(bvnego", text)
        self.assertIn("(my.twist", text)
        self.write_profile('not = ["bv.smod"]\n')
        self.assertIn("mine.toml:3:8: error: operators: no operator 'bv.smod'", self.refuse(*made))

    def write_profile(self, operators):
        path = os.path.join(self.folder, "mine.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'name = "mine"\n[operators]\n{operators}')

    def test_operators_of_the_user(self):
        path = os.path.join(self.folder, "operators")
        with open(path, "w", encoding="utf-8") as f:
            f.write("(my.op Int Int Bool)\n")
        text = self.accept("--logic", "QF_LIA", "-n", "100", "--operators", path)
        self.assertIn("(my.op ", text)
        self.assertIn("nowhere", self.refuse("--operators", "nowhere"))

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_full_disk_is_told(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = subprocess.run([ELENCHUS, "generate", "-n", "1000"], stdout=full,
                                  stderr=subprocess.PIPE, text=True, timeout=HANG_LIMIT,
                                  check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot write standard output", done.stderr)

    @unittest.skipUnless(shutil.which("z3"), "no z3")
    def test_z3_takes_them(self):
        for logic in ("QF_LIA", "QF_BV", "QF_UF", "UFLRA", "QF_AX"):
            text = self.accept("--logic", logic, "-n", "20", "--solver", "z3")
            text = text.replace("(set-logic", "(reset)\n(set-logic").replace(
                "(set-option", ";").replace("(get-", ";")
            done = subprocess.run(["z3", "-smt2", "-in", "-t:50"], input=text, text=True,
                                  capture_output=True, timeout=HANG_LIMIT, check=False)
            # A busy machine ends z3's time while it reads; that it says as an error.
            errors = [line for line in done.stdout.splitlines()
                      if "error" in line and "canceled" not in line]
            self.assertEqual(errors, [], logic)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    arguments, rest = parser.parse_known_args()
    ELENCHUS = os.path.abspath(arguments.elenchus)
    unittest.main(argv=[sys.argv[0], *rest])
