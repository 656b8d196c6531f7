#!/usr/bin/env python3
"""What all commands have in common: numbers are read strictly, and the usual options are there
wherever they mean something."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FAKE = os.path.join(ROOT, "tests", "fake_solvers", "fake") + " honest"
PLAN = 'name = "p"\ntests = 1\nrepetitions = 1\n[[arm]]\nname = "a"\nengines = ["opfuzz"]\n'
ELENCHUS = None
HANG_LIMIT = 300.0

# A line for each command that takes --rng. What else is wrong with it is not looked at before.
WITH_RNG = [
    ["fuzz"], ["doctor"], ["judge", "x"], ["bugs", "x"], ["reduce", "x"],
    ["bisect", "x", "--solver", "z3"], ["check", "x", "y"], ["mutate", "x"], ["generate"],
    ["learn", "history", "x"], ["learn", "options", "--solver", "z3", "-o", "x"], ["parse", "x"],
    ["solvers"],
]
BAD_NUMBERS = [str(2**64), "1" + "0" * 40, "-1", "-9223372036854775809", "seven", "7x", "1.5",
               "0x10", "", " 7"]

SOLVERS_RUN = ["--timeout", "--memory"]
HELP = {
    ("fuzz",): [*SOLVERS_RUN, "--fresh", "--policy", "--operators", "--jobs", "--rng", "--out"],
    ("doctor",): [*SOLVERS_RUN, "--policy", "--operators", "--jobs", "--rng", "--out", "--quiet"],
    ("judge",): [*SOLVERS_RUN, "--policy", "--operators", "--out", "--quiet"],
    ("reduce",): [*SOLVERS_RUN, "--fresh", "--policy", "--operators", "--jobs", "--out", "--quiet"],
    ("bisect",): [*SOLVERS_RUN, "--operators", "--jobs", "--out", "--quiet"],
    ("bugs", "x", "replay"): [*SOLVERS_RUN, "--operators", "--out", "--quiet"],
    ("bugs", "x", "recheck"): [*SOLVERS_RUN, "--operators", "--jobs", "--out", "--quiet"],
    ("mutate",): [*SOLVERS_RUN, "--policy", "--operators", "--jobs", "--rng", "--out", "--quiet"],
    ("generate",): ["--operators", "--jobs", "--rng", "--out", "--quiet"],
    ("learn", "options"): [*SOLVERS_RUN, "--rng", "--out", "--quiet"],
    ("learn", "history"): ["--out", "--quiet"],
    ("parse",): ["--operators", "--jobs", "--out", "--quiet"],
    ("check",): ["--operators", "--out", "--quiet"],
    ("experiment",): ["--out", "--quiet"],
    ("report",): ["--out", "--quiet"],
    ("corpus", "x", "export"): ["--out", "--quiet"],
    ("solvers",): ["--out", "--quiet"],
}


def run(*arguments):
    return subprocess.run([ELENCHUS, *arguments], capture_output=True, text=True,
                          timeout=HANG_LIMIT, check=False)


class Numbers(unittest.TestCase):
    def assert_refused(self, option, number, *command):
        for words in ([option, number], [f"{option}={number}"]):
            done = run(*command, *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn(option, done.stderr)

    def test_an_rng_seed_has_64_bits(self):
        for command in WITH_RNG:
            with self.subTest(command):
                self.assert_refused("--rng", str(2**64), *command)

    def test_what_is_no_number_is_refused(self):
        for number in BAD_NUMBERS[1:]:
            with self.subTest(number):
                done = run("generate", f"--rng={number}")
                self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
                self.assertIn("--rng", done.stderr)

    def test_counts_are_numbers_too(self):
        for option in ("--tests", "--bugs"):
            with self.subTest(option):
                self.assert_refused(option, str(2**64), "fuzz")
                self.assert_refused(option, "-1", "fuzz")

    def test_the_largest_is_taken(self):
        largest = run("generate", "--logic", "QF_LIA", "--rng", str(2**64 - 1))
        self.assertEqual(largest.returncode, 0, largest.stderr)
        other = run("generate", "--logic", "QF_LIA", "--rng", str(2**64 - 2))
        self.assertNotEqual(largest.stdout, other.stdout)

    def test_a_zero_in_front_changes_nothing(self):
        plain = run("generate", "--logic", "QF_LIA", "--rng", "10")
        self.assertEqual(run("generate", "--logic", "QF_LIA", "--rng", "010").stdout, plain.stdout)


class UsualOptions(unittest.TestCase):
    def test_they_are_where_they_mean_something(self):
        for command, options in HELP.items():
            with self.subTest(command):
                done = run(*command, "--help")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                words = done.stdout.replace(",", " ").split()
                self.assertEqual([option for option in options if option not in words], [])


COMMANDS = ["fuzz", "doctor", "solvers", "bugs", "report", "dashboard", "bisect", "corpus", "judge",
            "check", "reduce", "parse", "mutate", "generate", "learn", "experiment", "diagnose",
            "share"]
BELOW = [["bugs", "show"], ["bugs", "export"], ["learn", "history"], ["corpus", "export"],
         ["share", "init"], ["share", "status"], ["corpus", "minimise"]]


class Help(unittest.TestCase):
    def test_without_words_the_commands_are_shown_by_task(self):
        done = run()
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("\nLook for bugs:\n  fuzz ", done.stdout)
        for command in COMMANDS:
            self.assertRegex(done.stdout, rf"(?m)^  {command} ")

    def test_it_fits_100_columns_and_is_the_same_both_ways(self):
        for words in [[], *[[command] for command in COMMANDS], *BELOW]:
            with self.subTest(words):
                done = run("help", *words)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertLessEqual(max(map(len, done.stdout.split("\n"))), 100)
                if words:
                    self.assertRegex(done.stdout, r"\nExamples?:\n  .*elenchus ")
                if len(words) == 1:
                    self.assertEqual(run(*words, "--help").stdout, done.stdout)

    def test_fuzz_has_groups_and_names_engines_and_oracles(self):
        text = run("fuzz", "--help").stdout
        titles = ["What to test", "With what", "How long, how much", "Where to", "More", "Engines",
                  "Ways of asking, with any engine", "Oracles"]
        places = [text.index(f"\n{title}:\n") for title in titles]
        self.assertEqual(places, sorted(places))
        for name in ("edit", "storm", r"\+options", "crash", "slow"):
            self.assertRegex(text, rf"(?m)^  {name} +\S")
        # What has no place of its own in the tables would stand here.
        more = text[text.index("\nMore:"):text.index("\nEngines:")]
        self.assertEqual([word for word in more.split() if word.startswith("--")],
                         ["--rng", "--version", "--help"])

    def test_what_does_nothing_is_taken_and_not_offered(self):
        for command in (["judge", "--fresh"], ["check", "--rng"], ["solvers", "--jobs"]):
            self.assertNotIn(command[1], run(command[0], "--help").stdout)
        for command in COMMANDS:
            self.assertNotIn("accepted everywhere", run("help", command).stdout, command)
        self.assertEqual(run("solvers", "--jobs", "2", "--rng", "1").returncode, 0)

    def test_j_is_wherever_jobs_is(self):
        for command in COMMANDS:
            for line in run("help", command).stdout.split("\n"):
                if "--jobs" in line.split("  ")[0:3]:
                    self.assertIn("-j, --jobs", line, command)

    def test_every_oracle_has_a_line(self):
        text = run("judge", "--help").stdout
        rows = text[text.index("\nOracles:\n"):].split("\n")[2:]
        for row in rows[:rows.index("")]:
            self.assertRegex(row, r"^( {16}|  \S+ +)\S")

    def test_the_kinds_of_bugs_have_a_page(self):
        done = run("help", "kinds")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertLessEqual(max(map(len, done.stdout.split("\n"))), 100)
        kinds = re.findall(r"(?m)^([a-z-]+)(?: \(off unless asked for\))?$", done.stdout)
        self.assertEqual(kinds[:2], ["refutation-unsound", "solution-unsound"])
        completed = run("completion", "bash").stdout
        for kind in kinds:
            self.assertIn(kind, completed)
        self.assertEqual(done.stdout.count("\n  Expected: "), len(kinds))

    def test_man_pages(self):
        with tempfile.TemporaryDirectory(prefix="man.") as folder:
            self.assertEqual(run("help", "--man-pages", folder).returncode, 0)
            pages = sorted(os.listdir(folder))
            self.assertIn("elenchus.1", pages)
            self.assertIn("elenchus-bugs-show.1", pages)
            if shutil.which("groff") is None:
                self.skipTest("no groff")
            for page in pages:
                done = subprocess.run(["groff", "-man", "-Tutf8", "-ww", os.path.join(folder, page)],
                                      capture_output=True, text=True, check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""), page)

    def test_version_names_commit_compiler_and_libraries(self):
        text = run("--version").stdout
        self.assertRegex(text, r"^elenchus \d+\.\d+\.\d+ \(commit \S+\)\ncompiler: \S+ .*\nlibraries: ")
        self.assertEqual(run("fuzz", "--version").stdout, text)


class Mistakes(unittest.TestCase):
    def assert_meant(self, meant, *words):
        done = run(*words)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn(f"did you mean '{meant}'?", done.stderr)

    def test_did_you_mean(self):
        self.assert_meant("fuzz", "fzuz")
        self.assert_meant("--solver", "fuzz", "--sovler", "z3")
        self.assert_meant("--timeout", "judge", "x", "--timout=3s")
        self.assert_meant("history", "learn", "histroy", "x")
        self.assert_meant("bugs", "help", "bgus")
        self.assert_meant("typefuzz+options", "fuzz", "--engine", "typefuz+option", "--solver", "z3")
        self.assert_meant("cvc5", "solvers", "cvc55")

    def test_words_that_options_take(self):
        self.assert_meant("slow", "fuzz", "--oracle", "slw")
        self.assert_meant("elimination", "judge", "x", "--oracle", "slow,elimnation")
        self.assert_meant("terms", "fuzz", "--lane", "term")
        self.assert_meant("crash", "reduce", "x", "--kind", "crahs")
        self.assert_meant("zsh", "completion", "zhs")
        self.assert_meant("str.len", "fuzz", "--focus", "str.lne", "--solver", FAKE)
        self.assert_meant("export", "corpus", "/", "exprot")
        self.assertIn("'crash' is always on", run("fuzz", "--oracle", "crash").stderr)
        self.assertIn("; choose from edit, ", run("fuzz", "--engine", "zzzz", "--solver", FAKE).stderr)

    def test_a_list_ends_where_its_word_ends(self):
        """What follows --engine storm is a seed, not another engine."""
        for words in (["fuzz", "--engine", "storm,opfuzz"], ["fuzz", "--lane", "checks,terms"],
                      ["fuzz", "--focus", "bvadd,bvmul"], ["fuzz", "--oracle", "slow,incomplete"]):
            done = run(*words, "/no/such.smt2", "--solver", FAKE)
            self.assertIn("/no/such.smt2: no such file or folder", done.stderr, words)
        self.assertIn("/no/such.smt2: error: ",
                      run("judge", "--oracle", "slow", "/no/such.smt2", "--solver", FAKE).stderr)

    def test_an_unusual_logic_is_asked_about(self):
        with tempfile.TemporaryDirectory(prefix="logic.") as folder:
            done = run("fuzz", "--logic", "QF_BVV", "--tests", "1", "--solver", FAKE, "--out",
                       os.path.join(folder, "out"))
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("'QF_BVV' is not a usual logic; did you mean QF_BV ", done.stderr)

    def test_output_that_cannot_be_written_is_an_error(self):
        for words in (["--help"], ["--version"], ["fuzz", "--help"], ["help", "fuzz"], []):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([ELENCHUS, *words], stdout=full, stderr=subprocess.PIPE,
                                      text=True, timeout=HANG_LIMIT, check=False)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn("standard output: ", done.stderr)

    def test_a_folder_that_cannot_be_made_is_named(self):
        with tempfile.TemporaryDirectory(prefix="plan.") as folder:
            plan = os.path.join(folder, "plan.toml")
            with open(plan, "w", encoding="utf-8") as f:
                f.write(PLAN)
            done = run("experiment", plan, "--out", "/proc/no/such")
        self.assertEqual(done.returncode, 2)
        self.assertIn("cannot make the folder '/proc/no/such'", done.stderr)

    def test_a_value_that_is_missing(self):
        done = run("fuzz", "-j")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--jobs needs a value: --jobs N\n", done.stderr)

    def test_what_the_library_says_is_put_plainly(self):
        for words, answer in ((["fuzz", "--prosecution", "3"], "--prosecution: 3 is not in the range from 0 to 1\n"),
                              (["fuzz", "--jobs", "0"], "--jobs: 0 is not in the range from 1 to 1024\n"),
                              (["dashboard", "x", "--port", "99999"], "--port: 99999 is not in the range"),
                              (["fuzz", "--resume", "x", "--out", "y"],
                               "--out and --resume cannot be given together\n"),
                              (["help", "bugs", "show", "x"], "unexpected argument 'x'\n"),
                              (["fuzz", "--known", "/no/such"], "/no/such: error: ")):
            done = run(*words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(answer, done.stderr)

    def test_an_unknown_command_is_answered_in_a_word(self):
        self.assertNotIn("bisect", run("fzuz").stderr)
        self.assertIn("; the commands are fuzz, ", run("zzzzzzzzzzzz").stderr)

    def test_what_is_like_nothing(self):
        done = run("fuzz", "--no-such-thing-at-all")
        self.assertEqual(done.returncode, 2)
        self.assertNotIn("did you mean", done.stderr)
        self.assertIn("elenchus fuzz --help", done.stderr)


class Completion(unittest.TestCase):
    def completed(self, line):
        words = line.split(" ")
        script = run("completion", "bash").stdout + (
            f"COMP_WORDS=({' '.join(repr(word) for word in words)}); COMP_CWORD={len(words) - 1}; "
            '_elenchus; printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout.split()

    def test_bash(self):
        self.assertEqual(self.completed("elenchus fu"), ["fuzz"])
        self.assertEqual(self.completed("elenchus fuzz --eng"), ["--engine"])
        self.assertIn("storm", self.completed("elenchus fuzz --engine st"))
        self.assertIn("replay", self.completed("elenchus bugs night re"))
        self.assertIn("--limit", self.completed("elenchus bugs night export --l"))
        self.assertEqual(self.completed("elenchus fuzz --time "), [])
        self.assertIn("zsh", self.completed("elenchus completion z"))

    def test_other_shells_read_theirs(self):
        for shell in ("zsh", "fish"):
            text = run("completion", shell).stdout
            self.assertIn("--engine" if shell == "zsh" else "-l engine", text)
            if shutil.which(shell) is None:
                continue
            with tempfile.NamedTemporaryFile("w", suffix=f".{shell}") as file:
                file.write(text)
                file.flush()
                done = subprocess.run([shell, "-n", file.name], capture_output=True, text=True,
                                      check=False)
                self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    arguments, rest = parser.parse_known_args()
    ELENCHUS = os.path.abspath(arguments.elenchus)
    unittest.main(argv=[sys.argv[0], *rest])
