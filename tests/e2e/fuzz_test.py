#!/usr/bin/env python3
"""Campaigns with fake solvers, a planted bug, interruptions and disks that fail.

label: slow
"""

import argparse
import json
import os
import random
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import tomllib
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FAKE = os.path.join(ROOT, "tests", "fake_solvers", "fake")
INSTRUMENTED = os.path.join(ROOT, "tests", "fake_solvers", "instrumented.py")
PLANTED = os.path.join(ROOT, "tests", "fake_solvers", "planted.py")
ELENCHUS = None
HANG_LIMIT = 300.0

SEED = """; A seed that the fake solvers can judge: x is an integer that is not zero.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (> x 0))
(assert (or (< y x) (= y 7)))
(check-sat)
"""

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


def fake(mode):
    return f"{FAKE} {mode}"


# Whatever a campaign of this test starts has this in its environment, and nothing else has.
MARK = f"ELENCHUS_FUZZ_TEST={os.getpid()}-{time.time_ns()}"
ENVIRONMENT = {**os.environ, **dict([MARK.split("=")])}


def left_running():
    """Command lines of processes that a campaign started and that live on."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as f:
                is_ours = MARK.encode() in f.read()
            with open(f"/proc/{pid}/cmdline", "rb") as f:
                command = f.read().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if is_ours and command:
            found.append((int(pid), command))
    return found


class CampaignTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="fuzz_test.")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        self.out = os.path.join(self.folder, "out")
        self.seeds = os.path.join(self.folder, "seeds")
        os.mkdir(self.seeds)

    def seed(self, text, name="a.smt2"):
        path = os.path.join(self.seeds, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def command(self, *arguments, out=True):
        return [ELENCHUS, "fuzz", *arguments, *(["--out", self.out] if out else [])]

    def fuzz(self, *arguments, out=True):
        return subprocess.run(self.command(*arguments, out=out), capture_output=True, text=True,
                              timeout=HANG_LIMIT, check=False, env=ENVIRONMENT)

    def stats(self):
        with open(os.path.join(self.out, "stats.json"), encoding="utf-8") as f:
            return json.load(f)

    def bugs(self):
        folder = os.path.join(self.out, "bugs")
        manifests = []
        for name in sorted(os.listdir(folder)):
            self.assertFalse(name.startswith(".tmp"), name)
            with open(os.path.join(folder, name, "manifest.json"), encoding="utf-8") as f:
                manifests.append(json.load(f))
        return manifests


class InstrumentedSolvers(CampaignTest):
    """Coverage of a solver that was built with afl-clang-fast, or acts like one."""

    def starts(self, *options):
        """How many processes of the solver a campaign starts."""
        self.seed(SEED)
        log = os.path.join(self.folder, "starts")
        with open(log, "w", encoding="utf-8"):
            pass
        done = subprocess.run(
            self.command(self.seeds, "--solver", INSTRUMENTED, "--engine", "opfuzz", "--tests", "60",
                         "--jobs", "1", "--rng", "1", *options),
            capture_output=True, text=True, timeout=HANG_LIMIT, check=False,
            env={**ENVIRONMENT, "FAKE_STARTS": log})
        self.assertEqual(done.returncode, 0, done.stderr)
        stats = self.stats()
        self.assertEqual(stats["tests"], 60)
        self.assertEqual(stats["accepted"], 60)
        self.assertGreater(stats["keys"], 3)
        self.assertEqual(left_running(), [])
        with open(log, encoding="utf-8") as f:
            return len(f.readlines())

    def test_sessions(self):
        self.assertLess(self.starts(), 10)

    def test_fresh_runs_are_forked(self):
        self.assertLess(self.starts("--fresh"), 10)


class FakeSolvers(CampaignTest):
    """Every way to misbehave: the right outcome, the campaign goes on, nothing is left running."""

    def campaign(self, mode, *options, tests=8, timeout="200ms", memory="300M"):
        self.seed(SEED)
        done = self.fuzz(self.seeds, "--solver", fake(mode), "--tests", str(tests), "--jobs", "2",
                         "--timeout", timeout, "--memory", memory, "--reduce-tries", "20",
                         "--policy", "anything", "--rng", "3", *options)
        stats = self.stats()
        # 2: nothing was decided, and the only seed is dropped for it.
        self.assertIn(done.returncode, (0, 1) if stats["decided"] > 0 else (0, 1, 2), done.stderr)
        time.sleep(0.2)
        self.assertEqual(left_running(), [], mode)
        (solver,) = [s for s in stats["solvers"].values() if s["runs"] > 0]
        return done, stats, solver

    def test_simple(self):
        _, _, solver = self.campaign("honest", tests=40)
        self.assertEqual(solver["crashes"], 0)
        self.assertGreater(solver["sat"], 0)

    def test_wrong_model(self):
        # Engines without known answers: to one that is unsat by construction, sat is a wrong answer.
        done, stats, _ = self.campaign("wrong-model", "--engine", "typefuzz,opfuzz", tests=30)
        self.assertEqual(done.returncode, 1)
        kinds = {bug["kind"] for bug in self.bugs()}
        self.assertEqual(kinds, {"invalid-model"})
        self.assertGreater(stats["findings"], 0)

    def test_crashes(self):
        for mode in ("segv", "assertion", "exit-crash"):
            with self.subTest(mode):
                shutil.rmtree(self.out, ignore_errors=True)
                done, _, solver = self.campaign(mode, "--fresh")
                self.assertGreater(solver["crashes"], 0)
                self.assertEqual(done.returncode, 1)
                self.assertIn("crash", [bug["kind"] for bug in self.bugs()])

    def test_assertion_is_one_bug_with_its_place(self):
        self.campaign("assertion", tests=20)
        (bug,) = self.bugs()
        self.assertIn("fake.cpp", bug["signature"])
        folder = os.path.join(self.out, "bugs", bug["id"])
        for name in ("reduced.smt2", "original.smt2", "repro.sh", "report.md"):
            self.assertTrue(os.path.exists(os.path.join(folder, name)), name)
        self.assertTrue(os.access(os.path.join(folder, "repro.sh"), os.X_OK))

    def test_hangs(self):
        for mode in ("hang", "stubborn", "half", "fork-hang", "closes", "deaf"):
            with self.subTest(mode):
                shutil.rmtree(self.out, ignore_errors=True)
                done, stats, solver = self.campaign(mode, tests=2)
                self.assertEqual(stats["decided"], 0)
                self.assertEqual(solver["sat"] + solver["unsat"], 0, done.stderr)

    def test_floods_and_eats(self):
        for mode in ("flood", "eats"):
            with self.subTest(mode):
                shutil.rmtree(self.out, ignore_errors=True)
                _, stats, _ = self.campaign(mode, tests=2, timeout="5s")
                self.assertEqual(stats["decided"], 0)

    def test_forks_and_silence(self):
        for mode in ("forks", "daemon", "silent", "grumbles", "third", "rejects", "slow-exit"):
            with self.subTest(mode):
                shutil.rmtree(self.out, ignore_errors=True)
                self.campaign(mode, tests=6)

    def test_rejected_seeds_are_dropped(self):
        _, stats, _ = self.campaign("rejects")
        self.assertEqual(stats["accepted"], 0)
        self.assertEqual(stats["seeds_dropped"], 1)


@unittest.skipUnless(shutil.which("z3"), "z3 is not installed")
class PlantedBug(CampaignTest):
    def test_is_caught_confirmed_and_grouped(self):
        self.seed(BITS)
        done = self.fuzz(self.seeds, "--solver", f"{PLANTED} bvsmod", "--solver", "z3",
                         "--time", "40s", "--bugs", "1", "--jobs", "2", "--policy", "anything",
                         "--rng", "1")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        # The same bug again and again, in different clothes.
        again = subprocess.run([ELENCHUS, "fuzz", "--resume", self.out, "--bugs", "0", "--time",
                                "20s", "--tests", "500"], capture_output=True, text=True,
                               timeout=HANG_LIMIT, check=False, env=ENVIRONMENT)
        self.assertEqual(again.returncode, 1, again.stderr)
        # A dispute may come before its proof: two bugs then, but one group. Crashes are z3's own.
        listed = subprocess.run([ELENCHUS, "bugs", self.out, "--json"], capture_output=True,
                                text=True, timeout=HANG_LIMIT, check=True, env=ENVIRONMENT)
        groups = {bug["group"] for bug in json.loads(listed.stdout)["bugs"]
                  if bug["kind"] != "crash"}
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
                    done = self.fuzz(self.seeds, "--solver", f"{PLANTED} {lie} bvsmod", "--engine",
                                     engine, "--time", "60s", "--bugs", "1", "--jobs", "2",
                                     "--policy", "anything", "--rng", "2")
                    self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                    self.assertIn(kind, {bug["kind"] for bug in self.bugs()})

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
                done = self.fuzz(self.seeds, "--solver", f"{PLANTED} {lie} fused!", "--solver",
                                 "cvc5", "--engine", "fusion", "--time", "60s", "--bugs", "1",
                                 "--jobs", "1", "--policy", "anything", "--rng", "2")
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                bugs = self.bugs()
                self.assertIn(kind, {bug["kind"] for bug in bugs})
                self.assertEqual({bug["engine"] for bug in bugs}, {"fusion"})
                self.assertTrue(all(1 <= len(bug["seeds"]) <= 2 for bug in bugs))

    def test_the_script_of_a_wrong_core_asks_for_it(self):
        # Cores are asked for now and then only.
        for number in range(8):
            self.seed(CORE_BITS.replace("#x01", f"#x0{number + 1}"), f"{number}.smt2")
        liar = f"{PLANTED} lie-core bvsmod"
        done = self.fuzz(self.seeds, "--solver", liar, "--solver", "z3", "--engine", "opfuzz",
                         "--bugs", "1", "--time", "120s", "--jobs", "2", "--policy", "anything",
                         "--rng", "1")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        bug = self.bugs()[0]
        self.assertEqual(bug["kind"], "wrong-core")
        shown = subprocess.run([os.path.join(self.out, "bugs", bug["id"], "repro.sh")],
                               capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
        self.assertRegex(shown.stdout, r"^unsat\n\(elenchus_\d\)\n$")
        # What asks for a core is a script like any other: it can be tried again and reduced.
        again = subprocess.run([ELENCHUS, "bugs", self.out, "replay", bug["id"]],
                               capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
        self.assertEqual(again.returncode, 1, again.stdout + again.stderr)

    def test_an_honest_pair_is_not_accused(self):
        self.seed(BITS)
        done = self.fuzz(self.seeds, "--solver", "z3", "--solver", f"{PLANTED} no-such-word",
                         "--tests", "300", "--jobs", "2", "--policy", "anything", "--rng", "5")
        # That z3 crashes on some test is true of both.
        self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
        self.assertEqual([bug for bug in self.bugs() if bug["kind"] != "crash"], [])


class KilledCampaigns(CampaignTest):
    ROUNDS = 20

    def test_kill_and_resume(self):
        self.seed(SEED)
        moments = random.Random(4)
        lost = []
        known = set()
        for number in range(self.ROUNDS):
            arguments = (["--resume", self.out] if number > 0 else
                         [self.seeds, "--solver", fake("assertion"), "--solver",
                          fake("wrong-model"), "--jobs", "2", "--policy", "anything", "--timeout",
                          "500ms", "--reduce-tries", "10", "--rng", "1", "--out", self.out])
            with subprocess.Popen([ELENCHUS, "fuzz", *arguments], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.PIPE, text=True,
                              env=ENVIRONMENT) as child:
                time.sleep(0.3 + moments.random() * 1.2)
                child.send_signal(signal.SIGKILL)
                child.wait()
                child.stderr.close()
            bugs = os.path.join(self.out, "bugs")
            if not os.path.isdir(bugs):
                continue
            now = {name for name in os.listdir(bugs) if not name.startswith(".")}
            lost += known - now
            known = now
        self.assertEqual(lost, [])
        self.assertTrue(known)
        time.sleep(1)
        self.assertEqual(left_running(), [])
        done = subprocess.run([ELENCHUS, "fuzz", "--resume", self.out, "--tests", "5"],
                              capture_output=True, text=True, timeout=HANG_LIMIT, check=False,
                              env=ENVIRONMENT)
        self.assertEqual(done.returncode, 1, done.stderr)
        with sqlite3.connect(os.path.join(self.out, "campaign.db")) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            rows = {row[0] for row in database.execute("SELECT id FROM bugs")}
        self.assertEqual({bug["id"] for bug in self.bugs()}, rows)
        self.assertLessEqual(known, rows)


class Interruptions(CampaignTest):
    def test_ctrl_c_ends_with_a_table(self):
        self.seed(SEED)
        with subprocess.Popen(self.command(self.seeds, "--solver", fake("honest"), "--jobs", "2"),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=ENVIRONMENT) as child:
            time.sleep(1.5)
            child.send_signal(signal.SIGINT)
            out, err = child.communicate(timeout=30)
        self.assertIn(child.returncode, (0, 1), err)
        self.assertIn("tests in", out)
        self.assertGreater(self.stats()["tests"], 0)

    def test_ctrl_c_twice_ends_during_a_hang(self):
        self.seed(SEED)
        with subprocess.Popen(self.command(self.seeds, "--solver", fake("hang"), "--timeout", "3s"),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=ENVIRONMENT) as child:
            time.sleep(1)
            child.send_signal(signal.SIGINT)
            time.sleep(0.2)
            child.send_signal(signal.SIGINT)
            child.communicate(timeout=30)
        self.assertEqual(child.returncode, 0)
        self.assertEqual(left_running(), [])


class Budget(CampaignTest):
    def test_a_reduction_ends_soon_after_the_time(self):
        # A second for every answer, and a script that takes dozens of them to reduce.
        slow = os.path.join(self.folder, "slow")
        with open(FAKE, encoding="utf-8") as f:
            text = f.read()
        with open(slow, "w", encoding="utf-8") as f:
            f.write(text.replace("sleep 0.5", "sleep 1"))
        os.chmod(slow, 0o755)
        names = [f"y{i}" for i in range(40)]
        claims = [f"(assert (or (< x {a}) (> {b} {i})))" for i, (a, b) in
                  enumerate(zip(names, names[1:]))]
        self.seed("; Many assertions, of which one is wrong under the solver's model.\n"
                  "(set-logic QF_LIA)\n(declare-const x Int)\n"
                  + "".join(f"(declare-const {name} Int)\n" for name in names)
                  + "\n".join(claims) + "\n(assert (> (* x (+ x 3)) 0))\n(check-sat)\n")
        done = self.fuzz(self.seeds, "--solver", f"{slow} slow-wrong", "--time", "3s", "--jobs",
                         "1", "--policy", "anything", "--rng", "1")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        # Not the time is looked at, which a busy machine stretches, but the runs within it: the
        # test, its confirmation, a few candidates, and their confirmation.
        self.assertLessEqual(self.stats()["runs"], 12)
        (bug,) = self.bugs()
        self.assertEqual(bug["kind"], "invalid-model")
        # The reduced script also asks for the model.
        requests = len("(set-option :produce-models true)\n(get-model)\n")
        self.assertLessEqual(bug["size_reduced"], bug["size_original"] + requests)


class Usage(CampaignTest):
    def assert_usage_error(self, done, *words):
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stderr)

    def test_errors_say_what_to_do(self):
        self.seed(SEED)
        cases = [
            (("/no/such/seeds",), ("/no/such/seeds", "no such file")),
            ((self.seeds, "--solver", "nosuchsolver"), ("nosuchsolver",)),
            ((self.seeds, "--engine", "nosuchengine"), ("nosuchengine", "typefuzz")),
            ((self.seeds, "--time", "soon"), ("soon", "10m")),
            ((self.seeds, "--memory", "lots"), ("lots", "2G")),
            ((self.seeds, "--policy", "wild"), ("wild", "regular")),
            ((self.seeds, "--options-from", "luck"), ("luck", "relevant, search")),
            ((self.seeds, "--set", "storm.max-depth=0"), ("storm.max-depth must be 1 to",)),
            ((self.seeds, "--set", "storm.depth=3"), ("storm.depth", "storm.max-depth")),
            ((self.seeds, "--history", "/no/such/history"), ("/no/such/history",)),
            ((self.seeds, "--solver", "/bin/true"), ("/bin/true", "is it a solver")),
            ((self.seeds, "--solver", "/bin/cat"), ("/bin/cat", "is it a solver")),
            ((self.seeds, "--focus", "bvsmood"), ("bvsmood",)),
            ((self.seeds, "--memory", "1"), ("memory",)),
            ((self.seeds, "--solver", fake("honest"), "--policy", "default"), ("policy",)),
        ]
        for arguments, words in cases:
            with self.subTest(arguments):
                self.assert_usage_error(self.fuzz(*arguments), *words)
                self.assertFalse(os.path.exists(self.out))

    def test_a_campaign_that_tests_nothing_says_so(self):
        self.seed(SEED)
        done = self.fuzz(self.seeds, "--solver", fake("honest"), "--tests", "20", "--quiet",
                         "--logic", "NO_SUCH")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, "warning: nothing was tested.*NO_SUCH")
        self.assertEqual(self.stats()["warnings"], 1)

    def test_a_seed_that_cannot_be_read_is_named(self):
        self.seed("(set-logic ALL)\n(assert (+ 1 true))\n(check-sat)\n", "bad.smt2")
        done = self.fuzz(self.seeds, "--solver", fake("honest"), "--tests", "20", "--quiet")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"bad\.smt2:2:\d+: error: '\+' cannot take")

    def test_a_solver_that_never_answers_is_not_tested(self):
        self.seed(SEED)
        done = self.fuzz(self.seeds, "--solver", fake("hang"), "--timeout", "0.2s", "--time", "20s",
                         "--quiet")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, "warning: nothing was decided")

    def test_a_solver_that_decides_nothing_raises_a_warning(self):
        for number in range(12):
            self.seed(SEED, f"{number}.smt2")
        done = self.fuzz(self.seeds, "--solver", fake("rejects"), "--tests", "12", "--quiet")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, "warning: only 0% of the tests are accepted")
        self.assertGreater(self.stats()["warnings"], 0)

    def test_the_folder_says_what_was_asked_and_of_whom(self):
        self.seed(SEED)
        done = self.fuzz(self.seeds, "--solver", fake("honest"), "--tests", "3", "--rng", "8")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--rng 8", self.stats()["command_line"])
        with open(os.path.join(self.out, "campaign.toml"), encoding="utf-8") as f:
            text = f.read()
        self.assertTrue(text.startswith("# elenchus "), text)
        self.assertEqual(tomllib.loads(text)["solvers"], [fake("honest")])

    def test_it_goes_on_from_another_folder_whatever_its_paths(self):
        odd = os.path.join(self.folder, "odd 'name'")
        os.mkdir(odd)
        os.symlink(FAKE, os.path.join(odd, "z3"))
        self.seed(SEED)
        done = self.fuzz(os.path.relpath(self.seeds), "--solver",
                         shlex.quote(os.path.relpath(os.path.join(odd, "z3"))) + " honest",
                         "--tests", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run([ELENCHUS, "fuzz", "--resume", self.out, "--tests", "3"], cwd="/",
                              capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.stats()["tests"], 6)

    def test_only_seeds_are_run_once_each(self):
        for number in range(3):
            self.seed(SEED, f"{number}.smt2")
        common = ("--solver", fake("honest"), "--only-seeds")
        self.assertEqual(self.fuzz(os.path.relpath(self.seeds), *common).returncode, 0)
        self.assertEqual(self.stats()["tests"], 3)
        again = self.fuzz("--resume", self.out, out=False)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(self.stats()["tests"], 3)

    def test_a_bug_of_a_solver_with_blanks_in_its_path_is_replayed(self):
        odd = os.path.join(self.folder, "odd name")
        os.mkdir(odd)
        os.symlink(FAKE, os.path.join(odd, "z3"))
        self.seed(SEED)
        done = self.fuzz(self.seeds, "--solver", f"'{odd}/z3' segv", "--only-seeds")
        self.assertEqual(done.returncode, 1, done.stderr)
        done = subprocess.run([ELENCHUS, "bugs", self.out, "replay", "z3-crash"],
                              capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertTrue(done.stdout.startswith("open"), done.stdout)

    def test_solvers_without_a_profile_have_names_of_their_own(self):
        self.seed(SEED)
        solver = os.path.join(self.folder, "my-solver")
        with open(solver, "w", encoding="utf-8") as f:
            f.write('#!/bin/sh\ncase "$*" in *version*) echo 1; exit;; esac\n'
                    f'exec {FAKE} segv\n')
        os.chmod(solver, 0o755)
        done = self.fuzz(self.seeds, "--solver", solver, "--only-seeds")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        [bug] = os.listdir(os.path.join(self.out, "bugs"))
        self.assertTrue(bug.startswith("my-solver-crash-"), bug)

    def test_profiles_of_ones_own(self):
        self.seed(SEED)
        profiles = os.path.join(self.folder, "profiles")
        os.mkdir(profiles)
        with open(os.path.join(profiles, "mine.toml"), "w", encoding="utf-8") as f:
            f.write(f'name = "mine"\nprograms = ["{FAKE}"]\n[options]\nbase = ["honest"]\n')
        done = self.fuzz(self.seeds, "--solver", "mine", "--profiles", profiles, "--tests", "3")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.out, "campaign.toml"), encoding="utf-8") as f:
            self.assertEqual(tomllib.loads(f.read())["profiles"], profiles)
        self.assert_usage_error(self.fuzz(self.seeds, "--profiles", "/no/such"), "/no/such")

    def test_jobs_are_as_many_as_cores(self):
        for arguments in ((), ("--config", os.devnull)):
            done = self.fuzz(*arguments, "--dry-run")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(tomllib.loads(done.stdout)["jobs"], os.cpu_count())

    def test_a_log_that_nobody_reads_does_not_end_it(self):
        self.seed(SEED)
        reading, writing = os.pipe()
        os.close(reading)
        done = subprocess.run(self.command(self.seeds, "--solver", fake("honest"), "--tests", "5"),
                              stdout=subprocess.DEVNULL, stderr=writing, timeout=HANG_LIMIT,
                              check=False, env=ENVIRONMENT)
        os.close(writing)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.stats()["tests"], 5)

    def test_a_file_of_settings_is_refused_with_its_place(self):
        config = os.path.join(self.folder, "settings.toml")
        for text, where in (("rng = 1\njobs = -1\n", "settings.toml:2:"),
                            ("rng = 1\npolicy = 'wild'\n", "settings.toml:2:"),
                            ("rng = 1\na" + ".a" * 60000 + " = 1\n", "settings.toml:2:")):
            with open(config, "w", encoding="utf-8") as f:
                f.write(text)
            self.assert_usage_error(self.fuzz("--config", config, "--dry-run"), where)

    def test_limits_in_a_file_are_checked(self):
        for line in ("jobs = 99999999", "time = nan", "time = -5.0", "timeout = inf",
                     "timeout = 1e-300", "memory = 1"):
            with self.subTest(line):
                config = os.path.join(self.folder, "limits.toml")
                with open(config, "w", encoding="utf-8") as f:
                    f.write(line + "\n")
                self.assert_usage_error(self.fuzz("--config", config, "--dry-run"), "limits.toml")

    def test_what_is_set_is_kept(self):
        config = os.path.join(self.folder, "settings.toml")
        with open(config, "w", encoding="utf-8") as f:
            f.write('set = ["storm.max-depth=4", "diver.weighted=false"]\n')
        done = self.fuzz("--config", config, "--set", "storm.max-depth=5", "--options-from",
                         "random", "--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)
        kept = tomllib.loads(done.stdout)
        self.assertEqual(kept["set"], ["storm.max-depth=4", "diver.weighted=false",
                                       "storm.max-depth=5"])
        self.assertEqual(kept["options-from"], "random")

    def test_a_folder_in_use(self):
        self.seed(SEED)
        common = (self.seeds, "--solver", fake("honest"), "--tests", "3")
        self.assertEqual(self.fuzz(*common).returncode, 0)
        self.assert_usage_error(self.fuzz(*common), "--resume")

    def test_no_seeds(self):
        self.assert_usage_error(self.fuzz(self.seeds, "--solver", fake("honest")), ".smt2")

    def test_config_and_dry_run(self):
        config = os.path.join(self.folder, "c.toml")
        with open(config, "w", encoding="utf-8") as f:
            f.write('seeds = ["x"]\njobs = 3\ntimeout = 0.5\nengines = "typefuzz"\n')
        done = self.fuzz("--config", config, "--jobs", "5", "--dry-run")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("jobs = 5", done.stdout)
        self.assertIn("timeout = 0.5", done.stdout)
        with open(config, "w", encoding="utf-8") as f:
            f.write("jobs = 3\nspeed = 9\n")
        done = self.fuzz("--config", config, "--dry-run")
        self.assertEqual(done.returncode, 2)
        self.assertIn("c.toml:2:", done.stderr)

    def test_seed_from_standard_input(self):
        done = subprocess.run(self.command("-", "--solver", fake("honest"), "--tests", "5"),
                              input=SEED, capture_output=True, text=True, timeout=HANG_LIMIT,
                              check=False, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.stats()["tests"], 5)

    def test_json(self):
        self.seed(SEED)
        done = self.fuzz(self.seeds, "--solver", fake("honest"), "--tests", "5", "--json")
        self.assertEqual(json.loads(done.stdout)["tests"], 5)


class BadDisks(CampaignTest):
    """A tiny file system, where root may mount one."""

    def mount(self, options):
        disk = os.path.join(self.folder, "disk")
        os.mkdir(disk)
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", disk],
                              capture_output=True, check=False)
        if done.returncode != 0:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", disk], check=False)
        return disk

    def test_full(self):
        disk = self.mount("size=300k")
        self.out = os.path.join(disk, "out")
        self.seed(SEED)
        done = self.fuzz(self.seeds, "--solver", fake("assertion"), "--time", "20s", "--policy",
                         "anything")
        self.assertIn(done.returncode, (1, 2, 3), done.stderr)
        self.assertIn("full", done.stderr)

    def test_read_only(self):
        disk = self.mount("size=1m")
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        self.out = os.path.join(disk, "out")
        self.seed(SEED)
        done = self.fuzz(self.seeds, "--solver", fake("honest"), "--tests", "3")
        self.assertEqual(done.returncode, 2)
        self.assertIn(self.out, done.stderr)


def main():
    global ELENCHUS
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elenchus", required=True)
    args, rest = parser.parse_known_args()
    ELENCHUS = os.path.abspath(args.elenchus)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
