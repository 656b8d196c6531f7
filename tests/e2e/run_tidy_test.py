#!/usr/bin/env python3
"""tools/run_tidy --changed looks at what a branch changed, committed or not, in a small repository."""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

TOOL = pathlib.Path(__file__).resolve().parent.parent.parent / "tools" / "run_tidy"
# Writes down what it is asked to check.
FAKE = """#!/bin/sh
case "$1" in --version) echo fake; exit ;; esac
for file; do :; done
echo "$file" >> "$TIDY_LOG"
"""


class RunTidyTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="run_tidy_test.")
        self.addCleanup(holder.cleanup)
        self.home = pathlib.Path(holder.name).resolve()
        self.root = self.home / "root"
        for folder in ("root/tools", "root/src", "root/build/debug", "bin"):
            (self.home / folder).mkdir(parents=True)
        shutil.copy(TOOL, self.root / "tools")
        (self.root / ".clang-tidy").write_text("Checks: -*\n", encoding="utf-8")
        (self.root / ".gitignore").write_text("build\n", encoding="utf-8")
        tidy = self.home / "bin" / "clang-tidy"
        tidy.write_text(FAKE, encoding="utf-8")
        tidy.chmod(0o755)
        names = ("a", "b", "c")
        for name in names:
            self.write(name, "")
        commands = [{"directory": str(self.root), "file": f"src/{name}.cpp", "command": "c++"}
                    for name in names]
        (self.root / "build" / "debug" / "compile_commands.json").write_text(
            json.dumps(commands), encoding="utf-8")
        self.git("init", "-q")
        self.commit()

    def write(self, name, text):
        (self.root / "src" / f"{name}.cpp").write_text(text, encoding="utf-8")

    def git(self, *arguments):
        return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *arguments],
                              cwd=self.root, check=True, capture_output=True, text=True).stdout.strip()

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "x")

    def checked(self, *arguments):
        log = self.home / "log"
        log.write_text("", encoding="utf-8")
        environment = {**os.environ, "TIDY_LOG": str(log), "XDG_CACHE_HOME": str(self.home / "cache"),
                       "PATH": f"{self.home / 'bin'}:{os.environ['PATH']}"}
        subprocess.run([sys.executable, self.root / "tools" / "run_tidy", "--no-cache", "--build",
                        self.root / "build" / "debug", *arguments], check=True, env=environment,
                       cwd=self.root, capture_output=True)
        return sorted(pathlib.Path(line).stem for line in
                      log.read_text(encoding="utf-8").splitlines())

    def test_what_the_branch_changed(self):
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.write("a", "// 1\n")
        self.commit()
        self.write("b", "// 1\n")
        self.commit()
        self.assertEqual(self.checked("--changed"), ["a", "b"])
        self.write("c", "// 1\n")
        self.assertEqual(self.checked("--changed"), ["a", "b", "c"])
        self.assertEqual(self.checked("--changed", "HEAD"), ["c"])

    def test_without_a_branch_what_the_last_commit_changed(self):
        self.assertEqual(self.checked("--changed"), [])
        self.write("b", "// 1\n")
        self.commit()
        self.assertEqual(self.checked("--changed"), ["b"])
        self.git("update-ref", "refs/remotes/origin/main", "HEAD")
        self.assertEqual(self.checked("--changed"), ["b"])

    def test_all(self):
        self.assertEqual(self.checked(), ["a", "b", "c"])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elenchus", metavar="FILE", help="taken, not used")
    _, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
