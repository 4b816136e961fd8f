"""gpuhmm submatrix --dotplot: dot plots of two proteins or two nucleic sequences."""

from Bio.Align import substitution_matrices
from harness import TESTDATA
from submatrix_tests import ALPHA, BETA, SubmatrixTest

GENOME = TESTDATA / "dna/phiX174.fna"


class DotPlotTests(SubmatrixTest):
    def test_straight(self):
        rows = self.rows("--dotplot", ALPHA, BETA)
        self.assertEqual(rows[0][1:8], ["105", "112", "110", "116", "-2", "11", "45"])

    def test_sheared(self):
        text = self.submatrix("--dotplot", "--diagonal", "--matrix", "BLOSUM62", ALPHA, BETA)
        self.assertIn("sp|P69905|HBA_HUMAN x sp|P68871|HBB_HUMAN, BLOSUM62", text)
        self.assertIn("\n1\t48\t141\t53\t146\t5\t5\t213\t", text)

    def test_scores_from_a_file(self):
        letters = "ARNDCQEGHILKMFPSTWYVX"
        lines = ["  " + " ".join(letters)]
        lines += [a + " " + " ".join("2" if a == b else "-3" for b in letters) for a in letters]
        path = self.path("identity", "\n".join(lines) + "\n")
        rows = self.rows("--dotplot", "--diagonal", "--matrix", path, ALPHA, BETA)
        self.assertEqual(rows[0][7], "11")
        self.assert_fails(
            self.gpuhmm("submatrix", "--dotplot", "--matrix", ALPHA, ALPHA, BETA), 1, ALPHA, "line 1"
        )


class NucleicDotPlotTests(SubmatrixTest):
    """Dot plots of DNA and RNA: the matrix for them, and the alphabet of the sequences."""

    def setUp(self):
        super().setUp()
        genome = "".join(GENOME.read_text().splitlines()[1:])
        self.a = self.path("a.fa", ">a\n" + genome[100:400] + "\n")
        other = genome.translate(str.maketrans("ACGT", "CATG"))  # no letter in place is equal
        self.b = self.path("b.fa", ">b\n" + other[146:150] + genome[150:350] + other[350:352] + "NR\n")

    def test_nucleic_sequences_get_nuc44(self):
        text = self.submatrix("--dotplot", "--diagonal", self.a, self.b)
        self.assertIn("a x b, NUC.4.4", text)
        # 200 equal letters on diagonal -46
        self.assertIn("\n1\t51\t250\t5\t204\t-46\t-46\t1000\t", text)
        self.assertEqual(self.submatrix("--dotplot", "--diagonal", "--matrix", "NUC.4.4", self.a, self.b), text)

    def test_nuc44_is_that_of_biopython(self):
        theirs = self.path("theirs", str(substitution_matrices.load("NUC.4.4")).replace(".0", ""))
        sequence = self.path("all.fa", ">a\nATGCSWRYKMBVHDN\n")
        for words in ([], ["--diagonal"], ["--shift=-2"]):
            run = ["--dotplot", "--alphabet", "nucleic", "--top", "225", *words, sequence, sequence]
            self.assertEqual(self.rows(*run), self.rows("--matrix", theirs, *run))

    def test_rna(self):
        rna = self.path("rna.fa", self.b.read_text().replace("T", "U"))
        self.assertEqual(self.rows("--dotplot", self.a, rna), self.rows("--dotplot", self.a, self.b))

    def test_databases(self):
        database = self.path("db")
        self.assertEqual(self.gpuhmm("makedb", "--quiet", self.a, database).returncode, 0)
        self.assertEqual(self.submatrix("--dotplot", database, self.b), self.submatrix("--dotplot", self.a, self.b))
        done = self.gpuhmm("submatrix", "--dotplot", "--alphabet", "amino", database, self.b)
        self.assert_fails(done, 1, "the database has nucleic sequences; expected proteins")

    def test_alphabets_must_agree(self):
        for words, status, mention in (
            (("--matrix", "BLOSUM62", self.a, self.b), 1, "seems to hold nucleic sequences; matrix BLOSUM62 is for proteins (--alphabet amino"),
            (("--matrix", "NUC.4.4", ALPHA, BETA), 1, "seems to hold proteins; matrix NUC.4.4 is for nucleic sequences"),
            (("--matrix", "NUC.4.4", "--alphabet", "amino", self.a, self.b), 2, "--alphabet amino: matrix NUC.4.4 is for"),
            ((self.a, BETA), 1, f"{BETA}: seems to hold proteins, {self.a} nucleic sequences"),
        ):
            self.assert_fails(self.gpuhmm("submatrix", "--dotplot", *words), status, mention)
        self.assert_fails(self.gpuhmm("submatrix", "--alphabet", "amino", self.a), 2, "--alphabet needs --dotplot")
        self.assertIn("BLOSUM62", self.submatrix("--dotplot", "--alphabet", "amino", self.a, self.b))

    def test_matrix_files(self):
        simple = self.path("simple", "  A C G T N\nA 1 -2 -2 -2 0\nC -2 1 -2 -2 0\nG -2 -2 1 -2 0\nT -2 -2 -2 1 0\nN 0 0 0 0 0\n")
        rows = self.rows("--dotplot", "--diagonal", "--matrix", simple, self.a, self.b)
        self.assertEqual(rows[0][1:8], ["51", "250", "5", "204", "-46", "-46", "200"])
        blosum = self.path("blosum", str(substitution_matrices.load("BLOSUM62")).replace(".0", ""))
        nuc = self.path("nuc", str(substitution_matrices.load("NUC.4.4")).replace(".0", ""))
        self.assert_fails(self.gpuhmm("submatrix", "--dotplot", "--matrix", blosum, self.a, self.b), 1, blosum, "expected a matrix for nucleotides")
        self.assert_fails(self.gpuhmm("submatrix", "--dotplot", "--matrix", nuc, ALPHA, BETA), 1, nuc, "no scores for Q")
