"""Profiles and sequences for the comparisons with HMMER 3: real ones, drawn ones, and ones made to be difficult."""

import gzip
import itertools
import random
import re
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import inputs
import tools

EXAMPLES = Path("/usr/share/doc/hmmer/examples")  # of Debian's package hmmer-examples
CUTOFFS = ("GA", "NC", "TC")
AMINO, NUCLEIC = "ACDEFGHIKLMNPQRSTVWY", "ACGT"
AMINO_ODD, NUCLEIC_ODD = "BJZOUX", "RYMKSWHBVDN"
GAPS = "._"  # count as residues; in an included domain they make hmmsearch -A abort
MARKS = "*~"


@dataclass(frozen=True)
class Profile:
    """One record of a HMMER3 text file."""

    text: bytes
    name: str
    accession: str
    nodes: int
    alphabet: str  # amino, dna, rna
    version: bytes  # first word of the record
    cutoffs: frozenset  # of CUTOFFS

    @property
    def nucleic(self):
        return self.alphabet != "amino"


def describe(record):
    header = record.split(b"\nHMM ", 1)[0].decode("latin-1")

    def value(tag):
        found = re.search(rf"^{tag} +(\S+)", header, re.MULTILINE)
        return found[1] if found else ""

    return Profile(record, value("NAME"), value("ACC"), int(value("LENG")), value("ALPH").lower(),
                   record.split(None, 1)[0], frozenset(tag for tag in CUTOFFS if value(tag)))  # fmt: skip


def split_profiles(content):
    return [describe(r) for r in re.findall(rb"^HMMER3/.*?^//\n", content, re.MULTILINE | re.DOTALL)]


def join(profiles):
    return b"".join(profile.text for profile in profiles)


def without_repeated_keys(profiles):
    """As hmmpress wants them."""
    names, accessions, kept = set(), set(), []
    for profile in profiles:
        if profile.name not in names and profile.accession not in accessions:
            kept.append(profile)
            names.add(profile.name)
            accessions.update({profile.accession} - {""})
    return kept


def converted(content, version, binary=False):
    """The profiles as hmmconvert writes them, in format 3/`version`."""
    with tempfile.TemporaryDirectory(prefix="oracle-") as folder:
        (Path(folder) / "in.hmm").write_bytes(content)
        options = ["-b"] * binary + ["--outfmt", f"3/{version}"]
        return inputs.run_tool(["hmmconvert", *options, "in.hmm"], cwd=folder)


class Library:
    """All profiles and sequence sets: those of testdata/, of hmmer-examples, and of the shared data if it is there."""

    def __init__(self, shared=tools.SHARED):
        testdata = tools.REPOSITORY / "testdata"
        assert EXAMPLES.is_dir(), f"{EXAMPLES} is missing (Debian package hmmer-examples)"
        files = sorted(shared.glob("hmm3/*.hmm.gz")) + sorted(testdata.glob("hmmer3/**/*.hmm*"))
        files += sorted(testdata.glob("hmm/*_hmmer3.hmm"))
        files += sorted(EXAMPLES.glob("tutorial/*.hmm")) + sorted(EXAMPLES.glob("testsuite/*.hmm*"))
        files.append(EXAMPLES / "testsuite/minifam.gz")
        files = [path for path in files if not path.suffix.startswith(".h3")]
        profiles = {p.text: p for path in files for p in split_profiles(inputs.read_bytes(path))}
        self.profiles = list(profiles.values())
        self.groups = {}
        for profile in self.profiles:
            self.groups.setdefault((profile.alphabet, profile.version), []).append(profile)
        seq, dna = shared / "seq", shared / "dna"
        self.sets = {
            False: [testdata / "seq/uniprot.fasta", EXAMPLES / "tutorial/globins45.fa",
                    EXAMPLES / "testsuite/rndseq400-10.fa.gz", seq / "sprot_1k.fasta", seq / "sprot_10k.fasta.gz",
                    seq / "top20_targets.fasta", seq / "odd_residues.fasta", seq / "short.fasta", seq / "long.fasta.gz",
                    seq / "sprot_2k_segmasked_lowercase.fasta.gz", seq / "ecoli_K12_prodigal_stars.faa.gz"],
            True: [testdata / "dna/phiX174.fna", EXAMPLES / "tutorial/dna_target.fa", EXAMPLES / "testsuite/ecori.fa",
                   dna / "hiv1_NC_001802.fna", dna / "ypestis_pPCP1_NC_005816.fna"],
        }  # fmt: skip
        self.sets = {nucleic: [p for p in paths if p.is_file()] for nucleic, paths in self.sets.items()}
        self._records = {}

    def records(self, path):
        """(header, residues) of each record that HMMER accepts."""
        if path not in self._records:
            text = inputs.read_bytes(path).decode("latin-1")
            self._records[path] = [(h, b.replace("-", "")) for h, b in inputs.parse_fasta(text) if len(b) <= 100000]
        return self._records[path]

    def some_profiles(self, rng, count, nucleic=None):
        """Up to `count` profiles that can stand in one file."""
        keys = [k for k in sorted(self.groups) if nucleic is None or nucleic == (k[0] != "amino")]
        weights = [len(self.groups[k]) ** 0.5 for k in keys]
        group = self.groups[rng.choices(keys, weights)[0]]
        return rng.sample(group, min(count, len(group)))


