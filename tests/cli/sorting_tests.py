"""gpuhmm sort and gpuhmm kmers: output, messages, and refused inputs."""

import gzip
import os

from harness import TESTDATA, CommandLineTest

GENOME = TESTDATA / "dna/phiX174.fna"


class SortTests(CommandLineTest):
    def assert_sorted(self, words, content, expected):
        done = self.gpuhmm("sort", *words, self.path("in", content))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(done.stdout, expected)

    def test_lines(self):
        self.assert_sorted([], b"b\na\n\nb", b"\na\nb\nb\n")
        self.assert_sorted(["-u", "-r"], b"b\na\n\nb", b"b\na\n\n")

    def test_fasta_records_keep_their_layout_and_order(self):
        records = b">b first\nAC\nGT\n>a\nTT\n>b second\nACGT\n"
        self.assert_sorted(["--by", "name"], records, b">a\nTT\n>b first\nAC\nGT\n>b second\nACGT\n")
        self.assert_sorted(["--by", "name", "-r"], records, b">b first\nAC\nGT\n>b second\nACGT\n>a\nTT\n")
        self.assert_sorted(["--by", "sequence", "-u"], records, b">b first\nAC\nGT\n>a\nTT\n")

    def test_blank_lines_before_a_record_that_fills_the_memory(self):
        for lines in ("\n", "\n\r\n \n"):
            records = self.path("records", f"{lines}>b\n{'A' * 500}\n>a\nA\n")
            done = self.gpuhmm("sort", "--by", "name", "--memory", "200", records)
            self.assertEqual((done.returncode, done.stdout.decode()), (0, f">a\nA\n>b\n{'A' * 500}\n"), done.stderr)

    def test_output_may_be_the_input(self):
        path = self.path("lines", b"b\na\n")
        done = self.gpuhmm("sort", "-o", path, path)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
        self.assertEqual(path.read_bytes(), b"a\nb\n")
        self.assert_only("lines")

    def test_gzip_from_standard_input(self):
        done = self.gpuhmm("sort", "-", input=gzip.compress(b"b\na\n"))
        self.assertEqual((done.returncode, done.stdout), (0, b"a\nb\n"))

    def test_devices(self):
        path = self.path("lines", b"".join(b"%d\n" % (n * 7919 % 100003) for n in range(100003)))
        expected = b"".join(sorted(path.read_bytes().splitlines(keepends=True)))
        for device in ("none", "pthread", "auto"):
            self.assertEqual(self.gpuhmm("sort", "--device", device, path).stdout, expected)
        for command in (["sort"], ["kmers", "-k", "3"]):
            self.assert_fails(self.gpuhmm(*command, "--device", "nonesuch", path), 3, "nonesuch")

    def test_runs_leave_nothing_behind(self):
        lines = b"".join(b"%d\n" % (n * 7919 % 10000) for n in range(10000))
        path = self.path("lines", lines)
        temporary = self.path("temporary")
        temporary.mkdir()
        done = self.gpuhmm("sort", "--memory", "64K", "--stats", path, env={**os.environ, "TMPDIR": str(temporary)})
        self.assertEqual(done.stdout, b"".join(sorted(lines.splitlines(keepends=True))))
        self.assertRegex(done.stderr, rb"(?m)^runs      [1-9]\d* in temporary files$")
        self.assertEqual(os.listdir(temporary), [])

    def test_no_folder_for_temporary_files(self):
        path = self.path("lines", b"a\n" * 10000)
        done = self.gpuhmm("sort", "--memory", "1K", path, env={**os.environ, "TMPDIR": "/nonexistent"})
        self.assertEqual((done.returncode, done.stdout), (0, path.read_bytes()))  # uses /tmp instead

    def test_refusals(self):
        lines = self.path("lines", b"ACGT\n")
        self.assert_fails(self.gpuhmm("sort", "--by", "name", lines), 1, lines, "not FASTA; expected a line beginning")
        self.assert_fails(self.gpuhmm("sort", "--by", "name", self.path("e", b"")), 1, "no FASTA record")
        self.assert_fails(self.gpuhmm("sort", self.path("missing")), 1, "missing", "cannot be opened")
        self.assert_fails(self.gpuhmm("sort", self.path("x.gz", gzip.compress(b"a\n")[:-4])), 1, "truncated")
        self.assert_fails(self.gpuhmm("sort", "--by", "length", lines), 2, "line, name or sequence")
        for size in ("0", "x", "1X", "10MB", "-1", "9999999T", "99999999999999999999"):
            self.assert_fails(self.gpuhmm("sort", f"--memory={size}", lines), 2, "--memory")
        self.assert_fails(self.gpuhmm("sort"), 2, "missing argument")
        output = self.path("out")
        self.assert_fails(self.gpuhmm("sort", "--by", "name", "-o", output, lines), 1, lines)
        self.assertFalse(output.exists())


