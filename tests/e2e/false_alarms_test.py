#!/usr/bin/env python3
"""What looks like a bug and is none: unsupported features, warnings, limits, ways of printing.

label: sanitized
"""

import argparse
import os
import shlex
import subprocess
import sys
import tempfile
import unittest
from typing import NamedTuple

ELENCHUS = None
HANG_LIMIT = 300.0
SCRIPT = "(set-logic QF_LIA)\n(declare-const x Int)\n(assert (> x 0))\n(check-sat)\n"
WRONG_MODEL = "(\n(define-fun x () Int 0)\n)"
RIGHT_MODEL = "(\n(define-fun x () Int 5)\n)"
KNOWN = {
    "z3": "Z3 version 5.1.0 - 64 bit",
    "cvc5": "cvc5 1.3.5",
    "bitwuzla": "0.9.1",
    "yices-smt2": "Yices 2.7.0",
    "opensmt": "v2.9.2",
    "stp": "STP version 2.3.4",
    "boolector": "1.5.118",
    "mathsat": "MathSAT5 version 5.6.10",
    "my-solver": "mine",
}


def says(text, stream=1):
    return f"printf '%s\\n' {shlex.quote(text)} >&{stream}"


class Alarm(NamedTuple):
    """A solver, and what it does in check-sat and get-model."""

    name: str
    solver: str
    check: list
    model: str = WRONG_MODEL
    is_right: bool = False  # what it says is right; else it is undecided


WRONG = says("unsat")
HANG = "sleep 100"
ALARMS = [
    Alarm("an answer with a warning, wrong model", "bitwuzla",
          [says("Equalities over uninterpreted sorts not yet supported.", 2), says("sat")]),
    Alarm("an answer with a warning, wrong answer", "bitwuzla",
          [says("Equalities over functions not yet supported.", 2), WRONG]),
    Alarm("an answer with a warning on standard output, wrong model", "bitwuzla",
          [says("[bzla] warning: Equalities over uninterpreted sorts not yet supported."),
           says("sat")]),
    Alarm("an answer with a warning on standard output, wrong answer", "bitwuzla",
          [says("[bzla] warning: Equality over constant arrays not fully supported yet"), WRONG]),
    Alarm("a floating-point format that is not built in", "bitwuzla",
          [says("[error] Unsupported experimental floating-point format", 2), "exit 1"]),
    Alarm("a build that lacks a library, and dies of it", "cvc5",
          [says("Fatal failure within x at y.cpp:1\nthis requires cvc5 to be configured with z", 2),
           "kill -s ABRT $$"]),
    Alarm("a theory that is restricted", "cvc5",
          [says('(error "Logic restricted in safe mode. Term of kind X is not supported")'),
           "exit 1"]),
    Alarm("an expert option in stable mode", "cvc5",
          [says("(error \"expert option x cannot be set in stable mode.\")"), "exit 1"]),
    Alarm("a refusal in stable mode on standard error, after an answer", "cvc5",
          [says("expert option x cannot be set in stable mode.", 2), WRONG]),
    Alarm("a time limit of its own", "cvc5", [says("cvc5 interrupted by timeout.", 2), "exit 1"]),
    Alarm("a parse error", "cvc5", [says('(error "Parse Error: <stdin>:1.1: what")'), "exit 1"]),
    Alarm("something not enabled", "cvc5",
          [says('(error "Strings are not enabled")'), "exit 1"]),
    Alarm("a command that is passed over", "z3",
          [says("unsupported"), says("; bar line: 3 position: 5", 2), WRONG]),
    Alarm("an answer that is a timeout", "z3", [says("timeout")]),
    Alarm("a cancelled check", "z3", [says("(error \"line 4 column 10: canceled\")")]),
    Alarm("the end of its memory", "z3", [says('(error "out of memory")'), "exit 101"]),
    Alarm("the end of WebAssembly's stack", "z3",
          [says('(error "out of memory: the stack of WebAssembly")'), "exit 1"]),
    Alarm("a kill from outside", "z3", ["kill -s KILL $$"]),
    Alarm("a hang", "z3", [HANG]),
    Alarm("a theory that mcsat lacks", "yices-smt2",
          [says('(error "mcsat: unsupported theory")'), "exit 1"]),
    Alarm("an unknown logic", "opensmt", [says('(error "unknown logic QF_LIA")'), "exit 1"]),
    Alarm("a syntax error in a file", "stp", [says("syntax error: line 1", 2), "exit 255"]),
    Alarm("a warning of an unknown solver", "my-solver",
          [says("warning: x is not supported, ignored", 2), WRONG]),
    # Names of the script that read like crashes.
    Alarm("a name with BUG in it", "yices-smt2",
          [says('(error "at line 3, column 9: type error in DEBUG_1")'), "exit 1"]),
    Alarm("a quoted name that is a crash's text", "yices-smt2",
          [says("(error \"undefined term: |FATAL ERROR|\")"), "exit 1"]),
    Alarm("a name that says unreachable", "opensmt",
          [says("(error \"unknown symbol `unreachable'\")"), "exit 1"]),
    Alarm("a name that says Assertion", "bitwuzla",
          [says("[error] undefined symbol '|Assertion 1|'", 2), "exit 1"]),
    Alarm("a name that says assertion", "boolector",
          [says("boolector: <stdin>:2:9: assertion_1 is no function", 2), "exit 1"]),
    Alarm("a quoted name that says internal error", "mathsat",
          [says("(error \"no function named 'internal error'\")"), "exit 1"]),
    # What is right, in other forms.
    Alarm("a warning that means nothing", "z3",
          [says("WARNING: an optimisation is off"), says("sat")], RIGHT_MODEL, True),
    Alarm("a logic that is ignored", "z3",
          [says("; ignoring unsupported logic QF_LIA line: 1 position: 1", 2), says("sat")],
          RIGHT_MODEL, True),
    Alarm("a model with its old keyword", "z3", [says("sat")],
          "(model\n  (define-fun x () Int 5)\n)", True),
    Alarm("lines that end as on Windows", "z3", ["printf 'sat\\r\\n'"],
          "(\r\n  (define-fun x () Int\r\n    5)\r\n)\r", True),
    Alarm("a model with comments", "z3", [says("sat")],
          "(\n  ;; universe: none\n  (define-fun x () Int ; five\n    5)\n)", True),
    Alarm("a model that says nothing", "z3", [says("sat")], "(\n)", True),
    Alarm("no model", "z3", [says("sat")], '(error "model is not available")', True),
    Alarm("a value that is a term", "z3", [says("sat")],
          "(\n(define-fun x () Int (- 7 (to_int 2.0)))\n)", True),
]


