"""gpuhmm scan: inputs, outputs, errors, and Biopython's parsers on its outputs."""

import gzip
import io
import json
import warnings

from harness import PROFILE, SEQUENCES, TESTDATA, CommandLineTest, Settings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from Bio import SearchIO

QUERY = b">one first\nACDEFGHIKLMNPQRSTVWY\n>empty\n>two\nMKVLA\n"


def body(report):
    """A report without banner and without the lines that name the files."""
    return report.split(b"\n", 8)[8]


class ScanTest(CommandLineTest):
    def setUp(self):
        super().setUp()
        names = ("RRM_1_ls.hmm", "Acetyltransf_1_ls.hmm", "Pkinase_ls.hmm")
        self.library = self.path("library.hmm", b"".join((TESTDATA / "hmm" / name).read_bytes() for name in names))
        self.queries = self.path("queries.fasta", SEQUENCES.read_bytes()[:20000].rsplit(b">", 1)[0])

    def scan_command(self, *words):
        return self.command("scan", "--quiet", "--device", Settings.device, *words)

    def scan(self, *words, **keywords):
        done = self.run_command(self.scan_command(*words), **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        return done.stdout


class InputTests(ScanTest):
    def test_standard_input_and_gzip(self):
        expected = body(self.scan(self.library, self.queries))
        self.assertEqual(body(self.scan(self.library, "-", input=self.queries.read_bytes())), expected)
        self.assertEqual(body(self.scan("-", self.queries, input=self.library.read_bytes())), expected)
        packed = self.path("library.hmm.gz", gzip.compress(self.library.read_bytes()))
        self.assertEqual(body(self.scan(packed, self.queries)), expected)

    def test_a_pipe_of_profiles_and_many_batches(self):
        expected = body(self.scan(self.library, self.queries))
        for words in ((self.library,), ("-",)):
            found = self.scan("--batch-residues", "1", *words, self.queries, input=self.library.read_bytes())
            self.assertEqual(body(found), expected)

    def test_prepared_database(self):
        self.gpuhmm("makedb", "--quiet", "--alphabet", "amino", self.queries, "queries.ghdb")
        expected = body(self.scan(self.library, self.queries))
        self.assertEqual(body(self.scan(self.library, "queries.ghdb")), expected)

    def test_every_query_is_reported(self):
        report = self.scan(self.library, "-", input=QUERY)
        self.assertEqual([line for line in report.splitlines() if line.startswith(b"Query sequence")],
                         [b"Query sequence: one", b"Query sequence: empty", b"Query sequence: two"])  # fmt: skip
        self.assertEqual(report.count(b"\n//\n"), 3)

    def test_wrong_files(self):
        noise = self.path("noise", b"\x00\x01 noise")
        empty = self.path("empty", b"")
        cut = self.path("cut.hmm", self.library.read_bytes()[:-500])
        for profiles, sequences, named in (
            ("missing.hmm", self.queries, "missing.hmm"), (self.library, "missing.fa", "missing.fa"),
            (noise, self.queries, noise), (self.library, noise, noise), (empty, self.queries, empty),
            (self.library, empty, empty), (cut, self.queries, cut),
        ):  # fmt: skip
            with self.subTest(profiles=profiles, sequences=sequences):
                done = self.run_command(self.scan_command("-o", "out", profiles, sequences))
                self.assert_fails(done, 1, named)
                self.assertFalse(self.path("out").exists())

    def test_wrong_usage(self):
        for words in (
            ("-", "-"), (self.library,), ("--no-histogram", self.library, self.queries), ("-Z", "many", "a", "b"),
            ("--cut_ga", "--cut_tc", self.library, self.queries), ("--batch-residues", "0", "a", "b"),
        ):  # fmt: skip
            with self.subTest(words=words):
                self.assert_fails(self.run_command(self.scan_command(*words)), 2)

    def test_refusals(self):
        nucleic = TESTDATA / "hmm/MADE1_fs.hmm"
        self.assert_fails(self.run_command(self.scan_command("-n", self.library, self.queries)), 1, "nucleic")
        self.assert_fails(self.run_command(self.scan_command("--cut_ga", nucleic, self.queries)), 1, "GA")
        self.assert_fails(self.run_command(self.scan_command("--xnu", nucleic, self.queries)), 1, "--xnu")


class OutputTests(ScanTest):
    def test_outputs_agree(self):
        words = ("-o", "report", "--tblout", "targets", "--domtblout", "domains", "--json", "json")
        self.assertEqual(self.scan(*words, "-E", "1", self.library, self.queries), b"")
        hits = [json.loads(line) for line in self.path("json").read_text().splitlines()]
        rows = [line.split() for line in self.path("targets").read_text().splitlines() if line[0] != "#"]
        domains = [line.split() for line in self.path("domains").read_text().splitlines() if line[0] != "#"]
        pairs = [(hit["profile"]["name"], hit["sequence"]["name"]) for hit in hits]
        self.assertGreater(len(pairs), 5)
        self.assertEqual([(row[0], row[2]) for row in rows], pairs)
        self.assertEqual(len(domains), sum(len(hit["domains"]) for hit in hits))
        self.assertIn("# Pipeline mode:   SCAN", self.path("targets").read_text())
        self.assertIn(f"# Target file:     {self.library}", self.path("targets").read_text())

    def test_an_output_that_would_replace_an_input(self):
        self.assert_fails(self.gpuhmm("scan", "-o", self.library, self.library, self.queries), 2, self.library)

    def test_accessions(self):
        report = self.scan("--acc", self.library, self.queries)
        self.assertIn(b"\nPF00069.24 ", report)
        self.assertNotIn(b"\nPkinase ", report)

    def test_a_failure_leaves_nothing(self):
        bad = self.path("bad.fasta.gz", gzip.compress(self.queries.read_bytes())[:-6])
        self.assert_fails(self.run_command(self.scan_command("-o", "report", "--json", "json", self.library, bad)), 1)
        self.assert_only("library.hmm", "queries.fasta", "bad.fasta.gz")


class ParserTests(ScanTest):
    def parse(self, text, form):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return list(SearchIO.parse(io.StringIO(text.decode()), form))

    def test_report(self):
        results = self.parse(self.scan(self.library, self.queries), "hmmer2-text")
        self.assertEqual(len(results), self.queries.read_bytes().count(b">"))
        self.assertEqual({result.program for result in results}, {"hmmpfam"})
        self.assertEqual(sorted({hit.id for result in results for hit in result}),
                         ["Acetyltransf_1", "Pkinase", "RRM_1"])  # fmt: skip

    def test_tables(self):
        report = {(hit.id, result.id) for result in self.parse(self.scan(self.library, self.queries), "hmmer2-text")
                  for hit in result}  # fmt: skip
        for option, form in (("--tblout", "hmmer3-tab"), ("--domtblout", "hmmscan3-domtab")):
            results = self.parse(self.scan(option, "-", self.library, self.queries), form)
            self.assertEqual({(hit.id, result.id) for result in results for hit in result}, report)


class IndexTests(ScanTest):
    def test_index_is_written_beside_the_profiles(self):
        done = self.gpuhmm("index", self.library)
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        self.assertIn(b"3 profiles", done.stderr)
        self.assertIn("PF00069.24", self.path("library.hmm.ghpi").read_text())

    def test_what_cannot_be_indexed(self):
        packed = self.path("packed.hmm.gz", gzip.compress(PROFILE.read_bytes()))
        self.assert_fails(self.gpuhmm("index", packed), 1, packed)
        self.assert_fails(self.gpuhmm("index", "-", input=PROFILE.read_bytes()), 1, "standard input")
        self.assert_fails(self.gpuhmm("index", self.queries), 1, self.queries)
        self.assert_only("library.hmm", "queries.fasta", "packed.hmm.gz")