def reshuffled(rng, profile):
    """The profile with the numbers of some lines of emissions and transitions in another order, some of them 0."""
    header, tables = profile.text.split(b"\nHMM ", 1)
    lines = tables.split(b"\n")
    for number, line in enumerate(lines[2:-2], 2):
        words = line.split()
        count = {7: 7, 20: 20, 4: 4}.get(len(words))
        first, last = (0, count) if count else (1, 5 if profile.nucleic else 21)
        if words[:1] == [b"COMPO"] or rng.random() < 0.6:
            continue
        numbers = words[first:last]
        rng.shuffle(numbers)
        if rng.random() < 0.05:
            numbers[rng.randrange(len(numbers))] = rng.choice([b"*", b"0.00000", b"12.5"])
        lines[number] = b" " * 9 + b"  ".join(words[:first] + numbers + words[last:])
    return describe(header + b"\nHMM " + b"\n".join(lines))


def emitted(profile, count, seed, *options):
    """Sequences that hmmemit draws from a profile."""
    drawn = options or ("-N", str(count), "--seed", str(seed))
    done = subprocess.run(["hmmemit", *drawn, "-"], input=profile.text, capture_output=True)
    if done.returncode != 0:  # profiles of extreme probabilities
        return []
    return [body.upper() for _, body in inputs.parse_fasta(done.stdout.decode()) if body]


def mutated(rng, body, letters, rate):
    out = []
    for residue in body:
        chance = rng.random()
        if chance < rate * 0.6:
            out.append(rng.choice(letters))
        elif chance < rate * 0.8:
            out.append(residue + "".join(rng.choices(letters, k=rng.randint(1, 6))))
        elif chance >= rate:
            out.append(residue)
    return "".join(out)


def with_domains(rng, profiles, background, count):
    """Records with drawn copies of the profiles: mutated, cut, in tandem, in the middle of other residues."""
    letters = NUCLEIC if profiles[0].nucleic else AMINO
    drawn = [body for p in profiles for body in emitted(p, 4, rng.randint(1, 10**6))]
    records = []
    for number in range(count if drawn else 0):
        parts = []
        for _ in range(rng.choice([1, 1, 1, 2, 3, 5])):
            body = mutated(rng, rng.choice(drawn), letters, rng.choice([0, 0, 0.1, 0.3, 0.5]))
            start = rng.randrange(max(1, len(body))) if rng.random() < 0.3 else 0
            around = rng.choice(background)[1] if background and rng.random() < 0.5 else ""
            at = rng.randrange(len(around) + 1)
            parts.append(around[at : at + rng.randint(0, 80)] + body[start : rng.randint(start, len(body)) if rng.random() < 0.3 else None])
        name = f"drawn{number}" + rng.choice(["", "", "_with_a_rather_long_name_" + "x" * rng.randint(0, 40)])
        description = rng.choice(["", "", " drawn", " " + "a long description " * rng.randint(1, 12)])
        records.append((name + description, "".join(parts)))
    return records


