"""The drop-ins reproduce the stored reports of testdata/vectors (docs/spec/test-vectors.md)."""

import os

from harness import TESTDATA, CommandLineTest, Settings

VECTORS = TESTDATA / "vectors"
BANNER_LINES = 5

# report, program, words
SEARCHES = (
    ("hmmsearch-toy5-cpu0", "hmm2search", "--cpu 0 toy5.hmm seqs.fa"),
    ("hmmsearch-toy5-cpu1", "hmm2search", "--cpu 1 toy5.hmm seqs.fa"),
    ("hmmsearch-toy5-forward", "hmm2search", "--cpu 0 --forward toy5.hmm seqs.fa"),
    ("hmmsearch-toy5-null2off", "hmm2search", "--cpu 0 --null2 toy5.hmm seqs.fa"),
    ("hmmsearch-toy5cal-cpu0", "hmm2search", "--cpu 0 toy5cal.hmm seqs.fa"),
    ("hmmsearch-toy5cal-cut_ga-A1", "hmm2search", "--cpu 0 --cut_ga -A 1 toy5cal.hmm seqs.fa"),
    ("hmmsearch-toy6fs-cpu0", "hmm2search", "--cpu 0 toy6fs.hmm seqs.fa"),
    ("hmmsearch-toydna-cpu0", "hmm2search", "--cpu 0 toydna.hmm dna.fa"),
    ("hmmpfam-three-cpu0", "hmm2pfam", "--cpu 0 three.hmm seqs.fa"),
    ("hmmpfam-three-acc-compat", "hmm2pfam", "--cpu 0 --acc --compat three.hmm seqs.fa"),
)


class VectorTests(CommandLineTest):
    def setUp(self):
        super().setUp()
        for file in VECTORS.iterdir():
            self.path(file.name, file.read_bytes())

    def run_as(self, program, words):
        """Standard output of the program of HMMER 2.3.2 without its banner."""
        link = self.folder / program
        if not link.exists():
            os.symlink(Settings.gpuhmm, link)
        done = self.run_command([str(link), *words.split()])
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout.decode().split("\n", BANNER_LINES)[BANNER_LINES]

    def test_searches_and_scans(self):
        for report, program, words in SEARCHES:
            with self.subTest(report):
                self.assertEqual(self.run_as(program, words), (VECTORS / f"{report}.txt").read_text())

    def test_calibration(self):
        printed = self.run_as("hmm2calibrate", "--cpu 2 --seed 7 --num 1000 toy5cal.hmm")
        self.assertEqual(printed, (VECTORS / "hmmcalibrate-toy5cal-seed7-num1000.txt").read_text())

    def test_gcg_profile(self):
        self.run_as("hmm2convert", "-p toy5cal.hmm made.prf")
        made = self.path("made.prf").read_text()
        self.assertEqual(made[made.index("Cons ") :], (VECTORS / "toy5cal-gcg-body.txt").read_text())
