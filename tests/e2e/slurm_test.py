#!/usr/bin/env python3
"""The array job of docs/cluster on a Slurm of our own: a controller and nodes by name, all on this
machine, with a key that nobody else has.

label: slow
"""

import argparse
import collections
import os
import shutil
import socket
import subprocess
import sys
import time
import unittest

import campaigns
import share_test
from campaigns import ENVIRONMENT, HANG_LIMIT, fake

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "srun")
NODES = 2
CONFIGURATION = """\
ClusterName=elenchus
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=1,sched_interval=5,bf_interval=5
KillWait=10
ReturnToService=2
NodeName=n[0-{last}] NodeHostname={host} NodeAddr=127.0.0.1 Port=[{first}-{end}] CPUs=1 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


def free_ports(count):
    """Ports in a row that nobody listens on."""
    for first in range(46817, 60000, 100):
        with_all = []
        try:
            for port in range(first, first + count):
                one = socket.socket()
                with_all.append(one)
                one.bind(("127.0.0.1", port))
            return first
        except OSError:
            continue
        finally:
            for one in with_all:
                one.close()
    raise AssertionError("there are no free ports")


class Slurm(share_test.ShareTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.place_of_slurm = os.path.join(cls.server.folder, "slurm")
        os.mkdir(cls.place_of_slurm, 0o755)
        os.mkdir(os.path.join(cls.place_of_slurm, "state"))
        first = free_ports(NODES + 1)
        host = socket.gethostname().split(".")[0]
        cls.settings = os.path.join(cls.place_of_slurm, "slurm.conf")
        with open(cls.settings, "w", encoding="utf-8") as f:
            f.write(CONFIGURATION.format(host=host, folder=cls.place_of_slurm, port=first,
                                         first=first + 1, end=first + NODES, last=NODES - 1))
        cls.environment = {
            **ENVIRONMENT, "SLURM_CONF": cls.settings,
            "PATH": os.path.dirname(campaigns.ELENCHUS) + ":" + os.environ["PATH"]}
        cls.start_munge()
        cls.start("slurmctld", "-D", "-f", cls.settings)
        for i in range(NODES):
            os.mkdir(os.path.join(cls.place_of_slurm, f"spool-n{i}"))
            cls.start("slurmd", "-D", "-f", cls.settings, "-N", f"n{i}")
        cls.wait_for_idle_nodes()

    @classmethod
    def start(cls, *command):
        path = os.path.join(cls.place_of_slurm, f"{command[0]}-{os.path.basename(command[-1])}.out")
        with open(path, "w", encoding="utf-8") as log:
            process = subprocess.Popen(command, env=cls.environment, stdout=log, stderr=log)

        def end():
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

        cls.addClassCleanup(end)

    @classmethod
    def start_munge(cls):
        key = os.path.join(cls.place_of_slurm, "munge.key")
        with open(os.open(key, os.O_CREAT | os.O_WRONLY, 0o400), "wb") as f:
            f.write(os.urandom(128))
        files = {name: os.path.join(cls.place_of_slurm, f"munge.{name}")
                 for name in ("socket", "pid", "log", "seed")}
        # The database's user owns the folder above.
        cls.start("munged", "--foreground", "--force", f"--key-file={key}",
                  f"--socket={files['socket']}", f"--pid-file={files['pid']}",
                  f"--log-file={files['log']}", f"--seed-file={files['seed']}")
        end = time.monotonic() + 60
        while not os.path.exists(files["socket"]):
            if time.monotonic() > end:
                raise unittest.SkipTest("munge does not start here")
            time.sleep(0.1)

    @classmethod
    def slurm(cls, *command):
        done = subprocess.run(command, env=cls.environment, capture_output=True, text=True,
                              timeout=HANG_LIMIT, check=False)
        if done.returncode != 0:
            raise AssertionError(f"{command}: {done.stderr}")
        return done.stdout.strip()

    @classmethod
    def wait_for_idle_nodes(cls):
        end = time.monotonic() + 120
        while time.monotonic() < end:
            done = subprocess.run(["sinfo", "-h", "-N", "-o", "%T"], env=cls.environment,
                                  capture_output=True, text=True, timeout=HANG_LIMIT, check=False)
            if done.stdout.split() == ["idle"] * NODES:
                return
            time.sleep(0.5)
        raise unittest.SkipTest(f"Slurm does not start here: {done.stdout}{done.stderr}")

    def out_of(self, node):
        return os.path.join(self.folder, self.campaign, node.rpartition("-")[2])

    def submit(self, *arguments):
        self.environment.update(ELENCHUS_SHARE=self.server.url(), ELENCHUS_CAMPAIGN=self.campaign,
                                ELENCHUS_FOLDER=self.folder)
        return self.slurm(
            "sbatch", "--parsable", f"--array=0-{NODES - 1}", "--cpus-per-task=1",
            "--mem-per-cpu=0", "--export=ALL", "--time=10", f"--chdir={self.folder}",
            os.path.join(ROOT, "docs", "cluster", "slurm.sh"), self.seeds, *arguments)

    def number(self, query):
        return int(self.sql(query) or 0)

    def logs(self):
        text = ""
        for folder in (self.folder, self.place_of_slurm):
            for name in sorted(os.listdir(folder)):
                if name.endswith((".out", ".log")):
                    with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as f:
                        text += f"--- {name}\n{f.read()[-2000:]}\n"
        return text

    def test_a_requeued_task_goes_on_as_the_same_node(self):
        job = self.submit("--solver", fake("ten"), "--engine", "typefuzz", "--policy", "anything",
                          "--share-every", "0.3", "--share-lease", "20", "--reduce-tries", "5",
                          "--diagnosis", "0s", "--time", "12s")
        self.addCleanup(subprocess.run, ["scancel", job], env=self.environment, check=False)
        tests = ("SELECT coalesce(sum(tests), 0) FROM elenchus.tests WHERE node = (SELECT id FROM "
                 "elenchus.nodes WHERE campaign = CAMPAIGN AND name = 'task-0')")
        alive = ("SELECT count(*) FROM elenchus.nodes WHERE campaign = CAMPAIGN AND NOT ended AND "
                 "last_delta > 0")
        try:
            self.wait_for(lambda: self.number(alive) == NODES, "the tasks do not share")
            self.slurm("scontrol", "requeue", f"{job}_0")
            self.wait_for(lambda: self.number(alive) < NODES, "the task does not end")
            before = self.number(tests)
            self.wait_for(lambda: self.number(tests) > before, "the task does not go on")
            self.wait_for(lambda: not self.slurm("squeue", "-h"), "the job does not end")
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.logs()}") from error
        nodes = [f"task-{i}" for i in range(NODES)]
        self.assertEqual(self.sql("SELECT string_agg(name, ' ' ORDER BY name) FROM elenchus.nodes "
                                  "WHERE campaign = CAMPAIGN"), " ".join(nodes))
        self.assert_sums(nodes)
        own = collections.Counter(sum((self.own_bugs(node) for node in nodes), []))
        self.assertEqual(sorted(own), sorted(bug["signature"] for bug in self.shared_bugs()))
        self.assertGreater(len(own), 0)
        self.assertEqual(set(own.values()), {1}, own)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--elenchus", required=True)
    arguments, rest = parser.parse_known_args()
    if share_test.server_programs() is None:
        print("skipped: PostgreSQL is not installed")
        sys.exit(share_test.SKIPPED)
    missing = [name for name in PROGRAMS if not shutil.which(name)]
    if missing or os.getuid() != 0:
        print("skipped: " + (f"Slurm is not installed ({missing[0]})" if missing else
                             "only root starts a Slurm of its own"))
        sys.exit(share_test.SKIPPED)
    campaigns.ELENCHUS = os.path.abspath(arguments.elenchus)
    unittest.main(argv=[sys.argv[0], *rest])
