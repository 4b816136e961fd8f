"""What the command-line tests share: the program under test, small inputs, and checks of a finished run."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
TESTDATA = REPOSITORY / "testdata"
PROFILE = TESTDATA / "hmm/RRM_1_ls.hmm"
SEQUENCES = TESTDATA / "seq/uniprot.fasta"
TIME_LIMIT = 120  # seconds for one run


def full_disk(size):
    """Makes writes beyond `size` bytes of a file fail, as on a full disk. Arguments for run_command()."""

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return {"preexec_fn": limit}


# Runs the command in its arguments and writes the exit status and peak memory (KiB) to the file named first. It is a
# small interpreter because a child's peak starts at that of its parent.
MEASURE = """
import os, subprocess, sys
process = subprocess.Popen(sys.argv[2:])
_, status, usage = os.wait4(process.pid, 0)
process.returncode = os.waitstatus_to_exitcode(status)
with open(sys.argv[1], "w") as file:
    file.write(f"{process.returncode} {usage.ru_maxrss}")
"""


class Settings:
    """Set by the command line of cli_test.py."""

    gpuhmm = REPOSITORY / "build/release/src/gpuhmm"
    device = "none"


class CommandLineTest(unittest.TestCase):
    """Runs each test in a new folder, which is removed afterwards."""

    maxDiff = 2000

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="gpuhmm-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name, content=None):
        """A path in the test's folder. Writes the content (bytes or text) to it if given."""
        path = self.folder / name
        if content is not None:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    @staticmethod
    def command(*words):
        return [str(Settings.gpuhmm), *map(str, words)]

    def search_command(self, *words):
        return self.command("search", "--quiet", "--device", Settings.device, *words)

    def run_command(self, command, **keywords):
        keywords.setdefault("stdin", None if "input" in keywords else subprocess.DEVNULL)
        if "input" in keywords:
            del keywords["stdin"]
        keywords.setdefault("cwd", self.folder)
        keywords.setdefault("stdout", subprocess.PIPE)
        return subprocess.run(command, stderr=subprocess.PIPE, timeout=TIME_LIMIT, **keywords)

    def measure(self, command, **keywords):
        """Runs the command: the finished run and its peak memory in bytes."""
        with tempfile.NamedTemporaryFile("r") as file:
            done = self.run_command([sys.executable, "-c", MEASURE, file.name, *map(str, command)], **keywords)
            status, peak = file.read().split()
        done.returncode = int(status)
        return done, int(peak) << 10

    def gpuhmm(self, *words, **keywords):
        return self.run_command(self.command(*words), **keywords)

    def search(self, *words, **keywords):
        """A search that must succeed quietly; returns its standard output."""
        done = self.run_command(self.search_command(*words), **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout

    def shell(self, script, **variables):
        """Runs a bash script (pipefail on) with these environment variables."""
        values = {name: str(value) for name, value in variables.items()}
        return self.run_command(["bash", "-o", "pipefail", "-c", script], env={**os.environ, **values})

    def assert_fails(self, done, status, *mentions):
        """The run ended with this status, no output and a message of one line that contains all of `mentions`."""
        message = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, status, message)
        self.assertEqual(done.stdout, b"")
        self.assertEqual(message.count("\n"), 1, message)
        self.assertTrue(message.startswith("gpuhmm: "), message)
        for mention in mentions:
            self.assertIn(str(mention), message)

    def assert_only(self, *names):
        """The test's folder has these files and no others, such as unfinished ones."""
        self.assertEqual(sorted(os.listdir(self.folder)), sorted(names))

    def wait_for_files(self, known):
        """Waits until the program has begun its output files: the folder has more than `known` files."""
        deadline = time.monotonic() + 20
        while len(os.listdir(self.folder)) <= known:
            self.assertLess(time.monotonic(), deadline, "no output file was begun")
            time.sleep(0.005)

    def interrupt(self, process, number=signal.SIGINT):
        """Sends the signal; returns the exit status and the text on standard error."""
        process.send_signal(number)
        _, message = process.communicate(timeout=TIME_LIMIT)
        return process.returncode, message
