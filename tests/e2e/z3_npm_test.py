#!/usr/bin/env python3
"""tools/z3_npm: commands and answers, and what becomes of faults within WebAssembly.

The faults come from a stand-in for npm's package, so that they need nothing but node. The package itself is
tried where `make newest` has installed it.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HANG_LIMIT = 300.0
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "tools", "z3_npm")
INSTALLED = os.path.join(ROOT, "build", "newest", "node_modules", "z3-solver")

# Answers each command with itself, in upper case; some commands are faults.
STAND_IN = """
module.exports = async overrides => {
  const memory = new Uint8Array(1 << 20);
  let top = 16;
  let contexts = 0;
  const put = text => {
    const at = top;
    for (const c of text) memory[top++] = c.charCodeAt(0);
    memory[top++] = 0;
    return at;
  };
  const textAt = at => {
    let text = '';
    for (; memory[at] !== 0; ++at) text += String.fromCharCode(memory[at]);
    return text;
  };
  let isWrong = 0;
  return {
    HEAPU8: memory,
    _malloc: size => { const at = top; top += size; return at; },
    _free: () => {},
    _Z3_mk_config: () => 1,
    _Z3_del_config: () => {},
    _Z3_mk_context: () => ++contexts,
    _Z3_del_context: () => {},
    _Z3_global_param_reset_all: () => {},
    _set_noop_error_handler: () => {},
    _Z3_get_error_code: () => isWrong,
    ccall: (name, result, types, values) => {
      if (name === 'Z3_get_full_version') return 'Z3 9.8.7.0';
      if (name !== 'Z3_global_param_set') return;
      if (values[0] === 'wrong') overrides.printErr('unknown parameter');
      const module = /^(smt\\.)?no_such_one$/.exec(values[0]);
      if (!module) return;
      overrides.printErr("WARNING: unknown parameter 'no_such_one'");
      overrides.printErr('Legal parameters are:');
      if (module[1]) overrides.printErr('  arith.solver (unsigned int) (default: 6)');
      else overrides.printErr('  auto_config (bool) (default: true)');
      overrides.printErr('');
    },
    _Z3_eval_smtlib2_string: (context, at) => {
      const text = textAt(at).trim();
      isWrong = 0;
      if (text === '(segv)') throw new WebAssembly.RuntimeError('memory access out of bounds');
      if (text === '(abort)') throw new WebAssembly.RuntimeError('unreachable');
      if (text === '(deep)') throw new RangeError('Maximum call stack size exceeded');
      if (text === '(throw)') throw 12345;
      if (text === '(leave)') throw Object.assign(new Error(), {name: 'ExitStatus', status: 7});
      if (text === '(foo)') return put('unsupported\\n; foo line: 1 position: 2\\n');
      if (text === '(wrong)') { isWrong = 4; return put('an "exception"'); }
      return put(contexts + text.toUpperCase() + '\\n');
    },
  };
};
"""


def run(commands, *options, package=None):
    environment = dict(os.environ)
    environment.pop("Z3_NPM", None)
    if package:
        environment["Z3_NPM"] = package
    return subprocess.run([TOOL, *options], input=commands, capture_output=True, text=True,
                          timeout=HANG_LIMIT, check=False, env=environment)


@unittest.skipUnless(shutil.which("node"), "no node")
class StandInTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        package = os.path.join(self.folder, "node_modules", "z3-solver")
        os.makedirs(os.path.join(package, "build"))
        with open(os.path.join(package, "package.json"), "w", encoding="utf-8") as file:
            json.dump({"version": "9.9.9"}, file)
        with open(os.path.join(package, "build", "z3-built.js"), "w", encoding="utf-8") as file:
            file.write(STAND_IN)

    def tearDown(self):
        shutil.rmtree(self.folder)

    def run_it(self, commands, *options):
        return run(commands, *options, package=self.folder)

    def test_version(self):
        done = self.run_it("", "--version")
        self.assertEqual(done.stdout, "Z3 version 9.8.7 - WebAssembly, z3-solver 9.9.9 of npm\n")
        self.assertEqual(done.returncode, 0)

    def test_commands_one_by_one(self):
        done = self.run_it('(a "x)") (b |)|\n c) ; (no\n(d)\nstray\n(e', "-smt2", "-in")
        self.assertEqual(done.stdout, '1(A "X)")\n1(B |)|\n C)\n1; (NO\n(D)\n1STRAY\n1(E\n')
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_reset_starts_anew_and_exit_ends(self):
        done = self.run_it("(a)(reset)(b)( exit )(c)")
        self.assertEqual(done.stdout, "1(A)\n2(B)\n")

    def test_answers_do_not_wait_for_the_end(self):
        environment = dict(os.environ, Z3_NPM=self.folder)
        with subprocess.Popen([TOOL, "-in"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True, env=environment) as process:
            for word in ("a", "b"):
                process.stdin.write(f"({word}")
                process.stdin.flush()
                process.stdin.write(")\n")
                process.stdin.flush()
                self.assertEqual(process.stdout.readline(), f"1({word.upper()})\n")
            process.stdin.close()

    def test_what_is_passed_over_is_said_where_z3_says_it(self):
        done = self.run_it("(foo)")
        self.assertEqual((done.stdout, done.stderr), ("unsupported\n", "; foo line: 1 position: 2\n"))

    def test_an_exception_is_an_error(self):
        self.assertEqual(self.run_it("(wrong)").stdout, '(error "an ""exception""")\n')

    def test_traps_are_signals(self):
        for command, expected in (("(segv)", signal.SIGSEGV), ("(abort)", signal.SIGABRT),
                                  ("(throw)", signal.SIGABRT)):
            with self.subTest(command):
                done = self.run_it("(a)" + command)
                self.assertEqual(done.stdout, "1(A)\n")
                self.assertEqual(done.returncode, -expected, done.stderr)
                self.assertIn("Failed to verify", done.stderr)

    def test_a_full_stack_is_no_crash(self):
        done = self.run_it("(deep)")
        self.assertEqual(done.returncode, 1)
        self.assertIn("out of memory", done.stdout)

    def test_parameters_as_z3_lists_them(self):
        done = self.run_it("", "-pd")
        self.assertEqual(done.stdout, "Global parameters\n    auto_config (bool) (default: true)\n\n"
                         "[module] smt\n    arith.solver (unsigned int) (default: 6)\n")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_exit_codes_and_options(self):
        self.assertEqual(self.run_it("(leave)").returncode, 7)
        self.assertEqual(self.run_it("", "wrong=1").returncode, 1)
        self.assertEqual(self.run_it("", "right=1").returncode, 0)
        self.assertEqual(self.run_it("", "--what").returncode, 2)

    def test_no_package(self):
        done = run("", package=os.path.join(self.folder, "build"))
        self.assertEqual(done.returncode, 2)
        self.assertIn("make newest", done.stderr)


@unittest.skipUnless(shutil.which("node") and os.path.isdir(INSTALLED), "no z3-solver")
class PackageTest(unittest.TestCase):
    def test_it_is_z3(self):
        self.assertRegex(run("", "--version").stdout, r"^Z3 version \d+\.\d+\.\d+ - WebAssembly")
        done = run("(declare-const x Int)(assert (= x 3))(check-sat)(get-value (x))(assert y)(reset)"
                   '(echo "a")(assert false)(check-sat)(foo)', "-smt2", "-in", "smt.random_seed=7")
        lines = done.stdout.splitlines()
        self.assertEqual(lines[:2] + lines[3:], ["sat", "((x 3))", "a", "unsat", "unsupported"])
        self.assertRegex(lines[2], r"^\(error .*unknown constant y")
        self.assertEqual(done.returncode, 0)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus")
    _, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
