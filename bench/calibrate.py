#!/usr/bin/python3
"""Compares gpuhmm calibrate, without a device, with hmm2calibrate.

Usage: bench/calibrate.py [--gpuhmm PATH] [--runs N] [--num N] [--cpu N] PROFILES...

The programs run in turn on copies of each file, with the same seed. Prints the least seconds of each, the cells (nodes x
residues) a second, and how many times faster gpuhmm is. Seconds are processor seconds (user and system) for one thread,
wall time for several.
"""

import argparse
import os
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True

from measuring import measure

MEAN_LENGTH = 347.3  # of normal deviates with mean 325 and standard deviation 200, without those below 1


def nodes_of(path):
    with open(path, encoding="latin-1") as lines:
        return sum(int(line.split()[1]) for line in lines if re.match(r"LENG ", line))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuhmm", default="build/release/src/gpuhmm")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--num", type=int, default=5000, help="random sequences for each profile")
    parser.add_argument("--cpu", type=int, default=1, help="threads of both programs")
    parser.add_argument("profiles", nargs="+", help="HMMER2 text")
    arguments = parser.parse_args()
    options = ["--seed", "1", "--num", str(arguments.num)]
    commands = [
        [shutil.which("hmm2calibrate"), "--cpu", str(arguments.cpu if arguments.cpu > 1 else 0), *options],
        [os.path.abspath(arguments.gpuhmm), "calibrate", "--device", "none", "--cpu", str(arguments.cpu), *options],
    ]
    kind = 0 if arguments.cpu > 1 else 1  # the result of measure() to use: wall or processor seconds
    print(f"{'file':28} {'nodes':>7} {'hmm2calibrate s':>16} {'gpuhmm s':>9} {'GCUPS':>7} {'times':>6}")
    with tempfile.TemporaryDirectory() as folder:
        for profile in arguments.profiles:
            seconds = [[], []]
            for _ in range(arguments.runs):
                for command, taken in zip(commands, seconds):
                    copy = os.path.join(folder, "copy.hmm")
                    shutil.copyfile(profile, copy)
                    taken.append(measure([*command, copy])[kind])
            theirs, ours = map(min, seconds)
            cells = nodes_of(profile) * arguments.num * MEAN_LENGTH
            name = os.path.basename(profile)
            print(f"{name:28} {nodes_of(profile):7} {theirs:16.3f} {ours:9.4f} {cells / ours * 1e-9:7.2f} {theirs / ours:6.1f}")


if __name__ == "__main__":
    main()
