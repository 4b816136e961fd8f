#!/usr/bin/python3
"""Compares plans with what the runs then take: `gpuhmm plan` and the run with the same arguments, by the clock.

Usage: bench/plan.py [--gpuhmm PROGRAM] [--rounds N] search|scan ARGUMENT...

Plan and run follow each other, once a round, so that changes of the machine's speed affect both. Prints for each round, and
as medians: the seconds and the memory that the plan tells and that the run took, their ratios, and the time of the plan.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time


def timed(command):
    """Runs a program. Returns its wall seconds, its peak memory in bytes and its output. Ends this script if it fails."""
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}")
    return time.perf_counter() - start, 1024 * usage.ru_maxrss, output


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuhmm", default="build/release/src/gpuhmm")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("command", choices=["search", "scan"])
    arguments, words = parser.parse_known_args()

    plan = [arguments.gpuhmm, "plan", "--format", "json", *(["--scan"] if arguments.command == "scan" else []), *words]
    run = [arguments.gpuhmm, arguments.command, "--quiet", *words]
    print(f"# {time.strftime('%Y-%m-%d')}  {' '.join(run[1:])}")
    print("round   planned s   took s  ratio   planned MB  took MB  ratio   plan's own s")
    rows = []
    for number in range(1, arguments.rounds + 1):
        own, _, text = timed(plan)
        told = json.loads(text)
        took, memory, _ = timed(run)
        rows.append((told["seconds"], took, told["seconds"] / took, told["host_bytes"] / 1e6, memory / 1e6,
                     told["host_bytes"] / memory, own))
        print_row(number, rows[-1])
    print_row("median", [statistics.median(column) for column in zip(*rows)])


def print_row(name, row):
    print(f"{name:6} {row[0]:10.3f} {row[1]:8.3f} {row[2]:6.2f} {row[3]:12.1f} {row[4]:8.1f} {row[5]:6.2f} {row[6]:14.2f}", flush=True)


if __name__ == "__main__":
    main()
