#!/usr/bin/env python3
"""label: slow, sanitized

Input that breaks parsers: deep, huge, truncated, binary, exponential, or not a file at all.

Each case is parsed, printed and counted (`parse`, `parse --print`, `parse --stats`). The exit code
must be 0 or 2 (the expected one where the standard is clear), never a signal, and every error line
must say where it is: FILE:LINE:COL: error: ... What is accepted is also printed, parsed and
printed again, and both prints must be equal.
"""

import argparse
import json
import os
import re
import resource
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import time

HANG_LIMIT = 300.0
MEMORY_LIMIT = 8 << 30
EITHER = (0, 2)
# What takes more than a moment says how far it is, also where standard error is no terminal.
PROGRESS = b"elenchus: "


class Failure(Exception):
    pass


# ---------------------------------------------------------------------------------------------
# The generated scripts. Each returns bytes; names in CASES say what they are.


def nested(opening, middle, closing, depth, head="", tail="(check-sat)\n"):
    return (head + "(assert " + opening * depth + middle + closing * depth + ")\n" + tail).encode()


BOOL = "(set-logic ALL)\n(declare-const p Bool)\n"
INT = "(set-logic ALL)\n(declare-const x Int)\n"
BITS = "(set-logic ALL)\n(declare-const b (_ BitVec 8))\n"


def nested_let(depth):
    parts = [BOOL, "(assert "]
    parts += [f"(let ((v{i} (not {'p' if i == 0 else f'v{i - 1}'}))) " for i in range(depth)]
    parts += [f"v{depth - 1}", ")" * depth, ")\n(check-sat)\n"]
    return "".join(parts).encode()


def nested_let_in_binding(depth):
    return nested("(let ((v ", "p", ")) (not v))", depth, BOOL)


def shadowing_let(depth):
    return nested("(let ((p (not p))) ", "p", ")", depth, BOOL)


def nested_binary_tree_walk(depth):
    """Alternates between the first and the last argument, so that no tail call helps."""
    opening = "".join("(and p " if i % 2 else "(or " for i in range(depth))
    closing = "".join(")" if i % 2 else " p)" for i in reversed(range(depth)))
    return (BOOL + "(assert " + opening + "p" + closing + ")\n").encode()


def nested_quantifiers(depth):
    parts = [INT, "(assert "]
    parts += [f"({'forall' if i % 2 else 'exists'} ((y{i} Int)) " for i in range(depth)]
    parts += [f"(< x y{depth - 1})", ")" * depth, ")\n(check-sat)\n"]
    return "".join(parts).encode()


def nested_match(depth):
    head = ("(set-logic ALL)\n(declare-datatypes ((N 0)) (((z) (s (p N)))))\n"
            "(declare-const n N)\n")
    return nested("(match n ((z false) ((s m) ", "true", ")))", depth, head)


def exponential_let(levels):
    parts = [INT, "(assert (let ((v0 (+ x x))) "]
    parts += [f"(let ((v{i} (+ v{i - 1} v{i - 1}))) " for i in range(1, levels)]
    parts += [f"(= v{levels - 1} 0)", ")" * levels, ")\n(check-sat)\n"]
    return "".join(parts).encode()


def exponential_functions(levels):
    parts = [INT, "(define-fun f0 ((a Int)) Int (+ a a))\n"]
    parts += [f"(define-fun f{i} ((a Int)) Int (+ (f{i - 1} a) (f{i - 1} (f{i - 1} a))))\n"
              for i in range(1, levels)]
    parts += [f"(assert (= (f{levels - 1} x) 0))\n(check-sat)\n"]
    return "".join(parts).encode()


def exponential_sorts(levels):
    parts = ["(set-logic ALL)\n(define-sort S0 () (Array Int Int))\n"]
    parts += [f"(define-sort S{i} () (Array S{i - 1} S{i - 1}))\n" for i in range(1, levels)]
    parts += [f"(declare-const a S{levels - 1})\n(declare-const b S{levels - 1})\n"
              "(assert (= a b))\n(check-sat)\n"]
    return "".join(parts).encode()


