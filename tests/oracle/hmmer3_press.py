#!/usr/bin/env python3
"""Compares `gpuhmm press` with the installed hmmpress of HMMER 3: the four files, byte for byte, and what hmmscan finds
with ours.

  hmmer3_press.py [--gpuhmm PROGRAM] [--only TEXT]

The profiles are those of shared/data/hmm3 and testdata/hmmer3, as text and binary in the formats 3/a to 3/f. The last
line is `N passed, N failed`; the exit code is 1 when anything failed.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

import inputs
import tools

SUFFIXES = (".h3m", ".h3i", ".h3f", ".h3p")
PROFILES = "library.hmm"
TIME_LIMIT = 900  # seconds for one run of a program
PROTEINS = tools.REPOSITORY / "testdata/seq/uniprot.fasta"
GENOME = tools.REPOSITORY / "testdata/dna/phiX174.fna"
FORMATS = "abcdef"


def run(command, folder):
    return subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIME_LIMIT, check=False
    )


def key(record, tag):
    found = re.search(rb"^%s +(\S+)" % tag, record, re.MULTILINE)
    return found[1] if found else None


def with_keys_once(content):
    """The records without those whose name or accession came before."""
    seen, kept = set(), []
    for record in re.findall(rb"HMMER3/.*?^//\n", content, re.MULTILINE | re.DOTALL):
        keys = {(tag, key(record, tag)) for tag in (b"NAME", b"ACC") if key(record, tag)}
        if not keys & seen:
            kept.append(record)
        seen |= keys
    return b"".join(kept)


def as_format(content, version, binary):
    """The profiles as hmmconvert writes them."""
    with tempfile.TemporaryDirectory(prefix="oracle-") as folder:
        (Path(folder) / PROFILES).write_bytes(content)
        options = ["-b"] * binary + ["--outfmt", f"3/{version}"]
        return inputs.run_tool(["hmmconvert", *options, PROFILES], cwd=folder)


def libraries():
    """Names and contents of profile files."""
    paths = sorted((tools.SHARED / "hmm3").glob("*.hmm.gz")) + sorted((tools.REPOSITORY / "testdata/hmmer3").glob("*.hmm"))
    for path in paths:
        content = inputs.read_bytes(path)
        once = with_keys_once(content)
        yield path.name, once
        if once != content:
            yield f"{path.name} with repeated keys", content
        if path.name.startswith("pfam_mini"):
            continue
        for version in FORMATS:
            yield f"{path.name} as 3/{version}", as_format(once, version, False)
            yield f"{path.name} as binary 3/{version}", as_format(once, version, True)
    small = inputs.read_bytes(tools.REPOSITORY / "testdata/hmmer3/XYPPX.hmm")
    yield "subnormal probabilities", small.replace(b"0.91707", b"90", 1)
    yield "no composition", re.sub(rb"^ +COMPO .*\n", b"", small, flags=re.MULTILINE)
    yield "damaged", small + b"junk\n"


def pressed(folder):
    return {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.name != PROFILES}


def scanned(folder, content):
    """Table and report of hmmscan, without the lines that differ from run to run."""
    nucleic = re.search(rb"^ALPH +(?:DNA|RNA)", content, re.MULTILINE | re.IGNORECASE)
    command = ["hmmscan", "--cpu", "0", PROFILES, str(GENOME if nucleic else PROTEINS)]
    done = run(command, folder)
    lines = [line for line in done.stdout.splitlines() if not line.startswith((b"# CPU time", b"# Mc/sec"))]
    return done.returncode, lines, done.stderr


def difference(program, content, scan):
    """What is different, or nothing."""
    with tempfile.TemporaryDirectory(prefix="oracle-") as theirs, tempfile.TemporaryDirectory(prefix="oracle-") as ours:
        for folder in (theirs, ours):
            (Path(folder) / PROFILES).write_bytes(content)
        their_run = run(["hmmpress", PROFILES], theirs)
        our_run = run([program, "press", PROFILES], ours)
        if (their_run.returncode == 0) != (our_run.returncode == 0):
            return f"exit {our_run.returncode}, not {their_run.returncode}: {our_run.stderr.decode(errors='replace')}"
        left = pressed(ours)
        if their_run.returncode != 0:
            return f"left {sorted(left)}" if left else ""
        expected = pressed(theirs)
        if left.keys() != expected.keys():
            return f"files {sorted(left)}, not {sorted(expected)}"
        for name, content_of_file in sorted(expected.items()):
            if left[name] != content_of_file:
                return f"{name} is different"
        if scan and scanned(ours, content) != scanned(theirs, content):
            return "hmmscan reports something else"
        if run([program, "press", PROFILES], ours).returncode == 0 or pressed(ours) != expected:
            return "existing files were replaced without -f"
        if run([program, "press", "-f", PROFILES], ours).returncode != 0 or pressed(ours) != expected:
            return "existing files were not replaced with -f"
    return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuhmm", default=str(tools.REPOSITORY / "build/release/src/gpuhmm"))
    parser.add_argument("--only", default="", help="cases whose name holds this")
    arguments = parser.parse_args()
    program = str(Path(arguments.gpuhmm).resolve())
    passed = failed = 0
    for name, content in libraries():
        if arguments.only not in name:
            continue
        found = difference(program, content, " as " not in name)
        passed, failed = passed + (not found), failed + bool(found)
        if found:
            print(f"FAILED {name}: {found}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
