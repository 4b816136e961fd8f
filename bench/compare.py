#!/usr/bin/env python3
"""Compares builds of gpuhmm, such as those before and after a change. Runs every command with each program in turn, every
second round in reverse order. Prints for each program the least processor time in ms and its ratio to the first
program's, the median of the ratios round by round, and the same of wall times.

usage: compare.py [--runs N] [--only TEXT] PROGRAM PROGRAM...
Needs the shared data folder. With 10 runs, ratios of up to 5 % occur between equal programs, too; with 40 runs on a
quiet machine, of up to 2 %.
"""

import argparse
import os
import random
import statistics
import tempfile
from pathlib import Path

from measuring import measure, sample

REPOSITORY = Path(__file__).resolve().parents[1]
SHARED = REPOSITORY.parent / "shared/data"
SMALL = str(REPOSITORY / "testdata/hmm/RRM_1_ls.hmm")


def inputs(folder):
    """Makes inputs and returns their paths: profiles, sequences, a matrix, a vector and lines."""
    families = sorted((SHARED / "hmm/top20").glob("*_[lf]s.hmm"))
    many = folder / "many.hmm"
    many.write_bytes(b"".join(path.read_bytes() for path in families))
    sequences, _, _ = sample(str(SHARED / "seq/sprot_10k.fasta.gz"), 1, str(folder))
    source = random.Random(1)
    matrix, vector, lines = folder / "matrix.txt", folder / "vector.txt", folder / "lines.txt"
    matrix.write_text("".join(" ".join(str(source.randint(-1000, 1000)) for _ in range(1000)) + "\n" for _ in range(1000)))
    vector.write_text("".join(f"{source.randint(-1000, 1000)}\n" for _ in range(2_000_000)))
    lines.write_text("".join("".join(source.choices("ACGT", k=30)) + "\n" for _ in range(1_000_000)))
    return many, sequences, matrix, vector, lines


def commands(folder):
    """Name -> words of the commands."""
    many, sequences, matrix, vector, lines = inputs(folder)
    few = str(SHARED / "seq/sprot_1k.fasta")
    kinase, wd40 = (str(SHARED / f"hmm/top20/{name}.hmm") for name in ("Pkinase_ls", "WD40_fs"))
    return {
        "search, all scores, Pkinase ls": ["search", "--cpu", "1", kinase, sequences],
        "search, all scores, WD40 fs": ["search", "--cpu", "1", wd40, sequences],
        "search, filter, many profiles": ["search", "--cpu", "1", "--no-histogram", str(many), few],
        "search, filter, 2 threads": ["search", "--cpu", "2", "--no-histogram", kinase, sequences],
        "search --forward": ["search", "--cpu", "1", "--forward", SMALL, few],
        "scan, 1 thread": ["scan", "--cpu", "1", str(many), few],
        "scan, 2 threads": ["scan", "--cpu", "2", str(many), few],
        "calibrate": ["calibrate", "--cpu", "1", "--seed", "1", kinase],
        "submatrix": ["submatrix", "--cpu", "1", str(matrix)],
        "segments": ["segments", "--cpu", "1", "--numbers", str(vector)],
        "sort": ["sort", "--cpu", "1", str(lines)],
        "small search": ["search", "--cpu", "1", SMALL, str(REPOSITORY / "testdata/seq/uniprot.fasta")],
    }


def compared(first, own, figure):
    """The least of a figure in ms, its ratio to the first program's, and the median of the ratios of all rounds."""
    least = min(times[figure] for times in own)
    ratio = least / min(times[figure] for times in first)
    median = statistics.median(b[figure] / a[figure] for a, b in zip(first, own))
    return f"{least * 1e3:9.1f} {ratio:5.3f} {median:5.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--only", default="", help="commands whose names contain this text")
    parser.add_argument("programs", nargs="+")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name, words in commands(Path(folder)).items():
            if asked.only not in name:
                continue
            times = [[] for _ in asked.programs]  # pairs of processor and wall seconds of each round
            for run in range(asked.runs):
                order = range(len(asked.programs))
                for i in order if run % 2 == 0 else reversed(order):
                    command = [asked.programs[i], words[0], "-q", "--device", "none", "-o", os.devnull, *words[1:]]
                    wall, processor, _ = measure(command)
                    times[i].append((processor, wall))
            cells = (" ".join(compared(times[0], own, figure) for figure in (0, 1)) for own in times)
            print(f"{name:32}", " || ".join(cells), flush=True)


if __name__ == "__main__":
    main()
