"""Damaged inputs of every format, made with a fixed seed: each command succeeds or fails with one line, and leaves no
unfinished files. GPUHMM_MUTATIONS sets how many damaged files are made from each input (default 3)."""

import os
import random
import re
import resource
import shutil
import zlib

from harness import TESTDATA, CommandLineTest

SEED = 14
MUTATIONS = int(os.environ.get("GPUHMM_MUTATIONS", "3"))
# texts of libraries and of the compiler's run-time, which no message may contain
INTERNAL = re.compile(rb"std::|basic_string|vector|bad_alloc|terminate|Sanitizer|runtime error|map::at|stoi|larger than"
                      rb"|cannot create|filesystem error|iostream error")  # fmt: skip
NUMBERS = [b"0", b"-1", b"2147483647", b"2147483648", b"4294967296", b"9223372036854775807", b"18446744073709551616",
           b"1e308", b"1e-320", b"1e400", b"nan", b"-inf", b"", b"*", b"99999999"]  # fmt: skip

STOCKHOLM = b"""# STOCKHOLM 1.0
#=GF ID x
#=GF GA 1.0 2.0;
#=GS a WT 0.5
#=GS b WT 1.5
a ACDEFGHIKL
#=GR a SS HHHHHHHHHH
b AC-EFG.IKL
#=GC RF xxxxx.xxxx
#=GC SS_cons HHHHHHHHHH
//
"""
SELEX = b"""#=ID x
#=SQ a 1.0 id Q1 1..2:3 some text

a    ACDEF GHIKLM
#=SS HHHHHHHHHHHH
b    AC--FAGHIKLM
#=RF xxxxxxxxxxxx

a    ACDEFGHIK
b    ACDEFGHIK
#=RF xxxxxx.xx
"""
OTHER_ALIGNMENTS = {
    "phylip": b" 3 12\nseqa      ACDEFG HIKLMN\nseqb      ACDEFGHIKLMN\nseqc      ACDE--HIKLMN\n",
    "clustal": b"CLUSTAL W (1.83) multiple sequence alignment\n\na ACDEFGHIKL 10\nb ACDE-GHIKL 9\n  **** *****\n",
    "msf": b"x  MSF: 8 Type: P Check: 16 ..\n\nName: a Len: 8 Weight: 1.0\nName: b Weight: 0.5\n\n//\n\na ACDE FGHI\nb ACDE .GHI\n",
    "a2m": b">a one\nACDEFGHIKLMNPQ\n>b\nAC-EFGHIKLMNPQ\n",
}  # fmt: skip
RECORDS = {
    "pir": b"ENTRY            A1\nTITLE            something\nSEQUENCE\n      1 A C D E F G H I K L\n///\n",
    "gcg": b"hello\n\nname  Length: 20 today Type: P Check: 1234 ..\n\n 1 ACDEFGHIKL MNPQRSTVWY\n",
    "gcgdata": b">>>>AA 1/1/2000 ASCII Len: 10\ndescription\nACDEFGHIKL\n>>>>BB 1/1/2000 ASCII Len: 5\ntwo\nACDEF\n",
}
FASTQ = b"@a\nACGTACGTNACG\n+\nIIIIIIIIIIII\n@b x\nACGT\nACCC\n+b\n@@II\nIIII\n"
NPY = b"\x93NUMPY\x01\x00\x46\x00" + b"{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }".ljust(69) + b"\n" + bytes(24)


