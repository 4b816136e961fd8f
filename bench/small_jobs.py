#!/usr/bin/python3
"""Compares small jobs: one protein against one small profile, where starting the program takes most of the time.

Usage: bench/small_jobs.py [--gpuhmm PATH]... [--runs N] [--sequences FASTA] [--residues N] [PROFILE...]

The first protein of about --residues residues in the FASTA file is searched with every profile. hmm2search and each gpuhmm
(several builds can be given) run in turn, A B A B ..., so that changes of the machine's speed affect all of them. Prints for
each: medians of wall and of processor (user and system) milliseconds, and the medians of the runs' ratios to hmm2search.
Reports go to /dev/null. Measure an installed program: a program in the build folder starts 0.2 ms slower.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # before the module beside this file is read: leaves no __pycache__

from measuring import measure, nodes_of, records

DATA = "testdata"
PROFILES = [f"{DATA}/hmm/RRM_1_s.hmm", f"{DATA}/hmm/Acetyltransf_1_ls.hmm"]


def one_protein(path, residues, folder):
    """Writes the first protein whose length is within 2 % of `residues` to a file."""
    for header, body in records(path):
        length = sum(len(line.strip()) for line in body)
        if abs(length - residues) <= residues // 50:
            target = os.path.join(folder, "protein.fasta")
            with open(target, "wb") as out:
                out.writelines([header, *body])
            return target, length
    sys.exit(f"{path}: no protein of about {residues} residues")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuhmm", action="append", help="program to measure; repeatable")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--sequences", default=f"{DATA}/seq/uniprot.fasta")
    parser.add_argument("--residues", type=int, default=300)
    parser.add_argument("profiles", nargs="*", default=PROFILES)
    arguments = parser.parse_args()

    oracle = shutil.which("hmm2search") or sys.exit("hmm2search is not installed")
    with tempfile.TemporaryDirectory() as folder:
        protein, residues = one_protein(arguments.sequences, arguments.residues, folder)
        print(f"# {time.strftime('%Y-%m-%d')}  one protein of {residues} residues; {arguments.runs} runs in turn, medians")
        for profile in arguments.profiles:
            table = {"hmm2search --cpu 0": [oracle, "--cpu", "0", profile, protein],
                     "hmm2search": [oracle, profile, protein]}
            for program in arguments.gpuhmm or ["build/release/src/gpuhmm"]:
                table[program] = [program, "search", profile, protein]
                table[program + " --cpu 1"] = [program, "search", "--cpu", "1", profile, protein]
            times = {name: [] for name in table}
            for _ in range(arguments.runs):
                for name, command in table.items():
                    times[name].append(measure(command)[:2])
            print(f"\n{os.path.basename(profile)}, {nodes_of(profile)} nodes")
            print(f"{'program':44} {'wall ms':>8} {'cpu ms':>8} {'wall ratio':>10} {'cpu ratio':>10}")
            first = times[next(iter(table))]
            for name, command in table.items():
                columns = [1e3 * statistics.median(run[i] for run in times[name]) for i in (0, 1)]
                columns += [statistics.median(run[i] / base[i] for run, base in zip(times[name], first)) for i in (0, 1)]
                print(f"{name:44} {columns[0]:8.2f} {columns[1]:8.2f} {columns[2]:10.2f} {columns[3]:10.2f}")


if __name__ == "__main__":
    main()
