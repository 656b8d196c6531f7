#!/usr/bin/env python3
"""Campaigns against z3 with a planted bug: it is found, confirmed, and one group.

label: slow
"""

import json
import os
import shutil
import subprocess
import unittest

import campaigns
from campaigns import ENVIRONMENT, HANG_LIMIT, ROOT, CampaignTest, main

PLANTED = os.path.join(ROOT, "tests", "fake_solvers", "planted.py")

BITS = """; Signed remainders of bit-vectors.
(set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (= (bvsmod a b) (bvadd a #x01)))
(assert (bvult b (bvmul a b)))
(check-sat)
"""

KNOWN_BITS = """; Satisfiable, with a signed remainder in one of several places.
(set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (or (= (bvsmod a b) #x03) (= a #x10)))
(assert (bvult b a))
(assert (not (= b #x00)))
(check-sat)
"""


UNSAT_BITS = """; Unsatisfiable.
(set-logic QF_BV)
(declare-const a (_ BitVec 8))
(assert (bvult a #x03))
(assert (= (bvand a #x08) #x08))
(check-sat)
"""

CORE_BITS = """; Unsatisfiable by its first two assertions.
(set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (bvult a #x03))
(assert (= (bvand a #x08) #x08))
(assert (= (bvsmod b #x05) #x01))
(check-sat)
"""

MORE_UNSAT_BITS = """; Unsatisfiable, too.
(set-logic QF_BV)
(declare-const a (_ BitVec 4))
(assert (= (bvmul a #x2) #x3))
(check-sat)
"""


@unittest.skipUnless(shutil.which("z3"), "z3 is not installed")
class PlantedBug(CampaignTest):
    SESSIONS = 10

    def until_found(self, kind, *arguments):
        """The bugs of a campaign that ends with the first bug, and goes on while none is of this kind: z3 has
        bugs of its own, and one fault shows in more than one way."""
        done = self.fuzz(*arguments, "--time", "240s", "--bugs", "1", "--policy", "anything")
        for _ in range(self.SESSIONS):
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            found = self.bugs()
            if kind in {bug["kind"] for bug in found}:
                return found
            done = self.fuzz("--resume", self.out, out=False)
        self.fail(f"no {kind} among {[bug['title'] for bug in self.bugs()]}")

    def test_is_caught_confirmed_and_grouped(self):
        self.seed(BITS)
        done = self.fuzz(self.seeds, "--solver", f"{PLANTED} bvsmod", "--solver", "z3",
                         "--time", "240s", "--bugs", "1", "--jobs", "2", "--policy", "anything",
                         "--rng", "1")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        # The same bug again and again, in different clothes.
        again = subprocess.run([campaigns.ELENCHUS, "fuzz", "--resume", self.out, "--bugs", "0",
                                "--tests", "150"], capture_output=True, text=True,
                               timeout=HANG_LIMIT, check=False, env=ENVIRONMENT)
        self.assertEqual(again.returncode, 1, again.stderr)
        # A dispute may come before its proof: two bugs then, but one group. What has nothing of the
        # planted bug, or shows with z3 itself, is z3's own.
        listed = subprocess.run([campaigns.ELENCHUS, "bugs", self.out, "--json"], capture_output=True,
                                text=True, timeout=HANG_LIMIT, check=True, env=ENVIRONMENT)
        groups = {bug["group"] for bug in json.loads(listed.stdout)["bugs"]
                  if bug["kind"] != "crash" and "bvsmod" in bug["signature"]
                  and not self.is_shown_by("z3", bug)}
        self.assertEqual(len(groups), 1, listed.stdout)
        chief = next(bug for bug in self.bugs() if bug["id"] in groups)
        self.assertEqual(chief["kind"], "refutation-unsound")
        with open(os.path.join(self.out, "bugs", chief["id"], "reduced.smt2"),
                  encoding="utf-8") as f:
            self.assertIn("bvsmod", f.read())

    def test_known_answers_need_no_second_solver(self):
        kinds = {"lie-unsat": "refutation-unsound", "lie-sat": "solution-unsound",
                 "lie-model": "invalid-model"}
        self.seed(KNOWN_BITS)
        for engine in ("storm", "diver"):
            for lie, kind in kinds.items():
                with self.subTest(engine=engine, lie=lie):
                    shutil.rmtree(self.out, ignore_errors=True)
                    self.until_found(kind, self.seeds, "--solver", f"{PLANTED} {lie} bvsmod", "--engine",
                                     engine, "--jobs", "2", "--rng", "2")

    def test_fused_seeds_have_known_answers(self):
        # The seeds themselves are answered honestly: only what was fused has the word in it.
        seeds = {"lie-unsat": (KNOWN_BITS, KNOWN_BITS),
                 "lie-sat": (UNSAT_BITS, MORE_UNSAT_BITS)}
        kinds = {"lie-unsat": "refutation-unsound", "lie-sat": "solution-unsound"}
        for lie, kind in kinds.items():
            with self.subTest(lie=lie):
                shutil.rmtree(self.out, ignore_errors=True)
                for number, text in enumerate(seeds[lie]):
                    self.seed(text, f"{number}.smt2")
                bugs = self.until_found(kind, self.seeds, "--solver", f"{PLANTED} {lie} fused!", "--solver",
                                        "cvc5", "--engine", "fusion", "--jobs", "1", "--rng", "2")
                self.assertEqual({bug["engine"] for bug in bugs}, {"fusion"})
                self.assertTrue(all(1 <= len(bug["seeds"]) <= 2 for bug in bugs))

    def test_the_script_of_a_wrong_core_asks_for_it(self):
        # Cores are asked for now and then only.
        for number in range(8):
            self.seed(CORE_BITS.replace("#x01", f"#x0{number + 1}"), f"{number}.smt2")
        liar = f"{PLANTED} lie-core bvsmod"
        bugs = self.until_found("wrong-core", self.seeds, "--solver", liar, "--solver", "z3", "--engine",
                                "opfuzz", "--jobs", "2", "--rng", "1")
        bug = next(bug for bug in bugs if bug["kind"] == "wrong-core")
        shown = subprocess.run([os.path.join(self.out, "bugs", bug["id"], "repro.sh")],
                               capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
        self.assertRegex(shown.stdout, r"^unsat\n\(elenchus_\d\)\nthe bug shows: ")
        self.assertEqual(shown.returncode, 1)
        # What asks for a core is a script like any other: it can be tried again and reduced.
        again = subprocess.run([campaigns.ELENCHUS, "bugs", self.out, "replay", bug["id"]],
                               capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)

    def test_an_honest_pair_is_not_accused(self):
        self.seed(BITS)
        done = self.fuzz(self.seeds, "--solver", "z3", "--solver", f"{PLANTED} no-such-word",
                         "--tests", "300", "--jobs", "2", "--policy", "anything", "--rng", "5")
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        # They never contradict each other. What else is found is z3's own: the plain one shows it, unless it
        # shows now and then only.
        self.assertEqual([bug for bug in self.bugs() if bug["kind"] == "disagreement"], [])
        for bug in self.bugs():
            if not self.is_shown_by("z3", bug):
                self.assertFalse(self.is_shown_by(f"{PLANTED} no-such-word", bug), bug["title"])


if __name__ == "__main__":
    main(__doc__)
