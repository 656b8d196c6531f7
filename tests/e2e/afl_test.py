#!/usr/bin/env python3
"""afl-whatsup and afl-plot on the folder of a campaign."""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = None
HANG_LIMIT = 300.0


def run(*command):
    environment = dict(os.environ, TERM="dumb")
    return subprocess.run(command, capture_output=True, text=True, timeout=HANG_LIMIT, check=False,
                          env=environment)


class AflTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="afl_test.")
        self.addCleanup(holder.cleanup)
        self.home = holder.name
        # The process that wrote it is gone, so afl-whatsup needs -d; below a folder of several
        # campaigns, as below that of one.
        self.folder = os.path.join(self.home, "sync", "night")
        os.mkdir(os.path.join(self.home, "sync"))
        made = run(os.path.join(BUILD, "make_campaign"), self.folder, "--bugs", "3")
        self.assertEqual(made.returncode, 0, made.stderr)

    @unittest.skipUnless(shutil.which("afl-whatsup"), "afl++ is not installed")
    def test_whatsup_adds_up_campaigns(self):
        for folder in (self.folder, os.path.dirname(self.folder)):
            done = run("afl-whatsup", "-s", "-d", folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, r"Crashes saved : 3\n")
            self.assertRegex(done.stdout, r"Total run time : 30 minutes")
            self.assertNotIn("error", (done.stdout + done.stderr).lower())

    @unittest.skipUnless(shutil.which("afl-plot") and shutil.which("gnuplot"),
                         "afl++ or gnuplot is not installed")
    def test_plot_draws(self):
        with open(os.path.join(self.folder, "plot_data"), "a", encoding="utf-8") as f:
            f.write("1900, 2, 0, 12, 3, 0, 0.00%, 3, 0, 1, 12.00, 9000, 700\n")
        out = os.path.join(self.home, "plots")
        done = run("afl-plot", self.folder, out)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for name in ("high_freq.png", "low_freq.png", "exec_speed.png", "edges.png"):
            self.assertGreater(os.path.getsize(os.path.join(out, name)), 1000)


def main():
    global BUILD
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elenchus", required=True, metavar="BIN")
    args, rest = parser.parse_known_args()
    BUILD = os.path.dirname(os.path.abspath(args.elenchus))
    if shutil.which("afl-whatsup") is None:
        print("skipped: afl++ is not installed (apt-get install afl++ gnuplot-nox)")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
