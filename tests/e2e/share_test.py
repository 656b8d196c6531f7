#!/usr/bin/env python3
"""Campaigns of several nodes that share a PostgreSQL database.

label: slow
"""

import argparse
import collections
import contextlib
import csv
import glob
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import browser
import campaigns
from campaigns import ENVIRONMENT, FAKE, HANG_LIMIT, SEED, UNHURRIED, CampaignTest, fake

SKIPPED = 77
# What the statistics of a campaign are the sum of.
SUMS = ("tests", "runs", "accepted", "rejected", "decided", "skipped", "findings")


def server_programs():
    """The folder of initdb and pg_ctl, if PostgreSQL is installed."""
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin"))
    if shutil.which("pg_ctl"):
        found.append(os.path.dirname(shutil.which("pg_ctl")))
    return next((path for path in reversed(found) if os.path.exists(f"{path}/initdb")), None)


class Server:
    """A PostgreSQL of our own, in a folder, on a socket there; in a network namespace also on TCP."""

    PORT = 54999

    def __init__(self, folder, namespace=None):
        self.programs = server_programs()
        self.folder = folder
        self.namespace = namespace
        self.data = os.path.join(folder, "data")
        if os.getuid() == 0:
            os.chmod(folder, 0o755)
            subprocess.run(["chown", "nobody", folder], check=True)
        self.run("initdb", "-D", self.data, "-U", "owner", "-A", "trust", "-E", "UTF8",
                 "--locale=C", "-N")
        self.start()
        self.sql("CREATE DATABASE fuzz", database="postgres")

    def run(self, program, *arguments):
        # PostgreSQL does not want to be root.
        before = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]
        command = [f"{self.programs}/{program}", *arguments]
        if os.getuid() == 0:
            command = before + command
        if self.namespace:
            command = ["ip", "netns", "exec", self.namespace, *command]
        subprocess.run(command, check=True, cwd=self.folder, stdout=subprocess.DEVNULL,
                       timeout=HANG_LIMIT)

    def start(self):
        addresses = "127.0.0.1" if self.namespace else ""
        self.run("pg_ctl", "-D", self.data, "-w", "-l", os.path.join(self.folder, "log"), "-o",
                 f"-F -p {self.PORT} -k {self.folder} -c listen_addresses='{addresses}'", "start")

    def stop(self):
        self.run("pg_ctl", "-D", self.data, "-m", "immediate", "-w", "stop")

    def start_again(self):
        """Where it does not run, or gave up."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self.start()

    def url(self, user="owner", database="fuzz"):
        return f"postgresql://{user}@/{database}?host={self.folder}&port={self.PORT}"

    def signal(self, number):
        """To every process of the server."""
        with open(os.path.join(self.data, "postmaster.pid"), encoding="ascii") as f:
            first = int(f.readline())
        pids = [first]
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as f:
                    if int(f.read().rsplit(")", 1)[1].split()[1]) == first:
                        pids.append(int(name))
            except OSError:
                pass
        for pid in pids:
            # Some end as soon as the first may go on.
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def sql(self, text, database="fuzz", user="owner"):
        done = subprocess.run(["psql", "-X", "-A", "-t", "-q", "-d", self.url(user, database), "-c",
                               text], capture_output=True, text=True, timeout=HANG_LIMIT,
                              check=False)
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        return done.stdout.strip()


class ShareTest(CampaignTest):
    NAMESPACE = None
    # Seconds after which others take what a silent node was at. On a busy machine one that lives may be
    # silent so long, too; it costs nothing but work that is done twice.
    LEASE = "3"

    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory(prefix="share_test.")
        cls.addClassCleanup(holder.cleanup)
        cls.prepare(holder.name)
        cls.server = Server(holder.name, cls.NAMESPACE)
        cls.addClassCleanup(cls.server.stop)
        cls.elenchus("share", "init", cls.server.url())

    @classmethod
    def prepare(cls, folder):
        """What a server needs before it is made."""

    @classmethod
    def elenchus(cls, *arguments, code=0, **settings):
        done = subprocess.run([campaigns.ELENCHUS, *arguments], capture_output=True, text=True,
                              timeout=HANG_LIMIT, check=False, env={**ENVIRONMENT, **settings})
        if done.returncode != code:
            raise AssertionError(f"{arguments}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def setUp(self):
        super().setUp()
        self.seed(SEED)
        self.campaign = self.id().rsplit(".", 1)[1][:60]
        os.environ["XDG_CACHE_HOME"] = ENVIRONMENT["XDG_CACHE_HOME"] = self.folder

    def place(self):
        return f"{self.server.url()}&campaign={self.campaign}"

    def out_of(self, node):
        return os.path.join(self.folder, node)

    def node_command(self, node, *arguments, url=None):
        return [campaigns.ELENCHUS, "fuzz", self.seeds, "--jobs", "1", "--engine", "typefuzz",
                "--policy", "anything", "--share", url or self.server.url(), "--campaign",
                self.campaign, "--node", node, "--share-every", "0.3", "--share-lease", self.LEASE, *UNHURRIED,
                "--out", self.out_of(node), *arguments]

    def begin(self, node, *arguments, url=None, before=(), again=False):
        command = [*before, *self.node_command(node, *arguments, url=url)]
        if again:
            command[command.index("--out")] = "--resume-or-start"
        with open(os.path.join(self.folder, f"{node}.log"), "w", encoding="utf-8") as log:
            process = subprocess.Popen(command, env=ENVIRONMENT, stdout=log, stderr=log)

        def end():
            process.kill()
            process.wait()

        self.addCleanup(end)
        return process

    def log(self, node):
        with open(os.path.join(self.folder, f"{node}.log"), encoding="utf-8") as f:
            return f.read()

    def join(self, processes):
        for node, process in processes.items():
            self.assertIn(process.wait(HANG_LIMIT), (0, 1), self.log(node))

    def end(self, processes):
        """Asks the nodes to end, and waits until they have."""
        for process in processes.values():
            process.send_signal(signal.SIGTERM)
        self.join(processes)

    def stats_of(self, node):
        with open(os.path.join(self.out_of(node), "stats.json"), encoding="utf-8") as f:
            return json.load(f)

    def sql(self, text):
        return self.server.sql(text.replace(
            "CAMPAIGN", f"(SELECT id FROM elenchus.campaigns WHERE name = '{self.campaign}')"))

    def own_bugs(self, node):
        """Signatures of the bugs that this node has described itself."""
        own = []
        for name in glob.glob(os.path.join(self.out_of(node), "bugs", "[!.]*")):
            if os.path.exists(os.path.join(name, "node.txt")):
                continue
            with open(os.path.join(name, "manifest.json"), encoding="utf-8") as f:
                own.append(json.load(f)["signature"])
        return own

    def shared_bugs(self):
        return json.loads(self.elenchus("bugs", self.place(), "--json").stdout)["bugs"]

    def wait_for(self, condition, what, seconds=HANG_LIMIT):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if condition():
                return
            time.sleep(0.1)
        self.fail(what)

    def wait_until_alone(self, nodes):
        """Until the nodes have noticed that nobody answers, and have gone on testing."""
        for node in nodes:
            self.wait_for(lambda node=node: any("alone" in text for text in self.events_of(node)),
                          f"{node} does not notice")
            self.wait_for(lambda node=node: os.path.exists(
                os.path.join(self.out_of(node), "stats.json")), "there is no stats.json")
            before = self.stats_of(node)["tests"]
            self.wait_for(lambda node=node, before=before: self.stats_of(node)["tests"] > before,
                          f"{node} does not go on alone")

    def wait_until_caught_up(self, nodes):
        """Until the nodes that went on alone have reached the server again."""
        for node in nodes:
            self.wait_for(lambda node=node: self.last_said(node, f"node {node} of")
                          > self.last_said(node, "alone"), f"{node} does not come back")

    def assert_sums(self, nodes):
        """The shared statistics are the sums of the nodes' own."""
        own = [self.stats_of(node) for node in nodes]
        shared = {
            "tests": "sum(tests)", "accepted": "sum(accepted)", "rejected": "sum(rejected)",
            "decided": "sum(decided)", "skipped": "sum(skipped)"}
        joined = "JOIN elenchus.nodes n ON n.id = t.node WHERE n.campaign = CAMPAIGN"
        for name, column in shared.items():
            self.assertEqual(int(self.sql(f"SELECT {column} FROM elenchus.tests t {joined}")),
                             sum(stats[name] for stats in own), name)
        runs = self.sql("SELECT sum(sat + unsat + unknown + timeout + memout + crash + rejected) "
                        f"FROM elenchus.runs t {joined}")
        self.assertEqual(int(runs), sum(stats["runs"] for stats in own))
        findings = self.sql("SELECT coalesce(sum(count), 0) FROM elenchus.findings t "
                            f"{joined} AND confirmed")
        self.assertEqual(int(findings), sum(stats["findings"] for stats in own))

    def events_of(self, node):
        database = sqlite3.connect(os.path.join(self.out_of(node), "campaign.db"))
        try:
            return [text for text, in database.execute("SELECT message FROM events ORDER BY time")]
        finally:
            database.close()

    def last_said(self, node, words):
        """When the node last noted something with these words."""
        database = sqlite3.connect(os.path.join(self.out_of(node), "campaign.db"))
        try:
            (last,) = database.execute("SELECT max(last) FROM events WHERE instr(message, ?) > 0",
                                       (words,)).fetchone()
            return last or 0
        finally:
            database.close()


