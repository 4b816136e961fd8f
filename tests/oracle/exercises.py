#!/usr/bin/env python3
"""Runs HMMER2's own exercises with its programs and with gpuhmm under their names, and compares what they do.

  exercises.py [--gpuhmm PROGRAM] [--only TEXT] [--examples FOLDER]

The files *.sqc among the examples of Debian's package hmmer2 list command lines. Each is run in two folders with the
same files, one line after the other, as later lines read what earlier ones wrote. Compared are exit codes, standard
output, and every file left behind; messages on standard error only in whether there are any. Of the help pages
(-h) the title, the version, the usage line and the names of all options are compared: their descriptions are HMMER's
own text. The last line is `N passed, N failed`; the exit code is 1 when anything failed.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

import compare
import tools

EXAMPLES = Path("/usr/share/doc/hmmer2/examples")
LISTS = ("exercises.sqc", "exercises-threaded.sqc", "exercises-pvm.sqc")
PROGRAMS = ("align", "build", "calibrate", "convert", "emit", "fetch", "index", "pfam", "search")
BANNER = range(1, 4)  # lines of a banner that name the program's version and licence
TRIES = 4  # of a line that depends on the second in which it is run: default seeds

# Programs compiled for the exercises, out of HMMER's own library: not programs that a user has.
COMPILED = ("alignalign_test", "evd_test", "masks_test", "parsingviterbi_test", "tophits_test", "trace_test",
            "viterbi_exercise", "weeviterbi_test")  # fmt: skip

# The only differences allowed: HMMER writes memory that it never set. By the exercise's program and a pattern of its
# file names; what is undefined becomes zeros in both.
DATE = re.compile(rb"\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}")
MSF_DATE = re.compile(rb"\w+ \d\d, \d{4} \d\d:\d\d")


@dataclass
class Exercise:
    number: int  # line of the list
    name: str
    template: str


def exercises_of(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.startswith("#") or not line.strip():
            continue
        _, _, name, template = line.split(None, 3)
        yield Exercise(number, name, template.strip())


class World:
    """A folder with the examples, and one with the programs' names, which is first in PATH."""

    def __init__(self, root, examples, program_of):
        self.folder, self.programs = root / "work", root / "libexec/gpuhmm/hmmer2"
        shutil.copytree(examples, self.folder)
        self.programs.mkdir(parents=True)
        for name in PROGRAMS:
            for called in (f"hmm{name}", f"hmm2{name}"):
                (self.programs / called).symlink_to(program_of(name))

    def start(self, command):
        environment = {**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}"}
        return subprocess.Popen(command, cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip

    def files(self):
        return {str(p.relative_to(self.folder)): p.read_bytes() for p in sorted(self.folder.rglob("*")) if p.is_file()}

    def restore(self, files):
        for path in [p for p in self.folder.rglob("*") if p.is_file()]:
            path.unlink()
        for name, content in files.items():
            (self.folder / name).write_bytes(content)


def words_of(template):
    """The command line: %NAME% is a file, @name@ a program, found by PATH."""
    return shlex.split(re.sub(r"@(\w+)@", r"\1", re.sub(r"%(\S+?)%", r"sqc.\1", template)))


def without_banner(output):
    lines = output.splitlines(keepends=True)
    if len(lines) > 4 and lines[1].startswith(b"HMMER 2.3.2 ("):
        lines = [line for i, line in enumerate(lines) if i not in BANNER]
    return MSF_DATE.sub(b"DATE", b"".join(lines))


def help_page(output):
    """What a client may look at: title, version, usage line, options."""
    lines = output.decode().splitlines()
    options = re.findall(r"^ +(--?\w+)(?: <\w>)? *:", output.decode(), re.MULTILINE)
    return "\n".join([lines[0], lines[1], lines[5], *options]).encode()


def without_undefined(content):
    """A file with nothing but what HMMER set."""
    if content[:4] == bytes.fromhex("f3f3e9b1"):
        return ssi_keys(content)
    content = tools.without_padding(content)
    return DATE.sub(b"DATE", MSF_DATE.sub(b"DATE", content))


def ssi_keys(content):
    """An SSI index in which all that stands behind the zero at the end of a key is 0, too."""
    integer = lambda at, size=4: int.from_bytes(content[at : at + size], "big")  # noqa: E731
    counts, sizes, starts = [1, integer(10), integer(14)], [integer(30), integer(34), integer(38)], [integer(42), integer(46), integer(50)]
    keys = [[integer(18)], [integer(22)], [integer(26), integer(22)]]
    cleaned = bytearray(content)
    for count, size, start, widths in zip(counts, sizes, starts, keys):
        for record in range(start, start + count * size, size):
            at = record
            for width in widths:
                key = content[at : at + width]
                cleaned[at : at + width] = key[: key.index(0)].ljust(width, b"\0")
                at += width
    return bytes(cleaned)


def run_both(worlds, command):
    """Outcomes of both, begun early in the same second: default seeds are the time."""
    time.sleep((1.02 - time.time() % 1) % 1)
    running = [world.start(command) for world in worlds]
    outcomes = []
    for world, process in zip(worlds, running):
        output, message = process.communicate(timeout=tools.TIME_LIMIT)
        outcomes.append(tools.Outcome(process.returncode, output, message.decode(errors="replace"), {}))
    for world, outcome in zip(worlds, outcomes):
        outcome.files = world.files()
    return outcomes


def difference(theirs, ours, is_help):
    if theirs.status < 0:
        return f"HMMER's program was ended by signal {-theirs.status}"
    if theirs.status != ours.status:
        return f"exit codes {theirs.status} ({theirs.message.strip()}) and {ours.status} ({ours.message.strip()})"
    if theirs.status != 0 and not ours.message.startswith("\nFATAL: "):
        return f"message {ours.message!r}"
    view = help_page if is_help and theirs.status == 0 else without_banner
    if view(theirs.stdout) != view(ours.stdout):
        return "standard output\n" + compare.first_difference(view(theirs.stdout), view(ours.stdout))
    if theirs.files.keys() != ours.files.keys():
        return f"files {sorted(theirs.files.keys() ^ ours.files.keys())} in one folder only"
    for name, content in theirs.files.items():
        expected, found = without_undefined(content), without_undefined(ours.files[name])
        if expected != found:
            return f"file {name}\n" + compare.first_difference(expected, found)
    return None


def check(worlds, exercise):
    command = words_of(exercise.template)
    before = [world.files() for world in worlds]
    for attempt in range(TRIES):
        reason = difference(*run_both(worlds, command), "-h" in command)
        if reason is None:
            return None
        if attempt + 1 < TRIES:
            for world, files in zip(worlds, before):
                world.restore(files)
    return reason


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
        worlds = [World(Path(folder) / "theirs", arguments.examples, lambda name: shutil.which(f"hmm2{name}")),
                  World(Path(folder) / "ours", arguments.examples, lambda _: arguments.gpuhmm)]  # fmt: skip
        for name in LISTS:
            for exercise in exercises_of(arguments.examples / name):
                if any(f"@{program}@" in exercise.template for program in COMPILED):
                    continue
                reason = check(worlds, exercise)
                if arguments.only not in exercise.template:
                    continue
                passed += reason is None
                failed += reason is not None
                if reason is not None:
                    print(f"FAILED {name}:{exercise.number} {exercise.template}: {reason}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
