#!/usr/bin/env python3
"""Compares `gpuhmm calibrate` with the installed hmm2calibrate: report, histogram file and the rewritten profiles.

  calibrate.py [--all] [--gpuhmm PROGRAM] [--device D]... [--only TEXT]

Both programs get the same seed, so everything must be equal except the banner and the command lines in the profiles'
logs. The last line is `N passed, N failed`; the exit code is 1 if anything failed.
"""

import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

import inputs
import tools

PROFILE = "x.hmm"
TESTDATA = tools.REPOSITORY / "testdata"

# options of both programs, tried on a profile of each kind
OPTIONS = [
    "--seed 0", "--seed -7", "--seed 2147483647", "--seed 2147483563", "--num 150", "--num 1000 --seed 3",
    "--fixed 1", "--fixed 100", "--fixed 2000 --num 300", "--mean 100 --sd 10", "--mean 3 --sd 10", "--mean -20 --sd 10",
    "--mean 60 --sd -10", "--mean 50.5 --sd 0.5", "--sd 0", "--num 50", "--num 100",
]  # fmt: skip


def as_text(content):
    """A profile file as HMMER 2 text, since the bytes of a binary one depend on the length of its log."""
    if content[:4] not in inputs.BINARY_MAGICS:
        return content
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in", Path(folder) / "out"
        source.write_bytes(content)
        inputs.run_tool(["hmm2convert", "-a", source, target])
        return target.read_bytes()


def make_case(arguments, device, name, content, options, threads=1):
    words = [*options.split(), "--histfile", "scores", PROFILE]
    if "--seed" not in options:
        words = ["--seed", "1", *words]
    theirs = ["hmm2calibrate", "--cpu", "0", *words]
    extra = ["--device", device] + (["--cpu", str(threads)] if device == "none" else [])
    ours = [arguments.gpuhmm, "calibrate", *extra, *words]
    logged = " ".join(["gpuhmm", *ours[1:]]).encode()

    def rewrite(file_name, found):
        if file_name != PROFILE:
            return found
        return as_text(found).replace(b"COM   " + logged, b"COM   " + " ".join(theirs).encode())

    def view(file_name, found):
        return as_text(found) if file_name == PROFILE else found

    return tools.Case(f"{name} {options} {device} {threads}", theirs, ours, {PROFILE: content}, 5, rewrite, view)


def cases(arguments):
    for device in arguments.device:
        for name, content in tools.profile_files([TESTDATA / "hmm", TESTDATA / "vectors"]):
            if content.startswith(b"HMMER3"):
                continue
            yield make_case(arguments, device, name, content, "--num 400")
        for name in ("RRM_1_fs.hmm", "MADE1_fs.hmm"):
            content = (TESTDATA / "hmm" / name).read_bytes()
            for threads in (1, 2, 5):
                yield make_case(arguments, device, name, content, "", threads)
            for options in OPTIONS:
                yield make_case(arguments, device, name, content, options)
        small = [(TESTDATA / "hmm" / f"RRM_1_{style}.hmm").read_bytes() for style in ("ls", "fs", "s", "g_uncalibrated")]
        yield make_case(arguments, device, "25 profiles", b"".join(small * 6 + small[:1]), "--num 200")
        yield make_case(arguments, device, "25 profiles", b"".join(small * 6 + small[:1]), "--num 1500", 3)
        if not arguments.data.is_dir():
            continue
        for number, (name, content) in enumerate(tools.profile_files([arguments.data / "hmm"])):
            if arguments.all or (number % 8 == 0 and len(content) < 200_000):
                yield make_case(arguments, device, name, content, "--num 300")


def main():
    def more(parser):
        parser.add_argument("--device", action="append", help="a device to score with (default none); repeatable")

    arguments = tools.arguments_of(__doc__.splitlines()[0], more)
    arguments.device = arguments.device or ["none"]
    return tools.check_all(cases(arguments), arguments.only)


if __name__ == "__main__":
    sys.exit(main())
