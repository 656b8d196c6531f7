#!/usr/bin/env python3
"""The commands of README.md and docs are real: options and commands that they name are there, and
blocks that are marked with <!-- run --> give the output that is printed below each command.

A block of commands that is not run says why: <!-- not run: it takes a night -->.

What changes from run to run is not compared: numbers, names of bugs, blanks. A line `...` stands for
any lines. `<!-- run needs: z3 4.8.12 -->` skips the block where that version of the solver is not
there. With --update, the documents get the output of this run; read the difference before you
commit it."""

import argparse
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SCRIPTS = os.path.join(ROOT, "docs", "examples", "scripts")
ELENCHUS = None
UPDATE = False
HANG_LIMIT = 300.0
MARK = re.compile(r"<!-- run(?: needs: (?P<needs>.*?))? -->")
NOT_RUN = re.compile(r"<!-- not run: \S.* -->")
INDENT = "    "
COMMAND = re.compile(rf"{INDENT}(\$ |(elenchus|make|cmake|git|sudo|tools/\w+|build/\S+)( |$))")


def documents():
    found = [os.path.join(ROOT, name) for name in ("README.md", "CONTRIBUTING.md")]
    for folder in ("docs", "docs/ci", "docs/cluster", "docs/examples"):
        path = os.path.join(ROOT, folder)
        found += [os.path.join(path, name) for name in sorted(os.listdir(path))
                  if name.endswith(".md")]
    return found


def name_of(path):
    return os.path.relpath(path, ROOT)


def lines_of(path):
    with open(path, encoding="utf-8") as f:
        return f.read().split("\n")


def run(*arguments):
    return subprocess.run([ELENCHUS, *arguments], capture_output=True, text=True,
                          timeout=HANG_LIMIT, check=False)


@functools.lru_cache
def help_of(*words):
    """The help of a command; None where there is no such command."""
    done = run("help", *words)
    return done.stdout if done.returncode == 0 else None


def blocks(lines):
    """(what it needs, first line, end) of each block that is to be run."""
    found, wanted = [], None
    number = 0
    while number < len(lines):
        mark = MARK.fullmatch(lines[number].strip())
        if mark:
            wanted = mark["needs"] or ""
        elif NOT_RUN.fullmatch(lines[number].strip()):
            wanted = None
        elif lines[number].startswith(INDENT + "$ ") and wanted is not None:
            end = number
            while end < len(lines) and (lines[end].startswith(INDENT) or not lines[end].strip()):
                end += 1
            while not lines[end - 1].strip():
                end -= 1
            found.append((wanted, number, end))
            wanted, number = None, end
            continue
        number += 1
    return found


def unmarked(lines):
    """Where blocks of commands begin that neither are run nor say why not, as line numbers from 1."""
    found, last = [], ""
    for number, line in enumerate(lines):
        begins = COMMAND.match(line) and not last.startswith(INDENT)
        if begins and not MARK.fullmatch(last.strip()) and not NOT_RUN.fullmatch(last.strip()):
            found.append(number + 1)
        if line.strip():
            last = line
    return found


def whole_lines(path):
    """(number, line), with the lines that a backslash continues as one."""
    start, text = 0, ""
    for number, line in enumerate(lines_of(path), 1):
        start = start if text else number
        if line.startswith(INDENT) and line.endswith("\\"):
            text += (line[:-1] if not text else line.strip("\\ ")) + " "
            continue
        yield start, text + (line.strip() if text else line)
        text = ""


def code_in(lines, heading):
    """The indented blocks below a heading, without their indent."""
    begin = lines.index(heading) + 1
    end = next(n for n in range(begin, len(lines)) if lines[n].startswith("## "))
    blocks_found = []
    for line in lines[begin:end]:
        if line.startswith(INDENT):
            if not blocks_found:
                blocks_found.append([])
            blocks_found[-1].append(line[len(INDENT):])
        elif line.strip() or (blocks_found and blocks_found[-1]):
            blocks_found.append([])
    return [block for block in blocks_found if block]


def commands_in(lines):
    """[(command, lines of output)] of a block."""
    commands = []
    for line in lines:
        text = line[len(INDENT):]
        if text.startswith("$ "):
            commands.append((text[2:], []))
        else:
            commands[-1][1].append(text)
    for _, output in commands:
        while output and not output[-1].strip():
            output.pop()
    return commands


def plain(line):
    """The line without what differs from run to run."""
    line = re.sub(r"-[0-9a-f]{8}\b", "-ID", line)
    line = re.sub(r"/[\w./-]*/(?=[\w.-]+)", "", line)
    line = re.sub(r"\d+(\.\d+)?", "N", line)
    return " ".join(line.split())


def fits(expected, given):
    """Whether the output is as the document says; `...` stands for any lines."""
    parts = [[]]
    for line in expected:
        if line.strip() == "...":
            parts.append([])
        else:
            parts[-1].append(plain(line))
    given = [plain(line) for line in given]
    if len(parts) == 1:
        return parts[0] == given
    if given[:len(parts[0])] != parts[0]:
        return False
    at = len(parts[0])
    for part in parts[1:-1]:
        while given[at:at + len(part)] != part:
            at += 1
            if at > len(given):
                return False
        at += len(part)
    last = parts[-1]
    return len(given) - at >= len(last) and (not last or given[-len(last):] == last)


def has(need):
    """Whether the program is there, in this version where one is named."""
    name, _, version = need.partition(" ")
    if shutil.which(name) is None:
        return False
    if not version:
        return True
    done = subprocess.run([name, "--version"], capture_output=True, text=True, timeout=HANG_LIMIT,
                          check=False)
    return version in done.stdout


