#!/usr/bin/env python3
"""Compares `gpuhmm search` with the installed hmm2search, byte for byte from line 6 of the reports on.

  search.py [--sample | --all | --golden] [--gpuhmm PROGRAM] [--device D]... [-j N] [--only TEXT] [--part K/N]

--sample  a fixed choice over all kinds of profiles and all options, some minutes (the default)
--all     every profile against every sequence set; hours. hmm2search's answers are kept in --cache, so that a second
          or continued run does not repeat them
--golden  the stored reports of the shared data folder: needs no hmm2search

The profiles and sequences of testdata/ are always used, those of the shared data folder if it is there.
The last line is `N passed, N failed`; the exit code is 1 if anything failed.
"""

import argparse
import gzip
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import zlib
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

import cases
import compare
import inputs

REPOSITORY = Path(__file__).resolve().parents[2]
SHARED = REPOSITORY.parent / "shared" / "data"


def part_of(text):
    """K/N as (K - 1, N)."""
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if not match or not 1 <= int(match[1]) <= int(match[2]):
        raise argparse.ArgumentTypeError(f"{text!r}, expected K/N with K from 1 to N")
    return int(match[1]) - 1, int(match[2])


def is_chosen(arguments, name):
    """Whether --only and --part select the case. Cases of the same name are in the same part, which can reuse answers."""
    part, parts = arguments.part
    return arguments.only in name and zlib.crc32(name.encode()) % parts == part


def read_arguments(text=__doc__, modes=("sample", "all", "golden")):
    """Parses the command line; its description is the first line of `text`."""
    parser = argparse.ArgumentParser(
        description=text.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    mode = parser.add_mutually_exclusive_group()
    for name in modes:
        mode.add_argument(f"--{name}", action="store_const", const=name, dest="mode")
    parser.set_defaults(mode="sample")
    parser.add_argument("--gpuhmm", type=Path, default=REPOSITORY / "build/release/src/gpuhmm")
    parser.add_argument("--device", action="append", help="a device to search with (none: without OpenCL); repeatable")
    parser.add_argument("--data", type=Path, default=SHARED, help="the shared data folder")
    parser.add_argument("--testdata", type=Path, default=REPOSITORY / "testdata")
    parser.add_argument("--cache", type=Path, help="folder that keeps the oracle's answers")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="cases run at the same time")
    parser.add_argument("--only", default="", help="run only cases whose name contains this text")
    parser.add_argument("--part", type=part_of, default=(0, 1), metavar="K/N", help="run the K-th of N parts of the cases")
    parser.add_argument("--list", action="store_true", help="print the cases and their size in cells, run nothing")
    parser.add_argument("--max-failures", type=int, default=20, help="failures shown in full")
    arguments = parser.parse_args()
    arguments.device = arguments.device or ["none"]
    return arguments


class Tally:
    """Counts results, and prints failures at once."""

    def __init__(self, shown):
        self.passed = self.refused = self.failed = 0
        self.shown = shown

    def add(self, verdict):
        self.passed += verdict.passed
        self.refused += verdict.refused
        for text in verdict.failures:
            self.failed += 1
            if self.failed <= self.shown:
                print(text, flush=True)

    def add_all(self, verdicts):
        for verdict in verdicts:
            self.add(verdict)

    def close(self, seconds):
        if self.failed > self.shown:
            print(f"({self.failed - self.shown} more failures not shown)")
        if self.refused:
            print(f"of the passed, {self.refused} are cases that the oracle refuses or crashes on")
        print(f"oracle comparison took {seconds:.0f} s")
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed or not self.passed else 0


def golden_cases(data):
    """(report path, profile path, target path) of the stored reports, paths relative to the data folder."""
    for report in sorted((data / "reports/golden").glob("*.out.gz")):
        lines = gzip.decompress(report.read_bytes()).splitlines()
        profile = lines[5].decode().removeprefix("HMM file:").split("[")[0].strip()
        target = lines[6].decode().removeprefix("Sequence database:").strip()
        yield report, profile, target


