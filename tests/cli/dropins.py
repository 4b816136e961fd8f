"""What the tests of drop-ins share: the names, and runs of gpuhmm and HMMER under them."""

import os
import shutil

from harness import SEQUENCES, TESTDATA, CommandLineTest, Settings

BANNER_LINES = 5
PFAM_NAMES = ("hmm2pfam", "hmmpfam2")
SEARCH_NAMES = ("hmm2search", "hmmsearch2")
CALIBRATE_NAMES = ("hmm2calibrate", "hmmcalibrate2")
CONVERT_NAMES = ("hmm2convert", "hmmconvert2")
FETCH_NAMES = ("hmm2fetch", "hmmfetch2")
BUILD_NAMES = ("hmm2build", "hmmbuild2")
ALIGN_NAMES = ("hmm2align", "hmmalign2")
EMIT_NAMES = ("hmm2emit", "hmmemit2")
INDEX_NAMES = ("hmm2index", "hmmindex2")
ALL_NAMES = (*PFAM_NAMES, *SEARCH_NAMES, *CALIBRATE_NAMES, *CONVERT_NAMES, *FETCH_NAMES, *BUILD_NAMES, *ALIGN_NAMES, *EMIT_NAMES,
             *INDEX_NAMES)  # fmt: skip
KINASE = TESTDATA / "hmm/Pkinase_ls.hmm"


class DropInTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        for name in ALL_NAMES:
            os.symlink(Settings.gpuhmm, self.folder / name)
        records = SEQUENCES.read_bytes().split(b">")
        self.protein = b">" + records[1]
        self.queries = self.path("queries.fasta", b">empty\n>" + b">".join(records[1:30]) + b">at_the_end\n")

    def call(self, name, *words, **keywords):
        """Runs gpuhmm under this name."""
        return self.run_command([f"./{name}", *map(str, words)], **keywords)

    def answer(self, name, *words, **keywords):
        done = self.call(name, *words, **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout

    def oracle(self, name, *words, **keywords):
        program = shutil.which(name)
        self.assertTrue(program, f"{name} is not installed (Debian package hmmer2)")
        return self.run_command([program, *map(str, words)], **keywords)

    @staticmethod
    def after_banner(report):
        return b"".join(report.splitlines(keepends=True)[BANNER_LINES:])

    def assert_fatal(self, done, *mentions, usage=False):
        self.assertEqual((done.returncode, done.stdout), (1, b""))
        message = done.stderr.decode()
        self.assertTrue(message.startswith("\nFATAL: "), message)
        self.assertEqual("\nUsage: " in message, usage, message)
        for mention in mentions:
            self.assertIn(mention, message)
