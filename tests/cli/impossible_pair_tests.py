"""Pairs of a HMMER3 profile and a sequence that cannot be compared: which one ends the run, and how it is named."""

import itertools
import re
import signal

from harness import TESTDATA, CommandLineTest, Settings

PROFILE = (TESTDATA / "hmmer3/XYPPX.hmm").read_text()
DOMAIN = "MXYPPXAPPYYPPGWK"
BODIES = {"domain": DOMAIN, "domains": 40 * DOMAIN, "stars": "***", "more_stars": 500 * "*", "long": 14286 * "MKVLEWP"}
NO_NUMBER, ZERO = "forward score is NaN", "forward score underflow (is 0.0)"
LONG = "the sequence is longer than 100,000 residues"


def large_deletions():
    """The profile with steps between deletions that make scores infinite."""
    lines = re.sub("^ACC .*\n", "", PROFILE.replace("NAME  XYPPX", "NAME  large"), flags=re.MULTILINE).split("\n")
    moves = re.compile(r"(( +[\d.]+){5} +)[\d.]+ +[\d.]+")
    return "\n".join(moves.sub(r"\g<1>0.00001  -80.0", line) if moves.fullmatch(line) else line for line in lines)


PROFILES = {"XYPPX": PROFILE, "large": large_deletions()}


def error_of(profile, sequence):
    """Why the pair cannot be compared; None if it can."""
    if sequence == "long":
        return LONG
    if "stars" in sequence:
        return ZERO
    return NO_NUMBER if profile == "large" else None


def first_error(pairs):
    """The message for the first of the pairs that cannot be compared."""
    found = ((sequence, profile, error_of(profile, sequence)) for profile, sequence in pairs)
    return next(f"sequence {sequence}, profile {profile}: {error}" for sequence, profile, error in found if error)


class ImpossiblePairTests(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.programs = self.path("hmmer3")
        self.programs.mkdir()
        for name in ("hmmsearch", "hmmscan"):
            (self.programs / name).symlink_to(Settings.gpuhmm)

    def write(self, profiles, sequences):
        self.path("profiles.hmm", "".join(PROFILES[name] for name in profiles))
        self.path("sequences.fa", "".join(f">{name}\n{BODIES[name]}\n" for name in sequences))

    def check(self, program, command, expected):
        """HMMER3's program, that name of gpuhmm, and gpuhmm's own command end for the same pair."""
        inputs = ("profiles.hmm", "sequences.fa")
        theirs = self.run_command([program, "--cpu", "0", "--max", *inputs])
        self.assertEqual(theirs.returncode, -signal.SIGABRT)
        text = theirs.stderr.decode().split("\n")[1]
        self.assertTrue(expected.endswith(f": {text}") or (expected.endswith(LONG) and "> 100K" in text), text)
        for words in (("--cpu", "0"), ("--cpu", "3")):
            ours = self.run_command([self.programs / program, *words, "--max", *inputs])
            found = ours.returncode, ours.stderr.decode()
            self.assertEqual(found, (-signal.SIGABRT, f"Fatal exception: {expected}\n"))
        for words in (("--cpu", "1"), ("--cpu", "3"), ("--cpu", "2", "--batch-residues", "1")):
            done = self.gpuhmm(command, "-q", "-o", "report", *words, "--max", *inputs)
            self.assert_fails(done, 1, expected)
            self.assertFalse(self.path("report").exists())

    def check_all(self, sets_of_sequences, program, command, pairs):
        """`pairs(profiles, sequences)`: all pairs in HMMER3's order."""
        for profiles in (("XYPPX", "large"), ("large", "XYPPX"), ("large",)):
            for sequences in sets_of_sequences:
                with self.subTest(profiles=profiles, sequences=sequences):
                    self.write(profiles, sequences)
                    if command == "scan":
                        self.assertEqual(self.run_command(["hmmpress", "-f", "profiles.hmm"]).returncode, 0)
                    self.check(program, command, first_error(pairs(profiles, sequences)))

    SETS = (("domain", "stars", "domains", "more_stars"), ("stars", "domains", "domain"), ("domains", "more_stars", "stars"),
            ("domain", "domains", "stars", "long"), ("domain", "long", "domains", "stars"))  # fmt: skip

    def test_a_search_ends_for_the_first_sequence_of_the_first_profile(self):
        self.check_all(self.SETS, "hmmsearch", "search", itertools.product)

    def test_a_scan_ends_for_the_first_profile_of_the_first_sequence(self):
        self.check_all(self.SETS, "hmmscan", "scan",
                       lambda profiles, sequences: ((p, s) for s in sequences for p in profiles))  # fmt: skip
