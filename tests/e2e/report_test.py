#!/usr/bin/env python3
"""What becomes of a campaign's bugs: reports, repro.sh in another place, export, recheck, bisect.

One campaign against a solver with a planted bug serves all tests.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLANTED = os.path.join(ROOT, "tests", "fake_solvers", "planted.py")
FAKE = os.path.join(ROOT, "tests", "fake_solvers", "fake")
ELENCHUS = None
HANG_LIMIT = 300.0

BITS = """; Satisfiable, with a signed remainder in one of several places.
(set-logic QF_BV)
(declare-const a (_ BitVec 8))
(declare-const b (_ BitVec 8))
(assert (or (= (bvsmod a b) #x03) (= a #x10)))
(assert (bvult b a))
(assert (not (= b #x00)))
(check-sat)
"""

# What SARIF 2.1.0 requires of the parts that we write.
REQUIRED = {"log": {"version", "runs"}, "run": {"tool"}, "driver": {"name"}, "rule": {"id"},
            "result": {"message"}}


def run(*arguments):
    return subprocess.run([ELENCHUS, *arguments], capture_output=True, text=True,
                          timeout=HANG_LIMIT, check=False)


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="report_test.")
        cls.addClassCleanup(holder.cleanup)
        cls.home = holder.name
        cls.campaign = os.path.join(cls.home, "campaign")
        seeds = os.path.join(cls.home, "seeds")
        os.mkdir(seeds)
        with open(os.path.join(seeds, "bits.smt2"), "w", encoding="utf-8") as f:
            f.write(BITS)
        cls.versions = [cls.version("1", "no-such-word"), cls.version("2", "bvsmod"),
                        cls.version("3", "bvsmod"), cls.version("4", "no-such-word")]
        # The seed shows the bug as it is. Of mutants, more or fewer would show it before that is described,
        # as quick as the machine is.
        cls.done = run("fuzz", seeds, "--solver", cls.versions[2], "--solver", "z3", "--only-seeds",
                       "--jobs", "1", "--timeout", "60s", "--policy", "anything", "--rng", "2",
                       "--out", cls.campaign, "--on-bug",
                       f"echo >> '{os.path.join(cls.home, 'told')}'")
        cls.bugs = sorted(os.listdir(os.path.join(cls.campaign, "bugs")))

    @classmethod
    def version(cls, name, word):
        """A release of the solver: a program of its own."""
        path = os.path.join(cls.home, f"z3-{name}")
        with open(path, "w", encoding="utf-8") as f:
            f.write(f'#!/bin/sh\nexec {PLANTED} "$@" {word}\n')
        os.chmod(path, 0o755)
        return path

    def setUp(self):
        self.assertEqual(self.done.returncode, 1, self.done.stdout + self.done.stderr)
        self.assertEqual(len(self.bugs), 1, self.bugs)

    def read(self, name, campaign=None):
        path = os.path.join(campaign or self.campaign, "bugs", self.bugs[0], name)
        with open(path, encoding="utf-8") as f:
            return f.read()

    def accept(self, *arguments, code=0):
        done = run(*arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def test_a_report_says_what_a_maintainer_asks(self):
        report = self.read("report.md")
        self.assertRegex(report, r"^# z3 [0-9.]+: wrong unsat on .*bvsmod")
        self.assertLessEqual(len(report.split("\n")[0]), 82)
        # Of z3's usual options this one needs what makes it read its input.
        self.assertIn("\n    z3-3 -in < reduced.smt2\n", report)
        self.assertNotIn(self.home, report.split("## Where")[0])
        self.assertIn("```smt2\n" + self.read("reduced.smt2") + "```", report)
        self.assertIn("**Expected:** sat\n", report)
        self.assertIn("**Actual:** unsat\n", report)
        self.assertIn("## Why we know", report)
        self.assertIn("is true\n", report)
        self.assertRegex(report, r"\n *\(bvsmod [^\n]+ = #[bx]")
        self.assertIn("- versions: z3 ", report)
        self.assertIn("- options: none beyond", report)
        self.assertIn("- shows with each of 3 random seeds", report)
        self.assertRegex(report, r"\| z3 \| [0-9.]+ \| sat \|")
        self.assertRegex(report, "Found by the engine storm from |Shown by an unchanged seed: ")

    def test_the_manifest_tells_the_shape(self):
        manifest = json.loads(self.read("manifest.json"))
        self.assertIn("bvsmod", manifest["shape"])
        self.assertEqual(manifest["theories"], ["bit-vectors"])
        self.assertEqual((manifest["random_seeds"], manifest["random_seeds_shown"]), (3, 3))
        self.assertEqual(len(manifest["shown_by"]), 1)
        self.assertEqual(manifest["known"], "")
        self.assertIn(manifest["logic"], ("QF_BV", "ALL"))
        self.assertEqual(manifest["expectation"], "sat")
        self.assertLessEqual(manifest["size_reduced"], manifest["size_original"])
        self.assertLessEqual(len(manifest["title"]), 80)
        self.assertEqual(manifest["disclaimed"], [])

    def test_repro_works_after_a_move(self):
        moved = os.path.join(self.home, "another place", "here")
        os.makedirs(os.path.dirname(moved))
        shutil.copytree(self.campaign, moved)
        for name in os.listdir(os.path.join(moved, "bugs")):
            done = subprocess.run([os.path.join(moved, "bugs", name, "repro.sh")], cwd="/",
                                  capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
            self.assertEqual((done.returncode, done.stderr), (1, ""), name)
            self.assertTrue(done.stdout.startswith("unsat\nthe bug shows: "), done.stdout)
            mended = subprocess.run([os.path.join(moved, "bugs", name, "repro.sh"), "z3"], cwd="/",
                                    capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
            self.assertEqual(mended.returncode, 0, mended.stdout)
            absent = subprocess.run([os.path.join(moved, "bugs", name, "repro.sh"), "./nobody"],
                                    cwd="/", capture_output=True, text=True, timeout=HANG_LIMIT,
                                    check=False)
            self.assertEqual(absent.returncode, 2, absent.stdout)
        self.assertIn("unsat", self.accept("bugs", moved, "replay", "z3", code=1))

    def test_export(self):
        text = self.accept("bugs", self.campaign, "export")
        self.assertEqual(text, self.read("report.md"))
        self.assertEqual(self.accept("bugs", self.campaign, "export", "z3"), text)
        listed = json.loads(self.accept("bugs", self.campaign, "export", "--format", "json"))
        self.assertEqual(listed["bugs"][0]["report"], text)
        self.assertEqual(listed["bugs"][0]["group"], self.bugs[0])
        self.assertEqual(run("bugs", self.campaign, "export", "--format", "pdf").returncode, 2)
        self.assertEqual(run("bugs", self.campaign, "export", "--limit", "0").returncode, 2)

    def test_sarif(self):
        log = json.loads(self.accept("bugs", self.campaign, "export", self.bugs[0], "--format", "sarif"))
        self.assertLessEqual(REQUIRED["log"], log.keys())
        self.assertEqual(log["version"], "2.1.0")
        (sarif,) = log["runs"]
        self.assertLessEqual(REQUIRED["run"], sarif.keys())
        driver = sarif["tool"]["driver"]
        self.assertLessEqual(REQUIRED["driver"], driver.keys())
        for rule in driver["rules"]:
            self.assertLessEqual(REQUIRED["rule"], rule.keys())
            self.assertIn(rule["defaultConfiguration"]["level"], ("error", "warning"))
        (result,) = sarif["results"]
        self.assertLessEqual(REQUIRED["result"], result.keys())
        self.assertEqual(driver["rules"][result["ruleIndex"]]["id"], result["ruleId"])
        self.assertEqual(result["ruleId"], "refutation-unsound")
        self.assertIn("text", result["message"])
        place = result["locations"][0]["physicalLocation"]
        self.assertTrue(os.path.isfile(os.path.join(self.campaign,
                                                    place["artifactLocation"]["uri"])))
        self.assertEqual(place["region"]["startLine"], 1)

    def test_somebody_is_told(self):
        with open(os.path.join(self.home, "told"), encoding="utf-8") as f:
            told = f.read().splitlines()
        self.assertEqual(told, [os.path.join(self.campaign, "bugs", self.bugs[0])])

    def test_recheck_keeps_what_it_finds(self):
        copy = os.path.join(self.home, "rechecked")
        shutil.copytree(self.campaign, copy)
        state = lambda: json.loads(self.accept("bugs", copy, "--json"))["bugs"][0]["state"]
        self.accept("bugs", copy, "recheck", "--solver", self.versions[2], code=1)
        self.assertEqual(state(), "")
        self.accept("bugs", copy, "recheck", "--solver", self.versions[3])
        self.assertEqual(state(), "fixed")
        self.assertEqual(self.accept("bugs", copy, "export"), "")
        self.accept("bugs", copy, "recheck", "--solver", self.versions[2], code=1)
        self.assertEqual(state(), "")
        self.accept("bugs", copy, "mark", "z3", "not-a-bug")
        self.accept("bugs", copy, "recheck", "--solver", self.versions[3])
        self.assertEqual(state(), "not-a-bug")
        self.accept("bugs", copy, "mark", "z3", "open", "--note", "mine")
        self.accept("bugs", copy, "recheck", "--solver", self.versions[3])
        bug = json.loads(self.accept("bugs", copy, "--json"))["bugs"][0]
        self.assertEqual((bug["state"], bug["note"]), ("fixed", "mine"))

    def test_recheck(self):
        text = self.accept("bugs", self.campaign, "recheck", "--solver", "z3")
        self.assertRegex(text, r"^fixed +z3-refutation-unsound-\S+ +z3 [0-9.]+: sat")
        text = self.accept("bugs", self.campaign, "recheck", "--solver", self.versions[1], code=1)
        self.assertRegex(text, r"^open +z3-refutation-unsound-\S+ .*: unsat")
        found = json.loads(self.accept("bugs", self.campaign, "recheck", "--solver",
                                       self.versions[3], "--json"))
        self.assertEqual((found["open"], found["fixed"], found["unclear"]), (0, 1, 0))
        self.assertEqual(found["bugs"][0]["status"], "fixed")

    def test_bisect(self):
        solvers = [word for path in self.versions for word in ("--solver", path)]
        found = json.loads(self.accept("bisect", self.campaign, "--all", *solvers, "--json"))
        (bug,) = found["bugs"]
        self.assertIn("z3-2", bug["first_bad"])
        self.assertIn("z3-3", bug["last_bad"])
        self.assertIn("z3-4", bug["first_good"])
        self.assertEqual([trial["status"] for trial in bug["trials"]],
                         ["fixed", "open", "open", "fixed"])
        (group,) = found["groups"]
        self.assertRegex(group["fate"], "^fixed in .*z3-4")
        text = self.accept("bisect", self.campaign, "z3", *solvers[:6], code=1)
        self.assertRegex(text, r"first bad:  \S*z3-2")
        self.assertRegex(text, r"first good: none")
        self.assertEqual(run("bisect", self.campaign, "--solver", "z3").returncode, 2)
        self.assertEqual(run("bisect", self.campaign, *solvers).returncode, 2)
        self.assertEqual(run("bisect", self.campaign, "nobody", *solvers).returncode, 2)

    def test_bisect_over_other_solvers(self):
        found = json.loads(self.accept("bisect", self.campaign, "z3", "--solver", "z3",
                                       "--solver", "cvc4", "--solver", "cvc5", "--json"))
        (bug,) = found["bugs"]
        self.assertEqual([trial["status"] for trial in bug["trials"]], ["fixed"] * 3)
        self.assertIsNone(bug["first_bad"])


class Repro(unittest.TestCase):
    """repro.sh of each kind, on the solver with the bug and on one without."""

    SEED = "(declare-const x Int)\n(assert (> x 5))\n(check-sat)\n"

    def campaign(self, solver, kind, *options):
        holder = tempfile.TemporaryDirectory(prefix="report_test.")
        self.addCleanup(holder.cleanup)
        seed = os.path.join(holder.name, "seed.smt2")
        with open(seed, "w", encoding="utf-8") as f:
            f.write(self.SEED)
        out = os.path.join(holder.name, "out")
        done = run("fuzz", seed, "--solver", solver, "--only-seeds", "--jobs", "1", "--policy",
                   "anything", "--out", out, *options)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        bugs = json.loads(run("bugs", out, "--kind", kind, "--json").stdout)["bugs"]
        self.assertTrue(bugs, done.stdout)
        return bugs[0], os.path.join(out, bugs[0]["path"])

    def repro(self, folder, *arguments):
        done = subprocess.run([os.path.join(folder, "repro.sh"), *arguments], capture_output=True,
                              text=True, timeout=HANG_LIMIT, check=False)
        return done.returncode, done.stdout

    def program(self, folder, mode):
        """The fake solver as a program without options of its own."""
        path = os.path.join(folder, mode)
        with open(path, "w", encoding="utf-8") as f:
            f.write(f'#!/bin/sh\nexec {FAKE} "$@" {mode}\n')
        os.chmod(path, 0o755)
        return path

    def test_a_crash(self):
        with tempfile.TemporaryDirectory(prefix="report_test.") as home:
            bug, folder = self.campaign(self.program(home, "segv"), "crash")
            self.assertRegex(bug["title"], "^z3 0.0.1: SIGSEGV")
            self.assertEqual(self.repro(folder)[0], 1)
            code, said = self.repro(folder, self.program(home, "honest"))
            self.assertEqual(code, 0, said)
            bug, folder = self.campaign(self.program(home, "assertion"), "crash")
            self.assertEqual(bug["title"], "z3 0.0.1: ASSERTION VIOLATION fake.cpp:42")
            self.assertEqual(self.repro(folder)[0], 1)

    def test_a_wrong_model(self):
        with tempfile.TemporaryDirectory(prefix="report_test.") as home:
            _, folder = self.campaign(self.program(home, "wrong-model"), "invalid-model")
            code, said = self.repro(folder)
            self.assertEqual(code, 1, said)
            self.assertIn("define-fun", said)
            self.assertRegex(said, r"under this model, .* is false")
            code, said = self.repro(folder, self.program(home, "honest"))
            self.assertEqual(code, 0, said)
            self.assertEqual(self.repro(folder, self.program(home, "silent"))[0], 2)

    def test_a_crash_that_needs_a_request(self):
        with tempfile.TemporaryDirectory(prefix="report_test.") as home:
            _, folder = self.campaign(self.program(home, "models-segv"), "crash")
            code, said = self.repro(folder)
            self.assertEqual(code, 1, said)
            with open(os.path.join(folder, "reduced.smt2"), encoding="utf-8") as f:
                script = f.read()
            self.assertIn("(set-option :produce-models true)\n", script)
            self.assertNotIn("(get-model)", script)
            with open(os.path.join(folder, "report.md"), encoding="utf-8") as f:
                self.assertIn(script, f.read())
            self.assertEqual(self.repro(folder, self.program(home, "honest"))[0], 0)

    def test_who_cannot_be_contradicted_any_longer_is_not_acquitted(self):
        with tempfile.TemporaryDirectory(prefix="report_test.") as home:
            honest = self.program(home, "honest")
            liar = self.program(home, "unsat")
            _, folder = self.campaign(liar, "disagreement", "--solver", honest)
            campaign = os.path.dirname(os.path.dirname(folder))
            os.remove(honest)
            done = run("bugs", campaign, "--kind", "disagreement", "recheck", "--solver", liar,
                       "--json")
            found = json.loads(done.stdout)["bugs"]
            self.assertEqual([bug["status"] for bug in found], ["unclear"])
            listed = json.loads(run("bugs", campaign, "--json").stdout)["bugs"]
            self.assertEqual({bug["state"] for bug in listed}, {""})

    def test_a_wrong_answer(self):
        with tempfile.TemporaryDirectory(prefix="report_test.") as home:
            _, folder = self.campaign(self.program(home, "unsat"), "refutation-unsound",
                                      "--solver", "cvc5")
            code, said = self.repro(folder)
            self.assertEqual((code, said), (1, "unsat\nthe bug shows: it answers unsat\n"))
            self.assertEqual(self.repro(folder, self.program(home, "honest"))[0], 0)

    def test_two_answers(self):
        # Models without values prove nothing, so that nobody is accused.
        with tempfile.TemporaryDirectory(prefix="report_test.") as home:
            honest = self.program(home, "honest")
            bug, folder = self.campaign(self.program(home, "unsat"), "disagreement", "--solver",
                                        honest)
            self.assertRegex(bug["title"], "^z3 0.0.1: disputed unsat")
            self.assertEqual(self.repro(folder)[0], 1)
            self.assertEqual(self.repro(folder, honest)[0], 0)

    def test_a_slow_message_does_not_stop_the_clock(self):
        with tempfile.TemporaryDirectory(prefix="report_test.") as home:
            told = os.path.join(home, "told")
            # Waits until the campaign has written its status again.
            script = os.path.join(home, "wait")
            with open(script, "w", encoding="utf-8") as f:
                f.write(f"""#!/bin/sh
                        before=$(cksum < "$1/../../stats.json")
                        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25; do
                          sleep 2
                          if [ "$(cksum < "$1/../../stats.json")" != "$before" ]; then
                            echo "$1" >> '{told}'
                            exit 0
                          fi
                        done
                        exit 1\n""")
            os.chmod(script, 0o755)
            seeds = os.path.join(home, "seed.smt2")
            with open(seeds, "w", encoding="utf-8") as f:
                f.write(self.SEED)
            out = os.path.join(home, "out")
            campaign = subprocess.Popen(
                [ELENCHUS, "fuzz", seeds, "--solver", self.program(home, "segv"), "--jobs", "1", "--policy",
                 "anything", "--timeout", "20s", "--out", out, "--quiet", "--on-bug", script],
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            self.addCleanup(campaign.communicate)
            self.addCleanup(campaign.kill)
            # It goes on until the message has been sent, however long that takes.
            ends = time.monotonic() + HANG_LIMIT
            while not os.path.exists(told):
                self.assertIsNone(campaign.poll())
                self.assertLess(time.monotonic(), ends)
                time.sleep(0.1)
            campaign.send_signal(signal.SIGINT)
            _, errors = campaign.communicate(timeout=HANG_LIMIT)
            self.assertEqual(campaign.returncode, 1, errors)
            self.assertNotIn("--on-bug failed", errors)
            with open(told, encoding="utf-8") as f:
                self.assertTrue(f.read())

    def test_an_unknown(self):
        with tempfile.TemporaryDirectory(prefix="report_test.") as home:
            _, folder = self.campaign(self.program(home, "unknown"), "incomplete", "--solver",
                                      "cvc5", "--oracle", "incomplete")
            self.assertEqual(self.repro(folder)[0], 1)
            self.assertEqual(self.repro(folder, self.program(home, "honest"))[0], 0)

    def test_its_own_check(self):
        with tempfile.TemporaryDirectory(prefix="report_test.") as home:
            _, folder = self.campaign(self.program(home, "invalid"), "self-check")
            self.assertEqual(self.repro(folder)[0], 1)
            self.assertEqual(self.repro(folder, self.program(home, "honest"))[0], 0)

    def test_a_wrong_model_that_is_probably_a_wrong_sat(self):
        with tempfile.TemporaryDirectory(prefix="report_test.") as home:
            script = os.path.join(home, "unsat.smt2")
            with open(script, "w", encoding="utf-8") as f:
                f.write("(declare-const x Int)\n(assert (> x 5))\n(assert (< x 3))\n(check-sat)\n")
            done = run("judge", script, "--solver", self.program(home, "wrong-model"), "--solver",
                       "cvc5", "-q")
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertRegex(done.stdout, r"probably a wrong sat: cvc5 [0-9.]+ answers unsat")


class OptionalOracles(unittest.TestCase):
    def judge(self, solver, *arguments):
        done = subprocess.run([ELENCHUS, "judge", "-", "--solver", f"{FAKE} {solver}", "--solver",
                               "z3", "--timeout", "10s", "--json", *arguments], input=BITS,
                              capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
        self.assertIn(done.returncode, (0, 1, 2), done.stderr)
        found = json.loads(done.stdout)["findings"] if done.returncode != 2 else []
        return done.returncode, [(finding["kind"], finding["solver"]) for finding in found]

    def test_are_off_by_default(self):
        self.assertEqual(self.judge("hang"), (0, []))

    def test_names_are_checked(self):
        self.assertEqual(self.judge("hang", "--oracle", "quick"), (2, []))
        self.assertEqual(run("fuzz", "--oracle", "quick", "--dry-run").returncode, 2)
        settings = run("fuzz", "--oracle", "slow,incomplete", "--dry-run").stdout
        self.assertIn("oracles = [ 'slow', 'incomplete' ]", settings)


def main():
    global ELENCHUS
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elenchus", required=True, metavar="BIN")
    args, rest = parser.parse_known_args()
    ELENCHUS = os.path.abspath(args.elenchus)
    if shutil.which("z3") is None or shutil.which("cvc5") is None or shutil.which("cvc4") is None:
        print("z3, cvc4 and cvc5 are needed")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
