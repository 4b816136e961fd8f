"""Common parts of the comparisons of whole outputs: runs programs, and finds the first difference of two outputs."""

import argparse
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from compare import Verdict
from search import REPOSITORY, Tally

TIME_LIMIT = 600  # seconds for one run


def output_of(command, **keywords):
    """The standard output of a command that must succeed."""
    done = subprocess.run(
        list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=TIME_LIMIT, **keywords
    )
    if done.returncode != 0:
        raise RuntimeError(f"{shlex.join(map(str, command))}: exit code {done.returncode}: {done.stderr.decode()}")
    return done.stdout


def verdict(name, command, expected, got):
    """A Verdict: passed if both outputs are equal, otherwise the command and the first line that differs."""
    if expected == got:
        return Verdict(passed=1)
    pairs = zip(expected.splitlines() + [b"(end)"], got.splitlines() + [b"(end)"])
    number, (wanted, found) = next(
        ((n, pair) for n, pair in enumerate(pairs, 1) if pair[0] != pair[1]), (0, (b"line ends", b"line ends"))
    )
    difference = f"line {number}: expected {wanted[:200]!r}, got {found[:200]!r}"
    return Verdict(failures=[f"FAILED {name}\n  {shlex.join(map(str, command))}\n  {difference}"])


def main(description, programs, cases):
    """Runs cases(gpuhmm, device, folder), which yields Verdicts, for every device. Returns the script's exit code."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--gpuhmm", type=Path, default=REPOSITORY / "build/release/src/gpuhmm")
    parser.add_argument("--device", action="append", help="a device to use (default: none and pthread, PoCL)")
    parser.add_argument("--max-failures", type=int, default=20, help="failures shown in full")
    arguments = parser.parse_args()
    tally = Tally(arguments.max_failures)
    started = time.monotonic()
    for program in (arguments.gpuhmm, *programs):
        if not shutil.which(program):
            tally.add(Verdict(failures=[f"FAILED {program}: no such program"]))
            return tally.close(0)
    with tempfile.TemporaryDirectory(prefix="oracle-work-") as folder:
        for device in arguments.device or ["none", "pthread"]:
            tally.add_all(cases(arguments.gpuhmm.resolve(), device, Path(folder)))
    return tally.close(time.monotonic() - started)


def run(main_function):
    sys.dont_write_bytecode = True
    sys.exit(main_function())
