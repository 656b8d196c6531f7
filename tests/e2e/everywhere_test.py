#!/usr/bin/env python3
"""What all commands have in common: numbers are read strictly, and the usual options are there
wherever they mean something."""

import argparse
import os
import subprocess
import sys
import unittest

ELENCHUS = None
HANG_LIMIT = 60.0

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
    ("judge",): [*SOLVERS_RUN, "--fresh", "--policy", "--operators", "--out", "--quiet"],
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


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    arguments, rest = parser.parse_known_args()
    ELENCHUS = os.path.abspath(arguments.elenchus)
    unittest.main(argv=[sys.argv[0], *rest])
