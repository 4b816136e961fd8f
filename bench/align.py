#!/usr/bin/python3
"""Compares gpuhmm align with hmm2align: processor seconds (user and system) for the same alignment, least of several runs in
turn.

Usage: bench/align.py [--gpuhmm PATH] [--runs N] [--sequences FASTA] [--every N] PROFILE...
"""

import argparse
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True  # before the module beside this file is read: leaves no __pycache__

from measuring import measure, nodes_of, sample


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuhmm", default="build/release/src/gpuhmm")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--sequences", default="testdata/seq/uniprot.fasta")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("profiles", nargs="+", help="HMMER2 text")
    arguments = parser.parse_args()
    commands = [[shutil.which("hmm2align"), "-q"], [os.path.abspath(arguments.gpuhmm), "align", "--cpu", "1", "-q"]]
    with tempfile.TemporaryDirectory() as folder:
        sequences, count, residues = sample(arguments.sequences, arguments.every, folder)
        print(f"{count} sequences, {residues} residues")
        print(f"{'file':28} {'nodes':>7} {'hmm2align s':>12} {'gpuhmm s':>9} {'times':>6}")
        for profile in arguments.profiles:
            seconds = [[], []]
            for _ in range(arguments.runs):
                for command, taken in zip(commands, seconds):
                    taken.append(measure([*command, "-o", "/dev/null", profile, sequences])[1])
            theirs, ours = map(min, seconds)
            print(f"{os.path.basename(profile):28} {nodes_of(profile):7} {theirs:12.3f} {ours:9.3f} {theirs / ours:6.1f}")


if __name__ == "__main__":
    main()
