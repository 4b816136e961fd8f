"""Biopython's SearchIO parses the report and the tables."""

import io
import warnings

from harness import PROFILE, SEQUENCES, TESTDATA, CommandLineTest

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from Bio import SearchIO


class BiopythonTests(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.profiles = self.path(
            "two.hmm", PROFILE.read_bytes() + (TESTDATA / "hmm/Acetyltransf_1_ls.hmm").read_bytes()
        )

    def parse(self, text, form):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return list(SearchIO.parse(io.StringIO(text.decode()), form))

    def parse_table(self, option, form):
        return self.parse(self.search(option, "-", self.profiles, SEQUENCES), form)

    def test_report(self):
        (result,) = self.parse(self.search(PROFILE, SEQUENCES), "hmmer2-text")
        self.assertEqual((result.program, result.version, result.id), ("hmmsearch", "2.3.2", "RRM_1"))
        self.assertEqual(result.accession, "PF00076.13")
        self.assertGreater(len(result), 20)
        for hit in result:
            for domain in hit:
                self.assertGreater(domain.hit_end, domain.hit_start)
                self.assertEqual(len(domain.hit.seq), len(domain.query.seq))

    def test_target_table(self):
        (report,) = self.parse(self.search(PROFILE, SEQUENCES), "hmmer2-text")
        first, second = self.parse_table("--tblout", "hmmer3-tab")
        self.assertEqual((first.id, second.id), ("RRM_1", "Acetyltransf_1"))
        self.assertEqual(sorted(first.hit_keys), sorted(report.hit_keys))
        for hit in first:
            self.assertAlmostEqual(hit.bitscore, report[hit.id].bitscore, delta=0.051)
            self.assertAlmostEqual(hit.evalue / report[hit.id].evalue, 1, delta=0.06)

    def test_domain_table(self):
        (report,) = self.parse(self.search(PROFILE, SEQUENCES), "hmmer2-text")
        first, second = self.parse_table("--domtblout", "hmmsearch3-domtab")
        self.assertEqual((first.id, first.seq_len, second.id), ("RRM_1", 74, "Acetyltransf_1"))

        def domains(result):
            return sorted((d.hit_id, d.hit_start, d.hit_end, d.query_start, d.query_end) for hit in result for d in hit)

        self.assertEqual(domains(first), domains(report))
        self.assertGreater(max(len(hit) for hit in first), 2)
