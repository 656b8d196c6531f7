#!/usr/bin/env python3
"""`elenchus diagnose`: which options and edits make a bug vanish, and which step is wrong."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import unittest

ELENCHUS = None
RESUME = None
HANG_LIMIT = 300.0

# Answers unsat to products, unless it is told not to; simplifies them wrongly.
SOLVER = r"""#!/bin/sh
case "$*" in
  *--version*) echo "Z3 version 0.0.1 - fake"; exit 0 ;;
  *-pd*) cat <<'LIST'
Global parameters
    auto_config (bool) use heuristics (default: true)
[module] rewriter, description: simplification
    mul_is_sum (bool) takes products for sums (default: true)
    flat (bool) flattens (default: true)
LIST
    exit 0 ;;
esac
lies=yes
case "$*" in *mul_is_sum=false*) lies=no ;; esac
product=no
while IFS= read -r line; do
  case "$line" in
    "(reset)"*) product=no ;;
    "(simplify"*bvmul*) if [ $wrong ]; then echo false; else echo "(= (bvmul a b) #x00)"; fi ;;
    "(apply"*) echo "(goals (goal (= (bvmul a b) #x00) :precision precise :depth 1))" ;;
    *bvmul*) product=yes ;;
    "(check-sat"*) if [ $product = yes ] && [ $lies = yes ]; then echo unsat; else echo sat; fi ;;
    "(get-model"*) echo "((define-fun a () (_ BitVec 8) #x00) (define-fun b () (_ BitVec 8) #x00))" ;;
    "(echo"*) line=${line#*\"}; printf '%s\n' "${line%\"*}" ;;
    "(exit"*) exit 0 ;;
  esac
