#!/usr/bin/env python3
"""Options of solvers: catalogues, engines with +options, and learning what they have to do with.

label: slow
"""

import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLANTED = os.path.join(ROOT, "tests", "fake_solvers", "planted.py")
ELENCHUS = None

BITS = """; Satisfiable, with a signed remainder.
(set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (= (bvsmod a b) (bvadd a #x01)))
(assert (bvult b (bvmul a b)))
(check-sat)
"""

UNSAT_BITS = """; Unsatisfiable, with a signed remainder.
(set-logic QF_BV)
(declare-const a (_ BitVec 8))
(assert (bvult (bvsmod a #x03) #x03))
(assert (= (bvand (bvsmod a #x03) #x08) #x08))
(check-sat)
"""


def run(*arguments, timeout=1200, code=0):
    done = subprocess.run(
        [ELENCHUS, *arguments], capture_output=True, text=True, timeout=timeout, check=False
    )
    if code is not None and done.returncode != code:
        raise AssertionError(f"exit {done.returncode}: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done


class WithFolder(unittest.TestCase):
    def setUp(self):
        if shutil.which("z3") is None:
            self.skipTest("no z3")
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, True)

    def path(self, name, text=None, mode=0o644):
        path = os.path.join(self.folder, name)
        if text is not None:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(path, mode)
        return path


class Catalogue(WithFolder):
    def test_counts_and_reasons(self):
        catalogue = json.loads(run("solvers", "--options", "--solver", "z3", "--json").stdout)[0]
        options = {option["name"]: option for option in catalogue["options"]}
        self.assertEqual(catalogue["count"], len(options))
        self.assertGreater(catalogue["usable"], 200)
        self.assertGreater(catalogue["usable"], catalogue["regular"])
        self.assertIn("qfbv", catalogue["tactics"])
        # What would be a false alarm is left alone.
        for name in ("smt.arith.ignore_int", "rewriter.hi_div0", "timeout", "smt.string_solver"):
            self.assertFalse(options[name]["usable"], name)
            self.assertTrue(options[name]["reason"], name)
        self.assertEqual(options["smt.arith.solver"]["values"], ["2", "6"])

    def test_text(self):
        text = run("solvers", "--options", "z3").stdout
        self.assertIn("left alone", text)
        self.assertIn("rewriter.som", text)


class Mutate(WithFolder):
    def mutants(self, name, policy):
        out = self.path(name)
        run("mutate", "--engine", "typefuzz+options", "--solver", "z3", "--policy", policy,
            "--count", "20", "--rng", "3", "--out", out, self.path("seed.smt2", BITS))  # fmt: skip
        sets = []
        for number in range(1, 21):
            with open(os.path.join(out, f"{number}.options"), encoding="utf-8") as file:
                sets.append(file.read().split("\n")[:-1])
            self.assertTrue(os.path.exists(os.path.join(out, f"{number}.smt2")))
        return sets

    def test_policies(self):
        regular = self.mutants("a", "regular")
        self.assertTrue(all(1 <= len(options) <= 8 for options in regular))
        self.assertGreater(len({options[0] for options in regular if options}), 5)
        self.assertEqual(self.mutants("b", "regular"), regular)
        self.assertEqual(self.mutants("c", "default"), [[]] * 20)
        anything = self.mutants("d", "anything")
        self.assertGreater(max(len(options) for options in anything), 1)
        # z3 takes what was chosen.
        for options in anything:
            done = subprocess.run(["z3", "-in", *options], input="(check-sat)", text=True,
                                  capture_output=True, check=False)  # fmt: skip
            self.assertEqual(done.stdout, "sat\n", options)

    def test_errors(self):
        seed = self.path("seed.smt2", BITS)
        bad = run("mutate", "--engine", "typefuzz+options", "--policy", "x", seed, code=2)
        self.assertIn("no policy 'x'", bad.stderr)
        self.assertIn("no engine", run("mutate", "--engine", "x+options", seed, code=2).stderr)
        file = self.path("bad.options", "elenchus-options 2\nnonsense\n")
        bad = run("mutate", "--engine", "opfuzz+options", "--solver", "z3", "--correlations", file,
                  seed, code=2)  # fmt: skip
        self.assertIn("bad.options:2:1: error:", bad.stderr)