def difficult(rng, profiles, count):
    """Records that reach rare cases: poly-residues, tandem repeats, odd codes, empty and very short ones."""
    nucleic = profiles[0].nucleic
    letters, odd = (NUCLEIC, NUCLEIC_ODD) if nucleic else (AMINO, AMINO_ODD)
    drawn = [body for p in profiles for body in emitted(p, 3, rng.randint(1, 10**6))] or ["ACGT"]
    records = []
    for number in range(count):
        kind = rng.randrange(11)
        body = rng.choice(drawn)
        if kind == 0:
            body = rng.choice(letters + odd) * rng.randint(1, 600)
        elif kind == 1:
            body = "".join(rng.choices(letters, k=rng.randint(1, 12))) * rng.randint(2, 60)
        elif kind == 2:
            at = rng.randrange(len(body))
            body = body[at:] + body[:at]
        elif kind == 3:
            body = "".join(rng.choice(odd) if rng.random() < 0.3 else c for c in body)
        elif kind == 4:
            body = "".join(c + (rng.choice(MARKS + GAPS) if rng.random() < 0.05 else "") for c in body)
        elif kind == 5:
            body = rng.choice(letters + odd + MARKS + GAPS)
        elif kind == 6:
            body = ""
        elif kind == 7:
            body = body * rng.randint(2, 6)
        elif kind == 8:
            body = "".join(rng.choice(MARKS) if rng.random() < 0.1 else c for c in body)
        elif kind == 9:
            body = "".join(rng.choice(drawn) for _ in range(rng.randint(5, 60)))
        else:
            body = body.lower() + "*"
        name = "twice" if rng.random() < 0.2 else f"odd{number}"
        records.append((name + rng.choice(["", " description", "\ttab  blanks  "]), body))
    return records


def as_uniprot(records):
    """The records as UniProt writes them (residues that FASTA allows, too)."""
    out = []
    for number, (head, body) in enumerate(records):
        name, _, description = head.partition(" ")
        out.append(f"ID   {name}   Reviewed; {len(body)} AA.\nAC   P{number:05d}; Q{number:05d};\n")
        if description:
            out.append(f"DE   {description}\nDE   second line;\n")
        out.append(f"SQ   SEQUENCE   {len(body)} AA;\n")
        out += ["     " + " ".join(line[i : i + 10] for i in range(0, 60, 10)).strip() + "\n"
                for line in re.findall(".{1,60}", body)]  # fmt: skip
        out.append("//\n")
    return "".join(out)


def as_genbank(records):
    out = []
    for number, (head, body) in enumerate(records):
        name, _, description = head.partition(" ")
        out.append(f"LOCUS       {name} {len(body)} bp\nDEFINITION  {description or 'none'}\nACCESSION   A{number}\n")
        out.append(f"VERSION     A{number}.1\nORIGIN\n")
        for at in range(0, len(body), 60):
            line = body[at : at + 60].lower()
            out.append(f"{at + 1:9d} " + " ".join(line[i : i + 10] for i in range(0, len(line), 10)) + "\n")
        out.append("//\n")
    return "".join(out)


def as_stockholm(records):
    """Rows of one length, filled up with gaps; names must be different."""
    length = max((len(body) for _, body in records), default=0)
    out = ["# STOCKHOLM 1.0\n"]
    for number, (head, body) in enumerate(records):
        name = f"{head.split()[0]}.{number}"
        if number % 2:
            out.append(f"#=GS {name} AC AC{number}\n#=GS {name} DE described {number}\n")
    for number, (head, body) in enumerate(records):
        out.append(f"{head.split()[0]}.{number} {body.ljust(length, '-')}\n")
    return "".join([*out, "//\n"])


def sequence_file(rng, records, fasta_only=False):
    """(name, content) of a sequence file with the records in a format drawn by chance."""
    kind = 0 if fasta_only else rng.randrange(16)
    named = [(head.replace("\t", " "), body) for head, body in records if head.strip()]
    if kind == 1:
        return "targets.dat", as_uniprot(named).encode("latin-1")
    if kind == 2:
        return rng.choice(["targets.gb", "targets.txt"]), as_genbank(named).encode("latin-1")
    if kind == 3 and named and all(set(body).isdisjoint(GAPS + MARKS) for _, body in named) and any(b for _, b in named):
        return "targets.sto", as_stockholm([r for r in named if r[1]]).encode("latin-1")
    text = "".join(f">{head}\n" + "".join(f"{body[i:i + 60]}\n" for i in range(0, len(body), 60)) for head, body in records)
    if kind == 4:
        return "targets.fasta.gz", gzip.compress(text.encode("latin-1"), 1, mtime=0)
    if kind == 5:
        text = text.replace("\n", "\r\n")
    return rng.choice(["targets.fa", "targets.fasta", "targets"]), text.encode("latin-1")


def limited(records, cells, nodes):
    """The first records with at most `cells` cells of comparison in all, and at least one record."""
    sizes = itertools.accumulate(len(body) * nodes for _, body in records)
    count = sum(size <= cells for size in sizes)
    return records[: max(1, count)]


def random_source(seed, number):
    """A source of random choices for one case, independent of the others."""
    return random.Random(f"{seed}/{number}")