class Nodes(ShareTest):
    def test_four_nodes_describe_each_bug_once_and_count_everything_once(self):
        nodes = [f"n{i}" for i in range(4)]
        # Nobody is away, so nobody's work is to be taken by another.
        self.LEASE = "300"
        # The solver has ten bugs, and enough tests that each is met.
        self.join({node: self.begin(node, "--solver", fake("ten"), "--tests", "100", "--rng", "5",
                                    "--reduce-tries", "5") for node in nodes})
        own = collections.Counter(sum((self.own_bugs(node) for node in nodes), []))
        shared = self.shared_bugs()
        self.assertEqual(len(shared), 10)
        self.assertEqual(sorted(own), sorted(bug["signature"] for bug in shared))
        self.assertEqual(set(own.values()), {1}, own)
        self.assert_sums(nodes)
        # The nodes know each other's, and have drawn apart.
        tests = {self.sql("SELECT string_agg(look, ' ' ORDER BY look) FROM elenchus.suspicions "
                          f"WHERE node = (SELECT id FROM elenchus.nodes WHERE campaign = CAMPAIGN "
                          f"AND name = '{node}')") for node in nodes}
        self.assertGreater(len(tests), 1)
        self.assertEqual(self.sql("SELECT count(*) FROM elenchus.nodes WHERE campaign = CAMPAIGN "
                                  "AND ended"), "4")
        # Every reader takes the URL.
        stats = json.loads(self.elenchus("share", "status", self.server.url(), "--json").stdout)
        mine = [node for node in stats["nodes"] if node["campaign"] == self.campaign]
        self.assertEqual(sum(node["tests"] for node in mine), 400)
        page = os.path.join(self.folder, "page.html")
        self.elenchus("report", self.place(), "--out", page)
        with open(page, encoding="utf-8") as f:
            self.assertIn(shared[0]["id"], f.read())
        self.elenchus("corpus", self.place())
        self.elenchus("bugs", self.place(), "mark", shared[0]["id"], "reported", "http://a/1")
        marked = {bug["id"]: bug.get("state") for bug in self.shared_bugs()}
        self.assertEqual(marked[shared[0]["id"]], "reported")

    def test_what_a_killed_node_was_at_is_finished_by_another(self):
        # The solver is slow, so that a reduction takes its time.
        slow = os.path.join(self.folder, "slow")
        with open(slow, "w", encoding="utf-8") as f:
            f.write(f'#!/bin/sh\ncase "$*" in *--version*) ;; *) sleep 0.1 ;; esac\n'
                    f'exec {FAKE} "$@" assertion\n')
        os.chmod(slow, 0o755)
        first = self.begin("first", "--solver", slow, "--tests", "1", "--rng", "5")
        self.wait_for(lambda: self.sql("SELECT count(*) FROM elenchus.suspicions WHERE campaign = "
                                       "CAMPAIGN AND holder IS NOT NULL") == "1",
                      "nobody holds the suspicion")
        first.send_signal(signal.SIGKILL)
        first.wait()
        self.assertEqual(self.sql("SELECT count(*) FROM elenchus.bugs WHERE campaign = CAMPAIGN"),
                         "0")
        # Whatever it finds itself is the same; it waits for the lease to end.
        second = self.begin("second", "--solver", slow, "--time", "250s", "--reduce-tries", "10",
                            "--grace", "5s")
        self.wait_for(lambda: self.sql("SELECT count(*) FROM elenchus.bugs WHERE campaign = "
                                       "CAMPAIGN") == "1", "nobody finished it")
        second.send_signal(signal.SIGTERM)
        self.join({"second": second})
        self.assertEqual(len(self.shared_bugs()), 1)
        self.assertEqual(len(self.own_bugs("first")), 0)

    def test_a_server_that_stops_for_a_while_costs_nothing(self):
        nodes = ["a", "b"]
        processes = {node: self.begin(node, "--solver", fake("many"), "--rng", "7", "--grace", "3s",
                                      "--reduce-tries", "5") for node in nodes}
        counted = "SELECT count(*) FROM elenchus.nodes WHERE campaign = CAMPAIGN AND last_delta > 0"
        self.wait_for(lambda: self.sql(counted) == "2", "the nodes do not share")
        self.server.stop()
        self.wait_until_alone(nodes)
        self.assertEqual([process.poll() for process in processes.values()], [None, None])
        self.server.start()
        self.wait_until_caught_up(nodes)
        self.end(processes)
        self.assert_sums(nodes)
        signatures = [bug["signature"] for bug in self.shared_bugs()]
        self.assertEqual(len(signatures), len(set(signatures)))
        found = set(sum((self.own_bugs(node) for node in nodes), []))
        self.assertEqual(found, set(signatures))

    def test_a_server_that_hangs_holds_up_nobody(self):
        # Its machine says that all is well, and nothing ever comes.
        process = self.begin("one", "--solver", fake("ten"), "--grace", "3s", "--reduce-tries", "5")
        counted = "SELECT count(*) FROM elenchus.nodes WHERE campaign = CAMPAIGN AND last_delta > 0"
        self.wait_for(lambda: self.sql(counted) == "1", "the node does not share")
        self.server.signal(signal.SIGSTOP)
        try:
            self.wait_for(lambda: any("does not answer" in text for text in self.events_of("one")),
                          "nobody noticed")
            self.end({"one": process})
        finally:
            self.server.signal(signal.SIGCONT)
        command = self.node_command("one", "--solver", fake("ten"), "--time", "1s", "--grace", "1s",
                                    "--reduce-tries", "5")
        command[command.index("--out")] = "--resume-or-start"
        subprocess.run(command, capture_output=True, env=ENVIRONMENT, timeout=HANG_LIMIT,
                       check=False)
        self.assert_sums(["one"])

    def test_what_one_node_knows_holds_for_all(self):
        self.join({"first": self.begin("first", "--solver", fake("ten"), "--tests", "8", "--rng",
                                       "5", "--reduce-tries", "5")})
        bugs = self.shared_bugs()
        self.assertGreater(len(bugs), 1)
        path = os.path.join(self.folder, "known.toml")
        with open(path, "w", encoding="utf-8") as f:
            f.write('[[bug]]\ntitle = "dies everywhere"\nreference = "http://a/7"\n'
                    'solver = "z3"\nkind = "crash"\nlocation = "fake.cpp"\n')
        second = self.begin("second", "--solver", fake("ten"), "--tests", "5", "--rng", "6",
                            "--reduce-tries", "5", "--known", path)
        # Nothing is new to it, neither what others described nor its own.
        self.assertEqual(second.wait(HANG_LIMIT), 0, self.log("second"))
        command = self.node_command("first", "--solver", fake("ten"), "--tests", "5",
                                    "--reduce-tries", "5")
        command[command.index("--out")] = "--resume-or-start"
        done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT,
                              timeout=HANG_LIMIT, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        for node in ("first", "second"):
            stats = self.stats_of(node)
            self.assertEqual(stats["known_bugs"], stats["bugs"])
        for bug in self.shared_bugs():
            self.assertEqual(bug["known"], "dies everywhere (http://a/7)")

    def test_what_cannot_be_read_stops_nobody(self):
        first = self.begin("first", "--solver", fake("ten"), "--tests", "10", "--rng", "5",
                           "--reduce-tries", "5")
        self.join({"first": first})
        self.assertGreater(len(self.shared_bugs()), 0)
        self.sql("UPDATE elenchus.bugs SET files = 'no bundle' WHERE campaign = CAMPAIGN")
        node = "(SELECT min(id) FROM elenchus.nodes WHERE campaign = CAMPAIGN)"
        self.sql("INSERT INTO elenchus.bugs(campaign, signature, kind, solver, version, title, node, "
                 "files) SELECT CAMPAIGN, 'odd ' || i, 'crash', 'z3', '1', 't', " + node + ", "
                 "('1 - manifest.json' || E'\n{' || E'\n')::bytea FROM generate_series(1, 3) i")
        self.sql("INSERT INTO elenchus.suspicions(campaign, look, cause, kind, rank, needs, node, "
                 "files) SELECT CAMPAIGN, 'odd ' || i, 'odd ' || i, 'crash', 0, '{}', " + node + ", "
                 "CASE i WHEN 1 THEN ''::bytea WHEN 2 THEN '99 - a'::bytea ELSE "
                 "('2 - script.smt2' || E'\nab\n')::bytea END FROM generate_series(1, 3) i")
        self.sql("INSERT INTO elenchus.pool(campaign, digest, node, files) "
                 f"VALUES (CAMPAIGN, 'odd', {node}, '3 - ..'), (CAMPAIGN, 'no seed', {node}, "
                 "('11 - script.smt2' || E'\n(check-sat)\n2 - entry.json\n{}\n')::bytea)")
        second = self.begin("second", "--solver", fake("ten"), "--tests", "15", "--rng", "6",
                            "--reduce-tries", "5")
        self.join({"second": second})
        events = self.events_of("second")
        self.assertFalse(any("goes on alone" in text for text in events), events)
        self.assertTrue(any("cannot be read" in text for text in events), events)
        self.assertTrue(any("cannot be taken" in text for text in events), events)
        self.assertTrue(any("is passed over: shared/entry.json" in text for text in events), events)
        self.assert_sums(["first", "second"])
        self.assertEqual(self.sql("SELECT count(*) FROM elenchus.suspicions WHERE campaign = "
                                  "CAMPAIGN AND holder IS NOT NULL"), "0")
        self.shared_bugs()

    def test_readers_look_on_while_another_has_the_campaign_open(self):
        self.join({"one": self.begin("one", "--solver", fake("assertion"), "--tests", "3")})
        server = subprocess.Popen(
            [campaigns.ELENCHUS, "dashboard", self.place(), "--port", "0", "--quiet"],
            stdout=subprocess.PIPE, text=True, env=ENVIRONMENT)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        server.stdout.readline()
        self.assertEqual(len(self.shared_bugs()), 1)

    def test_a_node_that_goes_on_counts_on_as_the_same_node(self):
        arguments = ("--solver", fake("honest"), "--tests", "20", "--rng", "3")
        for _ in range(2):
            command = self.node_command("one", *arguments)
            at = command.index("--out")
            command[at] = "--resume-or-start"
            # Its mutants keep their variables, of which the fake's models say nothing.
            command[command.index("typefuzz")] = "opfuzz"
            done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT,
                                  timeout=HANG_LIMIT, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.sql("SELECT count(*) FROM elenchus.nodes WHERE campaign = CAMPAIGN"),
                         "1")
        self.assertEqual(self.stats_of("one")["tests"], 40)
        self.assert_sums(["one"])


