#!/usr/bin/env python3
"""What a campaign finds is never lost, and testing does not wait for it.

label: slow
"""

import argparse
import glob
import itertools
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

import campaigns
from campaigns import ENVIRONMENT, HANG_LIMIT, SEED, UNHURRIED, CampaignTest, fake


class Docket(CampaignTest):
    def found(self):
        """The places of crashes that are described, and of those that wait or were given up."""
        described = set()
        for name in glob.glob(os.path.join(self.out, "bugs", "[!.]*", "manifest.json")):
            with open(name, encoding="utf-8") as f:
                described.add(json.load(f)["signature"].split(": ", 1)[1])
        waiting = {one["location"] for one in self.suspicions()}
        return described, waiting

    def suspicions(self):
        """What lies in the docket."""
        found = []
        for name in glob.glob(os.path.join(self.out, "docket", "[!.]*", "suspicion.json")):
            with open(name, encoding="utf-8") as f:
                found.append(json.load(f))
        return found

    def assert_all_is_settled(self):
        """Nothing waits. On a busy machine some cannot be confirmed in time; they are listed."""
        for one in self.suspicions():
            self.assertEqual(one["stage"], "unconfirmed", one)
            self.assertTrue(one["reason"], one)

    def report(self, bug):
        with open(os.path.join(self.out, "bugs", bug["id"], "report.md"), encoding="utf-8") as f:
            return f.read()

    def reduced(self, bug):
        with open(os.path.join(self.out, "bugs", bug["id"], "reduced.smt2"), encoding="utf-8") as f:
            return f.read()


class Histories(Docket):
    """Faults that need an earlier query."""

    def test_a_solver_that_lies_from_its_second_query_on(self):
        self.seed(SEED)
        done = self.fuzz(self.seeds, "--solver", fake("lies-later"), "--engine", "storm", "--jobs",
                         "1", "--tests", "60", "--rng", "3", "--policy", "anything", *UNHURRIED)
        self.assertEqual(done.returncode, 1, done.stderr)
        wrong = [bug for bug in self.bugs() if bug["kind"] == "refutation-unsound"]
        with_history = [bug for bug in wrong if bug["needs_history"]]
        self.assertTrue(with_history, [bug["kind"] for bug in self.bugs()])
        for bug in with_history:
            self.assertIn("shows only after the queries before the last one", self.report(bug))
            self.assertEqual(self.reduced(bug).count("(check-sat)"), 2, self.reduced(bug))
            shown = subprocess.run(
                [campaigns.ELENCHUS, "bugs", self.out, "replay", bug["id"]], capture_output=True,
                text=True, timeout=HANG_LIMIT, check=False)
            self.assertIn("open", shown.stdout, shown.stderr)

    def test_a_crash_in_the_third_query(self):
        self.seed(SEED)
        done = self.fuzz(self.seeds, "--solver", fake("third"), "--engine", "opfuzz", "--jobs", "1",
                         "--tests", "30", "--rng", "3", "--policy", "anything", *UNHURRIED)
        self.assertEqual(done.returncode, 1, done.stderr)
        (bug,) = self.bugs()
        self.assertTrue(bug["needs_history"])
        self.assertEqual(self.reduced(bug).count("(check-sat)"), 3)


