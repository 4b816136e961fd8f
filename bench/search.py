#!/usr/bin/python3
"""Whole searches side by side: gpuhmm on each device against hmm2search and hmmsearch, on real profiles and sequences.

Usage: bench/search.py [--gpuhmm PATH] [--runs N] [--database FASTA] [--programs LIST] PROFILE...

Every program runs each search in turn, A B C A B C ..., so that a drift of the machine's speed touches all alike. Printed
for each search: median wall and processor seconds, GCUPS (residues x nodes / wall time) and how many times faster than
the first program listed. The reports go to /dev/null. Without --database the 20,000 UniProt sequences of Debian's
package mmseqs2-examples are used.
"""

import argparse
import gzip
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

EXAMPLE_DATABASE = "/usr/share/doc/mmseqs2/example-data/DB.fasta.gz"


def plain_copy(path, folder):
    """The database uncompressed, since hmm2search would pay for a gzip process."""
    opener = gzip.open if path.endswith(".gz") else open
    target = os.path.join(folder, "database.fasta")
    with opener(path, "rb") as source, open(target, "wb") as copy:
        shutil.copyfileobj(source, copy)
    return target


def residues_of(path):
    with open(path, "rb") as lines:
        return sum(len(line.strip()) for line in lines if not line.startswith(b">"))


def nodes_of(path):
    with open(path, encoding="latin-1") as lines:
        for line in lines:
            if line.startswith("LENG"):
                return int(line.split()[1])
    sys.exit(f"{path}: no LENG line (expected a HMMER2 text profile)")


def commands(gpuhmm):
    """Name -> command line made from profile and database."""
    return {
        "hmm2search --cpu 1": lambda p, d: ["hmm2search", "--cpu", "1", p, d],
        "hmm2search --cpu 2": lambda p, d: ["hmm2search", "--cpu", "2", p, d],
        "gpuhmm none, 1 thread": lambda p, d: [gpuhmm, "search", "--quiet", "--device", "none", "--cpu", "1", p, d],
        "gpuhmm none, 2 threads": lambda p, d: [gpuhmm, "search", "--quiet", "--device", "none", "--cpu", "2", p, d],
        "gpuhmm pocl": lambda p, d: [gpuhmm, "search", "--quiet", "--device", "pthread", "--cpu", "2", p, d],
        "gpuhmm filter, 1 thread": lambda p, d: [gpuhmm, "search", "--quiet", "--device", "none", "--cpu", "1",
                                                 "--no-histogram", p, d],
        "gpuhmm filter, 2 threads": lambda p, d: [gpuhmm, "search", "--quiet", "--device", "none", "--cpu", "2",
                                                  "--no-histogram", p, d],
        "hmmsearch": lambda p, d: ["hmmsearch", "--cpu", "0", p + ".h3", d],
        "hmmsearch --max": lambda p, d: ["hmmsearch", "--cpu", "0", "--max", p + ".h3", d],
    }


def measure(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    wall = time.perf_counter() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.decode().strip()}")
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuhmm", default="build/release/src/gpuhmm")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--database", default=EXAMPLE_DATABASE)
    parser.add_argument("--programs", help="comma-separated names of the programs to run (default: all that apply)")
    parser.add_argument("profiles", nargs="+")
    arguments = parser.parse_args()

    table = commands(arguments.gpuhmm)
    names = arguments.programs.split(",") if arguments.programs else [n for n in table if not n.startswith("hmmsearch")]
    with tempfile.TemporaryDirectory() as folder:
        database = plain_copy(arguments.database, folder)
        residues = residues_of(database)
        print(f"# {time.strftime('%Y-%m-%d')}  {arguments.database}: {residues} residues; median of {arguments.runs} runs")
        for profile in arguments.profiles:
            nodes = nodes_of(profile)
            copy = os.path.join(folder, os.path.basename(profile))
            shutil.copy(profile, copy)
            if any(name.startswith("hmmsearch") for name in names):
                with open(copy + ".h3", "wb") as converted:
                    subprocess.run(["hmmconvert", copy], stdout=converted, check=True)
            runs = {name: [] for name in names}
            for _ in range(arguments.runs):
                for name in names:
                    runs[name].append(measure(table[name](copy, database)))
            print(f"\n{os.path.basename(profile)}, {nodes} nodes, {residues * nodes * 1e-9:.2f} G cells")
            print(f"{'program':26} {'wall s':>8} {'cpu s':>8} {'GCUPS':>8} {'times':>8}")
            first = statistics.median(wall for wall, _ in runs[names[0]])
            for name in names:
                wall = statistics.median(wall for wall, _ in runs[name])
                cpu = statistics.median(cpu for _, cpu in runs[name])
                print(f"{name:26} {wall:8.2f} {cpu:8.2f} {residues * nodes / wall * 1e-9:8.3f} {first / wall:8.1f}")


if __name__ == "__main__":
    main()
