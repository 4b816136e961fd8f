"""search and scan with a file that holds profiles of HMMER2 and of HMMER3."""

import gzip
import json
import re

from harness import PROFILE, SEQUENCES, TESTDATA, CommandLineTest

NEW = (TESTDATA / "hmm/RRM_1_hmmer3.hmm").read_bytes()
OTHER_NEW = (TESTDATA / "hmmer3/scoring/Pkinase.hmm").read_bytes()
OLD = PROFILE.read_bytes()
OTHER_OLD = (TESTDATA / "hmm/Pkinase_ls.hmm").read_bytes()
MIXED = NEW + OTHER_NEW + OLD + b"\n# of HMMER 3 again\n" + NEW + OTHER_OLD
SEARCH_PARTS = (NEW + OTHER_NEW, OLD, NEW, OTHER_OLD)
SCAN_PARTS = (NEW + OTHER_NEW + NEW, OLD + OTHER_OLD)
VARIABLE = re.compile(rb"^(# |HMM |Sequence ).*(CPU time|Mc/sec|Current dir|Date|Option settings|file|database|output directed)"
                      rb".*\n", re.MULTILINE)  # fmt: skip


def comparable(text):
    """The text without the lines that name files, times and options."""
    return VARIABLE.sub(b"", text)


class MixedProfileTests(CommandLineTest):
    def setUp(self):
        super().setUp()
        records = SEQUENCES.read_bytes().split(b">")[1:]
        self.proteins = b"".join(b">" + record for record in records[:60])
        self.sequences = self.path("proteins.fasta", self.proteins)

    def output(self, command, *words, **keywords):
        done = self.gpuhmm(command, "--quiet", *words, **keywords)
        self.assertEqual((done.returncode, done.stderr), (0, b""), words)
        return comparable(done.stdout)

    def outputs_of(self, command, parts, *words):
        """What the command prints for files that each hold one part."""
        return [self.output(command, *words, self.path("part.hmm", part), self.sequences) for part in parts]

    def ways(self, *words):
        """Ways to give the mixed file and the sequences: arguments and keywords of a run."""
        plain, packed = self.path("mixed.hmm", MIXED), self.path("mixed.hmm.gz", gzip.compress(MIXED))
        yield (*words, plain, self.sequences), {}
        yield (*words, packed, self.sequences), {}
        yield (*words, "-", self.sequences), {"input": MIXED}
        yield (*words, plain, "-"), {"input": self.proteins}
        yield (*words, packed, "-"), {"input": gzip.compress(self.proteins)}

    def check(self, command, parts):
        for words in ((), ("--tblout", "-"), ("--domtblout", "-", "--format", "space"), ("--json", "-"), ("-E", "1e-20", "--cpu", "1")):
            expected = b"".join(self.outputs_of(command, parts, *words))
            self.assertGreater(expected.count(b"\n"), 10)
            for arguments, keywords in self.ways(*words):
                self.assertEqual(self.output(command, *arguments, **keywords), expected, arguments)

    def test_search_gives_the_parts_in_file_order(self):
        self.check("search", SEARCH_PARTS)

    def test_scan_gives_the_profiles_of_the_first_version_and_then_the_others(self):
        self.check("scan", SCAN_PARTS)
        self.path("mixed.hmm", OLD + NEW)
        expected = self.outputs_of("scan", (OLD, NEW))
        self.assertEqual(self.output("scan", "mixed.hmm", self.sequences), b"".join(expected))

    def test_pipes_can_be_read_once_only(self):
        self.path("mixed.hmm", MIXED)
        for command, parts in (("search", SEARCH_PARTS), ("scan", SCAN_PARTS)):
            done = self.shell('"$program" "$command" -q <(cat mixed.hmm) <(cat proteins.fasta)',
                              program=self.command()[0], command=command)  # fmt: skip
            self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertEqual(comparable(done.stdout), b"".join(self.outputs_of(command, parts)))

    def test_a_tabbed_table_has_one_head(self):
        mixed = self.path("mixed.hmm", MIXED)
        for command, parts in (("search", SEARCH_PARTS), ("scan", SCAN_PARTS)):
            words = ("--tblout", "-", "--format", "tab")
            tables = [text.splitlines() for text in self.outputs_of(command, parts, *words)]
            expected = [tables[0][0], *(row for table in tables for row in table[1:])]
            self.assertEqual(self.output(command, *words, mixed, self.sequences).splitlines(), expected)

    def test_several_outputs(self):
        words = ("-o", "report", "--domtblout", "table", "--json", "json")
        self.output("search", *words, self.path("mixed.hmm", MIXED), self.sequences)
        hits = [json.loads(line) for line in self.path("json").read_text().splitlines()]
        rows = [line for line in self.path("table").read_text().splitlines() if not line.startswith("#")]
        self.assertEqual(len(rows), sum(len(hit["domains"]) for hit in hits))
        self.assertIn(b"\nHMMER 2.3.2 (gpuhmm ", self.path("report").read_bytes())
        self.assertIn(b"\n# HMMER 3.3.2 (gpuhmm ", self.path("report").read_bytes())
        self.assert_only("proteins.fasta", "mixed.hmm", "report", "table", "json")

    def test_as_2_converts_and_as_3_refuses(self):
        mixed = self.path("mixed.hmm", MIXED)
        self.gpuhmm("convert", self.path("new.hmm", NEW + OTHER_NEW), "new2.hmm")
        self.gpuhmm("convert", self.path("new.hmm", NEW), "again2.hmm")
        converted = self.path("new2.hmm").read_bytes() + OLD + self.path("again2.hmm").read_bytes() + OTHER_OLD
        for command in ("search", "scan"):
            expected = self.output(command, self.path("converted.hmm", converted), self.sequences)
            self.assertEqual(expected.count(b"HMMER 2.3.2"), 5 if command == "search" else 1)
            for arguments, keywords in self.ways("--as", "2"):
                self.assertEqual(self.output(command, *arguments, **keywords), expected, arguments)
            done = self.gpuhmm(command, "--as", "3", mixed, self.sequences)
            self.assert_fails(done, 1, mixed, "HMMER3/a to HMMER3/f")

    def test_options_that_only_one_version_knows_are_refused(self):
        mixed = self.path("mixed.hmm", MIXED)
        for command in ("search", "scan"):
            for words, version in ((("--max",), "HMMER3"), (("--forward",), "HMMER2")):
                done = self.gpuhmm(command, *words, mixed, self.sequences)
                self.assert_fails(done, 2, f"{words[0]} is for {version} profiles only")
                done = self.gpuhmm(command, "-o", "report", *words, "-", self.sequences, input=MIXED)
                self.assert_fails(done, 2, f"{words[0]} is for {version} profiles only")
        self.assert_only("proteins.fasta", "mixed.hmm")

    def test_damage_in_a_later_part_leaves_nothing(self):
        end = (NEW + OTHER_NEW + OLD).count(b"\n")
        for damaged in (NEW + OTHER_NEW + OLD + NEW[:3000] + b"\n", NEW + OTHER_NEW + OLD.replace(b"\n//", b"\njunk")):
            bad = self.path("bad.hmm", damaged)
            for command in ("search", "scan"):
                done = self.gpuhmm(command, "-q", "-o", "report", "--tblout", "table", "--json", "json", bad, self.sequences)
                self.assert_fails(done, 1, bad)
                line = int(re.search(rb"line (\d+)", done.stderr)[1])
                self.assertTrue(end - 400 < line < end + 400, done.stderr)
        self.assert_only("proteins.fasta", "bad.hmm")
