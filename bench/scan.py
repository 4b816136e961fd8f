#!/usr/bin/python3
"""Compares whole scans: gpuhmm scan and its drop-in name with hmm2pfam.

Usage: bench/scan.py [--gpuhmm PATH] [--runs N] [--options WORDS] LIBRARY[:TIMES] SEQUENCES[:COUNT] ...

The arguments are pairs of a profile library (HMMER 2 text; with :TIMES that many copies of it) and a FASTA file (with
:COUNT only its first sequences). The programs run each scan in turn, so that changes of the machine's speed affect all of
them. Prints for each: least and median wall and processor milliseconds, and the ratio of hmm2pfam's processor time to its
own.
"""

import argparse
import gzip
import os
import shutil
import statistics
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # before the module beside this file is read: leaves no __pycache__

from measuring import measure


def content(path):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rb") as source:
        return source.read()


def split_count(word):
    path, _, count = word.partition(":")
    return path, int(count) if count else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuhmm", default="build/release/src/gpuhmm")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--options", default="-E 0.1", help="options of all programs")
    parser.add_argument("files", nargs="+")
    arguments = parser.parse_args()
    if len(arguments.files) % 2:
        sys.exit("expected pairs of LIBRARY and SEQUENCES")
    options = arguments.options.split()
    gpuhmm = os.path.abspath(arguments.gpuhmm)
    with tempfile.TemporaryDirectory() as folder:
        drop_in = os.path.join(folder, "hmmpfam2")
        os.symlink(gpuhmm, drop_in)
        library, sequences = os.path.join(folder, "library"), os.path.join(folder, "sequences")
        hmm2pfam = shutil.which("hmm2pfam")
        programs = {
            "hmm2pfam --cpu 1": [hmm2pfam, "--cpu", "1"],
            "hmm2pfam --cpu 2": [hmm2pfam, "--cpu", "2"],
            "hmmpfam2 --cpu 1 (ours)": [drop_in, "--cpu", "1"],
            "scan --cpu 1": [gpuhmm, "scan", "--quiet", "--device", "none", "--cpu", "1"],
            "scan --cpu 2": [gpuhmm, "scan", "--quiet", "--device", "none", "--cpu", "2"],
        }
        print(f"# {time.strftime('%Y-%m-%d')}  least / median of {arguments.runs} runs, ms; options {arguments.options}")
        for first, second in zip(arguments.files[::2], arguments.files[1::2]):
            (profiles, times), (targets, count) = split_count(first), split_count(second)
            with open(library, "wb") as copy:
                copy.write(content(profiles) * (times or 1))
            records = content(targets).split(b">")[1:]
            with open(sequences, "wb") as copy:
                copy.write(b"".join(b">" + record for record in records[:count]))
            models = content(library).count(b"\nNAME ")
            print(f"\n{models} profiles x {len(records[:count])} sequences")
            runs = {name: [] for name in programs}
            for _ in range(arguments.runs):
                for name, command in programs.items():
                    runs[name].append(measure([*command, *options, library, sequences]))
            reference = min(run[1] for run in runs["hmm2pfam --cpu 1"])
            for name, found in runs.items():
                walls, cpus = ([1e3 * run[part] for run in found] for part in (0, 1))
                print(f"{name:26} wall {min(walls):9.1f} /{statistics.median(walls):9.1f}   processor {min(cpus):9.1f} /"
                      f"{statistics.median(cpus):9.1f}   {1e3 * reference / min(cpus):6.1f} times")  # fmt: skip


if __name__ == "__main__":
    main()
