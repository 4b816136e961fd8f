"""Upper bounds of the memory of searches and scans."""

import random

from harness import PROFILE, TESTDATA, CommandLineTest

MIB = 1 << 20
AMINO = b"ACDEFGHIKLMNPQRSTVWY"


def fasta(lengths, seed):
    """Random protein sequences of these lengths."""
    source = random.Random(seed)
    return b"".join(b">s%d\n%s\n" % (i, bytes(source.choices(AMINO, k=n))) for i, n in enumerate(lengths))


def lengthened(profile, nodes):
    """An uncalibrated profile of `nodes` nodes, made by repeating the inner nodes of a HMMER2 text profile."""
    lines = [line for line in profile.read_text().splitlines() if not line.startswith("EVD")]
    start = next(i for i, line in enumerate(lines) if line.startswith("HMM ")) + 3
    records = [lines[i : i + 3] for i in range(start, len(lines) - 1, 3)]
    inner = records[1:-1]
    chosen = [records[0], *(inner[i % len(inner)] for i in range(nodes - 2)), records[-1]]
    head = [f"LENG  {nodes}" if line.startswith("LENG") else line for line in lines[:start]]
    body = []
    for number, (match, insert, transitions) in enumerate(chosen, 1):
        scores = match.split()[1:-1]
        body += [f"{number:6} {' '.join(f'{score:>6}' for score in scores)} {number:5}", insert, transitions]
    return "\n".join([*head, *body, "//", ""])


class MemoryTests(CommandLineTest):
    def peak(self, *words):
        """Largest resident memory, in bytes, of a search that must succeed."""
        done, peak = self.measure(
            self.search_command("--cpu", 2, "-o", "/dev/null", "--tblout", self.path("table"), *words)
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return peak

    def test_memory_does_not_grow_with_the_database(self):
        small = self.path("small.fasta", fasta([400] * 10_000, seed=1))
        large = self.path("large.fasta", small.read_bytes() * 6)
        words = ("-E", "1e-20", "--batch-residues", 200_000, PROFILE)
        self.assertLess(self.peak(*words, large), self.peak(*words, small) + 6 * MIB)

    def test_memory_with_HMMER3_profiles_does_not_grow_with_the_database(self):
        small = self.path("small.fasta", fasta([400] * 4000, seed=1))
        large = self.path("large.fasta", small.read_bytes() * 8)
        for command in ("search", "scan"):
            words = ("-q", "--cpu", 2, "-o", "/dev/null", "--tblout", self.path("table"), "--batch-residues", 200_000)
            peaks = []
            for sequences in (small, large):
                profile = TESTDATA / "hmm/RRM_1_hmmer3.hmm"
                done, peak = self.measure(self.command(command, *words, profile, sequences))
                self.assertEqual((done.returncode, done.stderr), (0, b""))
                peaks.append(peak)
            self.assertLess(peaks[1], peaks[0] + 6 * MIB, command)

    def test_long_profile_against_a_long_sequence(self):
        profile = self.path("long.hmm", lengthened(PROFILE, 2000))
        sequences = self.path("long.fasta", fasta([35_000, 100], seed=2))
        self.assertLess(self.peak("-T", "-99999", "-E", "1e9", profile, sequences), 300 * MIB)
        rows = [row for row in self.path("table").read_text().splitlines() if not row.startswith("#")]
        self.assertEqual(len(rows), 2)
