"""Profiles and sequence sets for the oracle tests: reads, splits and shortens files."""

import gzip
import random
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

BINARY_MAGICS = (bytes.fromhex("b5edede8"), bytes.fromhex("e8ededb5"))
AMINO_CODES = frozenset("ACDEFGHIKLMNPQRSTVWYUBZacdefghiklmnpqrstvwyubz")


class InputError(Exception):
    """An input of the tests is missing or invalid."""


def run_tool(command, **keywords):
    """Runs a helper program and returns its standard output as bytes."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **keywords)
    if done.returncode != 0:
        message = done.stderr.decode(errors="replace").strip()
        raise InputError(f"{' '.join(map(str, command))}: exit {done.returncode}: {message}")
    return done.stdout


def read_bytes(path):
    """The content of a file, unpacked when it is gzip."""
    content = Path(path).read_bytes()
    return gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content


@dataclass(frozen=True)
class Model:
    """One profile in a form that hmm2search reads (HMMER 2 text or binary), and its properties."""

    name: str
    content: bytes
    nodes: int
    nucleic: bool
    calibrated: bool
    cutoffs: frozenset  # of "ga", "tc", "nc"


def _describe(content, text):
    """Makes a Model of one model's file content; text is its HMMER2 text form."""
    header = text.split(b"\nHMM  ", 1)[0].decode("latin-1").splitlines()
    tags = {}
    for line in header:
        tags.setdefault(line[:5].strip(), line[5:].strip())
    return Model(
        name=tags["NAME"],
        content=content,
        nodes=int(tags["LENG"]),
        nucleic=tags["ALPH"].lower().startswith("n"),
        calibrated="EVD" in tags,
        cutoffs=frozenset(tag.lower() for tag in ("GA", "TC", "NC") if tag in tags),
    )


def _split_text(text):
    return [m.group(0) for m in re.finditer(rb"HMMER2\.0.*?^//[^\n]*\n", text, re.DOTALL | re.MULTILINE)]


def _split_binary(content):
    magic = content[:4]
    starts = [m.start() for m in re.finditer(re.escape(magic), content)]
    return [content[a:b] for a, b in zip(starts, starts[1:] + [len(content)])]


def read_models(path, work):
    """Every model of a profile file, each as the content of a HMMER 2 file; HMMER 3 text is converted by `hmmconvert -2`."""
    content = read_bytes(path)
    if content.startswith(b"HMMER3/"):
        source = Path(work) / "hmmer3.hmm"
        source.write_bytes(content)
        content = run_tool(["hmmconvert", "-2", source])
    if content[:4] in BINARY_MAGICS:
        models = []
        for part in _split_binary(content):
            source = Path(work) / "part.hmm"
            source.write_bytes(part)
            target = Path(work) / "part.txt"
            run_tool(["hmm2convert", "-a", "-F", source, target])
            models.append(_describe(part, target.read_bytes()))
        return models
    models = [_describe(part, part) for part in _split_text(content)]
    if not models:
        raise InputError(f"{path}: no model found")
    return models


def join_models(models):
    """The content of one file with all models."""
    return b"".join(model.content for model in models)


def emit_sequences(models, work, count, seed):
    """FASTA of sequences drawn from the models: `count` single copies each and one tandem of three copies."""
    out = []
    for model in models:
        source = Path(work) / "emit.hmm"
        source.write_bytes(model.content)
        text = run_tool(["hmm2emit", "-q", "-n", str(count + 3), "--seed", str(seed), source])
        # the first words of emitted names can repeat between models of one name
        records = [(f"{len(out)}_{head}", body) for head, body in parse_fasta(text.decode("latin-1"))]
        out.extend(records[:count])
        out.append((f"{len(out)}_tandem three copies in a row", "".join(body for _, body in records[count:])))
    return format_fasta(out)


def parse_fasta(text):
    """List of (header without '>', residues) of a FASTA text."""
    records = []
    for part in text.split("\n>"):
        head, _, body = part.lstrip(">").partition("\n")
        records.append((head, re.sub(r"\s", "", body)))
    return records


