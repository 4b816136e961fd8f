"""The cases of shards.py: runs that are divided into parts and merged."""

import gzip
import random
from dataclasses import dataclass, field
from pathlib import Path

import hmmer3_inputs
import inputs
import tools

TESTDATA = tools.REPOSITORY / "testdata"
COUNTS = (1, 2, 3, 7, 64)
FEW = (2, 7)


@dataclass
class Case:
    """A run. `shared`: options of the run and of its shares; `merged`: of the run and of merge only."""

    name: str
    command: str  # search, scan
    profiles: str  # file name
    sequences: str
    files: dict  # name -> content
    shared: list = field(default_factory=list)
    merged: list = field(default_factory=list)
    by: str = "sequences"
    counts: tuple = COUNTS
    generation: str = "2"  # 2, 3, both
    prepare: tuple = ()  # gpuhmm's command lines that make further files
    threads: tuple = (1,)
    oracle: tuple = ()  # the command line of a HMMER program that prints the same report
    refused: bool = False  # the run itself ends with an error
    devices: bool = True  # also with devices


def profile(name):
    return (TESTDATA / "hmm" / f"{name}.hmm").read_bytes()


# ls, fs, s and not calibrated; all have CS or RF lines.
OLD = [profile(name) for name in ("RRM_1_ls", "Acetyltransf_1_ls", "RRM_1_fs", "RRM_1_s", "RRM_1_g_uncalibrated", "Pkinase_ls")]
WITH_CUTOFFS = [profile(name) for name in ("Pkinase_ls", "RRM_1_ls", "Acetyltransf_1_ls")]
NUCLEIC = [profile("MADE1_fs"), (TESTDATA / "vectors/toydna.hmm").read_bytes()]


class Inputs:
    """Profiles and sequences."""

    def __init__(self, work):
        old = [model for content in OLD for model in inputs.read_models(self._file(work, content), work)]
        library = hmmer3_inputs.Library()
        rng = random.Random(20)
        own = [p for p in library.profiles if p.text == profile("RRM_1_hmmer3")]
        others = [p for p in library.profiles if p.alphabet == "amino" and p.version == own[0].version and p.cutoffs]
        others.sort(key=lambda p: (p.nodes > 300, p.name))
        self.new = hmmer3_inputs.without_repeated_keys(own + others[:7])
        self.dna = [p for p in library.profiles if p.alphabet == "dna" and p.version == own[0].version][:3]
        background = inputs.parse_fasta((TESTDATA / "seq/uniprot.fasta").read_text())
        drawn = inputs.parse_fasta(inputs.emit_sequences(old, work, 4, 3))
        domains = hmmer3_inputs.with_domains(rng, self.new, background, 30)
        # twins tie; records without residues are counted by some runs only
        twins = [drawn[0], drawn[0], ("twin " + drawn[1][0], drawn[1][1]), ("twin " + drawn[1][0], drawn[1][1])]
        empty = [(f"empty{i} nothing", "") for i in range(5)]
        some = background[:90] + drawn + domains + twins + empty
        rng.shuffle(some)
        self.records = [(head.replace("\t", " "), body) for head, body in [("first_empty", "")] + some + [("last_empty", "")]]
        self.proteins = self._fasta(self.records)
        self.few = self._fasta([r for r in self.records if r[1]][:3])
        self.genome = self._fasta(self._genome(rng, work))
        self.long = self._fasta(self._long(drawn, rng))
        self.flat = (TESTDATA / "seq/uniprot_flat.dat").read_bytes()

    @staticmethod
    def _file(work, content):
        path = Path(work) / "one.hmm"
        path.write_bytes(content)
        return path

    @staticmethod
    def _fasta(records):
        return inputs.format_fasta(records).encode("latin-1")

    def _genome(self, rng, work):
        models = inputs.read_models(self._file(work, NUCLEIC[0]), work)
        drawn = inputs.parse_fasta(inputs.emit_sequences(models, work, 6, 5))
        drawn += hmmer3_inputs.with_domains(rng, self.dna, [], 6)
        body = inputs.parse_fasta((TESTDATA / "dna/phiX174.fna").read_text())[0][1]
        pieces = [(f"piece{at} of phiX174", body[at : at + 400]) for at in range(0, len(body), 350)]
        records = pieces + drawn + [("nothing", "")]
        rng.shuffle(records)
        return records

    @staticmethod
    def _long(drawn, rng):
        """Records near HMMER 2's limit of memory: how a pair is aligned depends on what came before."""
        path = tools.SHARED / "seq/long.fasta.gz"
        if path.is_file():
            records = inputs.parse_fasta(inputs.read_bytes(path).decode("latin-1"))
        else:
            residues = "".join(body for _, body in drawn)
            records = [(f"long{number}", residues * (2 + number)) for number in range(8)]
        records.sort(key=lambda record: len(record[1]))
        # short, long, short, ...: with domains of the profiles at their ends
        whole = [(head, body + drawn[i % len(drawn)][1]) for i, (head, body) in enumerate(records[-10:])]
        mixed = [record for pair in zip(whole, drawn) for record in pair]
        rng.shuffle(mixed)
        return mixed

    def library(self):
        return b"".join(OLD)


