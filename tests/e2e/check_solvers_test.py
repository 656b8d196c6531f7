#!/usr/bin/env python3
"""label: slow

`elenchus check` on models of the installed solvers, for the seeds and the regression scripts.

A model after `sat` must never be judged invalid, unless it is listed with the reason. Then one value
in each valid model is changed at random: the verdict may be any, but most become invalid. Skips
with a word when no solver is installed.
"""

import argparse
import collections
import glob
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOLVERS = {
    "z3": ["z3", "-T:3"],
    "cvc5": ["cvc5", "--produce-models", "--incremental", "--tlimit=3000"],
    "cvc4": ["cvc4", "--produce-models", "--incremental", "--tlimit=3000", "--lang=smt2.6"],
}
SOLVER_LIMIT = 10.0
HANG_LIMIT = 300.0
SKIPPED = 77

# Really wrong models: (solver, script) -> why.
WRONG_MODELS = {}
# Output that is no SMT-LIB and has no clear meaning: (solver, script) -> why.
UNREADABLE = {
    ("z3", "quoted_symbols"): "z3 4.8.12 prints the sort |a sort| without its bars",
    ("cvc4", "scopes"): "cvc4 1.8 names an element of (S Int) @uc_(S Int)_0, without bars",
    ("z3", "scopes"): "z3 4.8.12 names an element of (S Int) S!val!0 and does not declare it",
    ("z3", "reserved_looking_names"): "z3 4.8.12 prints the sort |(_ BitVec 8)| without its bars",
    ("cvc5", "codatatypes"): "cvc5 1.0.3 ends a stream that goes round with cbv_Stream_1",
    ("cvc4", "codatatypes"): "cvc4 1.8 declares the codatatype in the model, and names no end",
    ("cvc5", "separation_points"): "a heap follows the model",
    ("cvc4", "separation_points"): "a heap follows the model",
    ("cvc5", "separation_wand"): "a heap follows the model",
    ("cvc5", "higher_order_apply"): "cvc5 1.0.3 writes a constant of a function sort as a function",
    ("z3", "z3_set_names"): "z3 4.8.12 writes sets as functions to Bool",
    ("cvc4", "cvc4_separation"): "cvc4 1.8 defines the name _emp1, its own, twice",
}
CHECK = re.compile(r"\((check-sat|check-sat-assuming\s*\((?:[^()]|\([^()]*\))*\))\s*\)")
NOISE = re.compile(r"\((exit|get-[a-z-]+(\s[^()]*|\s*\((?:[^()]|\([^()]*\))*\)\s*)?)\)")


def with_get_model(text):
    """The script without comments, asking for a model after each check and for nothing else."""
    text = re.sub(r"^;.*\n", "", text, flags=re.M)
    return CHECK.sub(lambda found: found.group(0) + "\n(get-model)", NOISE.sub("", text))