class Experiments(ShareTest):
    """Processes that share out the runs of an experiment."""

    def plan(self, solver=fake("honest"), tests=8, repetitions=3, name="plan.toml"):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(f'name = "{self.campaign}"\nrepetitions = {repetitions}\ntests = {tests}\n'
                    f'rng = 11\n[campaign]\nseeds = ["{self.seeds}"]\nsolvers = ["{solver}"]\n'
                    'jobs = 1\ntimeout = 100\nreduce-tries = 0\n[[arm]]\nname = "typefuzz"\n'
                    'engines = ["typefuzz"]\n[[arm]]\nname = "opfuzz"\nengines = ["opfuzz"]\n')
        return path

    def held(self):
        """A solver that answers as soon as a file is gone, and that file."""
        hold = os.path.join(self.folder, "hold")
        path = os.path.join(self.folder, "held")
        with open(hold, "w", encoding="utf-8"):
            pass
        with open(path, "w", encoding="utf-8") as f:
            f.write(f'#!/bin/sh\ncase "$*" in *--version*) ;; *) while [ -e {hold} ]; do sleep 0.1; '
                    f'done ;; esac\nexec {FAKE} "$@" honest\n')
        os.chmod(path, 0o755)
        return path, hold

    def begin_part(self, node, plan, *arguments):
        with open(os.path.join(self.folder, f"{node}.log"), "w", encoding="utf-8") as log:
            process = subprocess.Popen(
                [campaigns.ELENCHUS, "experiment", plan, "--share", self.server.url(), "--node", node,
                 "--share-lease", "3", "--out", self.out_of(node), *arguments],
                env=ENVIRONMENT, stdout=log, stderr=log)

        def end():
            process.kill()
            process.wait()

        self.addCleanup(end)
        return process

    def join_parts(self, parts):
        for node, process in parts.items():
            self.assertEqual(process.wait(HANG_LIMIT), 0, self.log(node))

    def rows(self, folder):
        with open(os.path.join(folder, "runs.csv"), encoding="utf-8") as f:
            return list(csv.DictReader(f))

    def runs_where(self, condition):
        return int(self.server.sql(
            "SELECT count(*) FROM elenchus.experiment_runs r JOIN elenchus.experiments e ON e.id = "
            f"r.experiment WHERE e.name = '{self.campaign}' AND {condition}"))

    def test_each_run_is_made_once_and_all_have_the_tables(self):
        plan = self.plan()
        nodes = ("a", "b", "c")
        self.join_parts({node: self.begin_part(node, plan) for node in nodes})
        alone = self.out_of("alone")
        self.elenchus("experiment", plan, "--out", alone)

        def said(rows):
            return [[row[name] for name in ("arm", "repetition", "rng", "tests", "bug_ids")]
                    for row in rows]

        expected = said(self.rows(alone))
        self.assertEqual(len(expected), 6)
        for node in nodes:
            rows = self.rows(self.out_of(node))
            self.assertEqual(said(rows), expected)
            for row in rows:
                made = [one for one in nodes if os.path.exists(os.path.join(
                    self.out_of(one), "runs", f"{row['arm']}-{row['repetition']}.done"))]
                self.assertEqual(made, [row["node"]])
        # Whoever looks sees the same.
        looked = self.out_of("looked")
        shown = self.elenchus("experiment", self.place(), "--out", looked).stdout
        self.assertIn("6 of 6 runs complete", shown)
        self.assertEqual(said(self.rows(looked)), expected)
        status = json.loads(self.elenchus("share", "status", self.server.url(), "--json").stdout)
        self.assertIn({"name": self.campaign, "runs": 6, "complete": 6, "under_way": 0},
                      status["experiments"])

    def test_what_a_killed_one_was_at_is_made_by_another(self):
        solver, hold = self.held()
        plan = self.plan(solver, repetitions=1)
        first = self.begin_part("first", plan)
        self.wait_for(lambda: self.runs_where("holder IS NOT NULL") == 1, "nobody begins")
        # A folder is for one process.
        told = self.elenchus("experiment", plan, "--share", self.server.url(), "--out",
                             self.out_of("first"), code=2)
        self.assertIn("another folder", told.stderr)
        first.kill()
        first.wait()
        os.remove(hold)
        self.join_parts({"second": self.begin_part("second", plan)})
        self.assertEqual([row["node"] for row in self.rows(self.out_of("second"))],
                         ["second", "second"])

    def test_one_that_stood_still_finds_its_run_made(self):
        solver, hold = self.held()
        plan = self.plan(solver, repetitions=1)
        first = self.begin_part("first", plan)
        self.wait_for(lambda: self.runs_where("holder IS NOT NULL") == 1, "nobody begins")
        first.send_signal(signal.SIGSTOP)
        os.remove(hold)
        self.join_parts({"second": self.begin_part("second", plan)})
        first.send_signal(signal.SIGCONT)
        self.join_parts({"first": first})
        for node in ("first", "second"):
            self.assertEqual([row["node"] for row in self.rows(self.out_of(node))],
                             ["second", "second"])

    def begin_and_lose_the_server(self, plan, hold):
        """A part that has made a run and cannot tell it."""
        part = self.begin_part("one", plan)
        self.wait_for(lambda: self.runs_where("holder IS NOT NULL") == 1, "nobody begins")
        self.server.stop()
        self.addCleanup(self.server.start_again)
        os.remove(hold)
        self.wait_for(lambda: "goes on, and tries again" in self.log("one"), "nobody notices")
        self.assertTrue(os.path.exists(os.path.join(self.out_of("one"), "runs", "typefuzz-1.done")))
        return part

    def test_a_server_that_stops_for_a_while(self):
        solver, hold = self.held()
        part = self.begin_and_lose_the_server(self.plan(solver, repetitions=2), hold)
        self.server.start_again()
        self.join_parts({"one": part})
        self.assertIn("answers again", self.log("one"))
        self.assertEqual(len(self.rows(self.out_of("one"))), 4)

    def test_a_run_is_told_later_by_one_that_was_ended(self):
        solver, hold = self.held()
        plan = self.plan(solver, repetitions=1)
        part = self.begin_and_lose_the_server(plan, hold)
        part.send_signal(signal.SIGINT)
        self.assertEqual(part.wait(HANG_LIMIT), 2, self.log("one"))
        self.server.start_again()
        self.assertEqual(self.runs_where("result IS NOT NULL"), 0)
        made = os.stat(os.path.join(self.out_of("one"), "runs", "typefuzz-1", "campaign.toml"))
        self.join_parts({"one": self.begin_part("one", plan)})
        again = os.stat(os.path.join(self.out_of("one"), "runs", "typefuzz-1", "campaign.toml"))
        self.assertEqual(again.st_mtime_ns, made.st_mtime_ns)
        self.assertEqual(len(self.rows(self.out_of("one"))), 2)

    def test_what_cannot_be_compared_is_refused(self):
        self.join_parts({"one": self.begin_part("one", self.plan(repetitions=1))})
        other = self.plan(tests=9, repetitions=1, name="other.toml")
        told = self.elenchus("experiment", other, "--share", self.server.url(), "--out",
                             self.out_of("two"), code=2)
        self.assertIn("another plan under the name", told.stderr)
        # The same plan, where one more seed is in the folder.
        self.server.sql("UPDATE elenchus.experiment_runs SET result = NULL, holder = NULL WHERE "
                        "arm = 'opfuzz'")
        self.seed(SEED.replace("7", "8"), "b.smt2")
        told = self.elenchus("experiment", self.plan(repetitions=1), "--share", self.server.url(),
                             "--out", self.out_of("three"), code=2)
        self.assertRegex(told.stderr, "1 seed .*2 seeds .*could not be compared")
        self.assertEqual(self.runs_where("holder IS NOT NULL AND result IS NULL"), 0)
        told = self.elenchus("experiment", f"{self.server.url()}&campaign=nothing", code=2)
        self.assertIn("no experiment 'nothing'", told.stderr)