class Fuzz(WithFolder):
    SESSIONS = 10

    def is_planted(self, out, bug):
        """What z3 itself shows, too, is its own."""
        again = run("bugs", out, "replay", bug, "--solver", "z3", code=None)
        return not again.stdout.startswith("open ")

    def planted(self, out):
        found = []
        for path in sorted(glob.glob(os.path.join(out, "bugs", "*", "manifest.json"))):
            with open(path, encoding="utf-8") as file:
                manifest = json.load(file)
            if self.is_planted(out, manifest["id"]):
                with open(os.path.join(os.path.dirname(path), "report.md"), encoding="utf-8") as file:
                    found.append((manifest, file.read()))
        return found

    def bugs(self, seed, planted, policy, engine="typefuzz+options"):
        """The campaign ends with the first bug, and goes on while z3's own are all that it has found."""
        solver = self.path("solver", f'#!/bin/sh\nexec {PLANTED} {planted} "$@"\n', 0o755)
        out = self.path("campaign")
        run("fuzz", self.path("seed.smt2", seed), "--solver", solver, "--engine", engine,
            "--policy", policy, "--jobs", "1", "--bugs", "1", "--time", "200s", "--rng", "1", "--out", out,
            "-q", code=1)  # fmt: skip
        for _ in range(self.SESSIONS):
            found = self.planted(out)
            if found:
                return found
            run("fuzz", "--resume", out, "-q", code=1)
        self.fail("the planted bug is not found")

    def test_one_regular_option(self):
        for manifest, report in self.bugs(BITS, "lie-unsat bvsmod when:rewriter.", "regular"):
            self.assertEqual(manifest["kind"], "refutation-unsound")
            self.assertEqual(len(manifest["options"]), 1)
            self.assertTrue(manifest["options"][0].startswith("rewriter."))
            self.assertIn("none of which can be left out", report)

    def test_sets_become_small(self):
        for manifest, _ in self.bugs(BITS, "lie-unsat bvsmod when:smt.", "anything"):
            self.assertEqual(len(manifest["options"]), 1, manifest["options"])
            self.assertTrue(manifest["options"][0].startswith("smt."))

    def test_what_needs_two_options_is_kept_apart(self):
        solver = self.path(
            "solver", f'#!/bin/sh\nexec {PLANTED} lie-unsat bvsmod when:rewriter. when:smt. "$@"\n', 0o755
        )
        out = self.path("campaign")
        # Neither --bugs nor the exit code counts it.
        done = run("fuzz", self.path("seed.smt2", BITS), "--solver", solver, "--engine",
                   "typefuzz+options", "--policy", "regular", "--jobs", "1", "--bugs", "1", "--tests",
                   "150", "--rng", "1", "--out", out, "-q", code=None)  # fmt: skip
        every = json.loads(run("bugs", out, "--json").stdout)["bugs"]
        bugs = [bug for bug in every if self.is_planted(out, bug["id"])]
        self.assertTrue(bugs)
        for bug in bugs:
            self.assertEqual(len(bug["options"]), 2, bug["options"])
            self.assertIn("needs 2 options", bug["outside_policy"])
        self.assertIn("outside the policy", run("bugs", out).stdout)
        exported = run("bugs", out, "export").stdout
        for bug in bugs:
            self.assertNotIn(run("bugs", out, "export", bug["id"]).stdout, exported)
        # There is nothing else, unless z3 has a bug of its own there.
        own = [bug for bug in every if bug not in bugs and not bug["outside_policy"]]
        self.assertEqual(done.returncode, 1 if own else 0, done.stderr)
        self.assertEqual(exported != "", bool(own), exported)
        self.assertIn("needs 2 options", run("bugs", out, "export", bugs[0]["id"]).stdout)
        with open(os.path.join(out, "stats.json"), encoding="utf-8") as file:
            tried = json.load(file)["tried"]
        # Two sets for each test, and none was the last because of a bug that does not count.
        if not own:
            self.assertGreater(sum(one["count"] for one in tried["option-set"].values()), 150)
        self.assertGreater(len(tried["option-set"]), 3)

    def test_contradiction_of_two_option_sets(self):
        found = self.bugs(UNSAT_BITS, "lie-sat bvsmod when:rewriter.", "anything")
        self.assertEqual({manifest["kind"] for manifest, _ in found}, {"inconsistent-options"})
        for _, report in found:
            contradicted = report.split("which contradicts")[1].split("```")[0]
            self.assertEqual(contradicted.count("="), 1, report)
            self.assertIn("rewriter.", contradicted)

    def test_policy_default_has_no_options(self):
        done = run("fuzz", "--engine", "storm+options", "--policy", "default", "--solver", "z3",
                   "--out", self.path("x"), code=2)  # fmt: skip
        self.assertIn("--policy regular", done.stderr)


class Learn(WithFolder):
    def learn(self, *more):
        out = self.path("z3.options")
        done = run("learn", "options", "--solver", "z3", "-o", out, "--only",
                   "smt.arith.solver,rewriter.elim_and,smt.bv.delay", "--json", *more)  # fmt: skip
        return json.loads(done.stdout), out

    def test_resume_merge_and_use(self):
        first, out = self.learn("--formulas", "3", "--rng", "5")
        self.assertEqual(first["formulas"], 3)
        self.assertEqual(first["options"], 3)
        more, _ = self.learn("--formulas", "2", "--resume")
        self.assertEqual(more["formulas"], 5)
        both, _ = self.learn(out, out, "--time", "0s")
        self.assertEqual(both["formulas"], 10)
        self.assertEqual(both["pairs"], more["pairs"])
        run("mutate", "--engine", "opfuzz+options", "--solver", "z3", "--correlations", out,
            "--out", self.path("m"), self.path("seed.smt2", BITS))  # fmt: skip

    def test_of_another_solver(self):
        other = self.path("cvc5.options", "elenchus-options 2\nsolver cvc5 1.0.3\n")
        done = run("learn", "options", "--solver", "z3", "-o", self.path("x"), other, "--time",
                   "0s", code=2)  # fmt: skip
        self.assertIn("is about cvc5", done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    known, rest = parser.parse_known_args()
    ELENCHUS = known.elenchus
    unittest.main(argv=[sys.argv[0], *rest])