def exponential_parametric_sorts(levels):
    parts = ["(set-logic ALL)\n(define-sort D0 (T) (Array T T))\n"]
    parts += [f"(define-sort D{i} (T) (D{i - 1} (D{i - 1} T)))\n" for i in range(1, levels)]
    parts += [f"(declare-const a (D{levels - 1} Int))\n(check-sat)\n"]
    return "".join(parts).encode()


def many_assertions(count):
    lines = [f"(assert (<= x {i}))\n" for i in range(count)]
    return (INT + "".join(lines) + "(check-sat)\n").encode()


def many_declarations(count):
    lines = [f"(declare-fun f{i} (Int Bool) Int)\n" for i in range(count)]
    use = f"(assert (= 0 (f{count - 1} 1 true)))\n"
    return ("(set-logic ALL)\n" + "".join(lines) + use).encode()


def overloads(count):
    lines = [f"(declare-fun f ((_ BitVec {i + 1})) Bool)\n" for i in range(count)]
    return ("(set-logic ALL)\n" + "".join(lines) + "(assert (f #b1))\n(check-sat)\n").encode()


def big_datatype(count):
    constructors = " ".join(f"(c{i} (s{i} Int) (t{i} D))" for i in range(count))
    return (f"(set-logic ALL)\n(declare-datatypes ((D 0)) (((leaf) {constructors})))\n"
            f"(declare-const d D)\n(assert ((_ is c{count - 1}) d))\n"
            f"(assert (> (s{count - 1} (t0 d)) 3))\n(check-sat)\n").encode()


def many_datatypes(count):
    names = " ".join(f"(D{i} 0)" for i in range(count))
    bodies = " ".join(f"((n{i}) (c{i} (next{i} D{(i + 1) % count})))" for i in range(count))
    return (f"(set-logic ALL)\n(declare-datatypes ({names}) ({bodies}))\n"
            "(declare-const d D0)\n(assert ((_ is c1) (next0 d)))\n(check-sat)\n").encode()


def wide_match(count):
    constructors = " ".join(f"(c{i})" for i in range(count))
    cases = " ".join(f"(c{i} {i})" for i in range(count))
    return (f"(set-logic ALL)\n(declare-datatypes ((D 0)) (({constructors})))\n"
            f"(declare-const d D)\n(assert (= 7 (match d ({cases}))))\n(check-sat)\n").encode()


def wide_application(operator, count):
    return (BOOL + f"(assert ({operator} " + "p " * count + "))\n(check-sat)\n").encode()


def wide_let(count):
    bindings = " ".join(f"(v{i} (not p))" for i in range(count))
    return (BOOL + f"(assert (let ({bindings}) (and v0 v{count - 1})))\n(check-sat)\n").encode()


def wide_binder(count):
    variables = " ".join(f"(y{i} Int)" for i in range(count))
    return (INT + f"(assert (forall ({variables}) (< x y{count - 1})))\n(check-sat)\n").encode()


def in_places(bad):
    """The same bytes in every kind of place where text may stand."""
    return {
        "blank": b"(set-logic ALL)" + bad + b"\n(check-sat)\n",
        "first": bad + b"(set-logic ALL)\n(check-sat)\n",
        "last": b"(set-logic ALL)\n(check-sat)\n" + bad,
        "symbol": b"(set-logic ALL)\n(declare-const a" + bad + b"b Bool)\n(check-sat)\n",
        "quoted symbol": b"(set-logic ALL)\n(declare-const |a" + bad + b"b| Bool)\n"
                         b"(assert |a" + bad + b"b|)\n(check-sat)\n",
        "string": b"(set-logic ALL)\n(declare-const s String)\n"
                  b"(assert (= s \"a" + bad + b"b\"))\n(check-sat)\n",
        "keyword": b"(set-info :a" + bad + b"b 1)\n(check-sat)\n",
        "numeral": b"(set-logic ALL)\n(assert (= 1" + bad + b"2 12))\n(check-sat)\n",
        "comment": b"(set-logic ALL) ; a" + bad + b"b\n(check-sat)\n",
        "unknown command": b"(frobnicate a" + bad + b"b)\n(check-sat)\n",
    }