def png():
    """A grey picture of 7 x 5."""

    def chunk(tag, content):
        return len(content).to_bytes(4, "big") + tag + content + zlib.crc32(tag + content).to_bytes(4, "big")

    rows = b"".join(b"\0" + bytes((7 * i + j) % 256 for i in range(7)) for j in range(5))
    head = (7).to_bytes(4, "big") + (5).to_bytes(4, "big") + bytes([8, 0, 0, 0, 0])
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def mutate(content, rng):
    """The content with one to three faults: bits, bytes, cuts, lines, numbers, integers of 4 and 8 bytes."""
    content = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 3])):
        at = rng.randrange(len(content) + 1)
        kind = rng.randrange(8)
        if kind == 0 and content:
            content[at % len(content)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            content[at : at + rng.randrange(2)] = bytes([rng.choice([0, 9, 10, 13, 32, 47, 62, 255])])
        elif kind == 2:
            del content[at:]
        elif kind == 3:
            del content[at : at + rng.randrange(1, 40)]
        elif kind == 4:
            lines = bytes(content).split(b"\n")
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
            content = bytearray(b"\n".join(lines))
        elif kind == 5:
            lines = bytes(content).split(b"\n")
            del lines[rng.randrange(len(lines))]
            content = bytearray(b"\n".join(lines))
        elif kind == 6:
            numbers = list(re.finditer(rb"-?[0-9][0-9.eE+-]*|\*", bytes(content)))
            if numbers:
                number = rng.choice(numbers)
                content[number.start() : number.end()] = rng.choice(NUMBERS)
        else:
            width = rng.choice([4, 8])
            value = rng.choice([0, 1, 2**31 - 1, 2**32 - 1, 2**63, 2**64 - 1]) % 2 ** (8 * width)
            content[at : at + width] = value.to_bytes(width, rng.choice(["little", "big"]))
    return bytes(content)


def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class MutationTests(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.profiles = (TESTDATA / "vectors/three.hmm").read_bytes()
        self.protein = (TESTDATA / "seq/HBA_HUMAN.fasta").read_bytes()
        self.alignment = STOCKHOLM
        self.quiet = ("--quiet", "--device", "none", "-o", "o")

    def run_mutant(self, words, content, name="in"):
        """Runs the command in a folder that holds the damaged file and undamaged ones."""
        folder = self.path("run")
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        files = {"profiles": self.profiles, "protein": self.protein, "alignment": self.alignment, name: content}
        for file, text in files.items():
            (folder / file).write_bytes(text)
        done = self.gpuhmm(*words, cwd=folder, preexec_fn=limits)
        self.assertIn(done.returncode, (0, 1), (words, done.stderr))
        if done.returncode == 1:
            self.assertRegex(done.stderr, rb"\Agpuhmm: [^\n]*\n\Z")
            self.assertNotRegex(done.stderr, INTERNAL)
            self.assertEqual(sorted(os.listdir(folder)), sorted(files), words)
            for file, text in files.items():
                self.assertEqual((folder / file).read_bytes(), text, words)

    def run_all(self, inputs, commands, name="in"):
        for kind, content in inputs.items():
            rng = random.Random(f"{SEED} {kind}")
            for number in range(MUTATIONS):
                mutant = mutate(content, rng)
                for words in commands:
                    with self.subTest(kind, number=number, words=words):
                        self.run_mutant(words, mutant, name)

    def test_sequences(self):
        records = {name: (TESTDATA / f"seq/composed.{name}").read_bytes() for name in ("embl", "gb")}
        fasta = {"fasta": (TESTDATA / "seq/uniprot.fasta").read_bytes()[:1500]}
        alignments = {"stockholm": STOCKHOLM, "selex": SELEX, **OTHER_ALIGNMENTS}
        self.run_all(
            {**fasta, **records, **RECORDS, **alignments},
            [
                ("search", *self.quiet, "profiles", "in"),
                ("scan", *self.quiet, "profiles", "in"),
                ("makedb", "--quiet", "in", "o"),
                ("align", "-q", "-o", "o", "profiles", "in"),
                ("segments", *self.quiet, "in"),
                ("submatrix", *self.quiet, "--dotplot", "in", "protein"),
            ],
        )

    def test_alignments(self):
        self.run_all(
            {"stockholm": STOCKHOLM, "selex": SELEX, **OTHER_ALIGNMENTS},
            [
                ("build", "--amino", "o", "in"),
                ("build", "--amino", "--hand", "-o", "a", "--cfile", "c", "o", "in"),
                ("build", "--amino", "--fast", "--wme", "--binary", "o", "in"),
                ("align", "-q", "-o", "o", "--withali", "in", "profiles", "protein"),
            ],
        )

    def test_profiles(self):
        inputs = {name: (TESTDATA / name).read_bytes() for name in (
            "vectors/toy5cal.hmm", "vectors/three.hmm", "vectors/toy5cal.bin", "vectors/toydna.hmm",
            "hmm/RRM_1_hmmer3.hmm")}  # fmt: skip
        self.run_all(
            inputs,
            [
                ("search", *self.quiet, "in", "protein"),
                ("convert", "in", "o"),
                ("convert", "-b", "in", "o"),
                ("fetch", "in", "toy5"),
                ("stat", "in"),
                ("emit", "-q", "-o", "o", "-n", "2", "--seed", "3", "in"),
                ("index", "--quiet", "in"),
                ("scan", *self.quiet, "in", "protein"),
            ],
        )

    def test_words_and_records(self):
        dna = {"fasta": (TESTDATA / "dna/phiX174.fna").read_bytes()[:600], "fastq": FASTQ}
        self.run_all(
            dna,
            [("kmers", "-k", k, "--count", "--alphabet", "nucleic", "--device", "none", "-o", "o", "in") for k in "48"]
            + [("sort", "--device", "none", "-o", "o", "in"), ("sort", "--device", "none", "--by", "name", "-o", "o", "in")],
        )  # fmt: skip

    def test_numbers_and_pictures(self):
        text = b"# m\n3 7 -1\n4 4 4\n9 0 2\n\n5 -2 8\n4 1.5 6\n9 0 -7\n"
        self.run_all(
            {"npy": NPY, "text": text, "pgm": b"P5\n# c\n6 4\n255\n" + bytes(range(24)), "png": png()},
            [
                ("subsequence", "--k", "2", "--device", "none", "-o", "o", "in"),
                ("segments", "--device", "none", "--all", "-o", "o", "in"),
                ("reduce", "--device", "none", "--op", "mean", "-o", "o", "in"),
                ("submatrix", *self.quiet, "--shift", "mean", "in"),
            ],
        )

    def test_made_files(self):
        """Prepared databases and indices."""
        self.path("profiles", self.profiles)
        self.path("protein", self.protein)
        self.assertEqual(self.gpuhmm("makedb", "--quiet", "protein", "db").returncode, 0)
        self.assertEqual(self.gpuhmm("index", "--quiet", "profiles").returncode, 0)
        database, index = self.path("db").read_bytes(), self.path("profiles.ghpi").read_bytes()
        self.run_all({"database": database}, [("search", *self.quiet, "profiles", "in"), ("segments", *self.quiet, "in")])
        self.run_all({"index": index}, [("fetch", "profiles", "toy5")], "profiles.ghpi")

    def test_parts(self):
        """Of runs with HMMER2 and HMMER3 profiles; one of the two parts is damaged."""
        for name, content in (("old", self.profiles), ("new", (TESTDATA / "hmm/RRM_1_hmmer3.hmm").read_bytes())):
            self.path("profiles", content)
            self.path("protein", self.protein)
            for number in ("1", "2"):
                words = ("-q", "--device", "none", "--shard", f"{number}/2", "-o", number)
                self.assertEqual(self.gpuhmm("scan", *words, "profiles", "protein").returncode, 0)
            one, two = self.path("1").read_bytes(), self.path("2").read_bytes()
            self.alignment = two  # the file of this name is the other part
            self.run_all({f"part {name}": one}, [("merge", "-o", "o", "--tblout", "t", "--json", "j", "in", "alignment")])