class CutOff(ShareTest):
    """A node whose network is gone for a while: the server and it are in a namespace, the others
    reach the server by its socket."""

    @classmethod
    def prepare(cls, folder):
        if os.getuid() != 0 or not shutil.which("ip"):
            raise unittest.SkipTest("only root makes network namespaces")
        name = f"elenchus-test-{os.getpid()}"
        done = subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False)
        if done.returncode != 0:
            raise unittest.SkipTest("there are no network namespaces here")
        cls.NAMESPACE = name
        cls.addClassCleanup(subprocess.run, ["ip", "netns", "del", name], check=False)
        cls.network("up")

    @classmethod
    def network(cls, state):
        subprocess.run(["ip", "netns", "exec", cls.NAMESPACE, "ip", "link", "set", "lo", state],
                       check=True)

    def test_a_node_that_is_cut_off_catches_up(self):
        arguments = ("--solver", fake("ten"), "--grace", "3s", "--reduce-tries", "5")
        url = f"postgresql://owner@127.0.0.1:{Server.PORT}/fuzz?tcp_user_timeout=3000"
        processes = {"near": self.begin("near", *arguments),
                     "far": self.begin("far", *arguments, url=url,
                                       before=["ip", "netns", "exec", self.NAMESPACE])}
        counted = "SELECT count(*) FROM elenchus.nodes WHERE campaign = CAMPAIGN AND last_delta > 0"
        self.wait_for(lambda: self.sql(counted) == "2", "the nodes do not share")
        self.network("down")
        self.wait_until_alone(["far"])
        self.network("up")
        self.wait_until_caught_up(["far"])
        self.wait_for(lambda: len(self.shared_bugs()) == 10, "not all bugs are shared")
        self.end(processes)
        self.assert_sums(["near", "far"])
        signatures = [bug["signature"] for bug in self.shared_bugs()]
        self.assertEqual(len(signatures), len(set(signatures)))
        self.assertEqual(len(signatures), 10)


