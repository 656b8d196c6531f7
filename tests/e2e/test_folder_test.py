#!/usr/bin/env python3
"""tools/test_folder takes memory where tests can work in it, and the disk elsewhere."""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parent.parent.parent / "tools" / "test_folder"


class TestFolderTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="test_folder_test.")
        self.addCleanup(holder.cleanup)
        self.disk = pathlib.Path(holder.name, "disk")
        self.memory = pathlib.Path(holder.name, "memory")
        self.disk.mkdir()
        self.memory.mkdir()

    def mount(self, options):
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", self.memory],
                              capture_output=True, check=False)
        if done.returncode != 0:
            self.skipTest("no file system can be mounted here")
        self.addCleanup(subprocess.run, ["umount", "-l", self.memory], check=False)

    def assert_made_in(self, parent):
        done = subprocess.run([TOOL, "--memory", self.memory], capture_output=True, text=True,
                              check=True, env={**os.environ, "TMPDIR": str(self.disk)})
        folder = pathlib.Path(done.stdout.strip())
        self.assertEqual(folder.parent, parent, done.stderr)
        self.assertEqual(list(folder.iterdir()), [])
        made = [*self.memory.glob("*"), *self.disk.glob("*")]
        self.assertEqual(made, [folder])

    def test_memory_with_room(self):
        self.mount("size=3g")
        self.assert_made_in(self.memory)

    def test_memory_of_a_container(self):
        self.mount("size=64m")
        self.assert_made_in(self.disk)

    def test_memory_from_which_nothing_runs(self):
        self.mount("size=3g,noexec")
        self.assert_made_in(self.disk)

    def test_no_memory(self):
        self.memory.rmdir()
        self.assert_made_in(self.disk)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elenchus", metavar="FILE", help="taken, not used")
    _, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