def write_solver(folder, alarm):
    path = os.path.join(folder, alarm.solver)
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""#!/bin/sh
for last in "$@"; do
  if [ "$last" = --version ]; then echo {shlex.quote(KNOWN[alarm.solver])}; exit 0; fi
done
if [ -f "$last" ]; then exec <"$last"; fi
asked=no
while IFS= read -r line; do
  case "$line" in
    "(assert"*) asked=yes ;;
    "(check-sat"*)
      # The question that the program asks first, to see which options it takes.
      if [ $asked = no ]; then echo sat; continue; fi
      {chr(10).join(alarm.check)} ;;
    "(get-model)") {says(alarm.model)} ;;
    "(echo "*) text=${{line#*\\"}}; echo "${{text%\\"*}}" ;;
    "(exit)") exit 0 ;;
  esac
done
""")
    os.chmod(path, 0o755)
    return path


def judge(alarm):
    with tempfile.TemporaryDirectory() as folder:
        path = write_solver(folder, alarm)
        # All but one answer at once, or as soon as the machine has time for them.
        limit = "0.5s" if HANG in alarm.check else "20s"
        return subprocess.run(
            [ELENCHUS, "judge", "-", "-q", "--timeout", limit, "--solver", path], input=SCRIPT,
            capture_output=True, text=True, timeout=HANG_LIMIT, check=False)


class FalseAlarms(unittest.TestCase):
    def test_nobody_is_accused(self):
        for alarm in ALARMS:
            with self.subTest(alarm.name):
                done = judge(alarm)
                said = done.stdout + done.stderr
                self.assertEqual(done.returncode, 0 if alarm.is_right else 4, said)

    def test_without_the_excuse_it_is_one(self):
        for solver in ("z3", "cvc5", "bitwuzla", "yices-smt2", "opensmt"):
            with self.subTest(solver):
                done = judge(Alarm("", solver, [says("sat")]))
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        done = judge(Alarm("", "z3", ["kill -s SEGV $$"]))
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    options, rest = parser.parse_known_args()
    ELENCHUS = options.elenchus
    unittest.main(argv=sys.argv[:1] + rest)
