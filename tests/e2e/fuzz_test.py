#!/usr/bin/env python3
"""Campaigns with fake solvers, interruptions and disks that fail.

label: slow
"""

import contextlib
import glob
import json
import os
import shlex
import shutil
import signal
import sqlite3
import subprocess
import time
import tomllib

import campaigns
from campaigns import (ENVIRONMENT, FAKE, HANG_LIMIT, HONEST, ROOT, SEED, UNHURRIED, CampaignTest, fake,
                       has_children, left_running, main)

INSTRUMENTED = os.path.join(ROOT, "tests", "fake_solvers", "instrumented.py")


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
                         "--lane", "checks", "--jobs", "1", "--rng", "1", *UNHURRIED, *options),
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
        self.assertLess(self.starts(), 20)

    def test_fresh_runs_are_forked(self):
        self.assertLess(self.starts("--fresh"), 10)


class FakeSolvers(CampaignTest):
    """Every way to misbehave: the right outcome, the campaign goes on, nothing is left running."""

    def campaign(self, mode, *options, tests=8, timeout="20s", memory="300M"):
        self.seed(SEED)
        done = self.fuzz(self.seeds, "--solver", fake(mode), "--tests", str(tests), "--jobs", "2",
                         "--timeout", timeout, "--memory", memory, "--reduce-tries", "20",
                         "--policy", "anything", "--rng", "3", *options)
        stats = self.stats()
        # 2: nothing was decided, and the only seed is dropped for it.
        self.assertIn(done.returncode, (0, 1) if stats["decided"] > 0 else (0, 1, 2), done.stderr)
        self.assert_nothing_is_left_running(mode)
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
                done, stats, solver = self.campaign(mode, tests=2, timeout="200ms")
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
                # Those that are silent, or do not exit, are waited for.
                self.campaign(mode, tests=6, timeout="1s")

    def test_rejected_seeds_are_dropped(self):
        # More tests than one worker can make before the other has dropped the seed, which ends them.
        _, stats, _ = self.campaign("rejects", tests=5000)
        self.assertEqual(stats["accepted"], 0)
        self.assertEqual(stats["seeds_dropped"], 1)


