#!/usr/bin/python3
"""Compares gpuhmm build with hmm2build: processor seconds (user and system) for the same profile, least of several runs in
turn.

Usage: bench/build.py [--gpuhmm PATH] [--runs N] ALIGNMENT...
"""

import argparse
import os
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True  # before the module beside this file is read: leaves no __pycache__

from measuring import measure, nodes_of


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuhmm", default="build/release/src/gpuhmm")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("alignments", nargs="+")
    arguments = parser.parse_args()
    commands = [[shutil.which("hmm2build")], [os.path.abspath(arguments.gpuhmm), "build"]]
    print(f"{'file':28} {'nodes':>7} {'hmm2build s':>12} {'gpuhmm s':>9} {'times':>6}")
    with tempfile.TemporaryDirectory() as folder:
        profile = os.path.join(folder, "profile.hmm")
        for alignment in arguments.alignments:
            seconds = [[], []]
            for _ in range(arguments.runs):
                for command, taken in zip(commands, seconds):
                    taken.append(measure([*command, "-F", profile, alignment])[1])
            theirs, ours = map(min, seconds)
            print(f"{os.path.basename(alignment):28} {nodes_of(profile):7} {theirs:12.3f} {ours:9.3f} {theirs / ours:6.1f}")


if __name__ == "__main__":
    main()