def check_golden(arguments, case):
    """Compares the stored report with gpuhmm's on each device: one Verdict for each."""
    report, profile, target = case
    expected = compare.after_banner(gzip.decompress(report.read_bytes()))
    verdicts = []
    for device in arguments.device:
        verdict = compare.Verdict()
        command = [str(arguments.gpuhmm.resolve()), "search", "--quiet", "--as", "2", "--device", device, profile, target]
        done = subprocess.run(command, cwd=arguments.data, stdin=subprocess.DEVNULL, capture_output=True)
        reports, _ = compare.split_reports(done.stdout)
        if done.returncode != 0 or not reports:
            reason = f"exit {done.returncode}: {done.stderr.decode(errors='replace').strip()}"
        elif reports[0] != expected:  # hmm2search read only the first model of the file
            reason = compare.first_difference(expected, reports[0])
        else:
            reason = ""
            verdict.passed = 1
        if reason:
            verdict.failures.append(
                f"FAILED {report.name} on {device}: {reason}\n    > cd {arguments.data} && {shlex.join(command)}"
            )
        verdicts.append(verdict)
    return verdicts


def run_golden(arguments, tally):
    if not arguments.data.is_dir():
        raise inputs.InputError(f"{arguments.data}: no such folder; the stored reports are there")
    chosen = [case for case in golden_cases(arguments.data) if is_chosen(arguments, case[0].name)]
    run_all(lambda case: check_golden(arguments, case), chosen, arguments.jobs, tally)


def list_cases(chosen):
    count = cells = 0
    for case in chosen:
        print(f"{case.cells() / 1e6:10.1f} M  {case.name}")
        count += 1
        cells += case.cells()
    print(f"{count} cases, {cells / 1e9:.1f} G cells")


def run_all(check, chosen, jobs, tally):
    """Checks every case. Cases are made shortly before their run, since each has its sequences in memory."""
    with ThreadPoolExecutor(jobs) as pool:
        running = deque()
        for case in chosen:
            running.append(pool.submit(check, case))
            if len(running) > 2 * jobs:
                tally.add_all(running.popleft().result())
        while running:
            tally.add_all(running.popleft().result())


def run_cases(arguments, tally, oracle="hmm2search", plans=cases.PLANS, checker=compare.Checker):
    """Runs the cases of plans[mode](library); `checker` compares gpuhmm with the oracle."""
    for program in (oracle, "hmm2convert", "hmm2emit", "hmmconvert", "hmmbuild"):
        if not shutil.which(program):
            raise inputs.InputError(f"{program} is not installed (Debian packages hmmer2 and hmmer)")
    cache = arguments.cache
    if arguments.mode == "all" and not cache:
        cache = REPOSITORY / "build/oracle-cache"
    with tempfile.TemporaryDirectory(prefix="oracle-work-") as work:
        library = cases.Library(arguments.testdata, arguments.data if arguments.data.is_dir() else None, work)
        chosen = (case for case in plans[arguments.mode](library) if is_chosen(arguments, case.name))
        if arguments.list:
            list_cases(chosen)
            return
        comparison = checker(arguments.gpuhmm, arguments.device, compare.Oracle(oracle, cache))
        run_all(comparison.check, chosen, arguments.jobs, tally)


def run_and_count(arguments, run):
    """Calls run(arguments, tally) and returns the exit code."""
    tally = Tally(arguments.max_failures)
    started = time.monotonic()
    try:
        if not arguments.list and not arguments.gpuhmm.is_file():
            raise inputs.InputError(f"{arguments.gpuhmm}: no such program; build it or give --gpuhmm")
        run(arguments, tally)
    except inputs.InputError as error:
        tally.add(compare.Verdict(failures=[f"FAILED {error}"]))
    return 0 if arguments.list else tally.close(time.monotonic() - started)


def main():
    arguments = read_arguments()
    return run_and_count(arguments, run_golden if arguments.mode == "golden" else run_cases)


if __name__ == "__main__":
    sys.exit(main())
