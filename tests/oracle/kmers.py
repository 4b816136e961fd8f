#!/usr/bin/env python3
"""Compares `gpuhmm kmers` with jellyfish, KMC and the plain definition.

  kmers.py [--gpuhmm PROGRAM] [--device D]...

Genomes of testdata (and of ../shared/data/dna, if it is there) for many k, canonical or not, with jellyfish up to 32 and
KMC beyond; the figures of kmer_expected.tsv; small random FASTA and FASTQ files of DNA, RNA and protein with Python, in
all formats, in memory and through temporary runs. The last line is `N passed, N failed`.
"""

import collections
import csv
import gzip
import random
import struct
import zlib

import outputs
from search import REPOSITORY

TESTDATA = REPOSITORY / "testdata/dna"
SHARED = REPOSITORY.parent / "shared/data/dna"
SPILLING = ["--memory", "20K"]
NUCLEIC, AMINO = "ACGT", "ACDEFGHIKLMNPQRSTVWY"


def plain_bytes(path):
    content = path.read_bytes()
    return gzip.decompress(content) if path.suffix == ".gz" else content


def jellyfish(path, k, canonical, folder):
    table = folder / "table.jf"
    options = ["-C"] if canonical else []
    outputs.output_of(["jellyfish", "count", "-m", k, "-s", "1M", "-t", 2, *options, "-o", table, path])
    dumped = outputs.output_of(["jellyfish", "dump", "-c", "-t", table])
    return b"".join(sorted(dumped.splitlines(keepends=True)))


def kmc(path, k, canonical, folder):
    base, dump = folder / "table.kmc", folder / "dump"
    options = [] if canonical else ["-b"]
    # its defaults omit k-mers that occur once, and limit counts
    outputs.output_of(["kmc", f"-k{k}", "-ci1", "-cs4294967295", "-fm", "-t2", "-m2", *options, path, base, folder])
    outputs.output_of(["kmc_tools", "transform", base, "dump", "-s", dump])
    return dump.read_bytes()


def genome_cases(ours, device, folder):
    paths = sorted(TESTDATA.glob("*.f*"))
    paths += [path for path in sorted(SHARED.glob("*.f*")) if path.stat().st_size < 600000]
    for path in paths:
        plain = folder / "genome.fa"
        plain.write_bytes(plain_bytes(path))
        # a run of KMC takes seconds
        lengths = (1, 9, 10, 11, 21, 31, 32, 33, 100) if path.parent == TESTDATA else (2, 11, 32)
        if device != "none":
            lengths = (10, 21, 32)
        for number, k in enumerate(lengths):
            canonical = (number + len(path.name)) % 2 == 1
            program = jellyfish if k <= 32 else kmc
            expected = program(plain, k, canonical, folder)
            memory = ["--memory", "8M"] if number % 3 == 0 else []
            command = [*ours, "-k", k, "--count", *(["--canonical"] if canonical else []), *memory, path]
            name = f"{device}: {path.name}, {program.__name__}"
            yield outputs.verdict(name, command, expected, outputs.output_of(command))


def expected_figures(ours, device):
    """The rows of kmer_expected.tsv: number, kinds, largest count and CRC-32 of the sorted words."""
    for row in csv.DictReader((SHARED / "kmer_expected.tsv").open(), delimiter="\t"):
        command = [*ours, "-k", row["k"], SHARED / row["file"]]
        words = outputs.output_of(command).splitlines()
        counts = collections.Counter(words)
        most = max(counts.values())
        got = [len(words), len(counts), most, min(word for word in counts if counts[word] == most).decode()]
        got += [words[0].decode(), words[-1].decode(), f"{zlib.crc32(bytes([10]).join(words)):08x}"]
        names = ("kmers_ACGT_only", "distinct", "max_count", "most_frequent(smallest)", "first_sorted", "last_sorted")
        expected = [row[name] for name in names] + [row["crc32_of_sorted_kmers_joined_by_newline"]]
        texts = ("\n".join(map(str, values)).encode() for values in (expected, got))
        yield outputs.verdict(f"{device}: kmer_expected.tsv", command, *texts)


def counted(records, k, letters, canonical=False, uracil=False):
    """The definition: counts of the words of the records."""
    complement = str.maketrans("ACGT", "TGCA")
    counts = collections.Counter()
    for record in records:
        record = record.upper().replace("U", "T") if letters == NUCLEIC else record.upper()
        for start in range(len(record) - k + 1):
            word = record[start : start + k]
            if all(letter in letters for letter in word):
                counts[min(word, word[::-1].translate(complement)) if canonical else word] += 1
    return {(word.replace("T", "U") if uracil else word): count for word, count in sorted(counts.items())}