class Docs(unittest.TestCase):
    maxDiff = None

    def test_commands_and_options_are_there(self):
        for path in documents():
            for number, line in whole_lines(path):
                for words in re.findall(r"(?:^ {4}(?:\$ )?|`)elenchus ([^`|>#;&]*)", line):
                    with self.subTest(f"{name_of(path)}:{number}"):
                        self.check_command(words.split())

    def check_command(self, words):
        if not words or not re.fullmatch("[a-z]+", words[0]):
            return
        about = help_of(words[0])
        self.assertIsNotNone(about, words[0])
        for word in words[1:]:
            if re.fullmatch("[a-z]+", word) and re.search(rf"^  {word} ", about, re.M):
                about = about + (help_of(words[0], word) or "")
        about += "--help --version --rng"
        for word in words[1:]:
            option = re.match("--[a-z][a-z-]*", word)
            if option:
                self.assertRegex(about, rf"{option[0]}(?![a-z-])", " ".join(words))

    def test_every_block_of_commands_is_run_or_says_why_not(self):
        for path in documents():
            with self.subTest(name_of(path)):
                self.assertEqual(unmarked(lines_of(path)), [])

    def test_the_engine_to_copy_is_the_one_that_is_built(self):
        with open(os.path.join(ROOT, "tests", "example_engine.h"), encoding="utf-8") as f:
            built = f.read().split("\n")
        document = lines_of(os.path.join(ROOT, "docs", "ARCHITECTURE.md"))
        shown = [block for block in code_in(document, "## Adding an engine") if len(block) > 3]
        self.assertGreaterEqual(len(shown), 3)
        for block in shown:
            # What the document leaves out stands between the lines.
            at = 0
            for line in block:
                self.assertIn(line, built[at:])
                at = built.index(line, at) + 1

    def first_column(self, heading):
        """The names in the table below a heading of the README, and the rest of each row."""
        lines = lines_of(os.path.join(ROOT, "README.md"))
        rows = {}
        for line in lines[lines.index(heading) + 1:]:
            if line.startswith("## "):
                break
            if line.startswith("|") and not line.startswith("|---"):
                names, *rest = [cell.strip() for cell in line.strip("|").split(" | ")]
                for name in names.replace("`", "").split(", "):
                    rows[name] = rest
        self.assertTrue(rows, heading)
        return rows

    def named_in_help(self, title):
        text = help_of("fuzz")
        rows = text[text.index(f"\n{title}:\n"):].split("\n\n")[0]
        return re.findall(r"(?m)^  (\S+) ", rows)

    def test_the_readme_has_every_engine_and_oracle(self):
        engines = self.first_column("## Engines")
        for name in (self.named_in_help("Engines") +
                     self.named_in_help("Ways of asking, with any engine")):
            self.assertIn(name, engines)
        oracles = self.first_column("## Oracles")
        self.assertEqual(sorted(set(oracles) - {"oracle"}), sorted(self.named_in_help("Oracles")))

    def test_the_readme_has_the_versions_that_were_tried(self):
        rows = {name.lower().split()[0]: rest[0] for name, rest in self.first_column("## Solvers").items()}
        for solver in json.loads(run("solvers", "--all", "--json").stdout):
            tried = ", ".join(solver["tried"]) or "-"
            name = solver["name"].replace("yices2", "yices")
            if name in rows and solver["name"] == solver["profile"]:
                self.assertEqual(rows[name], tried, name)

    def test_blocks_are_as_printed(self):
        for path in documents():
            lines = lines_of(path)
            if not any(MARK.fullmatch(line.strip()) for line in lines):
                continue
            with self.subTest(name_of(path)), tempfile.TemporaryDirectory(prefix="docs.") as folder:
                self.run_document(path, lines, folder)

    def run_document(self, path, lines, folder):
        shutil.copytree(SCRIPTS, folder, dirs_exist_ok=True)
        os.mkdir(os.path.join(folder, ".bin"))
        os.symlink(ELENCHUS, os.path.join(folder, ".bin", "elenchus"))
        os.symlink(os.path.join(ROOT, "data"), os.path.join(folder, "data"))
        changes = []
        for needs, start, end in blocks(lines):
            missing = [need for need in re.split(", *", needs) if need and not has(need)]
            if missing:
                print(f"{name_of(path)}:{start + 1}: skipped, no {' or '.join(missing)}",
                      file=sys.stderr)
                continue
            shown = []
            for command, expected in commands_in(lines[start:end]):
                given = self.output_of(command, folder)
                shown += [INDENT + "$ " + command]
                shown += [(INDENT + one).rstrip() for one in
                          (expected if fits(expected, given) else given)]
                if not UPDATE:
                    self.assertTrue(fits(expected, given),
                                    f"{name_of(path)}:{start + 1}: $ {command}\n" + "\n".join(given))
            changes.append((start, end, shown))
        if UPDATE:
            for start, end, shown in reversed(changes):
                lines[start:end] = shown
            with open(path, "w", encoding="utf-8") as f:
                f.write("\n".join(lines))

    def output_of(self, command, folder):
        environment = dict(os.environ, NO_COLOR="1", TERM="dumb")
        environment["PATH"] = os.path.join(folder, ".bin") + ":" + environment["PATH"]
        done = subprocess.run(["/bin/sh", "-c", command + " 2>&1"], cwd=folder, env=environment,
                              capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
        text = done.stdout.replace(folder + "/", "").rstrip("\n")
        return text.split("\n") if text else []


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    parser.add_argument("--update", action="store_true", help="write the output into the documents")
    arguments, rest = parser.parse_known_args()
    ELENCHUS, UPDATE = os.path.abspath(arguments.elenchus), arguments.update
    unittest.main(argv=[sys.argv[0], *rest])