FEATURES = """\
(set-logic ALL)
(set-option :produce-models true)
(set-info :source |two words
and a line|)
(set-info :note "a ""quoted"" word")
(declare-sort U 0)
(declare-sort Box 1)
(define-sort Pair (A) (Array A (Array A Bool)))
(declare-datatypes ((Tree 1) (Colour 0))
  ((par (T) ((leaf) (node (left (Tree T)) (value T) (right (Tree T)))))
   ((red) (green))))
(declare-fun f (U (Box Int)) Real)
(declare-const m (Pair Int))
(declare-const t (Tree Int))
(declare-const b (_ BitVec 8))
(declare-const x Float32)
(declare-const s String)
(define-fun twice ((a Int)) Int (+ a a))
(define-fun-rec down ((n Int)) Int (ite (<= n 0) 0 (down (- n 1))))
(assert (! (forall ((u U) (v (Box Int))) (! (> (f u v) 1.5) :pattern ((f u v)))) :named ax))
(assert (let ((k (twice 3)) (l (- 4))) (= (select (select m k) l) (> k l))))
(assert (= 0 (match t ((leaf 1) ((node l n r) (down n))))))
(assert (distinct t (as leaf (Tree Int))))
(assert (= ((_ extract 3 0) b) #xa #b1010 (_ bv10 4)))
(assert (fp.lt x ((_ to_fp 8 24) RNE 0.1) (fp #b0 #x80 #b00000000000000000000000)))
(assert (str.in_re s (re.++ (str.to_re "\\u{41}") ((_ re.loop 1 3) re.allchar))))
(push 1)
(check-sat-assuming (ax (not ax)))
(pop 1)
(echo "done ; not a comment")
(get-value ((twice 2) |s|)) ; the end
(exit)
"""

DEEP = 200_000

