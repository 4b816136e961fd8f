"""Runs a HMMER program and gpuhmm's counterpart on the same files, and compares their output and files."""

import argparse
import shlex
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import compare
import inputs

REPOSITORY = Path(__file__).resolve().parents[2]
SHARED = REPOSITORY.parent / "shared" / "data"
TIME_LIMIT = 900  # seconds for one run of either program


@dataclass
class Outcome:
    """The result of a run. `files`: name -> content of every file in its folder."""

    status: int
    stdout: bytes
    message: str
    files: dict


def as_it_is(_, content):
    return content


@dataclass
class Case:
    """Two command lines that run in folders with `files` (name -> content)."""

    name: str
    theirs: list
    ours: list
    files: dict
    banner: int = 0  # number of first lines of standard output that are not compared
    rewrite: object = as_it_is  # (name, content) -> the content of gpuhmm's file to be compared
    view: object = as_it_is  # the same for HMMER's file
    warning: str = ""  # gpuhmm's lines on standard error with this text are no error
    undefined: str = ""  # if HMMER's output has this text, it read uninitialised memory, and gpuhmm must refuse


def run(command, files):
    with tempfile.TemporaryDirectory(prefix="oracle-") as folder:
        for name, content in files.items():
            (Path(folder) / name).write_bytes(content)
        done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIME_LIMIT)
        left = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
    return Outcome(done.returncode, done.stdout, done.stderr.decode(errors="replace").strip(), left)


def difference(case):
    """(the difference or None, whether HMMER refused)."""
    theirs, ours = run(case.theirs, case.files), run(case.ours, case.files)
    if case.warning:
        ours.message = "\n".join(line for line in ours.message.splitlines() if case.warning not in line)
    if case.undefined and case.undefined in theirs.stdout.decode():
        theirs.status = 1
    if theirs.status < 0:
        return f"{case.theirs[0]} was ended by signal {-theirs.status}", False
    if (theirs.status == 0) != (ours.status == 0):
        return f"exit codes {theirs.status} ({theirs.message}) and {ours.status} ({ours.message})", False
    if ours.status != 0:
        if ours.status not in (1, 2) or ours.message.count("\n") or not ours.message:
            return f"exit {ours.status} with message: {ours.message}", False
        if ours.files != case.files:
            return f"refused, but the folder holds {sorted(ours.files)}", False
        return None, True
    if ours.message:
        return f"message: {ours.message}", False

    def lines(output):
        return b"".join(output.splitlines(keepends=True)[case.banner :])

    if lines(theirs.stdout) != lines(ours.stdout):
        return "standard output\n" + compare.first_difference(lines(theirs.stdout), lines(ours.stdout)), False
    if theirs.files.keys() != ours.files.keys():
        return f"files {sorted(theirs.files)} and {sorted(ours.files)}", False
    for name, content in theirs.files.items():
        expected, found = case.view(name, content), case.rewrite(name, ours.files[name])
        if expected != found:
            return f"file {name}\n" + compare.first_difference(expected, found), False
    return None, False


def without_padding(content):
    """A binary profile file with zeros in its padding: element 0 of every array that is indexed by node."""
    if content[:4] != inputs.BINARY_MAGICS[0]:
        return content
    data, at = bytearray(content), 0

    def number():
        nonlocal at
        value = int.from_bytes(data[at : at + 4], "little")
        at += 4
        return value

    def skip(size, padding=0):
        nonlocal at
        data[at : at + padding] = bytes(padding)
        at += size

    while at < len(data):
        number()
        flags = number()
        has = [bool(flags >> bit & 1) for bit in range(16)]
        for present in (True, has[9], has[1]):
            if present:
                skip(number())
        nodes, residues = number(), 20 if number() == 3 else 4
        for present in has[2:4]:
            skip((nodes + 1) * present, padding=int(present))
        skip(4 * (nodes + 1) * has[8], padding=4 * has[8])
        skip(number() + 4)
        skip(number() + 4)
        skip(8 * sum(has[10:13]) + 4 * (8 + 1 + residues) + 8 * has[7] + 4)
        for _ in range(2):
            skip(4 * (nodes + 1), padding=4)
        skip(4 * (nodes * residues + (nodes - 1) * (residues + 7)))
    return bytes(data)


def profile_files(folders):
    """(name, content) of every profile file of one alphabet below the folders; gzip files unpacked."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if not path.is_file() or path.suffix in (".tsv", ".txt", ".md", ".fa", ".sto") or "bug13-mixed" in path.name:
                continue
            yield str(path.relative_to(folder)), inputs.read_bytes(path)


def arguments_of(description, add_more=lambda parser: None):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--all", action="store_true", help="all profiles of the shared data, not only a sample")
    parser.add_argument("--gpuhmm", type=Path, default=REPOSITORY / "build/release/src/gpuhmm")
    parser.add_argument("--only", default="", help="run only cases whose name contains this text")
    parser.add_argument("--data", type=Path, default=SHARED, help="the shared data folder")
    add_more(parser)
    arguments = parser.parse_args()
    arguments.gpuhmm = str(arguments.gpuhmm.resolve())
    return arguments


def check_all(cases, only=""):
    """Runs the cases and prints the results. Returns the exit code."""
    start = time.monotonic()
    passed = failed = refused = 0
    for case in cases:
        if only not in case.name:
            continue
        reason, refusal = difference(case)
        refused += refusal
        if reason is None:
            passed += 1
            continue
        failed += 1
        print(f"FAILED {case.name}: {reason}\n    < {shlex.join(case.theirs)}\n    > {shlex.join(case.ours)}", flush=True)
    if refused:
        print(f"of the passed, {refused} are cases that HMMER refuses")
    print(f"took {time.monotonic() - start:.0f} s")
    print(f"{passed} passed, {failed} failed")
    sys.stdout.flush()
    return 1 if failed or not passed else 0
