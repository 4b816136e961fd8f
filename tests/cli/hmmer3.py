"""What tests of HMMER3 profiles share: files, and the answers of the installed HMMER 3."""

import re
import subprocess

from harness import SEQUENCES, TESTDATA, CommandLineTest

HMMER3 = TESTDATA / "hmm/RRM_1_hmmer3.hmm"
OTHER = TESTDATA / "hmmer3/scoring/Pkinase.hmm"
DNA_PROFILE = TESTDATA / "hmmer3/scoring/MADE1.hmm"
BANNER = 4  # lines that name the program
VARIABLE = re.compile(rb"# (CPU time|Mc/sec|Current dir|Date|Program|Option settings|Target file|Query file):.*")


def comparable(text):
    """A report or a table without what differs from run to run."""
    return [VARIABLE.sub(rb"# \1", line) for line in text.splitlines()]


class Hmmer3Test(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.library = self.path("library.hmm", HMMER3.read_bytes() + OTHER.read_bytes())
        self.queries = self.path("queries.fasta", SEQUENCES.read_bytes()[:20000].rsplit(b">", 1)[0])

    def run_quietly(self, command, *words, **keywords):
        done = self.run_command(self.command(command, "--quiet", *words), **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout

    def hmmer3(self, program, *words):
        """What the installed program of HMMER 3 prints."""
        done = subprocess.run([program, *map(str, words)], cwd=self.folder, capture_output=True, check=True)
        return done.stdout
