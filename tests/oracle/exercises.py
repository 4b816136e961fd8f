#!/usr/bin/env python3
"""Runs HMMER 2's own exercises with its programs and with gpuhmm under their names, and compares the results.

  exercises.py [--gpuhmm PROGRAM] [--only TEXT] [--examples FOLDER]

The files *.sqc among the examples of Debian's package hmmer2 list command lines. They are run in two folders with the
same files, one after the other, as later lines read the output of earlier ones, and compared as in dropins.py.
The last line is `N passed, N failed`; the exit code is 1 if anything failed.
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

# Test programs compiled from HMMER's own library, which users do not have.
COMPILED = ("alignalign_test", "evd_test", "masks_test", "parsingviterbi_test", "tophits_test", "trace_test",
            "viterbi_exercise", "weeviterbi_test")  # fmt: skip


def exercises_of(path):
    """(number of the line, command line) of a list, without compiled exercises."""
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
    print(f"skipped, compiled for the exercises: {', '.join(COMPILED)}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
