#!/usr/bin/env python3
"""Compares `gpuhmm sort` with GNU sort (LC_ALL=C) on lines, and with Python's sorted() on FASTA records.

  sort.py [--gpuhmm PROGRAM] [--device D]...

Lines of any bytes, of few and many letters, empty lines, long shared prefixes, equal lines, one line of more than 100,000
characters, no last newline; FASTA records by name and by sequence. Each with -u and -r, in memory and (on the host) with
so little memory that temporary runs are needed. The last line is `N passed, N failed`.
"""

import gzip
import os
import random

import outputs

OPTIONS = ([], ["-r"], ["-u"], ["-u", "-r"])
SPILLING = ["--memory", "64K"]  # runs of 8 KiB


def line_texts(rng):
    """(name, bytes) of texts to sort by lines."""

    def lines(count, letters, longest, prefixes=(b"",)):
        return [
            rng.choice(prefixes) + bytes(rng.choices(letters, k=rng.randint(0, longest))) for _ in range(count)
        ]

    def text(parts):
        return b"".join(part + b"\n" for part in parts)

    every_byte = bytes(c for c in range(256) if c != 10)
    shared64, shared4096 = bytes(rng.choices(b"ACGT", k=64)), bytes(rng.choices(b"ACGT", k=4096))
    repeated = lines(40, b"ACGT", 50)
    yield "empty", b""
    yield "one newline", b"\n"
    yield "no last newline", b"b\na\nc"
    yield "empty lines", b"\n\nb\n\n\na\n\n"
    yield "NUL and CR", b"a\0b\na\na\0\nb\r\nb\n\0\n\r\n"
    yield "one letter", text(lines(3000, b"a", 40))
    for length in (9, 31, 32, 33):  # counted; 62 and 64 bits; longer than a word
        yield f"{length}-mers", text([bytes(rng.choices(b"ACGT", k=length)) for _ in range(30000)])
    yield "short lines", text(lines(20000, b"ACGTN", 21))
    yield "a little too long for a word", text(lines(20000, b"ACGT", 22))
    yield "any bytes", text(lines(8000, every_byte, 9))
    yield "any bytes, long", text(lines(1500, every_byte, 300))
    yield "64 shared bytes", text(lines(8000, b"ACGT", 20, (shared64, shared64[:40])))
    yield "4096 shared bytes", text(lines(400, b"ACGT", 20, (shared4096, shared4096[:4000], b"")))
    yield "all bytes shared", text([shared4096] * 300)
    yield "few different", text(rng.choices(repeated, k=20000))
    yield "prefixes of each other", text([b"a" * rng.randint(0, 600) for _ in range(1500)])
    yield "a line larger than the memory", text([b"x" * 150000 + b"b", b"y", b"x" * 150000 + b"a", b""])
    yield "a large text", text(lines(250000, b"ACGT", 40))


def fasta_texts(rng):
    def record(name, sequence, width, end=b"\n"):
        rows = [sequence[i : i + width] for i in range(0, len(sequence), width)]
        return b">" + name + end + b"".join(row + end for row in rows)

    names = [b"s%d" % rng.randint(0, 300) for _ in range(1500)]
    yield "records", b"".join(
        record(name + words, bytes(rng.choices(b"ACGT", k=rng.randint(0, 90))), 30)
        for name, words in zip(names, rng.choices((b"", b" some words", b"\ttab"), k=len(names)))
    )
    yield "equal sequences in other lines", b"".join(
        record(name, rng.choice((b"ACGTACGTAC", b"ACGTACGTA", b"acgt", b"")) * 3, rng.randint(3, 40)) for name in names
    )
    yield "CR LF, blank lines, no last newline", b"\n\n>b x\r\nAC\r\nGT\r\n\r\n>a\r\nACG\r\n>\r\n>c\nACGT"


def sorted_fasta(text, key, options):
    """The definition: a stable sort of records by key."""
    text = text.lstrip()
    text += b"" if text.endswith(b"\n") else b"\n"
    records = [(b"\n" + part + b"\n")[1:] for part in (b"\n" + text[:-1]).split(b"\n>")[1:]]
    records = [b">" + part for part in records]

    def key_of(record):
        header, _, rows = record.partition(b"\n")
        if key == "name":
            return header[1:].split()[0] if header[1:].strip() and not header[1:2].isspace() else b""
        return b"".join(row.removesuffix(b"\r") for row in rows.split(b"\n"))

    ordered = sorted(records, key=key_of, reverse="-r" in options)
    if "-u" in options:
        ordered = [r for i, r in enumerate(ordered) if i == 0 or key_of(r) != key_of(ordered[i - 1])]
    return b"".join(ordered)


def cases(gpuhmm, device, folder):
    rng = random.Random(7)
    path = folder / "text"
    ours = [gpuhmm, "sort", "--device", device, "--cpu", "2"]
    for name, text in line_texts(rng):
        path.write_bytes(text)
        for options in OPTIONS:
            expected = outputs.output_of(["sort", *options, path], env={**os.environ, "LC_ALL": "C"})
            for memory in ([], SPILLING) if device == "none" else ([],):
                command = [*ours, *options, *memory, path]
                yield outputs.verdict(f"{device}: {name}", command, expected, outputs.output_of(command))
    for name, text in fasta_texts(rng):
        path.write_bytes(text)
        for key in ("name", "sequence"):
            for options in OPTIONS:
                expected = sorted_fasta(text, key, options)
                for memory in ([], SPILLING) if device == "none" else ([],):
                    command = [*ours, "--by", key, *options, *memory, path]
                    yield outputs.verdict(f"{device}: {name} by {key}", command, expected, outputs.output_of(command))
    compressed = gzip.compress(b"b\na\n")
    command = [*ours, "-"]
    got = outputs.output_of(command, input=compressed)
    yield outputs.verdict(f"{device}: gzip from a pipe", command, b"a\nb\n", got)


if __name__ == "__main__":
    outputs.run(lambda: outputs.main(__doc__.splitlines()[0], ["sort"], cases))
