#!/usr/bin/env python3
"""The status screen on a terminal of a given size: nothing is cut, and Ctrl-C leaves it whole."""

import argparse
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FAKE = os.path.join(ROOT, "tests", "fake_solvers", "fake")
SEED = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 3))\n(check-sat)\n"
HANG_LIMIT = 300.0
ELENCHUS = None


class Screen(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="screen.")
        self.addCleanup(holder.cleanup)
        self.folder = holder.name
        self.seed = os.path.join(self.folder, "seed.smt2")
        with open(self.seed, "w", encoding="utf-8") as f:
            f.write(SEED)

    def drawn(self, columns, rows, mode="honest", until="", options=()):
        """What a terminal of this size was sent, and the exit code. Ctrl-C comes after three screens
        that have these words."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        process = subprocess.Popen(
            [ELENCHUS, "fuzz", self.seed, "--solver", f"{FAKE} {mode}", "--jobs", "1", "--rng", "1",
             "--timeout", "20s", "--grace", "1s", "--time", "10m",
             "--out", os.path.join(self.folder, f"{columns}"), *options],
            stdout=slave, stderr=subprocess.DEVNULL, env=dict(os.environ, TERM="xterm", NO_COLOR="1"))
        os.close(slave)
        text, is_stopped, deadline = b"", False, time.monotonic() + HANG_LIMIT
        while time.monotonic() < deadline:
            if not select.select([master], [], [], 1)[0]:
                continue
            try:
                piece = os.read(master, 1 << 16)
            except OSError:  # the other end is closed
                break
            text += piece
            has_words = until.encode() in text
            if not is_stopped and has_words and text.count(b"\x1b[J") >= 3:
                is_stopped = True
                process.send_signal(signal.SIGINT)
        code = process.wait(HANG_LIMIT)
        os.close(master)
        return text.decode(), code

    def screens(self, text):
        plain = re.sub(r"\x1b\[K|\r", "", text)
        return [one.split("\n")[:-1] for one in re.split(r"\x1b\[\d+A", plain.split("\x1b[J\n")[0])]

    def test_80_columns_hold_every_column(self):
        text, code = self.drawn(80, 24)
        self.assertIn(code, (0, 1))
        last = self.screens(text)[-1]
        self.assertLessEqual(len(last), 23)
        shown = "\n".join(line.replace("\x1b[J", "") for line in last)
        for word in ("rejected", "new/min", "in the docket", "behaviour", "ways:"):
            self.assertIn(word, shown)
        self.assertRegex(shown, r"(?m)^  ways:( \+?\w+ \d+%,)* (\+?\w+ \d+%|and \d+ more)$")
        for line in shown.split("\n"):
            self.assertLess(len(line), 80, line)

    def test_ctrl_c_leaves_the_title_whole(self):
        text, _ = self.drawn(120, 40)
        for move in re.finditer(r"\x1b\[\d+A", text):
            self.assertEqual(text[move.start() - 1], "\r")
        self.assertIn("ending: finishing what is under way", text)

    def test_a_large_window_shows_the_newest_bugs(self):
        # With an engine that promises nothing: all that can be found is of one kind.
        text, code = self.drawn(120, 40, "wrong-model", "newest bugs", ("--engine", "opfuzz"))
        self.assertEqual(code, 1)
        self.assertIn("newest bugs", text)
        self.assertRegex(text, r"\d+ s ago +\S+-(invalid-model|solution-unsound)-[0-9a-f]{8}  ")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    arguments, rest = parser.parse_known_args()
    ELENCHUS = os.path.abspath(arguments.elenchus)
    unittest.main(argv=[sys.argv[0], *rest])