def search2(material):
    """Searches with HMMER2 profiles: (name, shared options, merged options)."""
    for name, shared, merged in [
        ("plain", [], []),
        ("E 1000", ["-E", "1000"], []),
        ("T", ["-T", "-20", "-E", "1e6"], []),
        ("Z", ["-Z", "45000", "-E", "100"], []),
        ("domE", ["--domE", "0.01"], []),
        ("noali", ["--noali"], ["--format", "tab"]),
        ("late noali", [], ["--noali", "--no-histogram"]),
        ("no-histogram", ["--no-histogram"], []),
        ("forward", ["--forward", "-E", "200"], []),
        ("null2", ["--null2"], []),
        ("xnu", ["--xnu", "-E", "100"], []),
        ("alignments", ["-A", "3", "--compat"], []),
        ("late alignments", [], ["-A", "2", "--format", "tab"]),
        ("batches", ["--batch-residues", "900", "-E", "1000"], []),
    ]:
        content = material.proteins
        if "--xnu" in shared:
            content = inputs.Targets("", "", content, 0).without_unknown_residues().content
        yield Case(f"search 2 {name}", "search", "old.hmm", "proteins.fasta",
                   {"old.hmm": material.library(), "proteins.fasta": content}, shared, merged,
                   counts=COUNTS if name in ("plain", "forward") else FEW, devices=name in ("plain", "E 1000"),
                   threads=(1, 2) if name in ("plain", "batches") else (1,))  # fmt: skip
    yield Case("search 2 cut_ga", "search", "old.hmm", "proteins.fasta",
               {"old.hmm": b"".join(WITH_CUTOFFS), "proteins.fasta": material.proteins}, ["--cut_ga"], counts=FEW)  # fmt: skip
    yield Case("search 2 nucleic", "search", "old.hmm", "genome.fna",
               {"old.hmm": b"".join(NUCLEIC), "genome.fna": material.genome}, ["-E", "500"])  # fmt: skip
    yield Case("search 2 hmm2search", "search", "old.hmm", "proteins.fasta",
               {"old.hmm": OLD[0], "proteins.fasta": material.proteins}, ["-E", "50"], counts=FEW,
               oracle=("hmm2search", "--cpu", "0", "-E", "50"))  # fmt: skip


