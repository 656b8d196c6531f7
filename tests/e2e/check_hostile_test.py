#!/usr/bin/env python3
"""label: slow

Models that break checkers: deep, huge, circular, truncated, or without an end.

Each case is checked with and without --explain. It must get a clear error (exit code 2 and
FILE:LINE:COL: error: ...) or a verdict, in bounded time and memory, and never a signal.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time

HANG_LIMIT = 300.0  # ten seconds for a release build on an idle machine
MEMORY_LIMIT = 2 << 30
OUTPUT_LIMIT = 100_000
MANY = 100_000
VALID, INVALID, BAD, UNKNOWN = 0, 1, 2, 4
ANY = (VALID, INVALID, BAD, UNKNOWN)


class Failure(Exception):
    pass


# ---------------------------------------------------------------------------------------------
# Scripts and models.


def script(*claims, more=""):
    head = ("(set-logic ALL)\n(declare-const x Int)\n(declare-const y Int)\n"
            "(declare-fun f (Int) Int)\n(declare-const s String)\n"
            "(declare-const a (Array Int Int))\n(declare-const r Real)\n(declare-const q Real)\n")
    return head + more + "".join(f"(assert {claim})\n" for claim in claims) + "(check-sat)\n"


def model(*definitions):
    return "sat\n(\n" + "\n".join(definitions) + "\n)\n"


def define(name, value, sort="Int"):
    return f"(define-fun {name} () {sort} {value})"


def integer(value):
    return model(define("x", value))


def lets(first, step, count):
    """The last of a chain of lets, each made of the one before: {} in `step`."""
    opening = "".join(f"(let ((v{i + 1} {step.format(f'v{i}')})) " for i in range(count))
    return f"(let ((v0 {first})) {opening}v{count}{')' * (count + 1)}"


def nested(opening, middle, closing, depth=MANY):
    return opening * depth + middle + closing * depth


def stores(order):
    return ("(store " * len(order) + "((as const (Array Int Int)) 0)"
            + "".join(f" {i} {i + 1})" for i in order))


def ites(count):
    return "".join(f"(ite (= z {i}) {i} " for i in range(count)) + "0" + ")" * count


def elements(count):
    return ("sat\n(\n" + f"; cardinality of U is {count}\n"
            + "".join(f"; rep: (as @U_{i} U)\n" for i in range(count))
            + "(define-fun u () U (as @U_0 U))\n)\n")


POSITIVE = script("(> x 0)")
ZERO = script("(= x 0)")
DIV = script("(= (div 1 0) 7)")
SORT = "(declare-sort U 0)\n(declare-const u U)\n"
LIST = ("(declare-datatypes ((L 0)) (((nil) (cons (hd Int) (tl L)))))\n(declare-const l L)\n"
        "(declare-const k L)\n")
CUBE = "(Array (Array (Array Bool Bool) Bool) Bool)"
GARBAGE = "".join(chr((i * i * 31 + i * 7) % 256) for i in range(MANY))
WIDE = "(_ FloatingPoint 60 60000)"
# Of all kinds, for truncation.
KINDS = ("(declare-sort U 0)\n(declare-const u U)\n(declare-const b (_ BitVec 8))\n"
         "(declare-const |q (q| String)\n")
KINDS_MODEL = model(
    "; cardinality of U is 1", "; rep: (as @U_0 U)", "(define-fun u () U (as @U_0 U))",
    "(define-fun f ((z Int)) Int (ite (= z 1) (let ((w (- 2))) (* w w)) (div z 2)))",
    "(define-fun a () (Array Int Int) (store ((as const (Array Int Int)) 0) 1 (_ as-array f)))"
    .replace("(_ as-array f)", "(f 3)"),
    "(define-fun r () Real (_ real_algebraic_number <1*x^2 + (-2), (1, 2)>))",
    "(define-fun q () Real (root-obj (+ (^ x 2) (- 2)) 2))",
    "(define-fun |q (q| () String \"\\u{7}(\"\"\")", "(define-fun b () (_ BitVec 8) (_ bv17 8))",
    "(define-fun div0 ((z Int)) Int 3)", "(define-fun x () Int 5)")

CASES = {
    # Sizes.
    "number of a million digits": (VALID, POSITIVE, lambda: integer("1" + "0" * 10**6)),
    "arithmetic on a million digits": (ANY, script("(> (div x y) 0)", "(= (mod x y) 5)",
                                                   "(= (* x x x x x x x x) 3)"),
                                       lambda: model(define("x", "7" * 10**6),
                                                     define("y", "3" * 500_000))),
    "doubled numbers": (UNKNOWN, ZERO, lambda: integer(lets("3", "(* {0} {0})", 80))),
    "doubled strings": (UNKNOWN, script("(= (str.len s) 5)"), lambda: model(
        define("s", lets('"ab"', "(str.++ {0} {0})", 60), "String"))),
    "str.replace_all twice": (UNKNOWN, script("(= (str.len s) 5)"), lambda: model(define(
        "s", f'(let ((b "{"a" * 50_000}")) (str.replace_all b "a" (str.replace_all b "a" b)))',
        "String"))),
    "str.from_int and back": (INVALID, script("(= s (str.from_int x))", "(= (str.to_int s) 5)"),
                              lambda: model(define("x", "7" * 10**6),
                                            define("s", '"' + "8" * 10**6 + '"', "String"))),
    "doubled bit-vectors": (ANY, ZERO, lambda: integer(
        f"(bv2nat {lets('#xff', '(concat {0} {0})', 27)})")),
    "literal of 10^9 bits": (BAD, ZERO, lambda: integer("(bv2nat (_ bv1 1000000000))")),
    "bit-vector of 10^9 bits": (BAD, ZERO, lambda: integer(
        "(bv2nat ((_ zero_extend 1000000000) #b1))")),
    "repeat 2 * 10^9 times": (BAD, ZERO, lambda: integer("(bv2nat ((_ repeat 2000000000) #b1))")),
    "bvmul of 65536 bits": (INVALID, ZERO, lambda: integer("(bv2nat " + lets(
        "((_ int2bv 65536) (- 3))", "(bvmul {0} {0})", 1000) + ")")),
    "powers of powers": (UNKNOWN, script("(= x (^ 2 (^ 2 100)))"), lambda: integer("1")),
    "power of a negative number": (UNKNOWN, script("(= r (^ 2.5 (- 100000000000)))"),
                                   lambda: model(define("r", "1.0", "Real"))),
    "int.pow2 of 10^30": (UNKNOWN, script("(= x (int.pow2 x))"),
                          lambda: integer("1" + "0" * 30)),
    "float of 60000 bits": (INVALID, script(
        "(fp.eq (fp.mul RNE w w) (fp.div RNE w w))", "(fp.leq (fp.fma RNE w w w) (fp.sqrt RTP w))",
        more=f"(declare-const w {WIDE})\n"),
        lambda: model(define("w", "((_ to_fp 60 60000) RNE 1.3)", WIDE))),
    "remainder of far exponents": (ANY, script(
        "(fp.eq (fp.rem v w) w)", "(= ((_ fp.to_ubv 8) RNE v) #x00)", "(> (fp.to_real v) 3.0)",
        more="(declare-const v (_ FloatingPoint 60 11))\n"
             "(declare-const w (_ FloatingPoint 60 11))\n"),
        lambda: model(define("v", f"(fp #b0 #b{'1' * 59}0 #b1111111111)",
                             "(_ FloatingPoint 60 11)"),
                      define("w", f"(fp #b0 #b{'0' * 59}1 #b1111111111)",
                             "(_ FloatingPoint 60 11)"))),
    "algebraic number of degree 1000": (ANY, script("(> (* r r) 2.0)"), lambda: model(
        define("r", "(root-obj (+ (^ x 1000) (- 2)) 2)", "Real"))),
    "algebraic number of degree 10^9": (ANY, script("(> (* r r) 2.0)"), lambda: model(
        define("r", "(root-obj (+ (^ x 1000000000) (- 2)) 2)", "Real"))),
    "sum of algebraic numbers": (ANY, script("(= (+ r q) (* r q))"), lambda: model(
        define("r", "(root-obj (+ (^ x 40) (* 3 x) (- 2)) 2)", "Real"),
        define("q", "(root-obj (+ (^ x 41) (* (- 1) x) (- 3)) 1)", "Real"))),
    "algebraic number without a root": (UNKNOWN, script("(> r 2.0)"), lambda: model(
        define("r", "(root-obj (+ (^ x 2) 2) 1)", "Real"))),
    "algebraic number without sense": ((BAD, UNKNOWN), script("(> r 2.0)"), lambda: model(
        define("r", "(_ real_algebraic_number <foo>)", "Real"))),
    "algebraic number of zero": ((BAD, UNKNOWN), script("(> r 2.0)"), lambda: model(
        define("r", "(root-of-with-interval (coeffs 0 0) 1 0)", "Real"))),
    "deep algebraic number": ((BAD, UNKNOWN), script("(> r 2.0)"), lambda: model(
        define("r", f"(root-obj {nested('(+ 1 ', 'x', ')')} 1)", "Real"))),
    "parentheses for an algebraic number": ((BAD, UNKNOWN), script("(> r 2.0)"), lambda: model(
        define("r", f"(root-obj {nested('(', '', ')')} 1)", "Real"))),
    "count of 10^1000 in a bag": (INVALID, script(
        "(= (bag.card (bag.union_disjoint t t)) 3)", more="(declare-const t (Bag Int))\n"),
        lambda: model(define("t", f"(bag 1 1{'0' * 1000})", "(Bag Int)"))),
    # Depth.
    "nested ite": (VALID, POSITIVE, lambda: integer(nested("(ite true ", "1", " 2)"))),
    "nested +": (VALID, POSITIVE, lambda: integer(nested("(+ 1 ", "1", ")"))),
    "nested let": (VALID, POSITIVE, lambda: integer(lets("1", "(+ {0} 1)", MANY))),
    "sharing by let": (VALID, POSITIVE, lambda: integer(lets("1", "(+ {0} {0})", 2000))),
    "nested store": (INVALID, script("(= (select a 5) 1)"), lambda: model(
        define("a", stores(range(MANY)), "(Array Int Int)"))),
    "nested store, the other way round": (
        VALID, script("(= a b)", more="(declare-const b (Array Int Int))\n"), lambda: model(
            define("a", stores(range(MANY)), "(Array Int Int)"),
            define("b", stores(range(MANY)[::-1]), "(Array Int Int)"))),
    "nested constructors": (INVALID, script("(= l k)", more=LIST), lambda: model(
        define("l", nested("(cons 1 ", "nil", ")"), "L"),
        define("k", nested("(cons 1 ", "(cons 2 nil)", ")"), "L"))),
    "nested seq.++": (ANY, script("(= (seq.len w) 3)", more="(declare-const w (Seq Int))\n"),
                      lambda: model(define("w", nested("(seq.++ (seq.unit 1) ",
                                                       "(as seq.empty (Seq Int))", ")"),
                                           "(Seq Int)"))),
    "union of 10^5 sets": (ANY, script("(= (set.card t) 3)", more="(declare-const t (Set Int))\n"),
                           lambda: model(define("t", "(set.union " * MANY
                                                + "(as set.empty (Set Int))" + "".join(
                                                    f" (set.singleton {i}))" for i in range(MANY)),
                                                "(Set Int)"))),
    "nested ite in a function": (INVALID, script("(= (f 99999) 3)"), lambda: model(
        f"(define-fun f ((z Int)) Int {ites(MANY)})")),
    "deep sort": (BAD, POSITIVE, lambda: model(
        define("w", "1", nested("(Array Int ", "Int", ")")))),
    "arrays of arrays of arrays": (INVALID, script("(= v w)", more=(
        f"(declare-const v {CUBE})\n(declare-const w {CUBE})\n")), lambda: model(
            define("v", f"((as const {CUBE}) false)", CUBE),
            define("w", "(lambda ((k (Array (Array Bool Bool) Bool))) "
                        "(forall ((z (Array Bool Bool))) (select k z)))", CUBE))),
    # Circles.
    "x by itself": (BAD, POSITIVE, lambda: integer("(+ x 1)")),
    "x by y by x": (BAD, POSITIVE, lambda: model(define("x", "y"), define("y", "x"))),
    "f by itself": (BAD, script("(> (f 1) 0)"), lambda: model(
        "(define-fun f ((z Int)) Int (f (+ z 1)))")),
    "a circle through as-array": (BAD, script("(> (select a 1) 0)"), lambda: model(
        define("a", "(_ as-array k)", "(Array Int Int)"),
        "(define-fun k ((z Int)) Int (select a z))")),
    "a circle through a lambda": (BAD, script("(> (select a 1) 0)"), lambda: model(
        define("a", "(lambda ((z Int)) (select a z))", "(Array Int Int)"))),
    "div0 by itself": ((BAD, UNKNOWN), DIV, lambda: model(
        "(define-fun div0 ((z Int)) Int (div z 0))")),
    "div0 and mod0 by each other": ((BAD, UNKNOWN), DIV, lambda: model(
        "(define-fun div0 ((z Int)) Int (mod z 0))", "(define-fun mod0 ((z Int)) Int (div z 0))")),
    "div0 and f by each other": ((BAD, UNKNOWN), DIV, lambda: model(
        "(define-fun div0 ((z Int)) Int (f z))", "(define-fun f ((z Int)) Int (div z 0))")),
    # Without an end, or nearly.
    "a function that never ends": (UNKNOWN, script(
        "(= (g x) 2)", more="(define-fun-rec g ((z Int)) Int (g (+ z 1)))\n"),
        lambda: integer("1")),
    "Fibonacci": (UNKNOWN, script("(= (g x) 5)", more=(
        "(define-fun-rec g ((z Int)) Int (ite (<= z 1) z (+ (g (- z 2)) (g (- z 1)))))\n")),
        lambda: integer("100")),
    "strings of a function that never ends": (UNKNOWN, script("(= (g s) s)", more=(
        "(define-fun-rec g ((z String)) String (g (str.++ z z)))\n")),
        lambda: model(define("s", '"ab"', "String"))),
    "lambdas of a function that never ends": (UNKNOWN, script("(= (select (g x) 1) 2)", more=(
        "(define-fun-rec g ((z Int)) (Array Int Int) "
        "(lambda ((w Int)) (select (g (+ z 1)) w)))\n")), lambda: integer("1")),
    "functions that double": (UNKNOWN, script("(= (f 1) 3)"), lambda: model(
        "(define-fun f ((z Int)) Int (f0 z))",
        *[f"(define-fun f{i} ((z Int)) Int (+ (f{i + 1} (+ z 1)) (f{i + 1} (* 2 z))))"
          for i in range(60)], "(define-fun f60 ((z Int)) Int z)")),
    "forall over 2^32": (ANY, script(
        "(forall ((z (_ BitVec 32))) (bvule (bvand z #x0000ffff) #x0000ffff))"),
        lambda: integer("1")),
    "forall over 2^16, exists over 2^16": (ANY, script(
        "(forall ((z (_ BitVec 16))) (exists ((w (_ BitVec 16))) (= (bvmul z w) #x0001)))"),
        lambda: integer("1")),
    "forall up to 10^1000": (ANY, script("(forall ((z Int)) (=> (and (<= 0 z) (<= z x)) "
                                         "(>= (* z z) z)))"), lambda: integer("1" + "0" * 1000)),
    "two quantifiers over 10^5 elements": (ANY, script(
        "(forall ((z U)) (exists ((w U)) (distinct w z u)))", more=SORT),
        lambda: elements(MANY)),
    # Regular expressions.
    "powers of powers of a range": (ANY, script(
        "(str.in_re s " + "((_ re.^ 1000) " * 3 + '(re.range "a" "z"))))'),
        lambda: model(define("s", '"' + "a" * 1000 + '"', "String"))),
    "nested complements": (ANY, script("(str.in_re s " + nested(
        '(re.comp (re.++ re.all (str.to_re "a") ', "re.all", "))", 40) + ")"),
        lambda: model(define("s", '"' + "ab" * 50 + '"', "String"))),
    "5000 nested complements": (ANY, script("(str.in_re s " + nested(
        "(re.comp (re.++ re.allchar ", "re.all", "))", 5000) + ")"),
        lambda: model(define("s", '"' + "ab" * 50 + '"', "String"))),
    "an automaton of 2^200 states": (ANY, script(
        "(str.in_re s (re.inter (re.++ re.all (str.to_re \"a\") ((_ re.^ 200) re.allchar)) "
        "(re.comp (re.++ re.all (str.to_re \"b\") ((_ re.^ 100) re.allchar)))))"),
        lambda: model(define("s", '"' + "abba" * 5000 + '"', "String"))),
    "replacing what never matches": (INVALID, script(
        '(= (str.replace_re_all s (re.++ re.all (str.to_re "b")) "x") "")'),
        lambda: model(define("s", '"' + "a" * 20_000 + '"', "String"))),
    # Many.
    "10^5 definitions": (VALID, POSITIVE, lambda: model(
        *[define(f"c{i}", str(i)) for i in range(MANY)], define("x", "1"))),
    "10^5 definitions by each other": (VALID, POSITIVE, lambda: model(
        *[define(f"c{i}", f"(+ 1 c{i + 1})") for i in range(MANY)], define(f"c{MANY}", "1"),
        define("x", "c0"))),
    "10^4 overloads": (VALID, POSITIVE, lambda: model(
        *[f"(define-fun c ((z (_ BitVec {i + 1}))) Int {i})" for i in range(10_000)],
        define("x", "1"))),
    "10^5 elements": (INVALID, script("(forall ((z U)) (= z u))", more=SORT),
                      lambda: elements(MANY)),
    "20,000 sorts": (VALID, script(
        "(= u0 u0)", more="".join(f"(declare-sort U{i} 0)(declare-const u{i} U{i})\n"
                                  for i in range(20_000))),
        lambda: model(*[f"; cardinality of U{i} is 1\n; rep: (as @U{i}_0 U{i})\n"
                        f"(define-fun u{i} () U{i} (as @U{i}_0 U{i}))" for i in range(20_000)])),
    "10^5 assertions": (VALID, script(*[f"(>= x (- {i}))" for i in range(MANY)]),
                        lambda: integer("0")),
    "sum of 3000 calls": (INVALID, script(
        "(= (+ " + " ".join(f"(f {i})" for i in range(3000)) + ") 0)"),
        lambda: model("(define-fun f ((z Int)) Int z)")),
    # Wrong.
    "defined twice": (BAD, POSITIVE, lambda: model(define("x", "1"), define("x", "2"))),
    "another sort": (BAD, POSITIVE, lambda: model(define("x", "true", "Bool"))),
    "a value of another sort": (BAD, POSITIVE, lambda: integer("true")),
    "other parameters": (BAD, POSITIVE, lambda: model("(define-fun f ((z Bool)) Int 1)")),
    "as-array of nothing": (BAD, POSITIVE, lambda: model(
        define("a", "(_ as-array nosuch)", "(Array Int Int)"))),
    "empty": (BAD, POSITIVE, lambda: ""),
    "only sat": (BAD, POSITIVE, lambda: "sat\n"),
    "only unsat": (BAD, POSITIVE, lambda: "unsat\n(a b)\n"),
    "extra parenthesis": (BAD, POSITIVE, lambda: integer("1") + ")"),
    "missing parenthesis": (BAD, POSITIVE, lambda: integer("1")[:-2]),
    "only parentheses": (BAD, POSITIVE, lambda: nested("(", "", ")")),
    "garbage": (BAD, POSITIVE, lambda: GARBAGE),
    "garbage in a model": (BAD, POSITIVE, lambda: "sat\n(\n" + GARBAGE),
    "NUL byte in a value": (BAD, POSITIVE, lambda: integer("1\0")),
    "NUL byte after the answer": (BAD, POSITIVE, lambda: "sat\0\n" + integer("1")),
    "bytes above 127": ((VALID, BAD), POSITIVE, lambda: model(define("\xe9", "1"),
                                                              define("x", "1"))),
}


# ---------------------------------------------------------------------------------------------
# Running and judging.


class Runner:
    def __init__(self, program, folder):
        self.program = program
        self.is_sanitized = "asan" in program
        self.hang_limit = HANG_LIMIT
        self.script = os.path.join(folder, "case.smt2")
        self.model = os.path.join(folder, "case.out")

    def limit(self):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # AddressSanitizer reserves terabytes of address space for its shadow memory.
        if not self.is_sanitized:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))

    def write(self, path, text):
        with open(path, "w", encoding="latin-1", newline="") as f:
            f.write(text)

    def run(self, expected, *flags):
        try:
            done = subprocess.run([self.program, "check", *flags, self.script, self.model],
                                  capture_output=True, timeout=self.hang_limit, preexec_fn=self.limit,
                                  check=False)
        except subprocess.TimeoutExpired:
            raise Failure(f"hangs (over {self.hang_limit:.0f} s)") from None
        expected = expected if isinstance(expected, tuple) else (expected,)
        error = done.stderr.decode("latin-1")
        if done.returncode not in expected:
            raise Failure(f"exit code {done.returncode}, expected {expected}: "
                          f"{done.stdout[:300]} {error[:300]}")
        place = rf"^({re.escape(self.script)}|{re.escape(self.model)}):[1-9]\d*:[1-9]\d*: error: ."
        if done.returncode == BAD and not re.search(place, error, flags=re.M):
            raise Failure(f"an error without a place: {error[:300]}")
        verdict = {VALID: b"valid\n", INVALID: b"invalid\n", UNKNOWN: b"unknown\n", BAD: b""}
        if not done.stdout.startswith(verdict[done.returncode]):
            raise Failure(f"exit code {done.returncode} with {done.stdout[:300]}")
        if len(done.stdout) + len(error) > OUTPUT_LIMIT:
            raise Failure(f"{len(done.stdout) + len(error)} bytes of output")

    def check_case(self, name):
        expected, text, make_model = CASES[name]
        self.write(self.script, text)
        self.write(self.model, make_model())
        self.run(expected)
        self.run(expected, "--explain")

    def check_prefixes(self, name, text, whole):
        """Truncated at every byte."""
        self.write(self.script, text)
        for length in range(len(whole)):
            self.write(self.model, whole[:length])
            try:
                self.run(ANY)
            except Failure as failure:
                raise Failure(f"{name}, {length} bytes: {failure}") from None


def prefixes():
    claims = ("(= (f 1) 4)", "(= (select a 1) 1)", "(> r 1.0)", "(= q r)", "(= (div x 0) 3)",
              "(= (str.len |q (q|) 3)", "(= b #x11)", "(= u u)")
    return {
        "truncated model of cvc5": (script(*claims, more=KINDS), KINDS_MODEL),
        "truncated model of z3": (script("(> x 0)", more=SORT), (
            "sat\n(model\n  ;; universe for U:\n  (declare-fun U!val!0 () U)\n"
            "  (forall ((x U)) (= x U!val!0))\n  (define-fun u () U\n    U!val!0)\n"
            "  (define-fun x () Int\n    (- 5))\n)\n")),
        "truncated values": (script("(> x 0)"), 'sat\n((x 5)\n ((+ x 1) 6)\n (s "a""b"))\n'),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[2])
    parser.add_argument("--elenchus", required=True, metavar="BIN")
    parser.add_argument("--only", default="", help="cases whose name contains this")
    args = parser.parse_args()
    failures = 0
    with tempfile.TemporaryDirectory(prefix="check_hostile_test.") as folder:
        runner = Runner(os.path.abspath(args.elenchus), folder)
        jobs = {name: lambda n=name: runner.check_case(n) for name in CASES}
        for name, (text, whole) in prefixes().items():
            jobs[name] = lambda n=name, t=text, w=whole: runner.check_prefixes(n, t, w)
        for name, job in jobs.items():
            if args.only not in name:
                continue
            start = time.monotonic()
            try:
                job()
                word, note = "ok", ""
            except Failure as failure:
                failures += 1
                word, note = "FAIL", str(failure)
            print(f"{word} {name} ({time.monotonic() - start:.2f} s) {note}".rstrip(), flush=True)
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