done
"""

SCRIPT = """(set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (= (bvmul a b) #x00))
(check-sat)
"""

WITNESS = "((define-fun a () (_ BitVec 8) #x00) (define-fun b () (_ BitVec 8) #x07))\n"


class DiagnoseTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="diagnose_test.")
        self.addCleanup(holder.cleanup)
        self.home = holder.name
        self.campaign = os.path.join(self.home, "campaign")
        self.resume()

    def resume(self):
        subprocess.run([RESUME, self.campaign], capture_output=True, timeout=HANG_LIMIT, check=True)

    def solver(self, wrong=""):
        path = os.path.join(self.home, "solver")
        with open(path, "w", encoding="utf-8") as f:
            f.write(SOLVER.replace("$wrong", wrong or "''"))
        os.chmod(path, 0o755)
        return path

    def add_bug(self, solver, **fields):
        """A wrong unsat as a campaign keeps it."""
        bug = {"format": 1, "id": "z3-refutation-unsound-1", "kind": "refutation-unsound",
               "title": "z3 0.0.1: wrong unsat on bvmul", "solver": "z3", "version": "0.0.1",
               "command": f"{solver} -in", "options": [], "engine": "edit", "seeds": ["a.smt2"],
               "rng_seed": 1, "evidence": "the model", "signature": "refutation-unsound z3: bvmul",
               "size_original": 900, "size_reduced": 45, "time": 1700000000, **fields}
        self.folder = os.path.join(self.campaign, "bugs", bug["id"])
        os.mkdir(self.folder)
        for name, content in [("manifest.json", json.dumps(bug)), ("reduced.smt2", SCRIPT),
                              ("original.smt2", SCRIPT), ("witness.model", WITNESS),
                              ("report.md", "# a report\n\ntext\n")]:
            with open(os.path.join(self.folder, name), "w", encoding="utf-8") as f:
                f.write(content)
        self.resume()

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as f:
            return f.read()

    def diagnose(self, *arguments):
        return subprocess.run([ELENCHUS, "diagnose", self.campaign, *arguments],
                              capture_output=True, text=True, timeout=HANG_LIMIT, check=False)

    def test_help_has_an_example(self):
        done = subprocess.run([ELENCHUS, "diagnose", "--help"], capture_output=True, text=True,
                              timeout=HANG_LIMIT, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"Examples:\n +elenchus diagnose ")

    def test_options_and_the_nearest_neighbour(self):
        self.add_bug(self.solver())
        done = self.diagnose("z3-ref", "--json", "--edits", "60")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("trying options", done.stderr)
        (bug,) = json.loads(done.stdout)["bugs"]
        self.assertTrue(bug["shows"])
        self.assertEqual(bug["gone_with"], [{"option": "rewriter.mul_is_sum=false",
                                             "module": "rewriter", "answer": "sat"}])
        self.assertEqual(bug["stays_with"].get("rewriter"), 1)
        self.assertNotIn("bvmul", bug["neighbour"]["script"])
        self.assertIn("in place of", bug["neighbour"]["edit"])
        self.assertIsNone(bug["step"])
        self.assertIn("simplify", bug["steps_right"])
        manifest = json.loads(self.read("manifest.json"))
        self.assertTrue(manifest["diagnosed"])
        self.assertEqual(manifest["gone_with"], ["rewriter.mul_is_sum=false"])
        report = self.read("report.md")
        self.assertIn("# a report\n\ntext\n\n## Diagnosis\n", report)
        self.assertIn("- rewriter: gone with `rewriter.mul_is_sum=false` (sat)", report)
        self.assertIn("```diff\n-(assert (= (bvmul a b)", report)
        self.assertEqual(self.read("neighbour.smt2"), bug["neighbour"]["script"])
        # Once more: what was there is replaced, and bugs that are diagnosed are left alone.
        self.assertEqual(self.diagnose("z3-ref", "-q", "--edits", "60").stderr, "")
        self.assertEqual(self.read("report.md"), report)
        self.assertEqual(json.loads(self.diagnose("--all", "--json").stdout), {"bugs": []})

    def test_the_step_that_is_wrong(self):
        self.add_bug(self.solver(wrong="yes"))
        done = self.diagnose("z3-ref", "--edits", "0", "-q", "--dry-run")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("It arises in `simplify`", done.stdout)
        self.assertIn("```smt2\nfalse\n```", done.stdout)
        self.assertEqual(self.read("report.md"), "# a report\n\ntext\n")

    def test_a_bug_that_does_not_show(self):
        solver = self.solver()
        self.add_bug(solver, options=["rewriter.mul_is_sum=false"])
        done = self.diagnose("z3-ref", "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("does not show any longer", done.stdout)
        self.assertEqual(self.read("report.md"), "# a report\n\ntext\n")

    def test_what_did_not_come_to_its_end_is_taken_up_again(self):
        self.add_bug(self.solver(), diagnosed=True, options_tried=1)
        (bug,) = json.loads(self.diagnose("--all", "--json", "--edits", "0", "-q").stdout)["bugs"]
        self.assertTrue(bug["options_all"])
        self.assertEqual(json.loads(self.diagnose("--all", "--json", "-q").stdout), {"bugs": []})

    def test_steps_that_may_make_anything_of_a_false_formula_tell_nothing(self):
        solver = os.path.join(self.home, "solver")
        with open(solver, "w", encoding="utf-8") as f:
            f.write(SOLVER.replace("$wrong", "''").replace("#x00) (define-fun b", "#x01) (define-fun b")
                    .replace("b () (_ BitVec 8) #x00", "b () (_ BitVec 8) #x01")
                    .replace("echo unsat; else", "echo sat; else"))
        os.chmod(solver, 0o755)
        self.add_bug(solver, kind="invalid-model", signature="invalid-model z3: bvmul")
        done = self.diagnose("z3-ref", "--json", "--edits", "0", "-q")
        self.assertEqual(done.returncode, 1, done.stderr + done.stdout)
        (bug,) = json.loads(done.stdout)["bugs"]
        self.assertIn("simplify", bug["steps_right"])
        self.assertNotIn("solve-eqs", bug["steps_right"])
        self.assertEqual(bug["arises"], f"in none of {len(bug['steps_right'])} steps tried")

    def test_bad_usage(self):
        self.add_bug(self.solver())
        for arguments in ((), ("z3-ref", "--all"), ("nobody",), ("z3-ref", "--time", "soon")):
            done = self.diagnose(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertTrue(done.stderr, arguments)

    def test_a_campaign_does_so_by_itself(self):
        solver = self.solver()
        seed = os.path.join(self.home, "seed.smt2")
        with open(seed, "w", encoding="utf-8") as f:
            f.write(SCRIPT)
        out = os.path.join(self.home, "out")
        done = subprocess.run(
            [ELENCHUS, "fuzz", seed, "--solver", solver, "--engine", "storm", "--jobs", "1",
             "--tests", "30", "--bugs", "1", "--rng", "1", "--out", out, "--diagnosis", "20s"],
            capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        manifests = []
        for name in os.listdir(os.path.join(out, "bugs")):
            with open(os.path.join(out, "bugs", name, "manifest.json"), encoding="utf-8") as f:
                manifests.append(json.load(f))
        self.assertTrue(any("rewriter.mul_is_sum=false" in bug["gone_with"] for bug in manifests),
                        manifests)


def main():
    global ELENCHUS, RESUME
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elenchus", required=True, metavar="BIN")
    args, rest = parser.parse_known_args()
    ELENCHUS = os.path.abspath(args.elenchus)
    RESUME = os.path.join(os.path.dirname(ELENCHUS), "resume_campaign")
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
