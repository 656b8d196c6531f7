#!/usr/bin/env python3
"""z3 with a fault in what it says of terms.

Usage as a solver: 'tests/fake_solvers/planted_terms.py FAULT [WORD]'. Of terms whose outermost
operator is WORD (default bvsmod), and that are bit-vectors,

  rewrite     (simplify t) gives the complement of what z3 gives
  fold        the same, and whatever is asserted with WORD in it is unsat
  value       (get-value (t)) and (eval t) give a value with its last bit turned
  other-sort  (simplify t) gives a Boolean
  deep        (simplify t) gives a term a million nodes deep
  endless     (simplify t) gives a line that never ends
  dies        (simplify t) is its end
  hangs       (simplify t) has no answer
  swaps       what it says to (simplify t) comes after what it says to the next command

With refuses, (simplify t) is always refused. With late, nothing is read for two seconds. All other arguments go to z3.
"""

import os
import re
import subprocess
import sys
import time

DEPTH = 1_000_000


def turned(answer):
    """The answer with the last bit of its last bit-vector literal turned."""
    found = list(re.finditer("#x([0-9a-f]+)|#b([01]+)", answer))
    if not found:
        return answer
    last = found[-1]
    if last[1]:
        new = f"#x{int(last[1], 16) ^ 1:0{len(last[1])}x}"
    else:
        new = f"#b{int(last[2], 2) ^ 1:0{len(last[2])}b}"
    return answer[: last.start()] + new + answer[last.end() :]


class Planted:
    """What is said in place of z3's own words."""

    def __init__(self, fault, word):
        self.fault = fault
        self.word = word
        self.levels = [False]  # whether WORD is asserted, by level

    def follow(self, line):
        """Notes what a line asserts."""
        if line.startswith("(reset"):
            self.levels = [False]
        elif line.startswith("(push"):
            self.levels.append(self.levels[-1])
        elif line.startswith("(pop"):
            self.levels.pop()
        elif not line.startswith("(simplify"):
            self.levels[-1] = self.levels[-1] or f"({self.word} " in line

    def is_about(self, line, command):
        return line.startswith(f"({command} ({self.word} ")

    def said(self, line, answer):
        """What becomes of z3's answer to a line; None: the end."""
        if self.fault == "value":
            is_value = self.is_about(line, "eval") or line.startswith(
                f"(get-value (({self.word} ")
            return turned(answer) if is_value else answer
        if self.fault == "fold" and line.startswith("(check-sat") and self.levels[-1]:
            return "unsat\n"
        if self.fault == "refuses" and line.startswith("(simplify"):
            return '(error "not today")\n'
        if not self.is_about(line, "simplify"):
            return answer
        if self.fault in ("rewrite", "fold"):
            return f"(bvnot {answer.strip()})\n"
        if self.fault == "other-sort":
            return "true\n"
        if self.fault == "deep":
            return "(bvnot " * DEPTH + "#x0" + ")" * DEPTH + "\n"
        if self.fault == "endless":
            while True:
                sys.stdout.write("x" * 65536)
        if self.fault == "dies":
            os._exit(3)
        if self.fault == "hangs":
            time.sleep(1000)
        return answer


def main():
    arguments = sys.argv[1:]
    if "--version" in arguments:
        os.execvp("z3", ["z3", "--version"])
    if "-pd" in arguments:
        os.execvp("z3", ["z3", "-pd"])
    own = [a for a in arguments if not a.startswith("-") and "=" not in a]
    if "late" in own:
        time.sleep(2)
    planted = Planted(own[0] if own else "rewrite", own[1] if len(own) > 1 else "bvsmod")
    command = ["z3"] + [a for a in arguments if a not in own]
    held = ""
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as z3:
        for number, line in enumerate(sys.stdin):
            planted.follow(line)
            mark = f"planted-{number}"
            z3.stdin.write(f'{line}(echo "{mark}")\n' if line.endswith(")\n") else line)
            z3.stdin.flush()
            if not line.endswith(")\n"):
                continue
            answer = ""
            for part in z3.stdout:
                if part.strip() == mark:
                    break
                answer += part
            answer = planted.said(line, answer)
            if planted.fault == "swaps" and planted.is_about(line, "simplify") and not held:
                held = answer
                continue
            sys.stdout.write(answer + held)
            sys.stdout.flush()
            held = ""
            if line.startswith("(exit)"):
                break
    return 0


if __name__ == "__main__":
    sys.exit(main())
