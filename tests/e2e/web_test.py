#!/usr/bin/env python3
"""The command lines of `elenchus report` and `elenchus dashboard`, and a server among rude clients."""

import argparse
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import unittest

ELENCHUS = None
BUILD = None
HANG_LIMIT = 60.0


def run(*arguments):
    return subprocess.run([ELENCHUS, *arguments], capture_output=True, text=True,
                          timeout=HANG_LIMIT, check=False)


class WebTest(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="web_test.")
        self.addCleanup(holder.cleanup)
        self.home = holder.name
        self.folder = os.path.join(self.home, "night")
        subprocess.run([os.path.join(BUILD, "make_campaign"), self.folder, "--bugs", "3"],
                       check=True, timeout=HANG_LIMIT)

    def serve(self):
        server = subprocess.Popen([ELENCHUS, "dashboard", self.folder, "--port", "0", "--quiet"],
                                  stdout=subprocess.PIPE, text=True)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        url = server.stdout.readline().strip()
        self.assertRegex(url, r"^http://127\.0\.0\.1:[0-9]+/$")
        return server, int(url.rstrip("/").rsplit(":", 1)[1])

    def get(self, port, path):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANG_LIMIT)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def test_help_has_an_example(self):
        for command in ("report", "dashboard"):
            done = run(command, "--help")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, rf"Examples:\n +elenchus {command} ")
            self.assertIn(command, run("--help").stdout)

    def test_a_report_goes_to_a_file_or_to_standard_output(self):
        path = os.path.join(self.home, "night.html")
        done = run("report", self.folder, "-o", path)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn(path, done.stderr)
        with open(path, encoding="utf-8") as f:
            page = f.read()
        self.assertTrue(page.startswith("<!DOCTYPE html>"))
        self.assertNotIn("http://", page.replace("http://www.w3.org/2000/svg", ""))
        done = run("report", self.folder, "-o", "-", "--quiet")
        self.assertTrue(done.stdout.startswith("<!DOCTYPE html>"))

    def test_bad_folders_and_ports_are_errors(self):
        for arguments in (("report", self.home), ("report", os.path.join(self.home, "none")),
                          ("report",), ("dashboard", self.home), ("dashboard",),
                          ("report", self.folder, "-o", os.path.join(self.home, "no", "x.html")),
                          ("dashboard", self.folder, "--port", "70000"),
                          ("dashboard", self.folder, "--address", "not an address")):
            done = run(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertRegex(done.stderr, ".")

    def test_the_dashboard_survives_rude_clients_and_ends_when_told(self):
        server, port = self.serve()
        status, body = self.get(port, "/api/campaigns")
        self.assertEqual((status, json.loads(body)[0]["bugs"]), (200, 3))
        silent = [socket.create_connection(("127.0.0.1", port)) for _ in range(100)]
        for client in silent:
            self.addCleanup(client.close)
        for words in (b"\0\xff\n\n", b"GET /" + b"a" * 100000, b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
                      b"BREW / HTCPCP/1.0\r\n\r\n"):
            client = socket.create_connection(("127.0.0.1", port))
            client.settimeout(HANG_LIMIT)
            try:
                client.sendall(words)
                self.assertRegex(client.recv(100), rb"^HTTP/1.1 4")
            except ConnectionError:
                pass  # closed while we were still speaking
            client.close()
        self.assertEqual(self.get(port, "/api/campaign/0/bug/..%2f..%2fcampaign.toml")[0], 404)
        self.assertEqual(self.get(port, "/../../etc/passwd")[0], 404)
        self.assertEqual(self.get(port, "/")[0], 200)
        server.terminate()
        self.assertEqual(server.wait(HANG_LIMIT), 0)


def main():
    global ELENCHUS, BUILD
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--elenchus", required=True, metavar="BIN")
    args, rest = parser.parse_known_args()
    ELENCHUS = os.path.abspath(args.elenchus)
    BUILD = os.path.dirname(ELENCHUS)
    unittest.main(argv=[sys.argv[0], *rest])


if __name__ == "__main__":
    main()
