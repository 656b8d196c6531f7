#!/usr/bin/env python3
"""A campaign that is killed again and again, and resumed, loses nothing.

label: slow
"""

import glob
import os
import random
import signal
import sqlite3
import subprocess
import time

import campaigns
from campaigns import ENVIRONMENT, HANG_LIMIT, SEED, UNHURRIED, CampaignTest, fake, main


class KilledCampaigns(CampaignTest):
    ROUNDS = 20

    def wait_for_some(self, child, folder):
        """Until something is in the folder of the campaign, however slow the machine is."""
        ends = time.monotonic() + HANG_LIMIT
        while not glob.glob(os.path.join(self.out, folder, "[!.]*")):
            if child.poll() is not None or time.monotonic() > ends:
                child.kill()
                self.fail(f"nothing comes into {folder}")
            time.sleep(0.01)

    def test_kill_and_resume(self):
        self.seed(SEED)
        moments = random.Random(4)
        lost = []
        known = set()
        for number in range(self.ROUNDS):
            arguments = (["--resume", self.out] if number > 0 else
                         [self.seeds, "--solver", fake("assertion"), "--solver",
                          fake("wrong-model"), "--jobs", "2", "--policy", "anything", *UNHURRIED,
                          "--reduce-tries", "10", "--rng", "1", "--out", self.out])
            with subprocess.Popen([campaigns.ELENCHUS, "fuzz", *arguments], stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL, env=ENVIRONMENT) as child:
                # Without the first there is nothing to resume, and without the second nothing to lose.
                if number == 0:
                    self.wait_for_some(child, "docket")
                elif number == self.ROUNDS // 2:
                    self.wait_for_some(child, "bugs")
                time.sleep((0.3 if number > 0 else 0) + moments.random() * 1.2)
                child.send_signal(signal.SIGKILL)
                child.wait()
            bugs = os.path.join(self.out, "bugs")
            if not os.path.isdir(bugs):
                continue
            now = {name for name in os.listdir(bugs) if not name.startswith(".")}
            lost += known - now
            known = now
        self.assertEqual(lost, [])
        self.assertTrue(known)
        self.assert_nothing_is_left_running()
        done = subprocess.run([campaigns.ELENCHUS, "fuzz", "--resume", self.out, "--tests", "5"],
                              capture_output=True, text=True, timeout=HANG_LIMIT, check=False,
                              env=ENVIRONMENT)
        self.assertEqual(done.returncode, 1, done.stderr)
        with sqlite3.connect(os.path.join(self.out, "campaign.db")) as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
            rows = {row[0] for row in database.execute("SELECT id FROM bugs")}
        self.assertEqual({bug["id"] for bug in self.bugs()}, rows)
        self.assertLessEqual(known, rows)


if __name__ == "__main__":
    main(__doc__)
