#!/usr/bin/python3
"""Compares whole searches: gpuhmm with hmm2search and HMMER 3's hmmsearch, on real profiles and sequences.

Usage: bench/search.py [--gpuhmm PATH] [--device D]... [--runs N] [--sequences FASTA] [--every N] [--programs LIST] [PROFILE...]

Without PROFILE: the twelve Top-twenty families of ../shared/data, ls and fs, against every 14th sequence of its
sprot_shared.fasta.gz. The programs run each search in turn, A B C A B C ..., so that changes of the machine's speed affect
all of them. Prints for each search, and for all together: median wall and processor seconds, GCUPS (residues x nodes / wall
time), how many times faster than the first program by both times, and the stages of `gpuhmm search --stats`. For hmmsearch
the profiles are converted by HMMER 3's hmmconvert (it reads HMMER 2 files, but hmmsearch's scores are different). Reports go
to /dev/null.
"""

import argparse
import glob
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # before the module beside this file is read: leaves no __pycache__

from measuring import measure, nodes_of, sample

SHARED = "../shared/data"
STAGE = re.compile(r"^(\w+) +([0-9.]+) s", re.MULTILINE)


def default_profiles():
    found = sorted(glob.glob(f"{SHARED}/hmm/top20/*_[lf]s.hmm"))
    return [path for path in found if "pfamconv" not in path] or sys.exit(f"no {SHARED}/hmm/top20: name profiles")


def program(name):
    return shutil.which(name) or sys.exit(f"{name}: not installed")


def commands(gpuhmm, devices):
    """Name -> function of the paths of the profile (HMMER 2; HMMER 3 with suffix .h3) and the sequences: the command line."""
    table = {
        "hmm2search --cpu 1": lambda p, s: [program("hmm2search"), "--cpu", "1", p, s],
        "hmm2search --cpu 2": lambda p, s: [program("hmm2search"), "--cpu", "2", p, s],
        "hmmsearch": lambda p, s: [program("hmmsearch"), p + ".h3", s],
        "hmmsearch --max": lambda p, s: [program("hmmsearch"), "--max", p + ".h3", s],
    }
    search = [gpuhmm, "search", "--quiet", "--stats", "--device"]
    for device in devices:
        for threads in ("1", "2"):
            words = [*search, device, "--cpu", threads]
            table[f"gpuhmm {device} --cpu {threads}"] = lambda p, s, words=words: [*words, p, s]
            table[f"gpuhmm {device} --cpu {threads}, filter"] = lambda p, s, words=words: [*words, "--no-histogram", p, s]
    return table


class Measured:
    """The medians of the runs of one search by one program."""

    def __init__(self, runs, cells):
        self.cells = cells
        self.wall = statistics.median(wall for wall, _, _ in runs)
        self.cpu = statistics.median(cpu for _, cpu, _ in runs)
        found = [dict(STAGE.findall(text)) for _, _, text in runs]
        self.stages = {name: statistics.median(float(stages[name]) for stages in found) for name in found[0]}

    def __add__(self, other):
        total = Measured.__new__(Measured)
        total.cells, total.wall, total.cpu = self.cells + other.cells, self.wall + other.wall, self.cpu + other.cpu
        total.stages = {name: seconds + other.stages[name] for name, seconds in self.stages.items()}
        return total


def print_table(title, measured):
    """`measured`: program -> Measured; the first is the baseline."""
    stages = list(dict.fromkeys(stage for row in measured.values() for stage in row.stages))
    baseline = next(iter(measured.values()))
    print(f"\n{title}, {baseline.cells * 1e-9:.3f} G cells")
    print(f"{'program':30} {'wall s':>8} {'cpu s':>8} {'GCUPS':>8} {'x wall':>7} {'x cpu':>7} " +
          " ".join(f"{stage + ' s':>9}" for stage in stages))
    for name, row in measured.items():
        times = " ".join(f"{row.stages[stage]:9.3f}" if stage in row.stages else f"{'-':>9}" for stage in stages)
        print(f"{name:30} {row.wall:8.3f} {row.cpu:8.3f} {row.cells / row.wall * 1e-9:8.3f} {baseline.wall / row.wall:7.1f} "
              f"{baseline.cpu / max(row.cpu, 1e-6):7.1f} {times}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuhmm", default="build/release/src/gpuhmm")
    parser.add_argument("--device", action="append", help="device of gpuhmm; repeatable (default: none)")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--sequences", default=f"{SHARED}/seq/sprot_shared.fasta.gz")
    parser.add_argument("--every", type=int, default=14, help="search every N-th sequence of the file")
    parser.add_argument("--programs", help="names of the programs to run, separated by semicolons (default: all)")
    parser.add_argument("--list", action="store_true", help="only print the names of the programs")
    parser.add_argument("profiles", nargs="*")
    arguments = parser.parse_args()

    table = commands(os.path.abspath(arguments.gpuhmm), arguments.device or ["none"])
    if arguments.list:
        print("\n".join(table))
        return
    names = arguments.programs.split(";") if arguments.programs else list(table)
    for name in names:
        if name not in table:
            sys.exit(f"no program '{name}'; --list names them")
    profiles = arguments.profiles or default_profiles()
    with tempfile.TemporaryDirectory() as folder:
        sequences, count, residues = sample(arguments.sequences, arguments.every, folder)
        print(f"# {time.strftime('%Y-%m-%d')}  every {arguments.every}th sequence of {arguments.sequences}: {count} sequences, "
              f"{residues} residues; {len(profiles)} profiles; median of {arguments.runs} runs")
        totals = {}
        for profile in profiles:
            nodes = nodes_of(profile)
            copy = shutil.copy(profile, folder)
            with open(copy + ".h3", "wb") as converted:
                subprocess.run([program("hmmconvert"), copy], stdout=converted, check=True)
            runs = {name: [] for name in names}
            for _ in range(arguments.runs):
                for name in names:
                    runs[name].append(measure(table[name](copy, sequences)))
            measured = {name: Measured(runs[name], residues * nodes) for name in names}
            print_table(f"{os.path.basename(profile)}, {nodes} nodes", measured)
            totals = {name: totals[name] + row if totals else row for name, row in measured.items()}
        print_table(f"All {len(profiles)} profiles", totals)


if __name__ == "__main__":
    main()
