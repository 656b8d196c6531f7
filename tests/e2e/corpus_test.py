#!/usr/bin/env python3
"""What a campaign found worth keeping, and the ways in which it asks.

label: slow
"""

import argparse
import glob
import json
import os
import shutil
import subprocess
import sys
import unittest

import campaigns
from campaigns import HANG_LIMIT, SEED, CampaignTest, fake


class Corpus(CampaignTest):
    def corpus(self, *arguments):
        return subprocess.run([campaigns.ELENCHUS, "corpus", self.out, *arguments],
                              capture_output=True, text=True, timeout=HANG_LIMIT, check=False)

    def campaign(self, *arguments):
        self.seed(SEED)
        return self.fuzz(self.seeds, "--solver", "z3", "--jobs", "1", "--tests", "150", "--rng", "3",
                         *arguments)

    def test_mutants_that_reach_something_new_are_kept_and_exported(self):
        self.campaign("--engine", "edit,typefuzz")
        listed = self.corpus("list", "--json")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        entries = json.loads(listed.stdout)
        self.assertTrue(entries)
        for entry in entries:
            self.assertTrue(entry["seed"].endswith(".smt2"), entry)
            self.assertIn(entry["engine"], ("edit", "typefuzz"))
            self.assertTrue(entry["because"])
        target = os.path.join(self.out, "exported")
        dry = self.corpus("export", "--out", target, "--dry-run")
        self.assertEqual((dry.returncode, os.path.exists(target)), (0, False), dry.stderr)
        done = self.corpus("export", "--out", target)
        self.assertEqual(done.returncode, 0, done.stderr)
        scripts = glob.glob(os.path.join(target, "*.smt2"))
        self.assertEqual(len(scripts), len(entries))
        parsed = subprocess.run([campaigns.ELENCHUS, "parse", *scripts], capture_output=True,
                                text=True, timeout=HANG_LIMIT, check=False)
        self.assertEqual(parsed.returncode, 0, parsed.stderr)
        few = json.loads(self.corpus("minimise", "--json").stdout)
        self.assertTrue(0 < len(few) <= len(entries))

    def test_pools_of_one_name_lose_nothing_and_repeat_nothing(self):
        folders = []
        for machine in ("a", "b"):
            self.out = os.path.join(self.folder, machine, "night")
            os.mkdir(os.path.dirname(self.out))
            self.seed(SEED)
            self.fuzz(self.seeds, "--solver", fake("honest"), "--jobs", "1", "--tests", "1")
            folders.append(self.out)
            pool = os.path.join(self.out, "pool")
            shutil.rmtree(pool, ignore_errors=True)
            for number, script in enumerate(("(check-sat)", f"(echo \"{machine}\")"), 1):
                entry = os.path.join(pool, f"{number:06}")
                os.makedirs(entry)
                with open(os.path.join(entry, "script.smt2"), "w", encoding="utf-8") as f:
                    f.write(script)
                with open(os.path.join(entry, "entry.json"), "w", encoding="utf-8") as f:
                    json.dump({"seed": "s", "engine": "e", "generation": 1, "because": script,
                               "keys": []}, f)
        target = os.path.join(self.folder, "all")
        done = self.corpus(folders[0] + "/", "export", "--out", target)
        self.assertEqual(done.returncode, 0, done.stderr)
        written = {}
        for name in os.listdir(target):
            with open(os.path.join(target, name), encoding="utf-8") as f:
                written[name] = f.read()
        self.assertEqual(written, {
            "night-000001.smt2": "(check-sat)", "night-000002.smt2": '(echo "b")',
            "night-2-000002.smt2": '(echo "a")'})

    def test_a_resumed_campaign_goes_on_with_its_pool(self):
        self.campaign("--engine", "edit")
        before = set(os.listdir(os.path.join(self.out, "pool")))
        done = subprocess.run([campaigns.ELENCHUS, "fuzz", "--resume", self.out, "--tests", "50"],
                              capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        self.assertLessEqual(before, set(os.listdir(os.path.join(self.out, "pool"))))

    def test_a_folder_that_is_no_campaign_is_refused(self):
        done = subprocess.run([campaigns.ELENCHUS, "corpus", "nothing-here"], capture_output=True,
                              text=True, timeout=HANG_LIMIT, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("nothing-here", done.stderr)

    def test_a_campaign_without_engines_uses_each_in_each_way(self):
        self.seed(SEED)
        done = self.fuzz(self.seeds, "--solver", fake("honest"), "--solver", "z3", "--jobs", "1",
                         "--tests", "1500", "--rng", "3", timeout=2 * HANG_LIMIT)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        with open(os.path.join(self.out, "stats.json"), encoding="utf-8") as f:
            engines = json.load(f)["engines"]
        ways = {name.partition("+")[2] for name, counts in engines.items() if counts["tests"] > 0}
        self.assertLessEqual({"", "incremental", "options", "variants"}, ways)

    def test_two_campaigns_do_not_draw_alike(self):
        settings = [self.fuzz("--dry-run").stdout for _ in range(2)]
        numbers = [next(line for line in text.splitlines() if line.startswith("rng")) for text in settings]
        self.assertNotEqual(*numbers)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    arguments, rest = parser.parse_known_args()
    campaigns.ELENCHUS = os.path.abspath(arguments.elenchus)
    unittest.main(argv=[sys.argv[0], *rest])
