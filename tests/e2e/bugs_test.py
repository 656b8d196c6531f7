#!/usr/bin/env python3
"""The command line of `elenchus bugs`: the table, one bug, JSON, and what goes wrong."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ELENCHUS = None
RESUME = None
HANG_LIMIT = 300.0


def run(*arguments):
    return subprocess.run([ELENCHUS, *arguments], capture_output=True, text=True,
                          timeout=HANG_LIMIT, check=False)


def manifest(kind, digits, **fields):
    """What docs/formats.md says of manifest.json."""
    described = {
        "format": 1, "id": f"z3-{kind}-{digits}", "kind": kind, "title": f"a {kind} bug",
        "solver": "z3", "version": "4.8.12", "command": "z3 -in", "options": [],
        "engine": "typefuzz", "seeds": ["seeds/a.smt2"], "rng_seed": 2**64 - 1, "logic": "QF_LIA",
        "expectation": "sat", "evidence": "the witness model satisfies\nevery assertion",
        "answers": [{"solver": "cvc5", "version": "1.0.3", "command": "cvc5", "answer": "sat"}],
        "signature": f"{kind} {digits}", "size_original": 900, "size_reduced": 45,
        "time": 1700000000, "a field of a later version": [1, 2]}
    described.update(fields)
    return described


class BugsTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="bugs_test.")
        self.addCleanup(holder.cleanup)
        self.folder = os.path.join(holder.name, "campaign")
        self.resume()

    def resume(self):
        done = subprocess.run([RESUME, self.folder], capture_output=True, text=True,
                              timeout=HANG_LIMIT, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def add(self, *bugs, script="(assert (> 1 0))\n(check-sat)\n"):
        for bug in bugs:
            folder = os.path.join(self.folder, "bugs", bug["id"])
            os.mkdir(folder)
            with open(os.path.join(folder, "manifest.json"), "w", encoding="utf-8") as f:
                json.dump(bug, f)
            for name in ("original.smt2", "reduced.smt2")[:2 if bug["size_reduced"] else 1]:
                with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                    f.write(script)
        self.assertEqual(self.resume(), "")

    def accept(self, *arguments):
        done = run("bugs", self.folder, *arguments)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def refuse(self, *arguments):
        done = run("bugs", *arguments)
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertRegex(done.stderr, ".")
        return done.stderr

    def test_help_has_an_example(self):
        done = run("bugs", "--help")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"Examples:\n +elenchus bugs ")
        for word in ("list", "show", "--json", "--out", "--quiet", "--version"):
            self.assertIn(word, done.stdout)
        self.assertIn("bugs", run("--help").stdout)
        self.assertIn("ID", run("bugs", self.folder, "show", "--help").stdout)

    def test_no_bugs(self):
        self.assertEqual(self.accept(), "no bugs\n")
        self.assertEqual(self.accept("--quiet"), "")
        self.assertEqual(json.loads(self.accept("--json"))["bugs"], [])

    def test_a_filter_that_leaves_nothing_says_so(self):
        self.add(manifest("crash", "1"), manifest("crash", "2"))
        self.assertEqual(self.accept("--engine", "nosuch"),
                         "no such bugs; without these options there are 2\n")
        self.assertEqual(self.accept("--kind", "slow", "--quiet"), "")

    def test_a_misspelt_command_is_not_a_folder(self):
        self.assertIn("'shw' does not exist; did you mean 'show'?",
                      self.refuse(self.folder, "shw", "z3"))
        self.assertIn("did you mean 'crash'?", self.refuse(self.folder, "--kind", "crsh"))
        self.assertIn("choose from open, ", self.refuse(self.folder, "--state", "nonsense"))

    def test_the_gravest_come_first(self):
        kinds = ["disagreement", "crash", "solution-unsound", "slow", "invalid-model",
                 "refutation-unsound", "self-check", "something new"]
        self.add(*(manifest(kind, "00000001", id=f"z3-{i}") for i, kind in enumerate(kinds)))
        lines = self.accept().splitlines()
        self.assertRegex(lines[0], r"^BUG +KIND +SOLVER +FOUND +BYTES +WHAT$")
        ranked = [line.split()[0] for line in lines[1:9]]
        self.assertEqual(ranked, ["z3-5", "z3-2", "z3-4", "z3-1", "z3-6", "z3-3", "z3-0", "z3-7"])
        self.assertEqual(self.accept("list"), self.accept())
        self.assertRegex(lines[-1], r"^8 bugs: 1 refutation-unsound, 1 solution-unsound, ")
        self.assertNotIn("8 bugs", self.accept("-q"))

    def test_few_options_and_small_scripts_come_first(self):
        self.add(manifest("crash", "3", options=["--a"], size_reduced=5),
                 manifest("crash", "2", size_reduced=0),
                 manifest("crash", "1", size_reduced=70))
        lines = self.accept().splitlines()
        self.assertEqual([line.split()[0] for line in lines[1:4]],
                         ["z3-crash-1", "z3-crash-2", "z3-crash-3"])
        self.assertIn(" 900* ", lines[2])
        self.assertIn("[--a]", lines[3])
        self.assertIn("(*: not reduced)", lines[-1])

    def test_list_as_json(self):
        self.add(manifest("crash", "1"))
        listed = json.loads(self.accept("list", "--json"))
        self.assertEqual(listed["campaign"], self.folder)
        bug, = listed["bugs"]
        self.assertEqual(bug["id"], "z3-crash-1")
        self.assertEqual(bug["count"], 1)
        self.assertEqual(bug["first_seen"], 1700000000)
        self.assertEqual(bug["path"], "bugs/z3-crash-1")

    def test_show(self):
        self.add(manifest("refutation-unsound", "12345678"), manifest("crash", "12345678"))
        text = self.accept("show", "z3-ref")
        for part in ("z3-refutation-unsound-12345678", "a refutation-unsound bug",
                     "says unsat, and a model shows that it is sat", "z3 4.8.12", "QF_LIA",
                     "1 time, first 2023-11-14 22:13:20 UTC", "rng seed 18446744073709551615",
                     "45 bytes, reduced from 900", "  the witness model satisfies\n  every",
                     "cvc5 1.0.3: sat", "reduced.smt2:\n  (assert (> 1 0))\n  (check-sat)\n"):
            self.assertIn(part, text)
        bug = json.loads(self.accept("show", "z3-crash-12345678", "--json"))
        self.assertEqual(bug["rng_seed"], 2**64 - 1)
        self.assertEqual(bug["files"], ["manifest.json", "original.smt2", "reduced.smt2"])
        self.assertEqual(bug["script"], "(assert (> 1 0))\n(check-sat)\n")
        self.assertEqual(bug["answers"][0]["solver"], "cvc5")

    def test_show_wants_one_bug(self):
        self.add(manifest("crash", "1"), manifest("crash", "2"))
        self.assertIn("there is no bug 'cvc5'", self.refuse(self.folder, "show", "cvc5"))
        self.assertIn("may be any of z3-crash-1, z3-crash-2",
                      self.refuse(self.folder, "show", "z3"))
        self.assertIn("no bug '../..'", self.refuse(self.folder, "show", "../.."))
        self.refuse(self.folder, "show")
        self.refuse(self.folder, "shwo", "z3")

    def test_marks_are_kept(self):
        self.add(manifest("crash", "1"), manifest("crash", "2"))
        self.assertEqual(self.accept("mark", "z3-crash-1", "reported", "https://x.org/1", "--note",
                                     "they know"), "")
        listed = json.loads(self.accept("--json"))["bugs"]
        self.assertEqual([bug["id"] for bug in listed], ["z3-crash-2", "z3-crash-1"])
        self.assertEqual((listed[1]["state"], listed[1]["reference"], listed[1]["note"]),
                         ("reported", "https://x.org/1", "they know"))
        self.assertIn("reported https://x.org/1: a crash bug", self.accept())
        self.assertIn("1 marked reported", self.accept())
        self.assertIn("they know", self.accept("show", "z3-crash-1"))
        # They outlive the database.
        os.rename(os.path.join(self.folder, "campaign.db"), os.path.join(self.folder, "lost"))
        self.resume()
        self.assertIn("1 marked reported", self.accept())
        self.accept("mark", "z3-crash-1", "open")
        self.assertNotIn("marked", self.accept())
        self.assertIn("STATE", self.refuse(self.folder, "mark", "z3-crash-1", "solved"))
        self.refuse(self.folder, "mark", "nobody", "fixed")

    def test_filters(self):
        self.add(manifest("crash", "1", engine="storm"), manifest("invalid-model", "2"),
                 manifest("slow", "3", solver="cvc5", id="cvc5-slow-3"))
        def ids(*arguments):
            return [bug["id"] for bug in json.loads(self.accept(*arguments, "--json"))["bugs"]]
        self.assertEqual(ids("--kind", "crash"), ["z3-crash-1"])
        self.assertEqual(ids("--solver", "cvc5"), ["cvc5-slow-3"])
        self.assertEqual(ids("list", "--engine", "storm"), ["z3-crash-1"])
        self.accept("mark", "z3-crash-1", "fixed")
        self.assertEqual(ids("--state", "fixed"), ["z3-crash-1"])
        self.assertEqual(ids("--state", "open"), ["z3-invalid-model-2", "cvc5-slow-3"])
        self.refuse(self.folder, "--kind", "nothing")

    def test_several_folders_are_one_list(self):
        self.add(manifest("crash", "1"), manifest("slow", "2"))
        first = self.folder
        self.folder = first + "-2"
        self.resume()
        self.add(manifest("crash", "1"), manifest("invalid-model", "3"))
        done = run("bugs", first, self.folder, "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        listed = json.loads(done.stdout)
        self.assertEqual([(bug["id"], bug["count"]) for bug in listed["bugs"]],
                         [("z3-invalid-model-3", 1), ("z3-crash-1", 2), ("z3-slow-2", 1)])
        self.assertEqual(listed["campaigns"], [first, self.folder])
        shown = run("bugs", first, self.folder, "show", "z3-inv")
        self.assertIn("z3-invalid-model-3", shown.stdout)

    def test_a_file_of_known_bugs(self):
        self.add(manifest("crash", "1", signature="crash z3: SIGSEGV at f.cpp:3"))
        path = os.path.join(self.folder, "known.toml")
        with open(path, "w", encoding="utf-8") as f:
            f.write('[[bug]]\ntitle = "f dies"\nreference = "https://x.org/7"\nsolver = "z3"\n'
                    'location = "f.cpp:3"\n')
        self.assertIn("known: f dies (https://x.org/7)", self.accept("--known", path))
        # Known upstream is as good as marked so.
        def count(state):
            return len(json.loads(self.accept("--known", path, "--state", state, "--json"))["bugs"])
        self.assertEqual((count("known"), count("open")), (1, 0))
        with open(path, "w", encoding="utf-8") as f:
            f.write("[[bug]]\n")
        self.assertIn("title", self.refuse(self.folder, "--known", path))

    def test_what_needs_a_disclaimed_option_comes_last(self):
        self.add(manifest("refutation-unsound", "1", disclaimed=["--fp-exp"]),
                 manifest("disagreement", "2"),
                 manifest("invalid-model", "3", probable="solution-unsound"), manifest("crash", "4"))
        ranked = [line.split()[0] for line in self.accept().splitlines()[1:5]]
        self.assertEqual(ranked, ["z3-invalid-model-3", "z3-crash-4", "z3-disagreement-2",
                                  "z3-refutation-unsound-1"])

    def test_what_is_not_asked_for_is_not_exported(self):
        self.add(manifest("crash", "1"))
        self.assertIn("z3-crash-1 is not among the bugs that are asked for",
                      self.refuse(self.folder, "export", "z3-crash-1", "--kind", "slow"))

    def test_output_to_a_file(self):
        self.add(manifest("crash", "1"))
        path = os.path.join(self.folder, "table.txt")
        self.assertEqual(self.accept("list", "-o", path), "")
        with open(path, encoding="utf-8") as f:
            self.assertIn("z3-crash-1", f.read())
        self.assertIn("No such file",
                      self.refuse(self.folder, "-o", os.path.join(self.folder, "x", "y")))

    def test_what_a_solver_said_does_nothing_to_the_terminal(self):
        self.add(manifest("crash", "1", title="\x1b[31mred\x07", evidence="\x1b]0;title\x07\nok",
                          signature="\x1b[2J"), script="; \x1b[1m\n(check-sat)\n")
        for text in (self.accept(), self.accept("show", "z3")):
            self.assertNotRegex(text, r"[\x00-\x09\x0b-\x1f\x7f]")

    def test_not_a_campaign(self):
        self.assertIn("does not exist", self.refuse(self.folder + "x"))
        empty = self.folder + "-empty"
        os.mkdir(empty)
        self.assertIn("is not the folder of a campaign", self.refuse(empty))
        with open(os.path.join(empty, "campaign.db"), "w", encoding="utf-8") as f:
            f.write("?" * 4096)
        self.assertIn("damaged", self.refuse(empty))
        self.refuse()

    def test_broken_manifest(self):
        self.add(manifest("crash", "1"))
        path = os.path.join(self.folder, "bugs", "z3-crash-1", "manifest.json")
        with open(path, "w", encoding="utf-8") as f:
            f.write('{"id": 5, ')
        self.assertIn("it is not JSON", self.refuse(self.folder, "show", "z3-crash-1"))
        with open(path, "w", encoding="utf-8") as f:
            json.dump(manifest("crash", "1", options="--all"), f)
        self.assertIn("the field 'options' should be a list of strings",
                      self.refuse(self.folder, "show", "z3-crash-1"))
        self.assertIn("left alone", self.resume())
        self.assertIn("z3-crash-1", self.accept())
        shutil.rmtree(os.path.dirname(path))
        self.assertIn("No such file", self.refuse(self.folder, "show", "z3-crash-1"))

    def test_status_files_fit_the_tools_of_afl(self):
        with open(os.path.join(self.folder, "fuzzer_stats"), encoding="utf-8") as f:
            lines = f.read().splitlines()
        for line in lines:
            self.assertRegex(line, r"^[a-z_]+ *: ")
        # afl-whatsup lets a shell read them.
        text = "\n".join(re.sub(" *: *", '="', line, count=1) + '"' for line in lines
                         if not line.startswith("command_line"))
        names = "$corpus_count $execs_done $run_time $cur_item $saved_crashes $last_find"
        done = subprocess.run(["sh", "-euc", f"{text}\necho {names}"], capture_output=True,
                              text=True, check=True)
        self.assertRegex(done.stdout, r"^1 1 \d+ 0 0 0\n$")


def main():
    global ELENCHUS, RESUME
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elenchus", required=True, metavar="BIN")
    args, rest = parser.parse_known_args()
    ELENCHUS = os.path.abspath(args.elenchus)
    RESUME = os.path.join(os.path.dirname(ELENCHUS), "resume_campaign")
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
