#!/usr/bin/env python3
"""What the engine edit makes of the embedded seeds: every kind of edit is read by some solver."""

import argparse
import collections
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

from solver_batch import SOLVERS, command_of, outputs  # noqa: E402

ELENCHUS = None
HANG_LIMIT = 300.0
COUNT = 6  # mutants of each seed
MILLISECONDS = 20  # for each check: it is enough that the script was read
TARGET = 97.0  # percent of the mutants of a kind
FEWEST = 40  # mutants of a kind of which percents can be told
REFUSAL = re.compile(r"\(error|^unsupported|Parse Error", re.MULTILINE)
# Read, and nothing to say to it.
TAKEN = re.compile(r"canceled|timeout|interrupted|max\. memory|bad_alloc")


def is_refused(said):
    return any(REFUSAL.search(line) and not TAKEN.search(line) for line in said.splitlines())


class EditTest(unittest.TestCase):
    def mutants(self):
        # Those in `newest` are for solvers that are perhaps not here.
        seeds = [str(folder) for folder in sorted((ROOT / "data" / "seeds").iterdir())
                 if folder.name != "newest"]
        done = subprocess.run([ELENCHUS, "mutate", "--engine", "edit", "--count", str(COUNT),
                               "--rng", "1", "--quiet", *seeds],
                              capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return ["; expect:" + script for script in done.stdout.split("; expect:")[1:]]

    def test_every_kind_is_read_by_some_solver(self):
        solvers = [name for name in SOLVERS if shutil.which(SOLVERS[name][0])]
        if not solvers:
            self.skipTest("no solver is installed")
        scripts = self.mutants()
        left = list(range(len(scripts)))
        for name in solvers:
            command = command_of(name, MILLISECONDS)
            said = outputs(command, [scripts[i] for i in left])
            left = [i for i, text in zip(left, said) if is_refused(text)]
        kinds = [re.search(r"^; kind: (\S+)$", script, re.MULTILINE)[1] for script in scripts]
        made = collections.Counter(kinds)
        refused = collections.Counter(kinds[i] for i in left)
        self.assertGreater(len(made), 20)
        for kind, count in made.items():
            if count < FEWEST:
                continue
            share = 100.0 * (count - refused[kind]) / count
            example = next((scripts[i] for i in left if kinds[i] == kind), "")
            self.assertGreater(share, TARGET, f"{kind}: {refused[kind]} of {count}\n{example}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    arguments, rest = parser.parse_known_args()
    ELENCHUS = arguments.elenchus
    unittest.main(argv=[sys.argv[0], *rest])