class Prosecution(Docket):
    def test_a_bug_in_every_second_test_does_not_stop_testing(self):
        """What looks like a known bug is counted and not prosecuted again, so testing keeps its time."""
        self.seed(SEED)
        tests = 3000
        done = self.fuzz(self.seeds, "--solver", fake("often-wrong"), "--engine", "opfuzz", "--jobs", "1",
                         "--tests", str(tests), "--rng", "3", "--policy", "anything")
        self.assertEqual(done.returncode, 1, done.stderr)
        stats = self.stats()
        self.assertEqual(stats["tests"], tests)
        for_bugs = sum(stats["purposes"][purpose]["runs"] for purpose in ("prosecute", "apart"))
        self.assertGreater(for_bugs, 0)
        self.assertLess(for_bugs, stats["purposes"]["test"]["runs"] / 2)
        self.assertTrue(self.bugs())
        with sqlite3.connect(os.path.join(self.out, "campaign.db")) as database:
            (count,) = database.execute("SELECT sum(count) FROM bugs").fetchone()
        self.assertGreater(count, tests / 4)
        self.assertGreater(sum(bug["size_reduced"] for bug in self.bugs()), 0)

    def test_forty_bugs_at_once(self):
        # The place of the crash follows the length of the assertion.
        for i in range(40):
            name = "x" * (i + 1)
            self.seed(f"(set-logic QF_LIA)\n(declare-const {name} Int)\n(assert (> {name} 0))\n"
                      "(check-sat)\n", f"s{i:02}.smt2")
        done = self.fuzz(self.seeds, "--solver", fake("many"), "--only-seeds", "--jobs", "2",
                         "--rng", "5", "--policy", "anything", "--reduce-tries", "5", *UNHURRIED)
        self.assertEqual(done.returncode, 1, done.stderr)
        described, waiting = self.found()
        self.assertEqual(waiting, set())
        self.assertEqual(len(described), 40, described)
        self.assertEqual(self.stats()["suspicions"]["suspected"], 0)

    def test_wrong_answers_of_one_solver_are_as_many_bugs_as_there_are(self):
        """They have one probable cause; that they are many must not lose one."""
        # True for 1, false for the 0 of the model; no set of operators holds another.
        parts = ["(= x (+ x 0))", "(= x (- x 0))", "(= x (* x 1))", "(= x (div x 1))",
                 "(= 0 (mod x 1))", "(= x (abs x))", "(>= x 1)", "(<= x 1)"]
        sets = list(itertools.islice(itertools.combinations(parts, 4), 40))
        for i, some in enumerate(sets):
            self.seed("(set-logic QF_NIA)\n(declare-const x Int)\n"
                      f"(assert (and (> x 0) {' '.join(some)}))\n(check-sat)\n", f"s{i:02}.smt2")
        done = self.fuzz(self.seeds, "--solver", fake("wrong-model"), "--only-seeds", "--jobs", "2",
                         "--rng", "5", "--policy", "anything", "--reduce-tries", "0", *UNHURRIED)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(self.suspicions(), [])
        with sqlite3.connect(os.path.join(self.out, "campaign.db")) as database:
            counts = [count for (count,) in database.execute("SELECT count FROM bugs")]
        self.assertEqual(counts, [1] * len(sets))

    def test_what_is_not_confirmed_is_listed(self):
        self.seed(SEED)
        # The first mutant crashes it. That counts queries over all processes, so no second run shows it
        # again.
        counter = os.path.join(self.folder, "count")
        solver = os.path.join(self.folder, "once")
        with open(solver, "w", encoding="utf-8") as f:
            f.write(f"""#!/bin/sh
case "$*" in *--version*) echo "Z3 version 0.0.1 - fake"; exit 0 ;; esac
while IFS= read -r line; do
  case "$line" in
    "(check-sat"*)
      echo >> {counter}
      if [ $(wc -l < {counter}) -eq 2 ]; then kill -s SEGV $$; fi
      echo sat ;;
    "(get-model)") printf '(\\n)\\n' ;;
    "(echo "*) text=${{line#*\\"}}; echo "${{text%\\"*}}" ;;
    "(exit)") break ;;
  esac
done
""")
        os.chmod(solver, 0o755)
        done = self.fuzz(self.seeds, "--solver", solver, "--engine", "opfuzz", "--jobs", "1",
                         "--tests", "20", "--rng", "3", "--fresh", *UNHURRIED)
        self.assertEqual(done.returncode, 0, done.stderr)
        listed = subprocess.run(
            [campaigns.ELENCHUS, "bugs", self.out, "--unconfirmed", "--json"], capture_output=True,
            text=True, timeout=HANG_LIMIT, check=False)
        (one,) = json.loads(listed.stdout)["suspicions"]
        self.assertEqual(one["stage"], "unconfirmed")
        self.assertEqual(one["kind"], "crash")
        self.assertIn("script.smt2", one["files"])
        self.assertEqual(self.stats()["suspicions"]["unconfirmed"], 1)

    def test_the_time_that_is_up_leaves_the_rest_on_the_disk(self):
        self.seed(SEED)
        done = self.fuzz(self.seeds, "--solver", fake("many"), "--engine", "typefuzz", "--jobs", "1",
                         "--time", "4s", "--grace", "100ms", "--rng", "5", "--policy", "anything",
                         "--reduce-tries", "40", *UNHURRIED)
        described, waiting = self.found()
        # A busy machine may not have come to describe any.
        self.assertEqual(done.returncode, 1 if described else 0, done.stderr)
        self.assertTrue(waiting)
        self.assertIn("--resume", done.stderr)
        before = described | waiting
        done = subprocess.run(
            [campaigns.ELENCHUS, "fuzz", "--resume", self.out, "--time", "1s", "--grace", "5m"],
            capture_output=True, text=True, timeout=2 * HANG_LIMIT, check=False, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 1, done.stderr)
        described, unconfirmed = self.found()
        self.assert_all_is_settled()
        self.assertLessEqual(before, described | unconfirmed)


    def test_the_grace_that_ends_makes_no_second_bug(self):
        """What is cut short is a bug at once; when it is brought to its end, it is no other."""
        self.seed(SEED)
        # Nothing is wrong with these. With this rng seed most of them come later, so that there is
        # something to test until the campaign is told to end.
        for i in range(60):
            self.seed(f"(set-logic QF_LIA)\n(declare-const x Int)\n(assert (>= {i} x))\n(check-sat)\n",
                      f"s{i:02}.smt2")
        campaign = subprocess.Popen(
            self.command(self.seeds, "--solver", fake("slow-wrong"), "--only-seeds", "--jobs", "1",
                         "--time", "5m", "--grace", "0s", "--rng", "1", "--policy", "anything", *UNHURRIED),
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(campaign.kill)
        ends = time.monotonic() + HANG_LIMIT
        while "confirmed" not in [one["stage"] for one in self.suspicions()]:
            self.assertIsNone(campaign.poll())
            self.assertLess(time.monotonic(), ends)
            time.sleep(0.05)
        campaign.send_signal(signal.SIGINT)
        _, errors = campaign.communicate(timeout=HANG_LIMIT)
        self.assertEqual(campaign.returncode, 1, errors)
        (early,) = self.bugs()
        self.assertTrue(early["is_provisional"])
        note = "Not finished: the time was up"
        self.assertIn(note, self.report(early))
        shown = subprocess.run([campaigns.ELENCHUS, "bugs", self.out, "show", early["id"]],
                               capture_output=True, text=True, timeout=HANG_LIMIT, check=True,
                               env=ENVIRONMENT).stdout
        self.assertIn(note, shown)
        done = subprocess.run(
            [campaigns.ELENCHUS, "fuzz", "--resume", self.out, "--time", "1s", "--grace", "5m"],
            capture_output=True, text=True, timeout=2 * HANG_LIMIT, check=False, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 1, done.stderr)
        (late,) = self.bugs()
        self.assertFalse(late["is_provisional"])
        self.assertNotIn(note, self.report(late))
        self.assertLess(late["size_reduced"], early["size_reduced"])
        self.assertEqual(self.suspicions(), [])
        with sqlite3.connect(os.path.join(self.out, "campaign.db")) as database:
            self.assertEqual(database.execute("SELECT id, count FROM bugs").fetchall(),
                             [(late["id"], 1)])


class Kills(Docket):
    MOMENTS = 30

    def run_for(self, seconds, *arguments, patience=2):
        """Kills the campaign so long after something waits in its docket, or its patience ends."""
        campaign = subprocess.Popen(
            [campaigns.ELENCHUS, "fuzz", *arguments], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=ENVIRONMENT, start_new_session=True)
        ends = time.monotonic() + patience
        docket = os.path.join(self.out, "docket", "[!.]*")
        while campaign.poll() is None and not glob.glob(docket) and time.monotonic() < ends:
            time.sleep(0.01)
        time.sleep(seconds)
        if campaign.poll() is None:
            os.killpg(campaign.pid, signal.SIGKILL)
        campaign.wait()

    def test_killed_at_any_moment(self):
        self.seed(SEED)
        draw = random.Random(11)
        known = set()
        self.run_for(1.5, self.seeds, "--solver", fake("many"), "--engine", "typefuzz", "--jobs",
                     "2", "--time", "60s", "--rng", "5", "--policy", "anything", "--reduce-tries",
                     "40", *UNHURRIED, "--out", self.out, patience=HANG_LIMIT)
        for _ in range(self.MOMENTS):
            described, waiting = self.found()
            self.assertLessEqual(known, described | waiting)
            known |= described | waiting
            self.run_for(draw.uniform(0.2, 1.2), "--resume", self.out)
        done = subprocess.run(
            [campaigns.ELENCHUS, "fuzz", "--resume", self.out, "--time", "1s", "--grace", "5m"],
            capture_output=True, text=True, timeout=2 * HANG_LIMIT, check=False, env=ENVIRONMENT)
        self.assertEqual(done.returncode, 1, done.stderr)
        described, waiting = self.found()
        self.assertTrue(known)
        self.assertLessEqual(known, described | waiting)
        self.assert_all_is_settled()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elenchus", required=True)
    args, rest = parser.parse_known_args()
    campaigns.ELENCHUS = os.path.abspath(args.elenchus)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