# name -> (expected exit codes, function giving the bytes)
CASES = {
    "nested not": (0, lambda: nested("(not ", "p", ")", DEEP, BOOL)),
    "nested let": (0, lambda: nested_let(DEEP)),
    "nested let in a binding": (0, lambda: nested_let_in_binding(DEEP)),
    "shadowing let": (0, lambda: shadowing_let(DEEP)),
    "nested plus": (0, lambda: (INT + "(assert (= 0 " + "(+ 1 " * DEEP + "x" + ")" * DEEP
                                + "))\n(check-sat)\n").encode()),
    "nested unary minus": (0, lambda: (INT + "(assert (< " + "(- " * DEEP + "x" + ")" * DEEP
                                       + " 0))\n").encode()),
    "nested and/or": (0, lambda: nested_binary_tree_walk(DEEP)),
    "nested ite": (0, lambda: nested("(ite p p ", "p", ")", DEEP, BOOL)),
    "nested annotations": (0, lambda: nested("(! ", "p", " :note 1)", 100_000, BOOL)),
    "nested quantifiers": (0, lambda: nested_quantifiers(100_000)),
    "nested match": (0, lambda: nested_match(20_000)),
    "nested stores": (0, lambda: (INT + "(declare-const a (Array Int Int))\n(assert (= a "
                                  + "(store " * 100_000 + "a" + " 1 2)" * 100_000
                                  + "))\n").encode()),
    "nested unknown operator": (0, lambda: nested("(no.such.op ", "p", ")", 100_000, BOOL)),
    "nested parentheses in set-info": (0, lambda: ("(set-info :x " + "(" * DEEP + ")" * DEEP
                                                   + ")\n").encode()),
    "nested parentheses in an attribute": (0, lambda: (
        BOOL + "(assert (! p :x " + "(" * DEEP + "a" + ")" * DEEP + "))\n").encode()),
    "nested parentheses in an unknown command": (0, lambda: (
        "(frobnicate " + "(" * DEEP + ")" * DEEP + ")\n").encode()),
    "nested parentheses as a term": (2, lambda: (BOOL + "(assert " + "(" * DEEP + "p" + ")" * DEEP
                                                 + ")\n").encode()),
    "nested opening parentheses only": (2, lambda: b"(" * 1_000_000),
    "nested sorts": (EITHER, lambda: ("(set-logic ALL)\n(declare-const a " + "(Array Int " * 100_000
                                 + "Int" + ")" * 100_000 + ")\n(check-sat)\n").encode()),
    "nested parametric datatype sorts": (EITHER, lambda: (
        "(set-logic ALL)\n(declare-datatypes ((L 1)) ((par (T) ((nil) (cons (h T) (t (L T)))))))\n"
        "(declare-const a " + "(L " * 10_000 + "Int" + ")" * 10_000 + ")\n").encode()),
    "nested parentheses as a sort": (2, lambda: ("(declare-const a " + "(" * DEEP + "Int"
                                                 + ")" * DEEP + ")\n").encode()),
    "nested get-value": (0, lambda: (BOOL + "(check-sat)\n(get-value (" + "(not " * DEEP + "p"
                                     + ")" * DEEP + "))\n").encode()),
    "symbol of 5 MB": (0, lambda: b"(declare-const " + b"a" * 5_000_000 + b" Bool)\n(assert "
                       + b"a" * 5_000_000 + b")\n"),
    "quoted symbol of 5 MB": (0, lambda: b"(declare-const |" + b"a (" * 1_700_000 + b"| Bool)\n"),
    "unknown symbol of 5 MB": (2, lambda: b"(assert " + b"a" * 5_000_000 + b")\n"),
    "string of 5 MB": (0, lambda: b"(set-logic ALL)\n(assert (= \"\" \"" + b"ab\\u{7f}" * 620_000
                       + b"\"))\n"),
    "comment of 5 MB": (0, lambda: b";" + b"a(" * 2_500_000 + b"\n(check-sat)\n"),
    "blanks of 5 MB": (0, lambda: b" \n" * 2_500_000 + b"(check-sat)\n"),
    "numeral of a million digits": (0, lambda: (INT + "(assert (< x 1" + "0" * 1_000_000
                                                + "))\n").encode()),
    "decimal of a million digits": (EITHER, lambda: (
        "(declare-const x Real)\n(assert (< x 0." + "3" * 1_000_000 + "))\n").encode()),
    "hexadecimal of a million digits": (EITHER, lambda: (
        "(set-logic ALL)\n(assert (= #x" + "a" * 1_000_000 + " #x" + "b" * 1_000_000
        + "))\n").encode()),
    "a million assertions": (0, lambda: many_assertions(1_000_000)),
    "a hundred thousand functions": (0, lambda: many_declarations(100_000)),
    "a hundred thousand overloads": (EITHER, lambda: overloads(100_000)),
    "and of 500,000 arguments": (0, lambda: wide_application("and", 500_000)),
    "distinct of 500,000 arguments": (0, lambda: wide_application("distinct", 500_000)),
    "let of 200,000 bindings": (0, lambda: wide_let(200_000)),
    "forall of 200,000 variables": (0, lambda: wide_binder(200_000)),
    "datatype of 10,000 constructors": (0, lambda: big_datatype(10_000)),
    "5,000 datatypes at once": (0, lambda: many_datatypes(5_000)),
    "match of 10,000 cases": (0, lambda: wide_match(10_000)),
    "100,000 pushes": (0, lambda: ("(set-logic ALL)\n" + "".join(
        f"(push 1)\n(declare-const x{i} Int)\n(assert (> x{i // 2} {i}))\n"
        for i in range(100_000)) + "(check-sat)\n").encode()),
    "push and pop 200,000 times": (0, lambda: b"(set-logic ALL)\n"
                                   + b"(push 1)\n(declare-const x Int)\n(pop 1)\n" * 200_000),
    "pop too much": (2, lambda: b"(push 2)\n(pop 100)\n"),
    "push 2^32": (EITHER, lambda: b"(push 4294967296)\n(pop 4294967296)\n"),
    "push 2^64": (EITHER, lambda: b"(push 18446744073709551616)\n(check-sat)\n"),
    "push of a negative number": (2, lambda: b"(push -1)\n"),
    "bit-vector of width 0": (2, lambda: b"(declare-const a (_ BitVec 0))\n"),
    "bit-vector of width 10^20": (2, lambda: b"(declare-const a "
                                  b"(_ BitVec 99999999999999999999))\n"),
    "bit-vector of width 2^32": (EITHER, lambda: b"(declare-const a (_ BitVec 4294967296))\n"),
    "bit-vector numeral of width 4 * 10^9": (EITHER, lambda: b"(assert (= (_ bv1 4000000000) "
                                             b"(bvnot (_ bv1 4000000000))))\n"),
    "bit-vector numeral of width 0": (2, lambda: b"(assert (= (_ bv0 0) (_ bv0 0)))\n"),
    "concat past 2^32": (EITHER, lambda: b"(declare-const a (_ BitVec 4000000000))\n"
                         b"(assert (= (concat a a) (concat a a)))\n"),
    "repeat past 2^32": (EITHER, lambda: (BITS + "(assert (= ((_ repeat 4294967295) b) "
                                          "((_ repeat 4294967295) b)))\n").encode()),
    "repeat 0 times": (2, lambda: (BITS + "(assert (= b ((_ repeat 0) b)))\n").encode()),
    "zero_extend past 2^64": (EITHER, lambda: (
        BITS + "(assert (= b ((_ zero_extend 18446744073709551615) b)))\n").encode()),
    "extract past 2^64": (2, lambda: (
        BITS + "(assert (= b ((_ extract 18446744073709551616 0) b)))\n").encode()),
    "extract reversed": (2, lambda: (BITS + "(assert (= b ((_ extract 0 7) b)))\n").encode()),
    "rotate by 2^64": (EITHER, lambda: (
        BITS + "(assert (= b ((_ rotate_left 18446744073709551616) b)))\n").encode()),
    "float of width 0": (2, lambda: b"(declare-const a (_ FloatingPoint 0 0))\n"),
    "float of huge width": (EITHER, lambda: b"(declare-const a (_ FloatingPoint 99999999999 9))\n"),
    "regex power of 2^64": (EITHER, lambda: (
        b"(declare-const s String)\n"
        b"(assert (str.in_re s ((_ re.^ 18446744073709551616) re.allchar)))\n")),
    "exponential sharing by let": (0, lambda: exponential_let(500)),
    "exponential functions": (0, lambda: exponential_functions(200)),
    "exponential sorts": (EITHER, lambda: exponential_sorts(100)),
    "exponential parametric sorts": (EITHER, lambda: exponential_parametric_sorts(100)),
    "empty file": (0, lambda: b""),
    "blanks only": (0, lambda: b" \t\r\n"),
    "comment without a line end": (0, lambda: b"; nothing"),
    "CRLF line ends": (0, lambda: FEATURES.replace("\n", "\r\n").encode()),
    "features": (0, lambda: FEATURES.encode()),
    "byte order mark": (EITHER, lambda: b"\xef\xbb\xbf" + FEATURES.encode()),
    "UTF-16": (2, lambda: "(check-sat)".encode("utf-16")),
    "missing closing parenthesis": (2, lambda: (BOOL + "(assert (and p p)\n").encode()),
    "extra closing parenthesis": (2, lambda: (BOOL + "(assert p))\n(check-sat)\n").encode()),
    "unterminated string": (2, lambda: b"(echo \"abc)\n(check-sat)\n"),
    "unterminated quoted symbol": (2, lambda: b"(declare-const |abc Bool)\n(check-sat)\n"),
    "atom outside parentheses": (2, lambda: b"check-sat\n"),
    "empty command": (2, lambda: b"()\n"),
    "random bytes": (2, lambda: bytes((i * i * 31 + i * 7) % 256 for i in range(100_000))),
}
for _place, _text in in_places(b"\0").items():
    CASES[f"NUL byte, {_place}"] = (EITHER, lambda t=_text: t)
