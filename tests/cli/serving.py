"""What the tests of gpuhmm serve share: a running server, slow runs, and the comparison with the command line."""

import http.client
import json
import random
import re
import signal
import socket
import subprocess
import time

from harness import SEQUENCES, TESTDATA, TIME_LIMIT, CommandLineTest, Settings

HMMER3 = TESTDATA / "hmm/RRM_1_hmmer3.hmm"
PRESSED = TESTDATA / "hmmer3/XYPPX.hmm"
PROTEIN = TESTDATA / "seq/HBA_HUMAN.fasta"
VARIABLE = re.compile(rb"# (CPU time|Mc/sec|Date):.*")


def steady(output):
    return VARIABLE.sub(b"", output)


class Server:
    """A running `gpuhmm serve` on the socket `path`."""

    def __init__(self, path, *words, cwd=None):
        self.path = str(path)
        command = [str(Settings.gpuhmm), "serve", "--socket", self.path, "--device", Settings.device, *map(str, words)]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd=cwd)
        self.ready = self.process.stderr.readline().decode()
        self.address = "".join(re.findall(r"http://(\S+)", self.ready))

    def end(self, number=signal.SIGTERM):
        """Sends the signal, unless it has ended; the exit status and what else it said."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        said = self.process.communicate(timeout=TIME_LIMIT)[1]
        return self.process.returncode, said

    def connection(self):
        connection = http.client.HTTPConnection(self.address or "localhost", timeout=TIME_LIMIT)
        if not self.address:
            connection.sock = socket.socket(socket.AF_UNIX)
            connection.sock.connect(self.path)
        return connection

    def ask(self, method, target, body=None, kind="application/json"):
        """Status, content type and body of the response."""
        connection = self.connection()
        text = json.dumps(body) if isinstance(body, dict) else body
        connection.request(method, target, text, {"Content-Type": kind})
        response = connection.getresponse()
        answer = response.status, response.getheader("Content-Type"), response.read()
        connection.close()
        return answer

    def status(self):
        return json.loads(self.ask("GET", "/v1/status")[2])

    def wait_for(self, **wanted):
        """Waits until the status has these values."""
        deadline = time.monotonic() + 20
        while any(self.status()[key] != value for key, value in wanted.items()):
            assert time.monotonic() < deadline, (wanted, self.status())
            time.sleep(0.01)


class ServeCase(CommandLineTest):
    def serve(self, *words, name="socket"):
        server = Server(self.path(name), *words, cwd=TESTDATA)  # not the folder of the clients
        self.addCleanup(server.process.stderr.close)
        self.addCleanup(server.process.wait)
        self.addCleanup(lambda: server.process.poll() is None and server.process.kill())
        self.assertIn("ready", server.ready)
        return server

    def library(self):
        names = ("RRM_1_ls", "Pkinase_ls", "Acetyltransf_1_ls", "RRM_1_fs")
        return self.path("library.hmm", b"".join((TESTDATA / f"hmm/{name}.hmm").read_bytes() for name in names))

    def database(self):
        path = self.path("proteins.ghdb")
        self.assertEqual(self.gpuhmm("makedb", "-q", SEQUENCES, path).returncode, 0)
        return path

    def slow_words(self, profiles=500):
        """A search that takes about a second for each profile: long sequences, without filters."""
        letters = random.Random(1).choices("ACDEFGHIKLMNPQRSTVWY", k=20_000)
        text = "".join(f">{n}\n{''.join(letters)}\n" for n in range(400))
        library = self.path("slow.hmm", HMMER3.read_bytes() * profiles)
        return "search", "--max", "--noali", library, self.path("slow.fasta", text)

    def by(self, server, words):
        return self.command(words[0], "--server", server.path, *words[1:])

    def assert_same(self, server, words, files=(), **keywords):
        """The run gives the same standard output, error, exit code and files by the server."""
        runs = []
        for command in (self.command(words[0], "--device", Settings.device, *words[1:]), self.by(server, words)):
            done = self.run_command(command, **keywords)
            contents = []
            for name in files:
                path = self.folder / name
                contents.append(steady(path.read_bytes()) if path.exists() else None)
                path.unlink(missing_ok=True)
            runs.append((done.returncode, done.stderr, steady(done.stdout), contents))
        self.assertEqual(runs[0], runs[1], words)
        return runs[0]
