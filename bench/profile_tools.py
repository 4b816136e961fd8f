#!/usr/bin/python3
"""Compares gpuhmm convert, fetch and emit with hmm2convert, HMMER 3's hmmconvert, hmm2fetch and hmm2emit: least processor
seconds (user and system) of several runs in turn, for the same output.

Usage: bench/profile_tools.py [--gpuhmm PATH] [--runs N] [--hmmer3 PROFILES] LIBRARY

LIBRARY is HMMER 2 text, plain or gzipped; its last profile is fetched by an index. --hmmer3 names a file with HMMER 3 text
profiles for `hmmconvert -2`.
"""

import argparse
import gzip
import os
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # before the module beside this file is read: leaves no __pycache__

from measuring import measure


def plain_copy(path, target):
    opener = gzip.open if path.endswith(".gz") else open
    with opener(path, "rb") as source, open(target, "wb") as out:
        shutil.copyfileobj(source, out)
    return target


def last_name(library):
    with open(library, encoding="latin-1") as lines:
        return [line.split()[1] for line in lines if line.startswith("NAME")][-1]


def jobs(gpuhmm, library, hmmer3, folder):
    """(name, command of Debian's program, words of gpuhmm's command)."""
    binary, indexed = f"{folder}/library.bin", f"{folder}/indexed.hmm"
    subprocess.run(["hmm2convert", "-b", library, binary], check=True, stdout=subprocess.DEVNULL)
    shutil.copy(library, indexed)
    subprocess.run(["hmm2index", indexed], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([gpuhmm, "index", indexed], check=True, stdout=subprocess.DEVNULL)
    name = last_name(library)
    out, ours_out = f"{folder}/out.hmm", f"{folder}/ours.hmm"
    yield "text to text", ["hmm2convert", "-F", library, out], ["convert", "-F", library, ours_out]
    yield "text to binary", ["hmm2convert", "-F", "-b", library, out], ["convert", "-F", "-b", library, ours_out]
    yield "binary to text", ["hmm2convert", "-F", binary, out], ["convert", "-F", binary, ours_out]
    if hmmer3:
        yield "HMMER3 to HMMER2", ["hmmconvert", "-2", hmmer3], ["convert", hmmer3, "-"]
    yield "fetch", ["hmm2fetch", indexed, name], ["fetch", indexed, name]
    yield "emit 1,000 sequences a profile", *(
        [*program, "-q", "-n", "1000", "--seed", "1", library] for program in (["hmm2emit"], ["emit"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuhmm", default="build/release/src/gpuhmm")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--hmmer3")
    parser.add_argument("library")
    arguments = parser.parse_args()
    gpuhmm = os.path.abspath(arguments.gpuhmm)
    with tempfile.TemporaryDirectory() as folder:
        library = plain_copy(arguments.library, f"{folder}/library.hmm")
        print(f"{os.path.basename(arguments.library)}, {os.path.getsize(library) / 1e6:.1f} MB of text")
        print(f"{'what':32} {'program':12} {'its s':>8} {'gpuhmm s':>9} {'times':>6}")
        for what, theirs, ours in jobs(gpuhmm, library, arguments.hmmer3, folder):
            commands = [[shutil.which(theirs[0]), *theirs[1:]], [gpuhmm, *ours]]
            seconds = [[measure(command)[1] for command in commands] for _ in range(arguments.runs)]
            least = [min(column) for column in zip(*seconds)]
            print(f"{what:32} {theirs[0]:12} {least[0]:8.4f} {least[1]:9.4f} {least[0] / least[1]:6.1f}")


if __name__ == "__main__":
    main()
