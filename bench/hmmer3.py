#!/usr/bin/python3
"""Compares whole searches and scans with HMMER3 profiles: gpuhmm's hmmsearch and hmmscan with HMMER 3's own.

Usage: bench/hmmer3.py [--gpuhmm PATH] [--runs N] [--only TEXT] PROFILES SEQUENCES ...

PROFILES is a HMMER 3 text file, the others are FASTA files; either may be gzipped. The programs run in turn, so that
changes of the machine's speed affect all of them. Prints for each job the least and median wall seconds and how many
times as fast gpuhmm is, by the least, then the same for processor seconds (user and system), which a busy machine
changes less. The jobs, of which --only chooses those whose name has TEXT: all profiles against each file of sequences
with one and two threads, a scan of the sequences, one sequence against all profiles, and the first profile against one
sequence.
"""

import argparse
import gzip
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # before the module beside this file is read: leaves no __pycache__

from measuring import measure, records


def unpacked(path, target):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rb") as source, open(target, "wb") as out:
        shutil.copyfileobj(source, out)
    return target


def without_repeated_names(path):
    """Leaves the first profile of each name: hmmpress takes no other."""
    with open(path, "rb") as source:
        profiles = source.read().split(b"\n//\n")
    seen = {}
    for profile in profiles:
        if profile.strip():
            name = next(line.split()[1] for line in profile.splitlines() if line.startswith(b"NAME"))
            seen.setdefault(name, profile + b"\n//\n")
    with open(path, "wb") as out:
        out.writelines(seen.values())


def first_profile(path, target):
    with open(path, "rb") as source, open(target, "wb") as out:
        for line in source:
            out.write(line)
            if line.startswith(b"//"):
                return target
    sys.exit(f"{path}: no profile")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuhmm", default="build/release/src/gpuhmm")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("profiles")
    parser.add_argument("sequences", nargs="+")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ours = os.path.join(folder, "hmmer3")
        os.mkdir(ours)
        for name in ("hmmsearch", "hmmscan"):
            os.symlink(os.path.abspath(arguments.gpuhmm), os.path.join(ours, name))
        profiles = unpacked(arguments.profiles, os.path.join(folder, "profiles.hmm"))
        without_repeated_names(profiles)
        subprocess.run(["hmmpress", profiles], check=True, stdout=subprocess.DEVNULL)
        one_profile = first_profile(profiles, os.path.join(folder, "one.hmm"))
        jobs = []
        for number, path in enumerate(arguments.sequences):
            sequences = unpacked(path, os.path.join(folder, f"{number}.fa"))
            header, body = next(records(sequences))
            one = os.path.join(folder, f"{number}.one.fa")
            with open(one, "wb") as out:
                out.writelines([header, *body])
            name = os.path.basename(path)
            for threads in ("0", "2"):
                jobs.append((f"search {name} --cpu {threads}", "hmmsearch", threads, profiles, sequences))
            jobs.append((f"scan {name} --cpu 0", "hmmscan", "0", profiles, sequences))
            jobs.append((f"scan one of {name}", "hmmscan", "0", profiles, one))
            jobs.append((f"search one of {name}, one profile", "hmmsearch", "0", one_profile, one))
        print(f"# {time.strftime('%Y-%m-%d')}  least / median of {arguments.runs} runs, s")
        for title, program, threads, hmms, fasta in jobs:
            if arguments.only not in title:
                continue
            measured = {"HMMER": [], "gpuhmm": []}
            for _ in range(arguments.runs):
                for who, path in (("HMMER", shutil.which(program)), ("gpuhmm", os.path.join(ours, program))):
                    table = os.path.join(folder, "table")
                    command = [path, "--cpu", threads, "--noali", "--tblout", table, hmms, fasta]
                    measured[who].append(measure(command)[:2])
            for place, clock in enumerate(("wall", "processor")):
                times = {who: [run[place] for run in runs] for who, runs in measured.items()}
                shown = "  ".join(f"{who} {min(t):.4f} / {statistics.median(t):.4f}" for who, t in times.items())
                print(f"{title}, {clock}: {shown}  {min(times['HMMER']) / min(times['gpuhmm']):.2f} times")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