class Interruptions(CampaignTest):
    def test_ctrl_c_ends_with_a_table(self):
        self.seed(SEED)
        with subprocess.Popen(self.command(self.seeds, *HONEST, "--jobs", "2"),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=ENVIRONMENT) as child:
            self.wait_for_tests()
            child.send_signal(signal.SIGINT)
            out, err = child.communicate(timeout=HANG_LIMIT)
        self.assertIn(child.returncode, (0, 1), err)
        self.assertIn("tests in", out)
        self.assertGreater(self.stats()["tests"], 0)

    def test_ctrl_c_twice_ends_during_a_hang(self):
        self.seed(SEED)
        # Were the hang over by itself before Ctrl-C comes, the seed would be dropped as too slow.
        with subprocess.Popen(self.command(self.seeds, "--solver", fake("hang"), "--timeout", "10s"),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              env=ENVIRONMENT) as child:
            ends = time.monotonic() + HANG_LIMIT
            while not (os.path.isdir(os.path.join(self.out, "bugs")) and has_children(child.pid)):
                self.assertLess(time.monotonic(), ends)
                time.sleep(0.05)
            time.sleep(1)
            child.send_signal(signal.SIGINT)
            # Two that wait at the same time would be one.
            self.wait_until_delivered(child.pid, signal.SIGINT)
            time.sleep(0.2)
            child.send_signal(signal.SIGINT)
            child.communicate(timeout=HANG_LIMIT)
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
        # Time enough for the test and its confirmation, three runs, on a machine that is busy.
        done = self.fuzz(self.seeds, "--solver", f"{slow} slow-wrong", "--time", "6s", "--grace",
                         "8s", "--jobs", "1", "--policy", "anything", "--rng", "1", *UNHURRIED)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        # Not the time is looked at, which a busy machine stretches, but the runs within it: the
        # test, its confirmation, a few candidates, and their confirmation. All of the reduction would
        # take more of them.
        self.assertLessEqual(self.stats()["runs"], 20)
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

    def test_a_log_has_a_warning_once(self):
        """And once more at the end, where the figures are."""
        self.seed(SEED)
        done = self.fuzz(self.seeds, "--solver", fake("honest"), "--engine", "opfuzz+options", "--time", "6s",
                         "--rng", "3", *UNHURRIED)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"\d tests? \(")
        self.assertEqual(done.stderr.count("lists no options that we can read"), 2, done.stderr)
        self.assertNotRegex(done.stderr, r"tests? \(.*warning")

    def test_a_campaign_that_tests_nothing_says_so(self):
        self.seed(SEED)
        done = self.fuzz(self.seeds, *HONEST, "--tests", "20", "--quiet",
                         "--logic", "NO_SUCH")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, "warning: nothing was tested.*NO_SUCH")
        self.assertEqual(self.stats()["warnings"], 1)

    def test_a_seed_that_cannot_be_read_is_named(self):
        self.seed("(set-logic ALL)\n(assert (+ 1 true))\n(check-sat)\n", "bad.smt2")
        done = self.fuzz(self.seeds, *HONEST, "--tests", "20", "--quiet")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, r"bad\.smt2:2:\d+: error: '\+' cannot take")

    def test_a_solver_that_never_answers_is_not_tested(self):
        self.seed(SEED)
        done = self.fuzz(self.seeds, "--solver", fake("hang"), "--timeout", "0.2s", "--time", "200s",
                         "--quiet")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, "warning: nothing was decided")

    def test_a_solver_that_decides_nothing_raises_a_warning(self):
        for number in range(12):
            self.seed(SEED, f"{number}.smt2")
        done = self.fuzz(self.seeds, "--solver", fake("rejects"), "--tests", "12", "--quiet", *UNHURRIED)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr, "warning: only 0% of the tests are accepted")
        self.assertGreater(self.stats()["warnings"], 0)

    def test_the_folder_says_what_was_asked_and_of_whom(self):
        self.seed(SEED)
        done = self.fuzz(self.seeds, *HONEST, "--tests", "3", "--rng", "8")
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
                         "--engine", "opfuzz", "--tests", "3", *UNHURRIED)
        self.assertEqual(done.returncode, 0, done.stderr)
        done = subprocess.run([campaigns.ELENCHUS, "fuzz", "--resume", self.out, "--tests", "3"], cwd="/",
                              capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.stats()["tests"], 6)

    def test_only_seeds_are_run_once_each(self):
        for number in range(3):
            self.seed(SEED, f"{number}.smt2")
        common = ("--solver", fake("honest"), "--only-seeds", *UNHURRIED)
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
        done = subprocess.run([campaigns.ELENCHUS, "bugs", self.out, "replay", "z3-crash"],
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
        done = self.fuzz(self.seeds, "--solver", "mine", "--profiles", profiles, "--tests", "3",
                         "--engine", "opfuzz", *UNHURRIED)
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
        done = subprocess.run(self.command(self.seeds, *HONEST, "--tests", "5"),
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
        common = (self.seeds, *HONEST, "--tests", "3")
        self.assertEqual(self.fuzz(*common).returncode, 0)
        self.assert_usage_error(self.fuzz(*common), "--resume")

    def test_no_seeds(self):
        self.assert_usage_error(self.fuzz(self.seeds, *HONEST), ".smt2")

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
        done = subprocess.run(self.command("-", *HONEST, "--tests", "5"),
                              input=SEED, capture_output=True, text=True, timeout=HANG_LIMIT,
                              check=False, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.stats()["tests"], 5)

    def test_json(self):
        self.seed(SEED)
        done = self.fuzz(self.seeds, *HONEST, "--tests", "5", "--json")
        self.assertEqual(json.loads(done.stdout)["tests"], 5)


class MachinesThatFail(CampaignTest):
    """What we run out of is said, has an exit code, and costs no finding and no seed."""

    def test_a_bug_that_cannot_be_stored_is_told(self):
        self.seed(SEED)
        campaign = subprocess.Popen(
            self.command(self.seeds, "--solver", fake("slow-wrong"), "--engine", "opfuzz", "--jobs",
                         "1", "--time", "200s", "--rng", "3", "--policy", "anything", *UNHURRIED),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        bugs = os.path.join(self.out, "bugs")
        ends = time.monotonic() + HANG_LIMIT
        while not (os.path.isdir(bugs) and has_children(campaign.pid)):
            self.assertLess(time.monotonic(), ends)
            time.sleep(0.001)
        # There may be a bug already; none that comes later can be stored.
        os.rename(bugs, bugs + ".away")
        with open(bugs, "w", encoding="utf-8"):
            pass
        _, errors = campaign.communicate(timeout=HANG_LIMIT)
        self.assertEqual(campaign.returncode, 3, errors)
        self.assertIn("cannot store what was found", errors)
        self.assertIn("(check-sat)", errors)

    def with_files(self, limit, *options):
        """A campaign of six jobs that may have so many files open."""
        for i in range(8):
            self.seed(f"(set-option :random-seed {i})\n{SEED}", f"s{i}.smt2")  # no two are alike
        return subprocess.run(
            ["sh", "-c", f'ulimit -n {limit}; exec "$@"', "sh",
             *self.command(self.seeds, *HONEST, "--jobs", "6", "--time", "200s", "--rng", "3", *options)],
            capture_output=True, text=True, timeout=HANG_LIMIT, check=False, env=ENVIRONMENT)

    def check_nothing_is_held_against_anybody(self):
        self.assertEqual(self.stats()["rejected"], 0)
        database = sqlite3.connect(os.path.join(self.out, "campaign.db"))
        self.addCleanup(database.close)
        # A script of the pool may be another seed but for names.
        dropped = database.execute("SELECT path, reason FROM seeds WHERE reason != '' "
                                   "AND path NOT LIKE 'pool:%'").fetchall()
        self.assertEqual(dropped, [])

    def test_running_out_of_files(self):
        done = self.with_files(24, "--engine", "opfuzz")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("ulimit -n", done.stderr)
        self.check_nothing_is_held_against_anybody()

    def test_hardly_enough_files(self):
        """Workers wait for each other's files: the tests are made, or the reason is told."""
        done = self.with_files(48, "--engine", "opfuzz", "--tests", "60")
        self.assertIn(done.returncode, (0, 3), done.stderr)
        if done.returncode == 3:
            self.assertIn("ulimit -n", done.stderr)
        else:
            self.assertEqual(self.stats()["tests"], 60)
        self.check_nothing_is_held_against_anybody()

    def test_no_seed_is_left_out_for_want_of_files(self):
        done = self.with_files(48, "--only-seeds")
        self.assertIn(done.returncode, (0, 3), done.stderr)
        if done.returncode == 0:
            self.assertEqual(self.stats()["tests"], 8)
        self.check_nothing_is_held_against_anybody()

    def with_threads(self, *command):
        """The command where there is room for the stacks of a few threads, and of no more."""
        return subprocess.run(
            ["sh", "-c", 'ulimit -s 1000000 && ulimit -v 4500000 && exec "$@"', "sh", campaigns.ELENCHUS, *command],
            capture_output=True, text=True, timeout=HANG_LIMIT, check=False, env=ENVIRONMENT)

    def test_a_thread_that_cannot_start(self):
        self.seed(SEED)
        done = self.with_threads(*self.command(
            self.seeds, *HONEST, "--jobs", "16", "--time", "60s")[1:])
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("cannot start the threads of 16 jobs", done.stderr)
        self.assertIn("fewer --jobs", done.stderr)
        self.assertEqual(left_running(), [])
        again = self.fuzz("--resume", self.out, "--tests", "5", "--jobs", "1", out=False)
        self.assertEqual(again.returncode, 0, again.stderr)

    def test_fewer_threads_do_the_same(self):
        paths = [self.seed(SEED, f"s{i}.smt2") for i in range(16)]
        for command in (["generate", "--count", "30", "--rng", "3", "--jobs", "16"],
                        ["parse", "--print", "--jobs", "16", *paths]):
            done = self.with_threads(*command)
            self.assertEqual(done.returncode, 0, done.stderr)
            usual = subprocess.run([campaigns.ELENCHUS, *command], capture_output=True, text=True,
                                   timeout=HANG_LIMIT, check=False)
            self.assertEqual(done.stdout, usual.stdout)

    def test_a_reduction_with_fewer_threads(self):
        path = self.seed(SEED)
        done = self.with_threads("reduce", path, "--solver", fake("assertion"), "--jobs", "16")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("(check-sat)", done.stdout)


class ReplacedSolvers(CampaignTest):
    """The program of a solver changes or goes while the campaign runs."""

    def setUp(self):
        super().setUp()
        self.seed(SEED)
        self.solver = os.path.join(self.folder, "solver")
        shutil.copy(FAKE, self.solver)

    def start(self, *options):
        """A campaign that starts a process for each run, when it has tested something."""
        campaign = subprocess.Popen(
            self.command(self.seeds, "--solver", f"{self.solver} honest", "--engine", "opfuzz",
                         "--jobs", "2", "--fresh", "--rng", "3", *UNHURRIED, *options),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(campaign.communicate)
        self.addCleanup(campaign.kill)
        ends = time.monotonic() + HANG_LIMIT
        while not has_children(campaign.pid) or not os.path.exists(os.path.join(self.out, "bugs")):
            self.assertLess(time.monotonic(), ends)
            time.sleep(0.01)
        return campaign

    def assert_nothing_is_rejected(self):
        """But for scripts that had been started, and that the shell did not find any more."""
        self.assertLessEqual(self.stats()["rejected_runs"], 2)

    def test_another_program_takes_its_place(self):
        campaign = self.start("--tests", "100")
        shutil.copy(FAKE, self.solver + ".new")
        os.rename(self.solver + ".new", self.solver)
        _, errors = campaign.communicate(timeout=HANG_LIMIT)
        self.assertEqual(campaign.returncode, 0, errors)
        self.assert_nothing_is_rejected()
        self.assertGreater(self.stats()["tests"], 3)

    def test_it_is_gone_for_a_moment(self):
        campaign = self.start()
        os.rename(self.solver, self.solver + ".away")
        time.sleep(1)
        os.rename(self.solver + ".away", self.solver)
        self.wait_for_tests(more_than=self.count_of_tests())
        campaign.send_signal(signal.SIGINT)
        _, errors = campaign.communicate(timeout=HANG_LIMIT)
        self.assertEqual(campaign.returncode, 0, errors)
        self.assert_nothing_is_rejected()

    def test_it_is_gone(self):
        campaign = self.start("--time", "200s")
        os.remove(self.solver)
        _, errors = campaign.communicate(timeout=HANG_LIMIT)
        self.assertEqual(campaign.returncode, 3, errors)
        self.assertIn(f"cannot run {self.solver}", errors)
        self.assert_nothing_is_rejected()


class LaterSessions(CampaignTest):
    """What a campaign has learnt is there when it is resumed."""

    def seeds_table(self):
        with sqlite3.connect(os.path.join(self.out, "campaign.db")) as database:
            return {os.path.basename(path): (status, reason, tests) for path, status, reason, tests in
                    database.execute("SELECT path, status, reason, tests FROM seeds")}

    def test_schedule_keys_and_dropped_seeds(self):
        self.seed(SEED)
        self.seed("(assert", "broken.smt2")
        self.seed(SEED.replace("(assert", "(unknown-command", 1), "rejected.smt2")
        common = ("--tests", "400", "--jobs", "1", *UNHURRIED)
        done = self.fuzz(self.seeds, "--solver", INSTRUMENTED, "--engine", "opfuzz,typefuzz",
                         "--rng", "1", *common)
        self.assertEqual(done.returncode, 0, done.stderr)
        before = self.seeds_table()
        self.assertEqual(before["broken.smt2"][0], "dropped")
        stats = self.stats()
        self.assertEqual(stats["seeds_dropped"], sum(row[0] == "dropped" for row in before.values()))
        self.assertGreater(stats["keys"], 0)
        again = self.fuzz("--resume", self.out, *common, out=False)
        self.assertEqual(again.returncode, 0, again.stderr)
        after = self.seeds_table()
        for name, row in before.items():
            if row[0] == "dropped":
                self.assertEqual(after[name], row)
        later = self.stats()
        # What was probed is not probed again: only what joined the pool since, or had no turn before.
        probes = later["purposes"]["probe"]["runs"] - stats["purposes"]["probe"]["runs"]
        new = [name for name in after if name not in before or before[name][2] == 0]
        self.assertLessEqual(probes, len(new))
        self.assertGreaterEqual(later["keys"], stats["keys"])
        with sqlite3.connect(os.path.join(self.out, "campaign.db")) as database:
            pulls = database.execute("SELECT sum(pulls) FROM engines").fetchone()[0]
            notes = database.execute("SELECT count(*) FROM memory WHERE name LIKE 'keys:%'")
            self.assertGreater(notes.fetchone()[0], 0)
            # Visits are counted on.
            visits = int(database.execute(
                "SELECT content FROM memory WHERE name LIKE 'seed:%a.smt2'").fetchone()[0].split()[0])
        self.assertGreaterEqual(pulls, visits)
        self.assertGreater(visits, 1)


class BadDisks(CampaignTest):
    """A tiny file system, where root may mount one."""

    def fill_when_it_runs(self, disk):
        """Waits until the campaign has written something, then fills its disk; says with what."""
        ends = time.monotonic() + HANG_LIMIT
        while not os.path.exists(os.path.join(self.out, "stats.json")):
            self.assertLess(time.monotonic(), ends)
            time.sleep(0.05)
        return self.fill(disk)

    def fill(self, disk):
        ballast = os.path.join(disk, "ballast")
        with contextlib.suppress(OSError), open(ballast, "wb", buffering=0) as f:
            while True:
                f.write(b"x" * 512)
        return ballast

    def test_full_for_a_while(self):
        """What is counted meanwhile is written when there is room again."""
        self.seed(SEED)
        disk = self.mount("size=2m")
        self.out = os.path.join(disk, "out")
        campaign = subprocess.Popen(
            self.command(self.seeds, *HONEST, "--jobs", "1"),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(campaign.communicate)
        self.addCleanup(campaign.kill)
        ballast = self.fill_when_it_runs(disk)
        time.sleep(5)
        self.assertIsNone(campaign.poll())
        os.remove(ballast)
        emptied = time.time_ns()
        ends = time.monotonic() + HANG_LIMIT
        stats = os.path.join(self.out, "stats.json")
        while os.stat(stats).st_mtime_ns <= emptied:
            self.assertLess(time.monotonic(), ends)
            time.sleep(0.05)
        campaign.send_signal(signal.SIGINT)
        _, errors = campaign.communicate(timeout=HANG_LIMIT)
        self.assertEqual(campaign.returncode, 0, errors)
        with sqlite3.connect(os.path.join(self.out, "campaign.db")) as database:
            counted = database.execute("SELECT sum(tests) FROM tests").fetchone()[0]
        self.assertEqual(counted, self.stats()["tests"])

    def test_a_bug_waits_for_room(self):
        disk = self.mount("size=2m")
        self.out = os.path.join(disk, "out")
        self.seed(SEED)
        campaign = subprocess.Popen(
            self.command(self.seeds, "--solver", fake("slow-wrong"), "--only-seeds", "--jobs", "1",
                         "--policy", "anything", "--reduce-tries", "5", *UNHURRIED),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(campaign.communicate)
        self.addCleanup(campaign.kill)
        ends = time.monotonic() + HANG_LIMIT
        while not glob.glob(os.path.join(self.out, "docket", "[!.]*")):
            self.assertLess(time.monotonic(), ends)
            time.sleep(0.01)
        # At once: the bug is there after some runs of half a second.
        ballast = self.fill(disk)
        time.sleep(20)
        self.assertIsNone(campaign.poll())
        self.assertEqual(self.bugs(), [])
        os.remove(ballast)
        _, errors = campaign.communicate(timeout=HANG_LIMIT)
        self.assertEqual(campaign.returncode, 1, errors)
        (bug,) = self.bugs()
        self.assertEqual(bug["kind"], "invalid-model")

    def test_what_is_found_while_it_is_full_is_told(self):
        """The script that cannot be stored goes to standard error; with room again it goes on."""
        disk = self.mount("size=2m")
        self.out = os.path.join(disk, "out")
        self.seed(SEED)
        # Nothing is found before somebody writes this file.
        solver = os.path.join(self.folder, "later")
        trigger = os.path.join(self.folder, "now")
        with open(solver, "w", encoding="utf-8") as f:
            f.write(f"""#!/bin/sh
case "$*" in *--version*) exec {FAKE} --version ;; esac
if [ -e {trigger} ]; then exec {FAKE} assertion; fi
exec {FAKE} honest
""")
        os.chmod(solver, 0o755)
        campaign = subprocess.Popen(
            self.command(self.seeds, "--solver", solver, "--engine", "opfuzz", "--jobs", "1",
                         "--time", "200s", "--policy", "anything", "--fresh", *UNHURRIED),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(campaign.communicate)
        self.addCleanup(campaign.kill)
        ballast = self.fill_when_it_runs(disk)
        with open(trigger, "w", encoding="utf-8"):
            pass
        _, errors = campaign.communicate(timeout=HANG_LIMIT)
        self.assertEqual(campaign.returncode, 3, errors)
        self.assertIn("cannot store what was found", errors)
        self.assertIn("(check-sat)", errors)
        os.remove(ballast)
        again = self.fuzz("--resume", self.out, "--tests", "5", "--time", "60s", out=False)
        self.assertEqual(again.returncode, 1, again.stderr)
        self.assertTrue(self.bugs())

    def test_the_folder_is_removed(self):
        self.seed(SEED)
        campaign = subprocess.Popen(
            self.command(self.seeds, *HONEST, "--jobs", "1", "--time", "200s"),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(campaign.communicate)
        self.addCleanup(campaign.kill)
        ends = time.monotonic() + HANG_LIMIT
        while not has_children(campaign.pid) or not os.path.isdir(os.path.join(self.out, "bugs")):
            self.assertLess(time.monotonic(), ends)
            time.sleep(0.01)
        shutil.rmtree(self.out)
        _, errors = campaign.communicate(timeout=HANG_LIMIT)
        self.assertEqual(campaign.returncode, 3, errors)
        self.assertIn(self.out, errors)
        self.assertIn("--resume", errors)

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
        done = self.fuzz(self.seeds, *HONEST, "--tests", "3")
        self.assertEqual(done.returncode, 2)
        self.assertIn(self.out, done.stderr)


if __name__ == "__main__":
    main(__doc__)