class FullDisk(ShareTest):
    """A server whose disk is full for a while."""

    @classmethod
    def prepare(cls, folder):
        if os.getuid() != 0:
            raise unittest.SkipTest("only root makes file systems")
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=150m", "tmpfs", folder],
                              capture_output=True, check=False)
        if done.returncode != 0:
            raise unittest.SkipTest("there is no tmpfs here")
        cls.addClassCleanup(subprocess.run, ["umount", "-l", folder], check=False)

    def test_the_server_s_disk_is_full(self):
        # Each of its many bugs wants room.
        process = self.begin("one", "--solver", fake("many"), "--grace", "3s", "--reduce-tries",
                             "5")
        counted = "SELECT count(*) FROM elenchus.nodes WHERE campaign = CAMPAIGN AND last_delta > 0"
        self.wait_for(lambda: self.sql(counted) == "1", "the node does not share")
        rest = os.path.join(self.server.folder, "rest")
        with contextlib.suppress(OSError), open(rest, "wb", buffering=0) as f:
            while True:
                f.write(bytes(1 << 16))
        self.wait_until_alone(["one"])
        os.remove(rest)
        self.server.start_again()
        self.wait_until_caught_up(["one"])
        self.end({"one": process})
        self.assert_sums(["one"])


class Troubles(ShareTest):
    """The node says what is wrong, and goes on alone."""

    def alone(self, url, why):
        done = subprocess.run(
            self.node_command("lonely", "--solver", fake("assertion"), "--tests", "3", url=url),
            capture_output=True, text=True, env=ENVIRONMENT, timeout=HANG_LIMIT, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("goes on alone", done.stderr)
        self.assertRegex(done.stderr, why)
        self.assertEqual(len(self.own_bugs("lonely")), 1)
        return done

    def database(self, name):
        self.server.sql(f"CREATE DATABASE {name}", database="postgres")
        return self.server.url(database=name)

    def test_no_server(self):
        self.alone(f"postgresql://owner@/fuzz?host={self.folder}&port=1", "cannot reach")

    def test_no_database(self):
        self.alone(self.server.url(database="nothing"), '"nothing" does not exist; createdb')

    def test_who_may_make_tables(self):
        self.server.sql("CREATE ROLE poor LOGIN")
        self.server.sql("CREATE DATABASE bare")
        url = self.server.url("poor", database="bare")
        told = self.elenchus("share", "init", url, code=2).stderr
        self.assertIn("its owner may", told)
        self.server.sql("ALTER DATABASE bare OWNER TO poor")
        self.elenchus("share", "init", url)

    def test_no_tables(self):
        url = self.database("empty")
        self.alone(url, "share init")
        self.assertIn("share init", self.elenchus("share", "status", url, code=2).stderr)
        self.assertIn("share init", self.elenchus("bugs", url, code=2).stderr)
        self.assertIn("share init", self.elenchus("share", "upgrade", url, code=2).stderr)

    def test_another_format(self):
        url = self.database("future")
        self.elenchus("share", "init", url)
        self.server.sql("UPDATE elenchus.meta SET version = 99", database="future")
        self.alone(url, "newer Elenchus")
        self.assertIn("newer", self.elenchus("share", "init", url, code=2).stderr)

    def test_an_older_format(self):
        url = self.database("past")
        self.elenchus("share", "init", url)
        self.join({"before": self.begin("before", "--solver", fake("assertion"), "--tests", "3",
                                        url=url)})
        # What came with later formats.
        self.server.sql("DROP TABLE elenchus.experiment_runs, elenchus.experiment_arms, "
                        "elenchus.experiments, elenchus.known; UPDATE elenchus.meta SET version = 1",
                        database="past")
        self.alone(url, "has format 1.*share upgrade URL")
        place = f"{url}&campaign={self.campaign}"
        self.assertIn("share upgrade", self.elenchus("bugs", place, code=2).stderr)
        self.elenchus("share", "upgrade", url)
        self.assertEqual(json.loads(self.elenchus("share", "status", url, "--json").stdout)
                         ["format"], 2)
        self.join({"after": self.begin("after", "--solver", fake("assertion"), "--tests", "3",
                                       url=url)})
        bugs = json.loads(self.elenchus("bugs", place, "--json").stdout)["bugs"]
        self.assertEqual(len(bugs), 1)
        self.assertEqual(len(self.own_bugs("after")), 0)
        # Nodes have rights on what is new.
        self.server.sql("CREATE ROLE later LOGIN IN ROLE elenchus_node")
        self.server.sql("INSERT INTO elenchus.experiments(name, plan) VALUES ('a', 'b')",
                        database="past", user="later")

    def test_rights(self):
        self.server.sql("CREATE ROLE guest LOGIN; CREATE ROLE looker LOGIN IN ROLE elenchus_reader; "
                        "CREATE ROLE worker LOGIN IN ROLE elenchus_node")
        self.alone(self.server.url("guest"), "elenchus_node")
        shutil.rmtree(self.out_of("lonely"))
        self.alone(self.server.url("looker"), "elenchus_node")
        done = self.begin("worker", "--solver", fake("assertion"), "--tests", "3",
                          url=self.server.url("worker"))
        self.join({"worker": done})
        place = f"{self.server.url('looker')}&campaign={self.campaign}"
        listed = json.loads(self.elenchus("bugs", place, "--json").stdout)
        self.assertEqual(len(listed["bugs"]), 1)

    def test_a_wrong_password_and_one_in_the_url(self):
        self.server.sql("CREATE ROLE locked LOGIN PASSWORD 's3cret' IN ROLE elenchus_node")
        access = os.path.join(self.server.data, "pg_hba.conf")
        with open(access, encoding="utf-8") as f:
            before = f.read()
        with open(access, "w", encoding="utf-8") as f:
            f.write("local all locked scram-sha-256\n" + before)
        self.server.sql("SELECT pg_reload_conf()")
        url = self.server.url("locked")
        ENVIRONMENT["PGPASSWORD"] = "wr0ng"
        try:
            done = self.alone(url, "password authentication failed")
        finally:
            del ENVIRONMENT["PGPASSWORD"]
        self.assertNotIn("wr0ng", done.stderr)
        self.assertIn(".pgpass", done.stderr)
        # libpq says where it found the password, in a line of its own.
        passwords = os.path.join(self.folder, "passwords")
        with open(passwords, "w", encoding="utf-8") as f:
            f.write("*:*:*:*:wr0ng\n")
        os.chmod(passwords, 0o600)
        told = self.elenchus("share", "status", url, code=2, PGPASSFILE=passwords).stderr
        self.assertRegex(told, "password authentication failed.*retrieved from file.*PGPASSWORD")
        told = self.elenchus("share", "status", url.replace("locked@", "locked:s3cret@"), code=2)
        self.assertNotIn("s3cret", told.stderr)
        self.assertIn(".pgpass", told.stderr)
        for name in glob.glob(os.path.join(self.out_of("lonely"), "*")):
            if os.path.isfile(name):
                with open(name, "rb") as f:
                    self.assertNotIn(b"wr0ng", f.read(), name)
        self.elenchus("share", "status", url, PGPASSWORD="s3cret")


class Watched(ShareTest):
    """What readers see of nodes that come and go."""

    def node_command(self, *arguments, **settings):
        # Its mutants keep their variables, of which the fake's models say nothing.
        command = super().node_command(*arguments, **settings)
        command[command.index("typefuzz")] = "opfuzz"
        return command

    def watch(self, url=None, token=""):
        server = subprocess.Popen(
            [campaigns.ELENCHUS, "dashboard", url or self.place(), "--port", "0", "--quiet"],
            stdout=subprocess.PIPE, text=True, env={**ENVIRONMENT, "ELENCHUS_TOKEN": token})
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        return server, server.stdout.readline().strip()

    def ask(self, address, path, token=""):
        request = urllib.request.Request(address + path,
                                         headers={"Authorization": f"Bearer {token}"})
        with urllib.request.urlopen(request, timeout=HANG_LIMIT) as answer:
            return answer.read().decode()

    def campaign_at(self, address, token=""):
        return json.loads(self.ask(address, "api/campaign/0", token))

    def standing(self, address, token=""):
        return {node["name"]: node["standing"]
                for node in self.campaign_at(address, token)["nodes"]}

    def database(self, name):
        self.server.sql(f"CREATE DATABASE {name}", database="postgres")
        url = self.server.url(database=name)
        self.elenchus("share", "init", url)
        return url

    def one_bug(self, node, url, *arguments):
        self.join({node: self.begin(node, "--solver", fake("assertion"), "--tests", "1",
                                    "--reduce-tries", "5", *arguments, url=url)})

    def test_one_dashboard_takes_over_from_another(self):
        self.one_bug("one", self.server.url())
        first, address = self.watch()
        _, later = self.watch()
        self.wait_for(lambda: self.standing(address) == {"one": "ended"}, "the first shows nothing")
        first.kill()
        first.wait()
        self.one_bug("two", self.server.url())
        self.wait_for(lambda: self.standing(later) == {"one": "ended", "two": "ended"},
                      "the second shows what the first left behind")

    def test_a_dashboard_says_that_the_server_is_away(self):
        self.one_bug("one", self.server.url())
        _, address = self.watch()
        self.assertEqual(self.campaign_at(address)["trouble"], "")
        self.server.stop()
        try:
            self.wait_for(lambda: "cannot reach" in self.campaign_at(address)["trouble"],
                          "nothing is said")
        finally:
            self.server.start()
        self.wait_for(lambda: self.campaign_at(address)["trouble"] == "", "it does not come back")

    def test_readers_do_not_wait_for_a_server_that_hangs(self):
        self.one_bug("one", self.server.url())
        dashboard, address = self.watch()
        self.server.signal(signal.SIGSTOP)
        try:
            # Statements of readers may take five minutes where the server is there.
            self.wait_for(lambda: self.campaign_at(address)["trouble"], "nothing is said")
            self.assertRegex(self.campaign_at(address)["trouble"], "does not answer|cannot reach")
            for command in (["bugs", self.place()], ["share", "status", self.server.url()]):
                told = self.elenchus(*command, code=2).stderr
                self.assertRegex(told, "cannot reach the shared campaign at .*: .*timeout expired")
            dashboard.send_signal(signal.SIGINT)
            self.assertEqual(dashboard.wait(60), 0)
        finally:
            self.server.signal(signal.SIGCONT)

    def test_a_database_that_was_made_anew_has_none_of_the_old_bugs(self):
        url = self.database("again")
        place = f"{url}&campaign={self.campaign}"

        def bugs():
            return json.loads(self.elenchus("bugs", place, "--json").stdout)["bugs"]

        self.one_bug("one", url)
        self.assertEqual(len(bugs()), 1)
        self.server.sql("DROP SCHEMA elenchus CASCADE", database="again")
        self.elenchus("share", "init", url)
        self.join({"two": self.begin("two", "--solver", fake("honest"), "--tests", "1", url=url)})
        self.assertEqual(bugs(), [])

    def test_what_is_added_to_a_bug_later_is_seen_by_all(self):
        # The server gives bytes in another way, which is its affair.
        url = self.database("later")
        self.server.sql("ALTER DATABASE later SET bytea_output = 'escape'", database="later")
        place = f"{url}&campaign={self.campaign}"

        self.one_bug("one", url)
        self.one_bug("two", url)
        bug = json.loads(self.elenchus("bugs", place, "--json").stdout)["bugs"][0]["id"]
        [path] = glob.glob(os.path.join(self.out_of("one"), "bugs", bug, "report.md"))
        with open(path, "a", encoding="utf-8") as f:
            f.write("\nIt vanishes at night.\n")
        for node in ("one", "two"):
            command = self.node_command(node, "--solver", fake("honest"), "--tests", "1", url=url)
            command[command.index("--out")] = "--resume-or-start"
            subprocess.run(command, capture_output=True, env=ENVIRONMENT, timeout=HANG_LIMIT,
                           check=False)
        with open(os.path.join(self.out_of("two"), "bugs", bug, "report.md"), encoding="utf-8") as f:
            self.assertIn("It vanishes at night.", f.read())
        self.assertIn("It vanishes at night.",
                      self.elenchus("bugs", place, "export", bug).stdout)

    def test_a_script_of_another_is_taken_once_and_known_by_what_it_says(self):
        url = self.database("pool")
        self.join({"one": self.begin("one", "--solver", fake("honest"), "--tests", "1", url=url)})
        script = SEED.replace("check-sat", "check-sat ")
        entry = json.dumps({"seed": "far.smt2", "engine": "edit", "generation": 1,
                            "because": "fake=sat", "keys": ["07"]})
        content = "".join(f"{len(text)} - {name}\n{text}\n" for name, text in
                          (("script.smt2", script), ("entry.json", entry)))
        self.server.sql("INSERT INTO elenchus.pool(campaign, digest, node, files) SELECT campaign, "
                        f"'far', id, convert_to($a${content}$a$, 'UTF8') FROM elenchus.nodes",
                        database="pool")
        rounds = ("SELECT (state->>'rounds')::bigint FROM elenchus.nodes WHERE name = 'two' AND NOT "
                  "ended")
        for _ in range(2):
            self.server.sql("UPDATE elenchus.nodes SET state = '{}'", database="pool")
            two = self.begin("two", "--solver", fake("honest"), url=url, again=True)
            # In a round it hears of everything that is there, and in some it tells what seeds brought.
            self.wait_for(lambda: int(self.server.sql(rounds, database="pool") or 0) > 8,
                          "it does not share")
            self.end({"two": two})
        taken = []
        for path in glob.glob(os.path.join(self.out_of("two"), "pool", "*", "script.smt2")):
            with open(path, encoding="utf-8") as f:
                taken.append(f.read())
        self.assertEqual(taken.count(script), 1)
        # What it sent is its own, under names that mean the same everywhere.
        self.assertEqual(self.server.sql("SELECT count(*) FROM elenchus.pool WHERE digest <> 'far' "
                                         f"AND position(convert_to($a${script}$a$, 'UTF8') IN files)"
                                         " > 0", database="pool"), "0")
        named = self.server.sql("SELECT string_agg(name, ' ') FROM elenchus.yields WHERE name LIKE "
                                "'pool:%'", database="pool").split()
        for name in named:
            self.assertRegex(name, "^pool:[0-9a-f]{16}-[0-9]+$")

    def test_a_node_that_stands_still_is_seen_to_do_so(self):
        nodes = [f"n{i}" for i in range(4)]
        running = {node: self.begin(node, "--solver", fake("honest")) for node in nodes}
        counted = "SELECT count(*) FROM elenchus.nodes WHERE campaign = CAMPAIGN AND last_delta > 0"
        self.wait_for(lambda: self.sql(counted) == "4", "the nodes do not share")
        _, address = self.watch(token="s3cret")
        with self.assertRaises(urllib.error.HTTPError) as refused:
            self.ask(address, "metrics")
        self.assertEqual(refused.exception.code, 401)
        refused.exception.close()
        running["n1"].send_signal(signal.SIGSTOP)
        # Nobody heard of it for a while: any other node would say at once that it is there.
        self.sql("UPDATE elenchus.nodes SET seen = seen - interval '1 minute' WHERE campaign = "
                 "CAMPAIGN")
        try:
            expected = {node: "stalled" if node == "n1" else "alive" for node in nodes}
            self.wait_for(lambda: self.standing(address, "s3cret") == expected,
                          "nobody sees that it stands still")
            metrics = self.ask(address, "metrics", "s3cret")
            place = f'{{campaign="{self.campaign}",node="n1"}}'
            for name in ("up", "load", "tests_per_second"):
                self.assertIn(f"elenchus_node_{name}{place} 0\n", metrics)
            if shutil.which("promtool"):
                checked = subprocess.run(["promtool", "check", "metrics"], input=metrics, text=True,
                                         capture_output=True, timeout=HANG_LIMIT, check=False)
                self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)
            if browser.find():
                self.look_at(address + "?token=s3cret", expected)
        finally:
            running["n1"].send_signal(signal.SIGCONT)
        for process in running.values():
            process.send_signal(signal.SIGTERM)
        self.join(running)

    def look_at(self, address, expected):
        page = browser.Browser()
        self.addCleanup(page.close)
        page.open(address)
        tab = '[data-tab="nodes"]'
        page.wait_for(f"document.querySelector('{tab}') !== null")
        page.click(tab)
        page.wait_for("document.body.innerText.includes('n3')")
        text = page.run("document.body.innerText")
        for node, standing in expected.items():
            self.assertRegex(text, rf"{node}\s+{standing}\s")
        self.assertEqual(page.problems, [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    arguments, rest = parser.parse_known_args()
    if server_programs() is None:
        print("skipped: PostgreSQL is not installed")
        sys.exit(SKIPPED)
    campaigns.ELENCHUS = os.path.abspath(arguments.elenchus)
    unittest.main(argv=[sys.argv[0], *rest])