class KmersTests(CommandLineTest):
    def assert_words(self, words, content, expected, said=b""):
        done = self.gpuhmm("kmers", *words, self.path("in", content))
        self.assertEqual((done.returncode, done.stderr), (0, said))
        self.assertEqual(done.stdout, expected)

    def test_words_do_not_span_records(self):
        self.assert_words(["-k", "3"], b">a\nAC\nGT\n>b\nacg\n", b"ACG\nACG\nCGT\n")
        self.assert_words(["-k", "9"], b">a\nACGT\n", b"")

    def test_words_with_other_letters_are_reported(self):
        said = b"3 of 8 words hold other letters and were left out\n"
        self.assert_words(["-k3", "--count"], b">a\nACGTNACGTT\n", b"ACG\t2\nCGT\t2\nGTT\t1\n", said)
        self.assert_words(["-k3", "--count", "-C"], b">a\nACGTNACGTT\n", b"AAC\t1\nACG\t4\n", said)
        self.assert_words(["-k3", "--count", "--quiet", "--min-count=2"], b">a\nACGTNACGTT\n", b"ACG\t2\nCGT\t2\n")

    def test_alphabets(self):
        self.assert_words(["-k2"], b">a\nACGU\n", b"AC\nCG\nGU\n")
        self.assert_words(["-k2"], b">a\nACGU\n>b\nTA\n", b"AC\nCG\nGT\nTA\n")
        self.assert_words(["-k2"], b">a\nMKVL\n", b"KV\nMK\nVL\n")
        self.assert_words(["-k2", "--alphabet", "amino"], b">a\nACGT\n", b"AC\nCG\nGT\n")
        self.assert_words(["-k40"], b">a\n" + b"ACGU" * 10 + b"\n", b"ACGU" * 10 + b"\n")

    def test_a_prepared_database_knows_its_alphabet(self):
        sequences, database = self.path("x.fa", b">a\nACGTACGTACXXXXXXXXXX\n"), self.path("x.db")
        self.assertEqual(self.gpuhmm("makedb", "-q", sequences, database).returncode, 0)
        done = self.gpuhmm("kmers", "-q", "-k", "4", "-C", "-c", database)
        self.assertEqual((done.returncode, done.stdout), (0, b"ACGT\t2\nCGTA\t3\nGTAC\t2\n"), done.stderr)
        done = self.gpuhmm("kmers", "-k", "4", "--alphabet", "amino", database)
        self.assert_fails(done, 1, database, "has nucleic sequences; expected proteins")

    def test_fastq_from_standard_input(self):
        done = self.gpuhmm("kmers", "-k", "2", "-", input=gzip.compress(b"@a\nACG\n+\n@+@\n"))
        self.assertEqual((done.returncode, done.stdout), (0, b"AC\nCG\n"))

    def test_stats_and_output_file(self):
        output = self.path("out")
        done = self.gpuhmm("kmers", "-k", "11", "--histogram", "--stats", "-o", output, GENOME)
        self.assertEqual((done.returncode, done.stdout), (0, b""))
        for line in (rb"alphabet  nucleic", rb"runs      0 in temporary files", rb"letters   5386 \(.*\)", rb"words     5376 \(.*\)"):
            self.assertRegex(done.stderr, rb"(?m)^" + line + rb"$")
        counts = [list(map(int, line.split())) for line in output.read_text().splitlines()]
        self.assertEqual(sum(count * words for count, words in counts), 5376)

    def test_refusals(self):
        protein = self.path("protein", b">a\nMKVLLLSS\n")
        lines = self.path("lines", b"ACGT\n")
        self.assert_fails(self.gpuhmm("kmers", GENOME), 2, "'-k' is missing")
        for k in ("0", "-1", "x", "99999999999"):
            self.assert_fails(self.gpuhmm("kmers", f"--length={k}", GENOME), 2)
        self.assert_fails(self.gpuhmm("kmers", "-k2", "-C", protein), 2, "no canonical k-mers")
        self.assert_fails(self.gpuhmm("kmers", "-k2", "--min-count=2", GENOME), 2, "--min-count needs --count")
        self.assert_fails(self.gpuhmm("kmers", "-k2", "-c", "--min-count=0", GENOME), 2, "'--min-count' expects at least 1")
        self.assert_fails(self.gpuhmm("kmers", "-k2", "--format=fasta", GENOME), 2, "--count")
        self.assert_fails(self.gpuhmm("kmers", "-k2", "--format=x", GENOME), 2, "tsv, text, fasta or binary")
        self.assert_fails(self.gpuhmm("kmers", "-k2", "--format=tsv", "--histogram", GENOME), 2, "together")
        self.assert_fails(self.gpuhmm("kmers", "-k2", "--alphabet=x", GENOME), 2, "amino or nucleic")
        self.assert_fails(self.gpuhmm("kmers", "-k33", "--format=binary", GENOME), 2, "up to 32 letters")
        self.assert_fails(self.gpuhmm("kmers", "-k2", lines), 1, lines, "line 1", "neither FASTA nor FASTQ")
        self.assert_fails(self.gpuhmm("kmers", "-k2", self.path("empty", b"")), 1, "nothing in it")
        output = self.path("out")
        damaged = self.path("reads", b"@a\nACGT\n+\nIII\n")
        self.assert_fails(self.gpuhmm("kmers", "-k2", "-o", output, damaged), 1, damaged, "line 4", "qualities")
        self.assertFalse(output.exists())
