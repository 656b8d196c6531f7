#!/usr/bin/env python3
"""The command lines of `elenchus report` and `elenchus dashboard`, and a server among rude clients."""

import argparse
import http.client
import json
import os
import re
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import unittest

ELENCHUS = None
BUILD = None
HANG_LIMIT = 300.0


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

    def serve(self, *arguments, shown=r"^http://127\.0\.0\.1:[0-9]+/$", **settings):
        server = subprocess.Popen(
            [ELENCHUS, "dashboard", self.folder, "--port", "0", "--quiet", *arguments],
            stdout=subprocess.PIPE, text=True, env={**os.environ, **settings})
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        url = server.stdout.readline().strip()
        self.assertRegex(url, shown)
        return server, int(re.search(r":([0-9]+)/", url).group(1))

    def get(self, port, path):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANG_LIMIT)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def test_nothing_is_shown_without_the_token(self):
        _, port = self.serve(ELENCHUS_TOKEN="s3cret")

        def ask(path, **headers):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANG_LIMIT)
            try:
                connection.request("GET", path, headers=headers)
                answer = connection.getresponse()
                return answer.status, answer.getheader("Set-Cookie"), answer.read()
            finally:
                connection.close()

        for path in ("/", "/page.js", "/api/campaigns", "/metrics", "/?token=", "/?token=s3cre",
                     "/?token=s3cret0", "/?nottoken=s3cret", "/?token=S3CRET"):
            status, cookie, body = ask(path)
            self.assertEqual((status, cookie), (401, None), path)
            self.assertNotIn(b"night", body)
        self.assertEqual(ask("/", Authorization="Bearer wrong")[0], 401)
        self.assertEqual(ask("/api/campaigns", Authorization="Bearer s3cret")[0], 200)
        status, cookie, _ = ask("/?token=s3cret")
        self.assertEqual(status, 200)
        self.assertIn("HttpOnly", cookie)
        sent = cookie.split(";")[0]
        self.assertEqual(ask("/api/campaigns", Cookie=f"a=b; {sent}")[0], 200)
        self.assertEqual(ask("/api/campaigns", Cookie="a=b; elenchus_token=x")[0], 401)

    def test_other_machines_need_a_token_and_tls(self):
        done = run("dashboard", self.folder, "--port", "0", "--address", "0.0.0.0")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--tls-cert", done.stderr)
        # Whoever says that a proxy encrypts still gets a token.
        server, port = self.serve("--address", "0.0.0.0", "--plain-http",
                                  shown=r"^http://0\.0\.0\.0:[0-9]+/\?token=[0-9a-f]{32}$")
        self.assertEqual(self.get(port, "/api/campaigns")[0], 401)
        server.kill()
        if shutil.which("openssl") is None:
            self.skipTest("there is no openssl to make a certificate")
        made = [os.path.join(self.home, name) for name in ("cert.pem", "key.pem")]
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                        "ec_paramgen_curve:P-256", "-nodes", "-subj", "/CN=localhost", "-addext",
                        "subjectAltName=IP:127.0.0.1", "-days", "2", "-out", made[0], "-keyout",
                        made[1]], check=True, capture_output=True, timeout=HANG_LIMIT)
        token = os.path.join(self.home, "token")
        with open(token, "w", encoding="utf-8") as f:
            f.write("s3cret\n")
        _, port = self.serve("--address", "0.0.0.0", "--tls-cert", made[0], "--tls-key", made[1],
                             "--token-file", token, shown=r"^https://0\.0\.0\.0:[0-9]+/$")
        trust = ssl.create_default_context(cafile=made[0])
        for headers, status in (({}, 401), ({"Authorization": "Bearer s3cret"}, 200)):
            connection = http.client.HTTPSConnection("127.0.0.1", port, timeout=HANG_LIMIT,
                                                     context=trust)
            connection.request("GET", "/", headers=headers)
            answer = connection.getresponse()
            self.assertEqual(answer.status, status)
            if status == 200:
                self.assertIn("Secure", answer.getheader("Set-Cookie"))
            connection.close()
        with self.assertRaises((ConnectionError, http.client.HTTPException)):
            self.get(port, "/")
        for arguments in (("--tls-key", made[1]), ("--tls-cert", token), ("--token-file", "/dev/null"),
                          ("--tls-cert", made[0])):
            done = run("dashboard", self.folder, "--port", "0", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertNotIn("s3cret", done.stderr)

    def test_metrics_are_as_prometheus_reads_them(self):
        _, port = self.serve()
        status, body = self.get(port, "/metrics")
        self.assertEqual(status, 200)
        lines = body.decode().splitlines()
        values = {}
        for line in lines:
            self.assertRegex(line, r'^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+\{campaign="night"\} [0-9.e+-]+)$')
            if not line.startswith("#"):
                name, value = line.split(" ")
                values[name.split("{")[0]] = float(value)
        self.assertEqual(values["elenchus_bugs"], 3)
        self.assertGreater(values["elenchus_tests_total"], 0)
        if shutil.which("promtool"):
            checked = subprocess.run(["promtool", "check", "metrics"], input=body, check=False,
                                     capture_output=True, timeout=HANG_LIMIT)
            self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

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
