#!/usr/bin/python3
"""Small jobs side by side: one protein against one small profile, where starting the program is most of the time.

Usage: bench/small_jobs.py [--gpuhmm PATH]... [--runs N] [--sequences FASTA] [--residues N] [PROFILE...]

The first protein of about --residues residues is taken from the FASTA file and searched with every profile. hmm2search
and each gpuhmm (several builds can be given) run in turn, A B A B ..., so that a drift of the machine's speed touches all
alike. Printed for each: medians of wall and of processor (user and system) milliseconds, and the medians of the runs'
ratios to hmm2search. Reports go to /dev/null.
"""

import argparse
import gzip
import os
import shutil
import statistics
import sys
import tempfile
import time

DATA = "testdata"
PROFILES = [f"{DATA}/hmm/RRM_1_s.hmm", f"{DATA}/hmm/Acetyltransf_1_ls.hmm"]


def one_protein(path, residues, folder):
    """Writes the first protein within 2 % of that length to a file of its own."""
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rt", encoding="latin-1") as lines:
        for record in lines.read().split(">")[1:]:
            sequence = "".join(record.split("\n")[1:])
            if abs(len(sequence) - residues) <= residues // 50:
                target = os.path.join(folder, "protein.fasta")
                with open(target, "w", encoding="latin-1") as out:
                    out.write(">" + record)
                return target, len(sequence)
    sys.exit(f"{path}: no protein of about {residues} residues")


def nodes_of(path):
    with open(path, encoding="latin-1") as lines:
        for line in lines:
            if line.startswith("LENG"):
                return int(line.split()[1])
    sys.exit(f"{path}: no LENG line (expected a HMMER2 text profile)")


def measure(command, null):
    """Wall and processor milliseconds of one run, start of the process included."""
    start = time.perf_counter()
    process = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, null, 1)])
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - start
    if status != 0:
        sys.exit(f"{' '.join(command)}: exit code {os.waitstatus_to_exitcode(status)}")
    return wall * 1e3, (usage.ru_utime + usage.ru_stime) * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuhmm", action="append", help="program to measure; may be given several times")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--sequences", default=f"{DATA}/seq/uniprot.fasta")
    parser.add_argument("--residues", type=int, default=300)
    parser.add_argument("profiles", nargs="*", default=PROFILES)
    arguments = parser.parse_args()

    oracle = shutil.which("hmm2search") or sys.exit("hmm2search is not installed")
    null = os.open(os.devnull, os.O_WRONLY)
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
                    times[name].append(measure(command, null))
            print(f"\n{os.path.basename(profile)}, {nodes_of(profile)} nodes")
            print(f"{'program':44} {'wall ms':>8} {'cpu ms':>8} {'wall ratio':>10} {'cpu ratio':>10}")
            first = times[next(iter(table))]
            for name, command in table.items():
                columns = [statistics.median(run[i] for run in times[name]) for i in (0, 1)]
                columns += [statistics.median(run[i] / base[i] for run, base in zip(times[name], first)) for i in (0, 1)]
                print(f"{name:44} {columns[0]:8.2f} {columns[1]:8.2f} {columns[2]:10.2f} {columns[3]:10.2f}")


if __name__ == "__main__":
    main()