def scan2(material):
    for by in ("sequences", "profiles"):
        for name, shared, merged in [
            ("plain", [], []),
            ("E 1000", ["-E", "1000"], []),
            ("T", ["-T", "-20", "-E", "1e6"], []),
            ("Z", ["-Z", "45000", "-E", "100"], []),
            ("domE", ["--domE", "0.01"], ["--format", "tab"]),
            ("late noali", [], ["--noali"]),
            ("forward", ["--forward", "-E", "200"], []),
            ("null2", ["--null2", "-E", "50"], []),
            ("xnu", ["--xnu", "-E", "100"], []),
            ("acc", ["--acc", "-A", "2"], []),
            ("late acc", [], ["--acc", "--compat"]),
            ("batches", ["--batch-residues", "900", "-E", "1000"], []),
        ]:
            yield Case(f"scan 2 by {by} {name}", "scan", "old.hmm", "proteins.fasta",
                       {"old.hmm": material.library() + b"".join(WITH_CUTOFFS), "proteins.fasta": material.proteins},
                       shared, merged, by, COUNTS if name == "plain" else FEW,
                       threads=(1, 2) if name in ("plain", "batches") else (1,), devices=name in ("plain", "E 1000"))  # fmt: skip
        yield Case(f"scan 2 by {by} cut_ga", "scan", "old.hmm", "proteins.fasta",
                   {"old.hmm": b"".join(WITH_CUTOFFS), "proteins.fasta": material.proteins}, ["--cut_ga"], by=by, counts=FEW)  # fmt: skip
        yield Case(f"scan 2 by {by} nucleic", "scan", "old.hmm", "genome.fna",
                   {"old.hmm": b"".join(NUCLEIC), "genome.fna": material.genome}, ["-E", "500"], by=by, counts=FEW)  # fmt: skip
        yield Case(f"scan 2 by {by} hmm2pfam", "scan", "old.hmm", "proteins.fasta",
                   {"old.hmm": material.library(), "proteins.fasta": material.proteins}, ["-E", "50"], by=by, counts=FEW,
                   oracle=("hmm2pfam", "--cpu", "0", "-E", "50"))  # fmt: skip


def long_sequences(material):
    """HMMER 2's small-memory alignment."""
    folder = tools.SHARED / "hmm/variants"
    names = ("SMC_N_ls", "WD40_ls_uncal", "fn3_tut_ls") if folder.is_dir() else ()
    large = [(folder / f"{name}.hmm").read_bytes() for name in names] + [OLD[5], OLD[0]]
    for order, arranged in (("falling", large), ("rising", large[::-1])):
        files = {"large.hmm": b"".join(arranged), "long.fasta": material.long}
        yield Case(f"long {order} search", "search", "large.hmm", "long.fasta", files, ["-E", "100000", "-A", "40"], devices=False)
        for by in ("sequences", "profiles"):
            yield Case(f"long {order} scan by {by}", "scan", "large.hmm", "long.fasta", files, ["-E", "100000", "-A", "40"],
                       by=by, devices=False)  # fmt: skip


OPTIONS3 = [
    ("plain", [], []),
    ("E", ["-E", "1000"], ["--format", "tab"]),
    ("T", ["-T", "5", "--domT", "3"], []),
    ("Z", ["-Z", "45000", "--domZ", "12"], []),
    ("domE", ["--domE", "0.01", "--incdomE", "1e-5"], []),
    ("incE", ["--incE", "1e-9", "--incdomT", "20"], []),
    ("noali", ["--noali", "--acc"], []),
    ("late", [], ["--noali", "--notextw", "--acc"]),
    ("textw", ["--textw", "150"], []),
    ("late textw", [], ["--textw", "150"]),
    ("max", ["--max", "--seed", "7"], []),
    ("nobias", ["--nobias", "--nonull2", "-E", "100"], []),
    ("filters", ["--F1", "0.1", "--F2", "0.05", "--F3", "0.01", "-E", "1e4"], []),
    ("cut_ga", ["--cut_ga"], []),
    ("batches", ["--batch-residues", "900", "-E", "1000"], []),
]


def hmmer3(material):
    files = {"new.hmm": hmmer3_inputs.join(material.new), "proteins.fasta": material.proteins}
    dna = {"dna.hmm": hmmer3_inputs.join(material.dna), "genome.fna": material.genome}
    press = ((("press", "new.hmm")),)
    for command, by in (("search", "sequences"), ("scan", "sequences"), ("scan", "profiles")):
        start = f"{command} 3 by {by}"
        for name, shared, merged in OPTIONS3:
            if command == "scan":  # hmmscan has --acc, the command of HMMER3 profiles too
                shared, merged = list(shared), list(merged)
            yield Case(f"{start} {name}", command, "new.hmm", "proteins.fasta", files, shared, merged, by,
                       COUNTS if name == "plain" else FEW, "3", threads=(1, 2) if name in ("plain", "batches") else (1,),
                       devices=name in ("plain", "filters"))  # fmt: skip
        yield Case(f"{start} dna", command, "dna.hmm", "genome.fna", dna, ["-E", "1000"], [], by, FEW, "3")
        if command == "scan":
            yield Case(f"{start} pressed", command, "new.hmm", "proteins.fasta", files, ["-E", "100"], [], by, COUNTS, "3", press)
            yield Case(f"{start} hmmscan", command, "new.hmm", "proteins.fasta", files, [], [], by, FEW, "3", press,
                       oracle=("hmmscan", "--cpu", "1"))  # fmt: skip
        else:
            yield Case(f"{start} hmmsearch", command, "new.hmm", "proteins.fasta", files, [], [], by, FEW, "3",
                       oracle=("hmmsearch", "--cpu", "1"))  # fmt: skip


