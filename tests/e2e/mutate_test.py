#!/usr/bin/env python3
"""The command line of `elenchus mutate`: options, exit codes, messages, where mutants go, and that
the same number gives the same bytes, whatever the build.

label: sanitized
"""

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
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SEEDS = os.path.join(ROOT, "data", "seeds")
ENGINES = ["opfuzz", "typefuzz", "skeleton"]

SCRIPT = """\
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (> (+ x y 1) 0))
(check-sat)
(assert (distinct x (- y 3)))
(check-sat)
"""
KNOWN = """\
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (or (< x y) (= x 7)))
(assert (>= (+ x (* 3 y)) 4))
(check-sat)
"""
KNOWN_MODEL = "((define-fun x () Int 1) (define-fun y () Int 5))"
BAD = "(declare-const x Int)\n(assert (and x true))\n"


def run(*arguments, text=None, program=None):
    return subprocess.run([program or ELENCHUS, *arguments], input=text, capture_output=True,
                          text=True, timeout=HANG_LIMIT, check=False)


def newest_source():
    return max(os.path.getmtime(os.path.join(folder, name))
               for part in ("src", "data") for folder, _, names in os.walk(os.path.join(ROOT, part))
               for name in names)


FIRST_HALF = """(set-logic QF_LIA)
(declare-const hundred Int)
(assert (< 99 hundred 200))
(check-sat)
"""
SECOND_HALF = FIRST_HALF.replace("hundred", "million").replace("99", "5")


class MutateTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="mutate_test.")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    @staticmethod
    def read(path):
        with open(path, encoding="utf-8") as f:
            return f.read()

    def accept(self, *arguments, **how):
        done = run("mutate", *arguments, **how)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def refuse(self, *arguments, **how):
        done = run("mutate", *arguments, **how)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertNotEqual(done.stderr, "")
        return done

    def test_help_has_an_example(self):
        text = self.accept("--help")
        self.assertRegex(text.lower(), "example")
        for word in ("--engine", "--count", "--rng", "--out", "--operators", "--json", *ENGINES):
            self.assertIn(word, text)

    def test_files_are_numbered_and_say_what_to_expect(self):
        out = os.path.join(self.folder, "new", "folder")
        seed = self.write("a.smt2", SCRIPT)
        self.accept("--engine", "typefuzz", "--count", "7", "--out", out, seed, seed)
        self.assertEqual(sorted(os.listdir(out)), sorted(f"{i}.smt2" for i in range(1, 15)))
        for name in os.listdir(out):
            with open(os.path.join(out, name), encoding="utf-8") as f:
                first = f.readline()
            self.assertEqual(first, "; expect: unknown unknown\n")
            self.assertEqual(run("parse", "--strict", os.path.join(out, name)).returncode, 0)

    def test_standard_streams(self):
        text = self.accept("--engine", "opfuzz", "--count", "3", "-", text=SCRIPT)
        self.assertEqual(text.count("; expect: unknown unknown\n"), 3)
        self.assertIn("; <stdin>: mutant 3\n", text)
        self.assertEqual(run("parse", "--strict", "-", text=text).returncode, 2)  # x declared twice

    def test_the_status_of_a_seed_is_not_taken_over(self):
        status = "( get-model)(set-info   :status sat)\n(set-info ; why\n :status\n unsat)\n"
        text = self.accept("--engine", "opfuzz", "-", text=status + SCRIPT)
        self.assertNotIn(":status", text)
        self.assertNotIn("get-model", text)

    def test_a_folder_of_seeds(self):
        self.write("seeds/b.smt2", SCRIPT)
        self.write("seeds/deep/a.smt2", SCRIPT)
        self.write("seeds/note.txt", "no script")
        text = self.accept("--engine", "opfuzz", os.path.join(self.folder, "seeds"))
        self.assertEqual(text.count("; expect:"), 2)

    def assert_jobs_change_nothing(self, *arguments):
        folders = []
        for jobs in ("1", "3"):
            folders.append(os.path.join(self.folder, jobs))
            self.accept("-q", "--rng", "9", "--jobs", jobs, "--out", folders[-1], *arguments)
        names = sorted(os.listdir(folders[0]))
        self.assertTrue(names)
        self.assertEqual(sorted(os.listdir(folders[1])), names)
        for name in names:
            self.assertEqual(*(self.read(os.path.join(folder, name)) for folder in folders), name)
        for folder in folders:
            shutil.rmtree(folder)

    def test_jobs_change_nothing(self):
        for engine in (*ENGINES, "generate", "typefuzz+incremental"):
            with self.subTest(engine):
                self.assert_jobs_change_nothing("--engine", engine, "--count", "3",
                                                os.path.join(SEEDS, "QF_LIA"))

    @unittest.skipUnless(shutil.which("z3"), "no z3")
    def test_jobs_change_nothing_for_engines_that_ask(self):
        files = [self.write(f"{i}.smt2", text) for i, text in enumerate(
            (KNOWN, FIRST_HALF, SECOND_HALF, KNOWN.replace("7", "8"), SCRIPT))]
        for engine in ("storm", "diver", "fusion"):
            with self.subTest(engine):
                self.assert_jobs_change_nothing("--engine", engine, "--solver", "z3", "--timeout", "60s",
                                                "--count", "3", *files)

    def test_errors_come_in_the_order_of_the_files(self):
        files = [self.write("1.smt2", BAD), self.write("2.smt2", SCRIPT),
                 self.write("3.smt2", BAD)]
        done = [run("mutate", "--engine", "opfuzz", "--jobs", jobs, *files) for jobs in ("1", "3")]
        self.assertEqual([one.returncode for one in done], [2, 2])
        self.assertEqual(*(one.stderr for one in done))
        self.assertEqual(*(one.stdout for one in done))
        self.assertLess(done[0].stderr.index("1.smt2"), done[0].stderr.index("3.smt2"))

    def test_the_same_number_gives_the_same_bytes(self):
        for engine in ENGINES:
            command = ["--engine", engine, "--count", "20", "--quiet", SEEDS]
            one = self.accept("--rng", "5", *command)
            self.assertEqual(one, self.accept("--rng", "5", *command))
            self.assertNotEqual(one, self.accept("--rng", "6", *command))

    def test_tunables_are_listed(self):
        rows = json.loads(self.accept("--list-tunables", "--json"))
        names = [row["name"] for row in rows]
        self.assertIn("storm.max-depth", names)
        for row in rows:
            with self.subTest(row["name"]):
                self.assertTrue(row["help"])
                if row["type"] == "number":
                    self.assertTrue(row["low"] <= row["default"] <= row["high"])
                else:
                    self.assertEqual((row["type"], type(row["default"])), ("bool", bool))
        lines = self.accept("--list-tunables").splitlines()
        self.assertEqual([line.split()[0] for line in lines], names)

    # Whatever the ranges allow must do.
    def test_tunables_at_the_ends_of_their_ranges(self):
        seeds = [self.write(name, text) for name, text in
                 (("a.smt2", SCRIPT), ("b.smt2", KNOWN), ("c.smt2", FIRST_HALF))]
        rows = json.loads(self.accept("--list-tunables", "--json"))
        for engine in sorted({row["name"].partition(".")[0] for row in rows}):
            own = [row for row in rows if row["name"].startswith(engine + ".")]
            for end in ("low", "high"):
                with self.subTest(engine=engine, end=end):
                    given = []
                    for row in own:
                        # Formulas of a million nodes take long.
                        if row["type"] == "bool" or row[end] <= 10000:
                            value = json.dumps(row.get(end, False))
                            given += ["--set", f"{row['name']}={value}"]
                    self.accept("-e", engine, "-n", "20", "-q", "--solver", "none", *given, *seeds)

    def test_tunables_have_an_effect(self):
        seed = self.write("a.smt2", KNOWN)
        command = ["-e", "storm", "-n", "30", "--solver", "none", "-q", seed]
        few = self.accept("--set", "storm.max-assertions=1", "--set", "storm.mirror-one-in=0",
                          *command)
        self.assertEqual(few.count("(assert "), 30)
        self.assertNotIn("unsat", few)
        self.assertGreater(self.accept(*command).count("(assert "), 60)
        self.assertIn("must be 1 to", self.refuse("--set", "storm.max-depth=x", *command).stderr)
        self.assertIn("storm.max-depth", self.refuse("--set", "storm.depth=1", *command).stderr)
        self.assertIn("NAME=VALUE", self.refuse("--set", "storm.max-depth", *command).stderr)

    def test_builds_agree(self):
        build = os.path.join(ROOT, "build")
        others = [os.path.join(build, name, "elenchus") for name in ("release", "asan", "debug")]
        # A build from before the last change to the sources may well make other mutants.
        others = [path for path in others
                  if os.path.exists(path) and os.path.getmtime(path) >= newest_source()]
        if len(others) < 2:
            self.skipTest("there are no two builds of these sources")
        for engine in ENGINES:
            command = ["mutate", "--engine", engine, "--count", "20", "--quiet", SEEDS]
            texts = [run(*command, program=path).stdout for path in others]
            self.assertTrue(all(text == texts[0] for text in texts), engine)

    def test_witnesses_lie_beside_the_mutants_and_hold(self):
        seed = self.write("seed.smt2", KNOWN)
        model = self.write("seed.model", KNOWN_MODEL)
        for engine in ("storm", "diver", "storm+incremental", "diver+incremental"):
            with self.subTest(engine):
                out = os.path.join(self.folder, engine)
                self.accept("-e", engine, "-n", "40", "--model", model, "-o", out, "-q", seed)
                words = set()
                for number in range(1, 41):
                    path = os.path.join(out, f"{number}.smt2")
                    expected = self.read(path).partition("\n")[0].split()[2:]
                    words.update(expected)
                    witness = os.path.join(out, f"{number}.model")
                    self.assertEqual(os.path.exists(witness), expected[-1] == "sat", path)
                    if expected[-1] == "sat":
                        done = run("check", path, witness)
                        self.assertEqual(done.returncode, 0, path + done.stdout + done.stderr)
                self.assertLessEqual({"sat", "unsat"}, words)

    def test_files_are_partners_of_each_other(self):
        texts = {"a": (FIRST_HALF, "sat"), "b": (SECOND_HALF, "sat"),
                 "c": ("(declare-const n Int)(assert (= (* 2 n) 7))(check-sat)\n", "unsat"),
                 "d": ("(declare-const n Int)(assert (< 3 n 4))(check-sat)\n", "unsat")}
        seeds = [self.write(f"{name}.smt2", text) for name, (text, _) in texts.items()]
        # Two solvers must say unsat; with one, there are no mutants of unsatisfiable seeds.
        for solvers in (["z3"], ["z3", "cvc5"]):
            if not all(shutil.which(solver) for solver in solvers):
                self.skipTest("z3 or cvc5 is not installed")
            out = os.path.join(self.folder, "-".join(solvers))
            options = [word for solver in solvers for word in ("--solver", solver)]
            self.accept("-e", "fusion", "-n", "5", "--timeout", "60s", "-o", out, "-q", *options, *seeds)
            mutants = [self.read(os.path.join(out, f"{number}.smt2"))
                       for number in range(1, 10 * len(solvers) + 1)]
            for number, text in enumerate(mutants):
                expected = "sat" if number < 10 else "unsat"
                self.assertTrue(text.startswith(f"; expect: {expected}\n"), text)
                self.assertIn("fused!", text)
                # The names of the partner.
                wanted = ("hundred", "million") if expected == "sat" else ("(declare-const n_2 Int)",)
                for word in wanted:
                    self.assertIn(word, text)
            self.assertFalse(os.path.exists(os.path.join(out, f"{len(mutants) + 1}.smt2")))

    def test_assignments_are_drawn_where_there_is_no_solver(self):
        seed = self.write("seed.smt2", KNOWN)
        texts = []
        for name in ("a", "b"):
            out = os.path.join(self.folder, name)
            self.accept("-e", "storm", "-n", "10", "--solver", "none", "-o", out, "-q", seed)
            texts.append([self.read(os.path.join(out, f)) for f in sorted(os.listdir(out))])
        self.assertEqual(texts[0], texts[1])
        self.assertTrue(any(text.startswith("(\n") for text in texts[0]), "no witness")

    def test_companions_of_another_run_are_removed(self):
        seed = self.write("seed.smt2", KNOWN)
        model = self.write("known.model", KNOWN_MODEL)
        out = os.path.join(self.folder, "out")
        run("mutate", "-e", "diver", "-n", "5", seed, "--model", model, "-o", out)
        self.assertTrue(any(name.endswith(".model") for name in os.listdir(out)))
        run("mutate", "-e", "typefuzz", "-n", "5", seed, "-o", out)
        self.assertFalse(any(name.endswith(".model") for name in os.listdir(out)))

    def test_a_folder_without_scripts_is_an_error(self):
        empty = os.path.join(self.folder, "empty")
        os.mkdir(empty)
        done = run("mutate", "-e", "typefuzz", empty)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("no .smt2 file", done.stderr)

    def test_a_bad_model_is_an_error(self):
        seed = self.write("seed.smt2", KNOWN)
        model = self.write("bad.model", "((define-fun x () Bool true))")
        done = run("mutate", "-e", "diver", "--model", model, seed)
        self.assertEqual(done.returncode, 2)
        self.assertIn("bad.model:1:", done.stderr)

    def test_summary(self):
        out = os.path.join(self.folder, "out")
        seed = self.write("a.smt2", SCRIPT)
        empty = self.write("empty.smt2", "(check-sat)\n")
        done = run("mutate", "--engine", "typefuzz", "--count", "4", "--json", "--out", out, seed,
                   empty)
        self.assertEqual(done.returncode, 0)
        self.assertIn("empty.smt2: warning: only 0 of 4 mutants: nothing to replace", done.stderr)
        summary = json.loads(done.stdout)
        self.assertEqual((summary["engine"], summary["mutants"], summary["ok"]),
                         ("typefuzz", 4, True))
        self.assertGreater(summary["skips"]["nothing to replace"], 0)
        self.refuse("--engine", "typefuzz", "--json", seed)

    def test_operators_of_the_user(self):
        operators = self.write("operators", "(my.twist Int Int Int)\n")
        seed = self.write("a.smt2", SCRIPT)
        for engine in ENGINES:
            text = self.accept("--engine", engine, "--count", "300", "--operators", operators, seed)
            self.assertIn("(my.twist ", text)
        self.refuse("--engine", "opfuzz", "--operators", self.write("bad", "(f"), seed)

    def test_errors(self):
        seed = self.write("a.smt2", SCRIPT)
        self.assertIn("opfuzz, typefuzz", self.refuse("--engine", "frob", seed).stderr)
        self.refuse(seed)
        self.refuse("--engine", "opfuzz")
        self.refuse("--engine", "opfuzz", "--count", "0", seed)
        self.assertRegex(self.refuse("--engine", "opfuzz", self.write("bad.smt2", BAD)).stderr,
                         r"bad\.smt2:2:9: error: ")
        missing = self.refuse("--engine", "opfuzz", os.path.join(self.folder, "none"), seed)
        self.assertIn("none: error: ", missing.stderr)
        self.assertIn("; expect:", missing.stdout)  # the other file is mutated all the same
        self.assertIn("a.smt2", self.refuse("--engine", "opfuzz", "--out", seed, seed).stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    arguments, rest = parser.parse_known_args()
    ELENCHUS = os.path.abspath(arguments.elenchus)
    unittest.main(argv=[sys.argv[0], *rest])
