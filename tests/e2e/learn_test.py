#!/usr/bin/env python3
"""`elenchus learn history`: inputs of every kind, increments, merging, cuts, bad files; and the
engine skeleton with what was learnt, down to the solvers."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ELENCHUS = None
HANG_LIMIT = 300.0
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SEEDS = os.path.join(ROOT, "data", "seeds")

ONE = """\
; date: 2020-05-06
(declare-const x Int)
(assert (forall ((y Int)) (or (= 2 y) (< x y))))
(check-sat)
"""
TWO = """\
(declare-const s String)
(assert (not (str.prefixof "ab" s)))
(assert (xor (= s "c") (= 2 (str.len s))))
(check-sat)
"""
ISSUES = [
    {"number": 5, "title": "Soundness issue", "state": "closed", "closed_at": "2022-02-03T00:00:00Z",
     "html_url": "https://github.com/cvc5/cvc5/issues/5", "body": "Hi\n```\n" + TWO + "```\n"},
    {"number": 6, "title": "Soundness issue", "state": "open",
     "html_url": "https://github.com/cvc5/cvc5/issues/6", "body": "```\n(assert false)\n```\n"},
]
SOLVERS = {
    "z3": ["z3", "-smt2", "-T:1"],
    "cvc5": ["cvc5", "--lang=smt2", "--incremental", "--strings-exp", "--fp-exp", "--arrays-exp",
             "--sets-ext", "--tlimit=1000"],
}


def run(*arguments, text=None):
    return subprocess.run([ELENCHUS, *arguments], input=text, capture_output=True, text=True,
                          timeout=HANG_LIMIT, check=False)


class LearnTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="learn_test.")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def path(self, name):
        return os.path.join(self.folder, name)

    def learn(self, *arguments):
        done = run("learn", "history", "--json", *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def content(self, path):
        with open(path, encoding="utf-8") as f:
            return f.read()

    def test_help_has_an_example(self):
        done = run("learn", "history", "--help")
        self.assertEqual(done.returncode, 0)
        self.assertIn("elenchus learn history reports/", done.stdout)
        self.assertEqual(run("learn").returncode, 2)

    def test_all_kinds_of_input(self):
        self.write("in/z3_7.smt2", ONE)
        self.write("in/bad.smt2", "(assert (and 1 2))")
        self.write("in/deep/note.md", "# crash\n```\n(declare-const p Bool)\n(assert (and p p))\n```\n")
        self.write("in/issues.json", json.dumps(ISSUES))
        self.write("in/ignored.txt", "(assert true)")
        out = self.path("k")
        counts = self.learn(self.path("in"), "-o", out)
        self.assertEqual(counts["files"], 4)
        self.assertEqual(counts["learnt"], 3)
        self.assertEqual(counts["ill_formed"], 1)
        self.assertEqual(counts["unresolved"], 1)
        self.assertEqual(counts["skeletons"], 4)
        text = self.content(out)
        self.assertIn("skeleton (forall (or _ _))\n", text)
        self.assertIn("signature (str.prefixof StringConst StringVar)\n", text)
        self.assertRegex(text, r"input [0-9a-f]{16} cvc5 5 2022-02-03 soundness ")
        self.assertRegex(text, r"input [0-9a-f]{16} z3 7 2020-05-06 - ")

    def test_increments_merging_and_cuts(self):
        one = self.write("z3_7.smt2", ONE)
        two = self.write("cvc5_9.smt2", TWO)
        whole = self.path("whole")
        self.learn(one, two, "-o", whole)
        text = self.content(whole)
        again = self.learn(one, two, "-o", whole)
        self.assertEqual(again["learnt"], 0)
        self.assertEqual(again["known"], 2)
        self.assertEqual(self.content(whole), text)
        self.learn(one, "-o", self.path("a"))
        self.learn(two, "-o", self.path("b"))
        merged = self.learn(self.path("a"), self.path("b"), "-o", self.path("c"))
        self.assertEqual(merged["merged"], 2)
        self.assertEqual(self.content(self.path("c")), text)
        self.learn(one, "-o", self.path("b"))
        self.assertEqual(self.content(self.path("b")), text)
        cut = self.learn(whole, "--only", "z3", "-o", self.path("z3"))
        self.assertEqual(cut["lessons"], 1)
        self.assertEqual(self.content(self.path("z3")), self.content(self.path("a")))
        self.assertEqual(self.learn(whole, "--until", "2021-01-01", "-o", self.path("d"))["lessons"], 1)
        self.assertEqual(self.learn(whole, "--until", "8", "-o", self.path("e"))["lessons"], 1)
        done = run("learn", "history", whole, "--until", "tomorrow", "--dry-run")
        self.assertEqual(done.returncode, 2)

    def test_what_is_no_plain_file_stays_what_it_is(self):
        script = self.write("a.smt2", TWO)
        link = self.path("link")
        os.symlink(self.path("target"), link)
        done = run("learn", "history", script, "-o", link, "-q")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(os.path.islink(link))
        self.assertTrue(os.path.isfile(self.path("target")))
        done = run("learn", "history", script, "-o", "/dev/full", "-q")
        self.assertEqual(done.returncode, 2)
        self.assertIn("No space left", done.stderr)

    def test_unreadable_files_are_named(self):
        bad = self.write("bad.json", "{")
        done = run("learn", "history", bad, "-o", self.path("k"))
        self.assertIn("bad.json", done.stderr)

    def test_dry_run_writes_nothing(self):
        one = self.write("one.smt2", ONE)
        out = self.path("k")
        counts = self.learn(one, "-o", out, "--dry-run")
        self.assertEqual(counts["skeletons"], 1)
        self.assertFalse(os.path.exists(out))
        self.assertEqual(run("learn", "history", one).returncode, 2)

    def test_bad_knowledge_files_are_refused_with_their_line(self):
        one = self.write("one.smt2", ONE)
        out = self.write("k", "elenchus-history 1\nskeleton (not _ _)\n")
        for arguments in (["learn", "history", one, "-o", out],
                          ["learn", "history", out, "-o", self.path("new")],
                          ["mutate", "-e", "skeleton", "--history", out, one],
                          ["fuzz", "--history", out, "--tests", "1", "-o", self.path("run")]):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn("k:2:1: error: 'not' with 2 arguments in a skeleton", done.stderr)
        done = run("mutate", "-e", "skeleton", "--history", self.path("none"), one)
        self.assertEqual(done.returncode, 2)
        self.assertIn("No such file", done.stderr)

    def test_hostile_inputs(self):
        self.write("in/a.json", json.dumps(ISSUES)[:-20])
        self.write("in/b.json", "[" * 200000)
        self.write("in/c.md", "```\n" + "(assert (not\n" * 50000)
        self.write("in/d.smt2", "(assert " + "(not " * 200000 + "true" + ")" * 200000 + ")")
        self.write("in/e.smt2", "\x00\x01(((")
        self.write("in/f.smt2", ONE)
        counts = self.learn(self.path("in"), "-o", self.path("k"))
        self.assertEqual(counts["unreadable"], 2)
        self.assertEqual(counts["learnt"], 1)
        self.assertEqual(counts["large_skeletons"], 1)
        done = run("learn", "history", self.path("nowhere"), "--dry-run")
        self.assertEqual(done.returncode, 2)
        self.assertIn("No such file", done.stderr)

    def test_the_engine_uses_what_was_learnt(self):
        one = self.write("one.smt2", ONE)
        out = self.path("k")
        self.learn(one, "-o", out)
        done = run("mutate", "-e", "skeleton", "--history", out, "-n", "20", "--rng", "3", one)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("; expect: unknown\n", done.stdout)
        asserts = re.findall(r"\(assert .*", done.stdout)
        self.assertGreater(len(asserts), 20)
        for line in asserts:
            self.assertRegex(line, r"^\(assert \(forall \(.*\(or ")
        again = run("mutate", "-e", "skeleton", "--history", out, "-n", "20", "--rng", "3", one)
        self.assertEqual(again.stdout, done.stdout)

    def test_solvers_take_most_tests(self):
        solvers = {name: line for name, line in SOLVERS.items() if shutil.which(line[0])}
        if not solvers:
            self.skipTest("no solver is installed")
        seeds = sorted(os.path.join(folder, name) for folder, _, names in os.walk(SEEDS)
                       for name in names)[::16]
        out = self.path("mutants")
        done = run("mutate", "-e", "skeleton", "--rng", "1", "-o", out, "-q", *seeds)
        self.assertEqual(done.returncode, 0, done.stderr)
        names = sorted(os.listdir(out))
        taken = {name: set() for name in names}
        for name in names:
            for solver, line in solvers.items():
                answer = subprocess.run([*line, os.path.join(out, name)], capture_output=True,
                                        text=True, timeout=HANG_LIMIT, check=False)
                if not re.search(r"error|Fatal", answer.stdout + answer.stderr):
                    taken[name].add(solver)
        some = sum(bool(each) for each in taken.values())
        everyone = sum(len(each) == len(solvers) for each in taken.values())
        self.assertGreaterEqual(some, 0.9 * len(names))
        self.assertGreaterEqual(everyone, 0.75 * len(names))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    options, rest = parser.parse_known_args()
    ELENCHUS = options.elenchus
    unittest.main(argv=[sys.argv[0], *rest])