def both_generations(material):
    one, two = hmmer3_inputs.join(material.new[:2]), hmmer3_inputs.join(material.new[2:4])
    mixed = one + OLD[0] + OLD[2] + two + OLD[5]
    turned = OLD[0] + OLD[2] + one + OLD[5] + two
    for key, content in (("new first", mixed), ("old first", turned)):
        files = {"mixed.hmm": content, "proteins.fasta": material.proteins}
        for command, by in (("search", "sequences"), ("scan", "sequences"), ("scan", "profiles")):
            yield Case(f"both {key} {command} by {by}", command, "mixed.hmm", "proteins.fasta", files, ["-E", "20"], [], by,
                       generation="both")  # fmt: skip
    files = {"new.hmm": one, "proteins.fasta": material.proteins}
    yield Case("as 2 search", "search", "new.hmm", "proteins.fasta", files, ["--as", "2"], counts=FEW)
    for by in ("sequences", "profiles"):
        yield Case(f"as 2 scan by {by}", "scan", "new.hmm", "proteins.fasta", files, ["--as", "2"], by=by, counts=FEW)


def formats(material):
    new = hmmer3_inputs.join(material.new[:3])
    kinds = {
        "gzip": ("s.fasta.gz", gzip.compress(material.proteins, 1, mtime=0), (), "s.fasta.gz"),
        "prepared": ("s.fasta", material.proteins, (("makedb", "-o", "s.db", "s.fasta"),), "s.db"),
        "flat": ("s.dat", material.flat, (), "s.dat"),
        "few": ("s.fasta", material.few, (), "s.fasta"),
        "empty records": ("s.fasta", b">a\n>b\n>c none\n", (), "s.fasta"),
        "one record": ("s.fasta", material.few[: material.few.index(b"\n>") + 1], (), "s.fasta"),
    }
    for key, (name, content, prepare, sequences) in kinds.items():
        for generation, text in (("2", b"".join(OLD[:3])), ("3", new)):
            files = {"some.hmm": text, name: content}
            for command, by in (("search", "sequences"), ("scan", "sequences"), ("scan", "profiles")):
                yield Case(f"{key} {generation} {command} by {by}", command, "some.hmm", sequences, files, ["-E", "1000"], [],
                           by, COUNTS, generation, prepare, devices=False)  # fmt: skip


def refusals(material):
    """Runs that end with an error: some share must end with the same error, and leave nothing."""
    proteins = {"proteins.fasta": material.proteins}
    broken = material.proteins + b">bad\nAC!DEF\n"
    packed = gzip.compress(material.proteins, 1, mtime=0)[:-300]
    for command, by in (("search", "sequences"), ("scan", "sequences"), ("scan", "profiles")):
        def case(name, files, shared=(), generation="2"):
            sequences = next(n for n in files if n != "p.hmm")
            return Case(f"refused {name} {command} by {by}", command, "p.hmm", sequences, files, list(shared), [], by, (2, 3),
                        generation, refused=True, devices=False)  # fmt: skip

        yield case("no cut-offs", {"p.hmm": b"".join(WITH_CUTOFFS) + profile("RRM_1_ls").replace(b"\nGA ", b"\nXX "), **proteins}, ["--cut_ga"])
        yield case("damaged profile", {"p.hmm": OLD[0] + OLD[2][: len(OLD[2]) // 2], **proteins})
        yield case("cut off sequences", {"p.hmm": OLD[0] + OLD[2], "b.fasta.gz": packed})
        yield case("damaged sequence 3", {"p.hmm": hmmer3_inputs.join(material.new[:2]), "b.fasta": broken}, (), "3")
        yield case("no sequences", {"p.hmm": OLD[0], "b.fasta": b""})


def everything(material):
    for make in (search2, scan2, hmmer3, both_generations, formats, long_sequences, refusals):
        yield from make(material)
