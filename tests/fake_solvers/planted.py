#!/usr/bin/env python3
"""A solver with a planted bug: z3, but wrong on problems that mention a certain word.

Usage as a solver: 'tests/fake_solvers/planted.py [LIE] WORD'. Where the problem has the word in it,
an answer sat becomes unsat; with the LIE lie-sat, an answer unsat becomes sat; with lie-model, the
bit-vectors of a model are changed; with lie-core, an unsat core lacks its first assertion. WORD
defaults to bvsmod. With when:NAME it lies only when it is given an option whose name starts so. All
other arguments go to z3.
"""

import os
import re
import subprocess
import sys


def told(lie, line, answer):
    """What becomes of an answer to a line."""
    if lie == "lie-model" and line.startswith("(get-model"):
        return re.sub("#x([0-9a-f]+)", lambda m: f"#x{int(m[1], 16) ^ 1:0{len(m[1])}x}", answer)
    if lie == "lie-core" and line.startswith("(get-unsat-core"):
        return re.sub(r"^\((\S+) ", "(", answer)
    if not line.startswith("(check-sat"):
        return answer
    if lie == "lie-unsat" and answer == "sat\n":
        return "unsat\n"
    if lie == "lie-sat" and answer == "unsat\n":
        return "sat\n"
    return answer


def main():
    arguments = sys.argv[1:]
    if "--version" in arguments:
        os.execvp("z3", ["z3", "--version"])
    if "-pd" in arguments:
        os.execvp("z3", ["z3", "-pd"])
    conditions = [a for a in arguments if a.startswith("when:")]
    arguments = [a for a in arguments if a not in conditions]
    own = [a for a in arguments if not a.startswith("-") and "=" not in a]
    word = own[-1] if own else "bvsmod"
    lie = own[0] if len(own) > 1 else "lie-unsat"
    command = ["z3"] + [a for a in arguments if a not in own]
    if not all(any(a.startswith(c[5:]) for a in command) for c in conditions):
        lie = "honest"
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    ) as z3:
        seen = False
        for number, line in enumerate(sys.stdin):
            if line.startswith("(reset)"):
                seen = False
            seen = seen or word in line
            # What z3 says to this line ends where the echo stands.
            mark = f"planted-{number}"
            z3.stdin.write(f'{line}(echo "{mark}")\n' if line.endswith(")\n") else line)
            z3.stdin.flush()
            if not line.endswith(")\n"):
                continue
            for answer in z3.stdout:
                if answer.strip() == mark:
                    break
                if seen:
                    answer = told(lie, line, answer)
                sys.stdout.write(answer)
            sys.stdout.flush()
            if line.startswith("(exit)"):
                break
    return 0


if __name__ == "__main__":
    sys.exit(main())
