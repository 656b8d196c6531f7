#!/usr/bin/env python3
"""A solver with a planted bug: z3, but wrong on problems that mention a certain word.

Usage as a solver: 'tests/fake_solvers/planted.py WORD'. Where the problem has the word in it, an
answer sat becomes unsat. WORD defaults to bvsmod. All other arguments go to z3.
"""

import os
import subprocess
import sys


def main():
    arguments = sys.argv[1:]
    if "--version" in arguments:
        os.execvp("z3", ["z3", "--version"])
    own = [a for a in arguments if not a.startswith("-") and "=" not in a]
    word = own[-1] if own else "bvsmod"
    command = ["z3"] + [a for a in arguments if a not in own]
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
                if seen and answer == "sat\n" and line.startswith("(check-sat"):
                    answer = "unsat\n"
                sys.stdout.write(answer)
            sys.stdout.flush()
            if line.startswith("(exit)"):
                break
    return 0


if __name__ == "__main__":
    sys.exit(main())