class Solvers:
    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        self.counts = collections.Counter()
        self.failures = []

    def path(self, name):
        return os.path.join(self.folder, name)

    def fail(self, what, detail):
        self.failures.append(what)
        print(f"FAIL {what}: {detail}", flush=True)

    def check(self, script, output):
        try:
            done = subprocess.run([self.program, "check", script, output], capture_output=True,
                                  timeout=HANG_LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return None, "hangs"
        text = (done.stdout + done.stderr).decode("utf-8", "replace")
        return done.returncode, text

    def solve(self, solver, script):
        """What the solver printed, if a model is in it and it understood the script."""
        try:
            done = subprocess.run([*SOLVERS[solver], script], capture_output=True,
                                  timeout=SOLVER_LIMIT, check=False)
        except subprocess.TimeoutExpired:
            return None
        text = done.stdout.decode("latin-1")
        unread = re.search(r'\(error "(?!.*(model is not available|[Cc]annot get model))', text)
        has_model = re.search(r"^sat\s*\n\((?!error)", text, flags=re.M)
        return text if has_model and not unread else None

    def check_models(self, scripts):
        for source in scripts:
            name = os.path.splitext(os.path.basename(source))[0]
            with open(source, encoding="utf-8", errors="replace") as f:
                text = with_get_model(f.read())
            script = self.path(name + ".smt2")
            with open(script, "w", encoding="utf-8") as f:
                f.write(text)
            if subprocess.run([self.program, "parse", "-q", script], capture_output=True,
                              check=False).returncode != 0:
                continue
            for solver in SOLVERS:
                if shutil.which(solver):
                    self.check_model(solver, name, script)

    def check_model(self, solver, name, script):
        text = self.solve(solver, script)
        if text is None:
            return
        output = self.path(f"{name}.{solver}")
        with open(output, "w", encoding="latin-1") as f:
            f.write(text)
        code, shown = self.check(script, output)
        self.counts[solver, code] += 1
        accepted = [0, 4]
        if (solver, name) in WRONG_MODELS or "answered unknown" in shown:
            accepted.append(1)
        if (solver, name) in UNREADABLE:
            accepted.append(2)
        if code not in accepted:
            self.fail(f"{solver} on {name}", f"exit code {code}: {shown}")
        if code == 0:
            self.check_changed(name, script, output, text)

    def check_changed(self, name, script, output, text):
        changed = changed_value(text, random.Random(name))
        if changed is None:
            return
        with open(output, "w", encoding="latin-1") as f:
            f.write(changed)
        code, shown = self.check(script, output)
        self.counts["changed", code] += 1
        if code not in (0, 1, 2, 4):
            self.fail(f"changed model of {name}", f"exit code {code}: {shown}\n{changed}")

    def report(self):
        for solver in SOLVERS:
            total = sum(n for (who, _), n in self.counts.items() if who == solver)
            if total:
                unknown = self.counts[solver, 4]
                print(f"{solver}: {total} models, {unknown} unknown ({100 * unknown // total} %)")
        changed = {code: n for (who, code), n in sorted(
            self.counts.items(), key=str) if who == "changed"}
        print(f"changed models by exit code: {changed}")
        total = sum(changed.values())
        if total and changed.get(1, 0) * 2 < total:
            self.fail("changed models", "less than half of them are judged invalid")


def changed_value(text, rng):
    """One number, bit-vector, Boolean or string of the definitions' bodies is another one."""
    start = text.find("(define-fun")
    places = [m for m in re.finditer(
        r'(?<![\w!.@#$-])(\d+\.0|\d+|#b[01]+|#x[0-9a-fA-F]+|true|false|"[^"]*")(?=[\s)])',
        text) if m.start() > start and not is_index(text, m.start())]
    if start < 0 or not places:
        return None
    place = rng.choice(places)
    return text[:place.start()] + another(place.group(0), rng) + text[place.end():]


def is_index(text, offset):
    """Numbers that belong to a sort, or to an indexed operator."""
    opening = text.rfind("(", 0, offset)
    return text[opening:opening + 2] == "(_"


def another(value, rng):
    if value in ("true", "false"):
        return "false" if value == "true" else "true"
    if value.startswith('"'):
        return value[:-1] + 'z"'
    if value.startswith("#"):
        at = rng.randrange(2, len(value))
        return value[:at] + ("0" if value[at] != "0" else "1") + value[at + 1:]
    whole = value.removesuffix(".0")
    return str(int(whole) + rng.randrange(1, 50)) + value[len(whole):]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[2])
    parser.add_argument("--elenchus", required=True, metavar="BIN")
    args = parser.parse_args()
    if not any(map(shutil.which, SOLVERS)):
        print("skipped: none of " + ", ".join(SOLVERS) + " is installed")
        return SKIPPED
    scripts = [path for folder in ("data/seeds", "tests/regress") for path in sorted(
        glob.glob(os.path.join(SOURCE, folder, "**", "*.smt2"), recursive=True))]
    with tempfile.TemporaryDirectory(prefix="check_solvers_test.") as folder:
        solvers = Solvers(os.path.abspath(args.elenchus), folder)
        solvers.check_models(scripts)
        solvers.report()
    return 1 if solvers.failures else 0


if __name__ == "__main__":
    sys.exit(main())
