#!/usr/bin/env python3
"""tools/check_layers flags what it must and nothing else, on small trees made for the purpose."""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
TOOL = ROOT / "tools" / "check_layers"
LAYERS = """# comment
base:
ir: base
smtlib: base ir   # comment
cli: all
"""


class CheckLayersTest(unittest.TestCase):
    def check(self, files, layers=LAYERS):
        """Runs the tool on a tree of these files; returns (exit code, lines but the summary)."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for name, text in {"cmake/layers.txt": layers, **files}.items():
                path = root / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            done = subprocess.run(
                [sys.executable, TOOL, "--root", root], capture_output=True, text=True, check=False
            )
            self.last_error = done.stderr
            return done.returncode, done.stdout.splitlines()[:-1]

    def assert_clean(self, files):
        self.assertEqual(self.check(files), (0, []))

    def assert_flagged(self, files, *lines):
        self.assertEqual(self.check(files), (1, list(lines)))

    def test_allowed_includes(self):
        self.assert_clean(
            {
                "src/base/rng.h": "#include <vector>\n",
                "src/ir/term.h": '#include "base/rng.h"\n#include "ir/sort.h"\n#include <gmp.h>\n',
                "src/cli/main.cpp": '#include "smtlib/parser.h"\n#include "base/rng.h"\n',
            }
        )

    def test_upward_include(self):
        self.assert_flagged(
            {"src/ir/term.cpp": '#include "ir/term.h"\n\n  # include  "smtlib/parser.h"\n'},
            "src/ir/term.cpp:3: src/ir may not include smtlib/parser.h",
        )

    def test_angle_brackets_do_not_hide_an_include(self):
        self.assert_flagged(
            {"src/base/rng.h": "#include <ir/term.h>\n"},
            "src/base/rng.h:1: src/base may not include ir/term.h",
        )

    def test_tests_and_subfolders_obey_too(self):
        self.assert_flagged(
            {
                "src/base/rng_test.cpp": '#include "ir/term.h"\n',
                "src/ir/deep/rules.def": '#include "cli/options.h"\n',
            },
            "src/base/rng_test.cpp:1: src/base may not include ir/term.h",
            "src/ir/deep/rules.def:1: src/ir may not include cli/options.h",
        )

    def test_include_without_folder(self):
        self.assert_flagged(
            {"src/ir/term.cpp": '#include "term.h"\n'},
            'src/ir/term.cpp:1: "term.h" does not start with a folder of src/',
        )

    def test_unlisted_folder_and_stray_file(self):
        self.assert_flagged(
            {"src/extra/x.h": "", "src/x.h": ""},
            "src/extra/x.h:1: src/extra is not in cmake/layers.txt",
            "src/x.h:1: belongs into a folder of src/",
        )

    def test_output_and_exit(self):
        self.assert_flagged(
            {
                "src/ir/a.cpp": 'void f() {\nstd::cout << 1;\nprintf("x");\nstd::exit(1);\n}\n',
                "src/ir/b.cpp": "void f() {\nfmt::print(stderr, m);\nstd::fprintf(stderr, m);\n}\n",
            },
            "src/ir/a.cpp:2: src/ir may not use std::cout; only src/cli prints or exits",
            "src/ir/a.cpp:3: src/ir may not use printf; only src/cli prints or exits",
            "src/ir/a.cpp:4: src/ir may not use exit; only src/cli prints or exits",
            "src/ir/b.cpp:2: src/ir may not use fmt::print; only src/cli prints or exits",
            "src/ir/b.cpp:3: src/ir may not use fprintf; only src/cli prints or exits",
        )

    def test_output_is_fine_in_cli_and_tests(self):
        self.assert_clean(
            {
                "src/cli/main.cpp": 'int main() { std::cout << 1; printf("x"); exit(1); }\n',
                "src/ir/a_test.cpp": "void f() { std::cerr << 1; }\n",
            }
        )

    def test_look_alikes(self):
        self.assert_clean(
            {
                "src/ir/a.cpp": (
                    "// std::cout << x; exit(1)\n"
                    '/* printf("x")\n#include "smtlib/parser.h"\n */\n'
                    'const char* a = "exit(1) \\" std::cerr";\n'
                    'const char* b = R"(printf( )";\n'
                    "int c = 1'000; char d = '\"'; int e = snprintf(p, n, m); // '\n"
                    "void f() { _exit(1); walker.exit(n); on_exit(n); std::at_exit(g); }\n"
                )
            }
        )

    def test_broken_table(self):
        for text, message in (
            ("ir base\n", "expected"),
            ("ir: base\nbase:\n", "which is not above it"),
            ("base:\nbase:\n", "twice"),
        ):
            code, _ = self.check({"src/base/a.h": ""}, layers=text)
            self.assertEqual(code, 2)
            self.assertIn(message, self.last_error)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elenchus", metavar="FILE", help="taken, not used")
    _, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
