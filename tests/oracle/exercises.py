#!/usr/bin/env python3
"""Runs HMMER2's own exercises with its programs and with gpuhmm under their names, and compares what they do.

  exercises.py [--gpuhmm PROGRAM] [--only TEXT] [--examples FOLDER]

The files *.sqc among the examples of Debian's package hmmer2 list command lines. Each is run in two folders with the
same files, one line after the other, as later lines read what earlier ones wrote, and compared as dropins.py says.
The last line is `N passed, N failed`; the exit code is 1 when anything failed.
"""

import re
import shlex
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

import dropins
import tools

EXAMPLES = Path("/usr/share/doc/hmmer2/examples")
LISTS = ("exercises.sqc", "exercises-threaded.sqc", "exercises-pvm.sqc")

# Compiled for the exercises out of HMMER's own library: not programs that a user has.
COMPILED = ("alignalign_test", "evd_test", "masks_test", "parsingviterbi_test", "tophits_test", "trace_test",
            "viterbi_exercise", "weeviterbi_test")  # fmt: skip


def exercises_of(path):
    """(number of the line, command line) of a list, those of compiled exercises left out."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("#") or not line.strip():
            continue
        template = line.split(None, 3)[3].strip()
        if not any(f"@{program}@" in template for program in COMPILED):
            yield number, template


def words_of(template):
    """The words of a command line: %NAME% is a file, @name@ a program, found by PATH."""
    return shlex.split(re.sub(r"@(\w+)@", r"\1", re.sub(r"%(\S+?)%", r"sqc.\1", template)))


def main():
    arguments = tools.arguments_of(
        __doc__.splitlines()[0],
        lambda parser: parser.add_argument("--examples", type=Path, default=EXAMPLES, help="folder with the lists"),
    )
    missing = [name for name in LISTS if not (arguments.examples / name).is_file()]
    if missing:
        sys.exit(f"{arguments.examples}: has no {', '.join(missing)}; expected the examples of Debian's package hmmer2")
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="exercises-") as folder:
        worlds = dropins.make_worlds(folder, arguments.examples, arguments.gpuhmm)
        for name in LISTS:
            for number, template in exercises_of(arguments.examples / name):
                command = words_of(template)
                reason = dropins.check(worlds, command, is_help="-h" in command)
                if arguments.only not in template:
                    continue
                passed += reason is None
                failed += reason is not None
                if reason is not None:
                    print(f"FAILED {name}:{number} {template}: {reason}", flush=True)
    print(f"left out, compiled for the exercises: {', '.join(COMPILED)}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
