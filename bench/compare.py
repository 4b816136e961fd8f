#!/usr/bin/env python3
"""Compares builds of gpuhmm, such as those before and after a change. Runs every command with each program in turn, and
prints the least processor and wall time of several runs in ms, and their ratios to the first program.

usage: compare.py [--runs N] [--only TEXT] PROGRAM PROGRAM...
Needs the shared data folder. Ratios of up to 5 % occur between equal programs, too.
"""

import argparse
import os
import random
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
            best = [(float("inf"), float("inf"))] * len(asked.programs)
            for _ in range(asked.runs):
                for i, program in enumerate(asked.programs):
                    command = [program, words[0], "-q", "--device", "none", "-o", os.devnull, *words[1:]]
                    wall, processor, _ = measure(command)
                    best[i] = (min(best[i][0], processor), min(best[i][1], wall))
            cells = (f"{p * 1e3:9.1f} {p / best[0][0]:5.2f} | {w * 1e3:9.1f} {w / best[0][1]:5.2f}" for p, w in best)
            print(f"{name:32}", " || ".join(cells), flush=True)


if __name__ == "__main__":
    main()