for _place, _text in in_places(b"\xff\xc3\xed\xa0\x80").items():
    CASES[f"invalid UTF-8, {_place}"] = (0 if _place == "comment" else EITHER, lambda t=_text: t)
for _place, _text in in_places("\u00e9\U0001f600".encode()).items():
    CASES[f"valid UTF-8, {_place}"] = (0 if _place == "comment" else EITHER, lambda t=_text: t)


# ---------------------------------------------------------------------------------------------
# Running and judging.


class Runner:
    """Runs the program under the limits and checks what every run promises."""

    def __init__(self, program, asan, folder):
        self.program = program
        self.asan = asan
        self.folder = folder
        self.runs = 0

    def limit(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # AddressSanitizer reserves terabytes of address space for its shadow memory.
        if not self.asan:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))

    def run(self, arguments, expected=EITHER, files=(), **how):
        """Returns (exit code, stdout, stderr); `files` are the names errors may begin with."""
        self.runs += 1
        before = how.pop("preexec", None)

        def prepare():
            self.limit()
            if before:
                before()

        how.setdefault("stdin", subprocess.DEVNULL)
        how.setdefault("stdout", subprocess.PIPE)
        child = subprocess.Popen([self.program, "parse", *arguments], stderr=subprocess.PIPE,
                                 preexec_fn=prepare, **how)
        try:
            out, err = child.communicate(timeout=HANG_LIMIT)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            raise Failure(f"hangs (over {HANG_LIMIT:.0f} s)") from None
        code = child.returncode
        expected = expected if isinstance(expected, tuple) else (expected,)
        if code not in expected:
            how_it_ended = f"signal {-code}" if code < 0 else f"exit code {code}"
            raise Failure(f"{how_it_ended}, expected {' or '.join(map(str, expected))}: "
                          + shown(err))
        check_messages(code, err, files)
        return code, out or b"", err