def made_up_cases(ours, device, folder):
    rng = random.Random(11)
    path = folder / "made.up"

    def records(letters, count, longest):
        return ["".join(rng.choices(letters, k=rng.randint(0, longest))) for _ in range(count)]

    def fasta(records):
        rows = ((f">r{n}", *(r[i : i + 50] for i in range(0, len(r), 50))) for n, r in enumerate(records))
        return "".join(line + "\n" for row in rows for line in row)

    def fastq(records):
        # qualities that look like other lines, sequences over several lines
        quality = (rng.choice("@+>I") for _ in iter(int, 1))
        text = ""
        for number, r in enumerate(records):
            half = len(r) // 2 if number % 3 == 0 else len(r)
            parts = [r[:half], r[half:]] if half < len(r) else [r]
            marks = "".join(next(quality) for _ in r)
            rows = [*parts, "+", *[marks[:half], marks[half:]][: len(parts)]]
            text += f"@r{number} x\n" + "\n".join(rows) + "\n"
        return text

    kinds = [
        ("DNA", NUCLEIC, False, fasta, records("ACGTACGTACGTACGTacgtN", 60, 300)),
        ("FASTQ", NUCLEIC, False, fastq, records("ACGTACGTACGTACGTN", 100, 90)),
        ("RNA", NUCLEIC, True, fasta, records("ACGUACGUACGUACGUacguN", 60, 300)),
        ("RNA and DNA", NUCLEIC, False, fasta, records("ACGUTACGUT", 60, 300)),
        ("protein", AMINO, False, fasta, records(AMINO + AMINO.lower() + "X", 60, 150)),
    ]
    for kind, letters, uracil, write, made in kinds:
        path.write_text(write(made))
        for k in (1, 4, 5, 12, 13, 32, 33, 47) if device == "none" else (12, 33):
            for canonical in (False, True) if letters == NUCLEIC else (False,):
                counts = counted(made, k, letters, canonical, uracil)
                name = f"{device}: {kind}, k {k}"
                expected = {
                    ("--count",): "".join(f"{word}\t{count}\n" for word, count in counts.items()),
                    (): "".join(f"{word}\n" * count for word, count in counts.items()),
                    ("--count", "--min-count", "2", "--format", "text"): "".join(
                        f"{word} {count}\n" for word, count in counts.items() if count > 1
                    ),
                    ("--count", "--format", "fasta"): "".join(f">{count}\n{word}\n" for word, count in counts.items()),
                    ("--histogram",): "".join(
                        f"{count} {words}\n" for count, words in sorted(collections.Counter(counts.values()).items())
                    ),
                }
                for options, text in expected.items():
                    # a device takes long to start
                    if device != "none" and options != ("--count",):
                        continue
                    for memory in ([], SPILLING):
                        command = [*ours, "-k", k, *options, *(["-C"] if canonical else []), *memory, path]
                        yield outputs.verdict(name, command, text.encode(), outputs.output_of(command))
                if device == "none" and k <= (32 if letters == NUCLEIC else 12):
                    command = [*ours, "-k", k, *(["-C"] if canonical else [])]
                    yield from binary_case(name, command, path, counts, letters)


def binary_case(name, command, path, counts, letters):
    """Reads the binary format (docs/kmers.md) back and compares."""
    bits = 2 if letters == NUCLEIC else 5
    for options, each in (["--count"], "<QQ"), ([], "<Q"):
        whole = [*command, *options, "--format", "binary", path]
        data = outputs.output_of(whole)
        entries = list(struct.iter_unpack(each, data[16:-16]))
        alphabet = ("ACGU" if data[8] == 1 else "ACGT") if data[8] < 2 else AMINO
        words = [
            "".join(alphabet[(key >> bits * i) & (1 << bits) - 1] for i in reversed(range(data[9])))
            for key, *_ in entries
        ]
        got = [(word, *rest) for word, (_, *rest) in zip(words, entries)]
        expected = list(counts.items())
        if not options:
            expected = [(word,) for word, count in counts.items() for _ in range(count)]
        fits = data[:8] == b"GPUHMMK1" and data[-16:] == struct.pack("<Q", len(entries)) + b"GPUHMMKE"
        yield outputs.verdict(f"{name}, binary", whole, repr((True, expected)).encode(), repr((fits, got)).encode())


def cases(gpuhmm, device, folder):
    ours = [gpuhmm, "kmers", "--device", device, "--cpu", "2"]
    yield from genome_cases(ours, device, folder)
    if SHARED.is_dir() and device == "none":
        yield from expected_figures(ours, device)
    yield from made_up_cases(ours, device, folder)


if __name__ == "__main__":
    outputs.run(lambda: outputs.main(__doc__.splitlines()[0], ["jellyfish", "kmc", "kmc_tools"], cases))
