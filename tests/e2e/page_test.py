#!/usr/bin/env python3
"""The report and the dashboard in a real browser: clicks through bugs and plots, narrow and wide.

label: slow
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import browser

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
ELENCHUS = None
BUILD = None
SHOTS = None
HANG_LIMIT = 600.0  # a thousand bugs are flushed to the disk one by one
BUGS = 18
SIZES = {"narrow": (390, 844), "wide": (1280, 900)}


def tool(name, *arguments):
    subprocess.run([os.path.join(BUILD, name), *map(str, arguments)], check=True,
                   timeout=HANG_LIMIT)


def count(page, selector):
    return page.run(f"document.querySelectorAll({json.dumps(selector)}).length")


def text(page, selector):
    return page.run(f"document.querySelector({json.dumps(selector)}).textContent")


class PageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory(prefix="page_test.")
        cls.home = cls.holder.name
        cls.campaign = os.path.join(cls.home, "night")
        tool("make_campaign", cls.campaign, "--bugs", BUGS, "--hostile")
        cls.page = browser.Browser(300.0)

    @classmethod
    def tearDownClass(cls):
        cls.page.close()
        cls.holder.cleanup()

    def setUp(self):
        self.page.problems.clear()
        self.page.requests.clear()

    def shot(self, name):
        if SHOTS:
            self.page.screenshot(os.path.join(SHOTS, name + ".png"))

    def report(self, *campaigns):
        path = os.path.join(self.home, "report.html")
        subprocess.run([ELENCHUS, "report", *campaigns, "-o", path, "--quiet"], check=True,
                       timeout=HANG_LIMIT)
        return pathlib.Path(path).as_uri()

    def check_health(self, *allowed):
        """Nothing failed, no text became markup, nothing was asked for elsewhere."""
        self.assertEqual(self.page.problems, [])
        self.assertNotIn("harmed", self.page.run("document.title"))
        self.assertEqual(count(self.page, "main img, main script"), 0)
        for url in self.page.requests:
            self.assertTrue(url.startswith(("data:", *allowed)), url)

    def check_fits(self):
        width, inner = self.page.run("[document.documentElement.scrollWidth, innerWidth]")
        self.assertLessEqual(width, inner)

    def click_through_bugs(self):
        page = self.page
        self.assertEqual(count(page, ".bug"), BUGS)
        page.click(".bug summary")
        page.wait_for("document.querySelector('.bug[open] pre') !== null")
        self.assertIn("</script><script>", text(page, ".bug[open] pre"))
        self.assertIn("the witness satisfies", text(page, ".bug[open] .evidence"))
        page.click(".bug[open] .fold summary")
        self.assertEqual(count(page, ".bug[open] .fold[open]"), 1)
        self.check_fits()
        kind = page.run("document.querySelector('[data-kind]').dataset.kind")
        page.click("[data-kind]")
        page.wait_for(f"document.querySelectorAll('.bug').length < {BUGS}")
        self.assertEqual(page.run("[...new Set([...document.querySelectorAll('.bug .pill')]"
                                  ".map((one) => one.textContent))]"), [kind])
        page.click("[data-kind][aria-pressed=true]")
        page.click("[data-solver=z3]")
        self.assertLess(count(page, ".bug"), BUGS)
        page.click("[data-solver=z3]")
        page.click("#bug-filters input")
        page.call("Input.insertText", text="no such bug")
        page.wait_for("document.querySelectorAll('.bug').length === 0")
        self.assertIn("No bug fits", text(page, "#bug-list"))
        page.run("(() => { const box = document.querySelector('#bug-filters input'); box.value = '';"
                 "box.dispatchEvent(new Event('input')); })()")
        self.assertEqual(count(page, ".bug"), BUGS)
        page.click(".bug[open] summary")

    def click_through_plots(self):
        page = self.page
        for name in ("bugs", "speed", "shares", "outcomes", "engines", "keys"):
            page.wait_for(f"document.querySelector('[data-plot={name}] path') !== null")
            self.assertNotRegex(page.run(f"document.querySelector('[data-plot={name}]').innerHTML"),
                                "NaN|undefined|Infinity")
        before = count(page, "[data-plot=outcomes] path")
        page.click("[data-plot=outcomes] .legend button")
        page.wait_for(f"document.querySelectorAll('[data-plot=outcomes] path').length < {before}")
        page.click("[data-plot=outcomes] .legend button")
        self.assertEqual(count(page, "[data-plot=outcomes] path"), before)
        page.point_at("[data-plot=shares] svg")
        page.wait_for("document.querySelector('[data-plot=shares] .read').textContent !== ''")
        self.assertRegex(text(page, "[data-plot=shares] .read"), "accepted 100%, decided [0-9]+%")

    def click_through_yields(self):
        for tab, word in (("solvers", "cvc5"), ("folders", "QF_LIA"), ("options", "default options"),
                          ("skips", "Nothing counted"), ("engines", "typefuzz")):
            self.page.click(f"[data-tab={tab}]")
            self.page.wait_for(f"document.querySelector('[data-tab={tab}]').ariaPressed === 'true'")
            self.assertIn(word, text(self.page, "#yield"))
            self.check_fits()

    def test_the_report_at_every_width(self):
        url = self.report(self.campaign)
        for name, (width, height) in SIZES.items():
            with self.subTest(name):
                self.page.resize(width, height)
                self.page.open(url)
                self.check_fits()
                self.click_through_bugs()
                self.click_through_plots()
                self.click_through_yields()
                self.shot(f"report-{name}")
        self.check_health("file:")

    def test_plots_are_labelled_like_those_of_experiments(self):
        with open(os.path.join(ROOT, "tests", "axes.json"), encoding="utf-8") as f:
            cases = json.load(f)
        self.page.open(self.report(self.campaign))
        labels = ("((axis, label) => plotRules.ticks(axis).map((one) => label(one, axis)))"
                  "(plotRules.{0}Axis({1}, {2}), plotRules.{0}Label)")
        for one in cases["values"]:
            made = labels.format("value", one["most"], json.dumps(one["count"]))
            self.assertEqual(self.page.run(made), one["labels"], one)
        for one in cases["times"]:
            made = labels.format("time", one["end"], one["width"])
            self.assertEqual(self.page.run(made), one["labels"], one)

    def test_light_and_dark(self):
        url = self.report(self.campaign)
        ground = "getComputedStyle(document.body).backgroundColor"
        self.page.resize(1280, 900)
        self.page.open(url)
        light = self.page.run(ground)
        self.page.resize(1280, 900, dark=True)
        self.assertNotEqual(self.page.run(ground), light)
        self.page.click(".bug summary")
        self.shot("report-dark")

    def test_several_campaigns_in_one_report(self):
        other = os.path.join(self.home, "other")
        tool("make_campaign", other, "--bugs", 2, "--rng", 2)
        self.page.resize(1280, 900)
        self.page.open(self.report(self.campaign, other))
        self.assertEqual(count(self.page, ".campaign"), 2)
        self.page.click("[data-campaign='1']")
        self.assertEqual(count(self.page, ".bug"), 2)
        self.shot("report-several")
        self.check_health("file:")

    def test_an_empty_campaign(self):
        empty = os.path.join(self.home, "empty")
        tool("resume_campaign", empty)
        self.page.resize(390, 844)
        self.page.open(self.report(empty))
        self.assertIn("No test has been run yet", text(self.page, "#bug-list"))
        self.check_fits()
        self.shot("report-empty")
        self.check_health("file:")

    def test_a_thousand_bugs(self):
        many = os.path.join(self.home, "many")
        tool("make_campaign", many, "--bugs", 1000, "--hours", 168)
        self.page.resize(1280, 900)
        self.page.open(self.report(many))
        self.assertEqual(count(self.page, ".bug"), 20)
        self.page.click("#more")
        self.assertEqual(count(self.page, ".bug"), 120)
        self.shot("report-many")
        self.check_health("file:")

    def test_the_dashboard_follows_a_campaign(self):
        live = os.path.join(self.home, "live")
        tool("make_campaign", live, "--bugs", 3)
        server = subprocess.Popen([ELENCHUS, "dashboard", live, self.campaign, "--port", "0", "-q"],
                                  stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        self.addCleanup(self.page.open, "about:blank")
        url = server.stdout.readline().strip()
        for name, (width, height) in SIZES.items():
            self.page.resize(width, height)
            self.page.open(url)
            self.page.wait_for("document.querySelectorAll('.bug').length === 3")
            self.page.click(".bug summary")
            self.page.wait_for("document.querySelector('.bug[open] pre') !== null")
            self.check_fits()
            self.shot(f"dashboard-{name}")
        self.add_bug(live)
        self.page.wait_for("document.querySelectorAll('.bug').length === 4")
        self.assertEqual(count(self.page, ".bug[open]"), 1)
        self.page.click("[data-campaign='1']")
        self.page.wait_for(f"document.querySelectorAll('.bug').length === {BUGS}")
        self.click_through_bugs()
        self.check_health(url, "about:")

    def add_bug(self, folder):
        """As a campaign would: a complete folder, taken up at the start of a session."""
        source = next(one for one in pathlib.Path(folder, "bugs").iterdir())
        described = json.loads((source / "manifest.json").read_text(encoding="utf-8"))
        described.update(id="z3-crash-12345678", kind="crash", signature="another")
        target = pathlib.Path(folder, "bugs", described["id"])
        target.mkdir()
        (target / "manifest.json").write_text(json.dumps(described), encoding="utf-8")
        (target / "original.smt2").write_text("(check-sat)\n", encoding="utf-8")
        tool("resume_campaign", folder)


def main():
    global ELENCHUS, BUILD, SHOTS
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elenchus", required=True, metavar="BIN")
    parser.add_argument("--screenshots", metavar="DIR", help="keep pictures there")
    args, rest = parser.parse_known_args()
    ELENCHUS = os.path.abspath(args.elenchus)
    BUILD = os.path.dirname(ELENCHUS)
    SHOTS = args.screenshots
    if browser.find() is None:
        print("skipped: no Chromium here; tools/setup --tests installs one")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