def shown(data, limit=300):
    text = data[:limit].decode("utf-8", "replace")
    return text + ("..." if len(data) > limit else "")


def check_messages(code, err, files):
    """Exit code 2 and error lines go together, and each line names its place."""
    places = b"|".join(re.escape(os.fsencode(f)) for f in files)
    pattern = re.compile(rb"^(?:" + places + rb"):[1-9]\d*:[1-9]\d*: (error|warning|note): ."
                         if files else rb"(error): ")
    kinds = set()
    for line in err.splitlines():
        found = pattern.search(line)
        if found:
            kinds.add(found.group(1))
        elif not line.startswith((b" ", PROGRESS)):
            raise Failure(f"a message without a place: {shown(line)}")
    if (code == 2) != (b"error" in kinds):
        raise Failure(f"exit code {code} with these messages: {shown(err)}")
    if len(err) > 1 << 20:
        raise Failure(f"{len(err)} bytes of messages")


def check_case(runner, name, expected, data):
    path = os.path.join(runner.folder, "case.smt2")
    with open(path, "wb") as f:
        f.write(data)
    code, _, _ = runner.run([path], expected, [path])
    # The flags change what is written, never what is accepted.
    _, printed, _ = runner.run(["--print", path], code, [path])
    runner.run(["--stats", path], code, [path])
    if code == 0:
        again = os.path.join(runner.folder, "printed.smt2")
        with open(again, "wb") as f:
            f.write(printed)
        _, twice, _ = runner.run(["--print", again], 0, [again])
        if printed != twice:
            raise Failure("printing what was printed gives another text")
        if len(printed) > 10 * len(data) + 100_000:
            raise Failure(f"{len(data)} bytes become {len(printed)}")


