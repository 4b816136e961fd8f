"""Warnings that do not end a run: the sequences seem to have another alphabet than the profiles."""

import os

from harness import PROFILE, TESTDATA, CommandLineTest, Settings

DNA_PROFILE = TESTDATA / "hmm/MADE1_fs.hmm"
DNA = TESTDATA / "dna/lambda.fna.gz"
PROTEINS = TESTDATA / "seq/HBA_HUMAN.fasta"
SAYS_NUCLEIC = b"seems to hold nucleic sequences; the profiles are of protein\n"
SAYS_PROTEINS = b"seems to hold proteins; the profiles are nucleic\n"


class AlphabetTests(CommandLineTest):
    DEVICE = ("--device", "none")

    def assert_warns(self, done, name, text):
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stderr, b"gpuhmm: warning: " + os.fsencode(name) + b": " + text)
        self.assertGreater(len(done.stdout), 300)

    def test_search_and_scan(self):
        short = self.path("short.fna", ">a\nACGTNACGTTAACCGGTT\n")
        for command in ("search", "scan"):
            for profile, sequences, text in (
                (PROFILE, DNA, SAYS_NUCLEIC),
                (PROFILE, short, SAYS_NUCLEIC),
                (DNA_PROFILE, PROTEINS, SAYS_PROTEINS),
            ):
                with self.subTest(command, sequences=sequences):
                    self.assert_warns(self.gpuhmm(command, *self.DEVICE, "-E", 1, profile, sequences), sequences, text)
                    quiet = self.gpuhmm(command, *self.DEVICE, "-E", 1, "--quiet", profile, sequences)
                    self.assert_warns(quiet, sequences, text)

    def test_once_for_many_profiles_and_batches(self):
        many = self.path("many.hmm", PROFILE.read_bytes() * 5)
        sequences = self.path("s.fna", ">a\n" + "ACGTTGCAAC" * 50 + "\n>b\n" + "GGCTTGCAAC" * 50 + "\n")
        for command in ("search", "scan"):
            done = self.gpuhmm(command, *self.DEVICE, "--batch-residues", 100, many, sequences)
            self.assert_warns(done, sequences, SAYS_NUCLEIC)

    def test_align(self):
        sequences = self.path("s.fna", ">a\n" + "ACGTTGCAAC" * 50 + "\n")
        self.assert_warns(self.gpuhmm("align", PROFILE, sequences), sequences, SAYS_NUCLEIC)
        self.assert_warns(self.gpuhmm("align", DNA_PROFILE, PROTEINS), PROTEINS, SAYS_PROTEINS)
        piped = self.gpuhmm("align", PROFILE, "-", input=sequences.read_bytes())
        self.assert_warns(piped, "standard input", SAYS_NUCLEIC)

    def test_prepared_databases(self):
        database = self.path("d.ghdb")
        self.assertEqual(self.gpuhmm("makedb", "--alphabet", "amino", DNA, database).returncode, 0)
        self.assert_warns(self.gpuhmm("search", *self.DEVICE, PROFILE, database), database, SAYS_NUCLEIC)
        self.assertEqual(self.gpuhmm("makedb", "--alphabet", "nucleic", PROTEINS, database).returncode, 0)
        self.assert_warns(self.gpuhmm("search", *self.DEVICE, DNA_PROFILE, database), database, SAYS_PROTEINS)

    def test_silence(self):
        masked = self.path("masked.fna", ">a\n" + "N" * 3000 + "ACGTRYKM" + "X" * 5000 + "ACGT" * 30 + "\n")
        tiny = self.path("tiny.fa", ">a\nGATTACA\n")
        for command in ("search", "scan", "align"):
            device = () if command == "align" else self.DEVICE
            for profile, sequences in (
                (PROFILE, PROTEINS),
                (PROFILE, tiny),
                (DNA_PROFILE, masked),
                (PROFILE, self.path("none.fa", ">a\nXXXXXXXXXXXXXXXX\n")),
            ):
                with self.subTest(command, sequences=sequences):
                    self.assertEqual(self.gpuhmm(command, *device, profile, sequences).stderr, b"")

    def test_drop_in_names_are_silent_as_hmmer(self):
        sequences = self.path("s.fna", ">a\n" + "ACGTTGCAAC" * 50 + "\n")
        for name in ("hmm2search", "hmm2pfam", "hmm2align"):
            done = self.run_command([name, PROFILE, sequences], executable=Settings.gpuhmm)
            self.assertEqual((done.returncode, done.stderr), (0, b""))
