"""`gpuhmm segments` with nucleic sequences: scales of nucleotides, and the alphabet of the sequences."""

from harness import TESTDATA
from segments_tests import PROTEINS, SegmentsTest, maximal_segments

GENOME = TESTDATA / "dna/phiX174.fna"


class NucleicTests(SegmentsTest):
    """Scales of nucleotides, and the alphabet of the sequences."""

    # what each letter stands for
    LETTERS = {
        **{letter: letter for letter in "ACGT"},
        **{"U": "T", "R": "AG", "Y": "CT", "M": "AC", "K": "GT", "S": "CG", "W": "AT"},
        **{"H": "ACT", "B": "CGT", "V": "ACG", "D": "AGT", "N": "ACGT", "X": "ACGT", "Q": "ACGT"},
    }

    def genome(self):
        return "".join(GENOME.read_text().splitlines()[1:])

    def test_all_segments_of_a_genome(self):
        for scale, positive in (("gc", "GC"), ("at", "AT"), ("purine", "AG"), ("pyrimidine", "CT")):
            values = [1 if letter in positive else -1 for letter in self.genome()]
            expected = [[str(b + 1), str(e), str(e - b), str(score)] for b, e, score in maximal_segments(values)]
            rows = self.segments("--scale", scale, "--all", GENOME)
            self.assertEqual([row[1:5] for row in rows], expected, scale)
            least = self.segments("--scale", scale, GENOME)
            self.assertEqual([row[1:5] for row in least], [row for row in expected if int(row[3]) >= 20], scale)

    def test_gaps_and_stops_do_not_tell_the_alphabet(self):
        for letters in ("ACGTACGTAC" + "-" * 20, "ACGTACGTAC" + "*" * 20):
            gapped = self.path("gapped.fa", f">a\n{letters}\n")
            for command in (("segments", gapped), ("submatrix", "--dotplot", gapped, gapped)):
                done = self.gpuhmm(*command)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stdout, b"scale gc|NUC.4.4")

    def test_nucleic_sequences_get_the_scale_gc(self):
        self.assertEqual(self.segments("--all", GENOME), self.segments("--scale", "gc", "--all", GENOME))
        head = self.gpuhmm("segments", GENOME).stdout.decode().splitlines()[0]
        self.assertTrue(head.startswith("# regions: scale gc, shift 0, least score 20, least length 1;"), head)
        rna = self.path("rna.fa", ">r\n" + self.genome().replace("T", "U") + "\n")
        self.assertEqual([row[1:] for row in self.segments(rna)], [row[1:] for row in self.segments(GENOME)])

    def test_degenerate_letters_score_means(self):
        columns = {"A": 1, "C": 2.5, "G": -3, "T": 0.25}
        for t in "TU":
            text = "".join(f"{t if letter == 'T' else letter} {value}\n" for letter, value in columns.items())
            scale = self.path("scale", "# mine\n" + text.lower())
            path = self.path("x.fa", "".join(f">{letter}\n{letter}\n" for letter in self.LETTERS))
            words = ("--alphabet", "nucleic", "--scale", scale, "--shift", "-20.00", "--all")
            rows = self.segments(*words, path)
            found = {row[0]: round(float(row[4]) - 20, 2) for row in rows}
            for letter, members in self.LETTERS.items():
                mean = 100 * sum(columns[member] for member in members) / len(members)
                rounded = int(abs(mean) + 0.5) * (1 if mean > 0 else -1)  # half away from zero
                self.assertEqual(found[letter], rounded / 100, letter)

    def test_gaps_end_segments(self):
        path = self.path("x.fa", ">a\nGGGGG-CCCCC*GGGNNGGGAAAT\n")
        rows = self.segments("--all", path)
        self.assertEqual([row[1:5] for row in rows], [["1", "5", "5", "5"], ["7", "11", "5", "5"], ["13", "20", "8", "6"]])

    def test_formats_and_plot(self):
        plot = self.path("plot.svg")
        rows = self.segments("--plot", plot, GENOME)
        self.assertGreater(len(rows), 1)
        text = plot.read_text()
        self.assertIn("Score, scale gc", text)
        self.assertNotIn("ydropath", text)
        gff = self.segments("--format", "gff3", GENOME)
        self.assertEqual([(row[2], row[3], row[4]) for row in gff], [("region", row[1], row[2]) for row in rows])
        bed = self.segments("--format", "bed", GENOME)
        self.assertEqual([(row[1], row[3]) for row in bed], [(str(int(row[1]) - 1), "gc") for row in rows])
        for form in ("tmhmm", "tmhmm-short"):
            done = self.gpuhmm("segments", "--format", form, GENOME)
            self.assert_fails(done, 1, GENOME, "nucleic", f"--format {form} is for proteins")

    def test_databases_and_devices_give_the_same(self):
        database = self.path("db")
        self.assertEqual(self.gpuhmm("makedb", "--quiet", GENOME, database).returncode, 0)
        for words in ([], ["--all"], ["--best", "--scale", "purine"]):
            expected = self.segments(*words, GENOME)
            self.assertEqual(self.segments(*words, database), expected)
            self.assertEqual(self.segments("--device", "pthread", *words, GENOME), expected)
        self.assert_fails(self.gpuhmm("segments", "--scale", "ges", database), 1, "db: the database has nucleic", "scale ges is for proteins")
        self.assert_fails(self.gpuhmm("segments", "--alphabet", "amino", database), 1, "nucleic sequences; expected proteins")

    def test_scale_and_sequences_must_agree(self):
        self.assert_fails(self.gpuhmm("segments", "--scale", "ges", GENOME), 1, GENOME, "seems to hold nucleic sequences; scale ges is for proteins (--alphabet amino")
        self.assert_fails(self.gpuhmm("segments", "--scale", "gc", PROTEINS), 1, PROTEINS, "seems to hold proteins; scale gc is for nucleic sequences (--alphabet nucleic")
        self.assert_fails(self.gpuhmm("segments", "--scale", "gc", "--alphabet", "amino", GENOME), 2, "--alphabet amino: scale gc is for nucleic sequences")
        self.assert_fails(self.gpuhmm("segments", "--numbers", "--alphabet", "amino", GENOME), 2, "--alphabet is for sequences")
        self.assert_only()

    def test_the_option_decides(self):
        path = self.path("x.fa", ">x\nGGGGGGAAAAAA\n")
        self.assertEqual(self.segments("--all", path)[0][1:5], ["1", "6", "6", "6"])
        self.assertEqual(
            self.segments("--all", "--alphabet", "amino", path), self.segments("--all", "--scale", "ges", "--alphabet", "amino", path)
        )
        # nine letters in ten decide without it
        mixed = self.path("y.fa", ">y\n" + "A" * 89 + "L" * 11 + "\n")
        self.assertIn("scale ges", self.gpuhmm("segments", mixed).stdout.decode())
        mixed = self.path("y.fa", ">y\n" + "A" * 90 + "L" * 10 + "\n")
        self.assertIn("scale gc", self.gpuhmm("segments", mixed).stdout.decode())

    def test_bad_scale_files(self):
        for text, mention in (
            ("A 1\nC 1\nG 1\n", "no value for T, expected one for each of A, C, G and T"),
            ("A 1\nC 1\nG 1\nT 1\nU 2\n", "line 5: a second value for U"),
            ("A 1\nC 1\nG 1\nU 1\nL 2\n", "line 4: 'U' is none of the 20 amino acids"),
            ("A 1\nC 1\nG 1\nT 1\nN 2\n", "no value for D, expected one for each of the 20 amino acids, or of A, C, G and T"),
        ):
            path = self.path("bad", text)
            self.assert_fails(self.gpuhmm("segments", "--scale", path, GENOME), 1, path, mention)
