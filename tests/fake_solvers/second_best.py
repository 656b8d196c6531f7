#!/usr/bin/env python3
"""A solver with a planted bug: z3, but its optima are only second best.

Usage as a solver: tests/fake_solvers/second_best.py. Where a problem says (maximize t), it finds the
optimum, and then answers as if that were forbidden: its model and its objectives agree with each
other, and something better is possible. All arguments go to z3.
"""

import os
import re
import subprocess
import sys


class Solver:
    """A z3 that is asked one thing after the other."""

    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.count = 0

    def ask(self, text):
        self.count += 1
        mark = f"second-best-{self.count}"
        self.process.stdin.write(f'{text}(echo "{mark}")\n')
        self.process.stdin.flush()
        said = ""
        for line in self.process.stdout:
            if line.strip() == mark:
                break
            said += line
        return said


def second_best(z3, lines, answer):
    """What becomes of an answer to the problem in these lines, of which the last is a check."""
    goal = next((line for line in lines if line.startswith("(maximize ")), None)
    if goal is None or answer != "sat\n":
        return answer
    best = re.search(r"^ \((.*) (\d+|\(- \d+\))\)$", z3.ask("(get-objectives)\n"), re.MULTILINE)
    if best is None:
        return answer
    term = goal.strip()[len("(maximize "):-1]
    head = "".join(lines[:-1])
    forbidden = f"(assert (< {term} {best[2]}))\n"
    z3.ask("(reset)\n")
    if z3.ask(head + forbidden + lines[-1]) == "sat\n":
        return "sat\n"
    z3.ask("(reset)\n")
    return z3.ask("".join(lines))


def main():
    arguments = sys.argv[1:]
    for word in ("--version", "-pd"):
        if word in arguments:
            os.execvp("z3", ["z3", word])
    z3 = Solver(["z3"] + arguments)
    lines = []
    for line in sys.stdin:
        if line.startswith("(reset)"):
            lines = []
        elif not line.startswith("(get-") and not line.startswith("(echo"):
            lines.append(line)
        if line.startswith("(exit)"):
            break
        answer = z3.ask(line)
        if line.startswith("(check-sat"):
            answer = second_best(z3, lines, answer)
        sys.stdout.write(answer)
        sys.stdout.flush()
    z3.process.stdin.close()
    z3.process.wait()


main()