def format_fasta(records, width=60):
    lines = []
    for head, body in records:
        lines.append(">" + head)
        lines.extend(body[i : i + width] for i in range(0, len(body), width))
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Targets:
    """A sequence file to be searched: its name (which shows the format), content, and size in residues."""

    key: str
    file_name: str
    content: bytes
    residues: int
    nucleic: bool = False
    informat: str = ""  # for both programs, if they do not recognise the format

    @property
    def is_fasta(self):
        return ".f" in self.file_name

    def cut(self, limit):
        """The first records with at most `limit` residues in total (at least one record); FASTA only."""
        if self.residues <= limit or not self.is_fasta:
            return self
        records, size = [], 0
        for head, body in parse_fasta(self.content.decode("latin-1")):
            if records and size + len(body) > limit:
                break
            records.append((head, body))
            size += len(body)
        return Targets(self.key, self.file_name, format_fasta(records).encode("latin-1"), size, self.nucleic)

    def without_unknown_residues(self):
        """The records without X: the effect of --xnu on X depends on HMMER 2's memory layout."""
        records = [r for r in parse_fasta(self.content.decode("latin-1")) if AMINO_CODES.issuperset(r[1])]
        content = format_fasta(records).encode("latin-1")
        return Targets(self.key + ".noX", self.file_name, content, sum(len(b) for _, b in records))

    def stored(self):
        """The bytes as they are written to disk: packed when the name ends in .gz."""
        return gzip.compress(self.content, 1, mtime=0) if self.file_name.endswith(".gz") else self.content


def chromosome(models, background, work, residues, seed=7):
    """One record of at least `residues` residues, so long that HMMER 2 aligns it in small memory: the residues of
    `background` with sequences drawn from the models in between, alternately alone and twice in a row."""
    drawn = [body for _, body in parse_fasta(emit_sequences(models, work, 5, seed))]
    around = "".join(body for _, body in parse_fasta(background.content.decode("latin-1")))
    around *= -(-residues // len(around))
    parts, start = [], 0
    for number, body in enumerate(drawn):
        end = (number + 1) * residues // (len(drawn) + 1)
        parts += [around[start:end], body * (1 + number % 2)]
        start = end
    record = "".join(parts) + around[start:residues]
    content = format_fasta([("chromosome", record), ("after_it", drawn[0])]).encode("latin-1")
    return Targets("chromosome", "chromosome.fasta", content, len(record), background.nucleic)


def fasta_targets(key, path, nucleic=False, packed=False):
    content = read_bytes(path)
    name = Path(path).name.removesuffix(".gz")
    name = re.sub(r"\.(faa|fna|fa)$", ".fasta", name) + (".gz" if packed else "")
    residues = sum(len(body) for _, body in parse_fasta(content.decode("latin-1")))
    return Targets(key, name, content, residues, nucleic)


def file_targets(key, path, file_name, informat="", nucleic=False):
    """A file that is not FASTA, taken whole. Its size, only used for planning, is estimated from the bytes."""
    content = read_bytes(path)
    return Targets(key, file_name, content, len(content), nucleic, informat)


def odd_fasta(source):
    """FASTA with the irregularities of real files: empty records, CR LF, blank lines, no final newline, tabs, long
    names, digits and gap characters among the residues, a description that begins with '-'."""
    records = parse_fasta(source.content.decode("latin-1"))[:24]
    rng = random.Random(11)
    parts = []
    for number, (head, body) in enumerate(records):
        name = head.split()[0]
        kind = number % 8
        if kind == 0:
            parts.append(f">{name}\tafter a tab\n{body}\n")
        elif kind == 1:
            parts.append(f">{name} carriage returns \r\n{body[:50]}\r\n{body[50:]}\r\n")
        elif kind == 2:
            parts.append(f">{name}_{'x' * 80} name longer than 63 characters\n{body.lower()}\n\n\n")
        elif kind == 3:
            parts.append(f">empty{number} record without residues\n>{name}\n{body}\n")
        elif kind == 4:
            numbered = "\n".join(f"{i + 1:6d} {body[i:i + 10]} {body[i + 10:i + 20]}" for i in range(0, len(body), 20))
            parts.append(f">  {name}   digits and blanks among the residues\n{numbered}\n")
        elif kind == 5:
            parts.append(f">{name} {'long description ' * 12}\n{body}\n")
        elif kind == 6:
            dashed = "".join(c + rng.choice(["", "", "", "-", "."]) for c in body)
            parts.append(f">{name} gap characters\n{dashed}*\n")
        else:
            parts.append(f">{name} -\n;{body}\n")
    content = "".join(parts).rstrip("\n").encode("latin-1")
    return Targets("odd_fasta", "odd.fasta", content, sum(len(b) for _, b in records))