def children_cpu_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def check_saturation(runner):
    """2^500 occurrences of one constant are counted without overflow and without delay."""
    path = os.path.join(runner.folder, "shared.smt2")
    with open(path, "wb") as f:
        f.write(exponential_let(500))
    start = children_cpu_seconds()
    _, out, _ = runner.run(["--json", path], 0, [path])
    facts = json.loads(out)
    if not 10**15 < facts["tree_size"] <= 2**64 - 1:
        raise Failure(f"tree_size is {facts['tree_size']}")
    if facts["terms"] > 2_000 or facts["depth"] < 500:
        raise Failure(f"terms {facts['terms']}, depth {facts['depth']}")
    _, printed, _ = runner.run(["--print", path], 0, [path])
    if len(printed) > 100_000:
        raise Failure(f"{len(printed)} bytes printed")
    # Time that is used: a busy machine stretches what passes.
    if children_cpu_seconds() - start > 20:
        raise Failure("takes too long")


def check_prefixes(runner):
    """Every prefix of a script with all kinds of commands, many files in one run."""
    text = FEATURES.encode()
    paths = []
    for length in range(len(text) + 1):
        paths.append(os.path.join(runner.folder, f"prefix{length}.smt2"))
        with open(paths[-1], "wb") as f:
            f.write(text[:length])
    batch = 250
    for start in range(0, len(paths), batch):
        some = paths[start:start + batch]
        for flags in ([], ["--print"], ["--stats"]):
            runner.run([*flags, *some], EITHER, some)
        code, out, _ = runner.run(["--json", *some], EITHER, some)
        results = [json.loads(line) for line in out.splitlines()]
        if [r["file"] for r in results] != some:
            raise Failure("--json does not report each file in order")
        for result in results:
            check_prefix(text, result)
        if (code == 0) != all(r["ok"] for r in results):
            raise Failure(f"exit code {code} does not fit the files' results")
    for path in paths:
        os.unlink(path)


def check_prefix(text, result):
    length = int(re.search(r"prefix(\d+)", result["file"]).group(1))
    prefix = text[:length]
    # A prefix that ends between commands is a script. Within a command it is not. What a prefix
    # means inside the last comment is left alone.
    whole = prefix.rstrip().endswith(b")") and balanced(prefix)
    if length == 0 or whole:
        if not result["ok"]:
            raise Failure(f"{result['file']} is refused: {result['error']}")
    elif not balanced(prefix) and result["ok"]:
        raise Failure(f"{result['file']} is accepted")
    if not result["ok"]:
        lines = prefix.split(b"\n")
        error = result["error"]
        if not 1 <= error["line"] <= len(lines) or not (
                1 <= error["column"] <= len(lines[error["line"] - 1]) + 1):
            raise Failure(f"{result['file']}: the error is outside the file: {error}")


def balanced(prefix):
    stripped = re.sub(rb'"(?:[^"]|"")*"|\|[^|]*\||;[^\n]*', b"", prefix)
    if b'"' in stripped or b"|" in stripped:
        return False
    return stripped.count(b"(") == stripped.count(b")")


def write_fifo(path, data, delay):
    time.sleep(delay)
    with open(path, "wb") as f:
        f.write(data)


def check_fifo(runner, delay):
    path = os.path.join(runner.folder, "fifo.smt2")
    os.mkfifo(path)
    writer = threading.Thread(target=write_fifo, args=(path, nested("(not ", "p", ")", 50_000,
                                                                    BOOL), delay), daemon=True)
    writer.start()
    try:
        _, out, _ = runner.run([path], 0, [path])
        if b"ok" not in out:
            raise Failure(f"unexpected output {shown(out)}")
    finally:
        os.unlink(path)


def check_not_a_file(runner, path):
    """The place is left out where there is no text to point into."""
    _, _, err = runner.run([path], 2)
    check_names_file(path, err)


def check_names_file(path, err):
    if not re.match(re.escape(os.fsencode(path)) + rb"(:\d+:\d+)?: error: .", err):
        raise Failure(f"the message does not name the file: {shown(err)}")


def check_unreadable(runner):
    if os.geteuid() == 0:
        return "skipped: root reads everything"
    path = os.path.join(runner.folder, "unreadable.smt2")
    with open(path, "wb") as f:
        f.write(b"(check-sat)\n")
    os.chmod(path, 0)
    check_not_a_file(runner, path)
    return None


def check_standard_input(runner):
    for data in (b"", b"(check-sat)\n", FEATURES.encode()):
        read, write = os.pipe()
        writer = threading.Thread(target=lambda d=data, w=write: (os.write(w, d), os.close(w)))
        writer.start()
        runner.run(["-"], 0, ["<stdin>"], stdin=read)
        writer.join()
        os.close(read)
    code, _, err = runner.run(["-"], EITHER, preexec=lambda: os.close(0))
    if code == 2:
        check_names_file("<stdin>", err)


def check_full_disk(runner):
    """Losing output silently is the one wrong answer."""
    if not os.path.exists("/dev/full") or not stat.S_ISCHR(os.stat("/dev/full").st_mode):
        return "skipped: no /dev/full"
    path = os.path.join(runner.folder, "full.smt2")
    with open(path, "wb") as f:
        f.write(many_assertions(1000))
    with open("/dev/full", "wb") as full:
        child = subprocess.run([runner.program, "parse", "--print", path], stdout=full,
                               stderr=subprocess.PIPE, timeout=HANG_LIMIT, check=False)
    if child.returncode not in (2, 3) or b"error" not in child.stderr:
        raise Failure(f"exit code {child.returncode}: {shown(child.stderr)}")
    return None


def special_checks(runner):
    folder = os.path.join(runner.folder, "folder.smt2")
    os.mkdir(folder)
    missing = os.path.join(runner.folder, "missing.smt2")
    return {
        "every prefix of a script": lambda: check_prefixes(runner),
        "exponential sharing is counted": lambda: check_saturation(runner),
        "directory": lambda: check_not_a_file(runner, folder),
        "missing file": lambda: check_not_a_file(runner, missing),
        "name below a file": lambda: check_not_a_file(runner, runner.program + "/x.smt2"),
        "unreadable file": lambda: check_unreadable(runner),
        "/dev/null": lambda: runner.run(["/dev/null"], 0, ["/dev/null"]) and None,
        "FIFO": lambda: check_fifo(runner, 0),
        "FIFO, nobody writing at first": lambda: check_fifo(runner, 0.7),
        "standard input": lambda: check_standard_input(runner),
        "full disk": lambda: check_full_disk(runner),
    }


def has_asan(program):
    with open(program, "rb") as f:
        return b"__asan_init" in f.read()


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elenchus", required=True, metavar="BIN")
    parser.add_argument("--asan", action="store_true",
                        help="no memory limit (found out by itself when the program says so)")
    parser.add_argument("--only", metavar="TEXT", help="only cases whose name contains TEXT")
    parser.add_argument("--verbose", action="store_true", help="each case with its time")
    args = parser.parse_args()
    program = shutil.which(os.path.abspath(args.elenchus))
    if program is None:
        parser.error(f"{args.elenchus} is not a program")
    failures = 0
    checks = 0
    with tempfile.TemporaryDirectory(prefix="hostile.") as folder:
        runner = Runner(program, args.asan or has_asan(program), folder)
        work = special_checks(runner)
        for name, (expected, make) in CASES.items():
            work[name] = lambda n=name, e=expected, m=make: check_case(runner, n, e, m())
        for name, check in work.items():
            if args.only and args.only not in name:
                continue
            checks += 1
            start = time.monotonic()
            try:
                note = check()
            except Failure as failure:
                failures += 1
                print(f"FAILED {name}: {failure}", flush=True)
                continue
            if args.verbose or note:
                print(f"ok {name} ({time.monotonic() - start:.2f} s) {note or ''}".rstrip(),
                      flush=True)
    print(f"{checks} checks, {runner.runs} runs, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
