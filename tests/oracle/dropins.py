"""Runs command lines with HMMER 2's programs and with gpuhmm under their names, and compares the results.

Exit codes, standard output and all files left behind must be equal; on standard error both or neither must have a
message. Of banners and help pages (-h) only the parts that a client may read are compared, as gpuhmm does not copy
HMMER's text.
"""

import os
import re
import shutil
import subprocess
import time
from pathlib import Path

import compare
import tools

PROGRAMS = ("align", "build", "calibrate", "convert", "emit", "fetch", "index", "pfam", "search")
SSI_MAGIC = bytes.fromhex("f3f3e9b1")
TRIES = 4  # of a line whose output depends on the time in seconds

# Not compared: version and licence, and dates.
BANNER = re.compile(rb"^HMMER 2\.3\.2 \(.*\)\n.*\n.*\n", re.MULTILINE)
DATE = re.compile(rb"\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}|[A-Z][a-z]+ \d\d, \d{4} \d\d:\d\d")


class World:
    """A folder in which command lines run, and one with the programs under all their names, first in PATH."""

    def __init__(self, root, files, program_of):
        self.folder, self.programs = root / "work", root / "libexec/gpuhmm/hmmer2"
        shutil.copytree(files, self.folder)
        self.programs.mkdir(parents=True)
        for name in PROGRAMS:
            for called in (f"hmm{name}", f"hmm2{name}", f"hmm{name}2"):
                (self.programs / called).symlink_to(program_of(name))

    def start(self, command, given):
        # With several worker threads, the order in which HMMER lists hits with equal E-values is random.
        environment = {**os.environ, "PATH": f"{self.programs}:{os.environ['PATH']}", "HMMER_NCPU": "1"}
        process = subprocess.Popen(command, cwd=self.folder, env=environment, stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, shell=isinstance(command, str))  # fmt: skip
        process.given = given
        return process

    def files(self):
        return {str(p.relative_to(self.folder)): p.read_bytes() for p in sorted(self.folder.rglob("*")) if p.is_file()}

    def restore(self, files):
        for path in [p for p in self.folder.rglob("*") if p.is_file()]:
            path.unlink()
        for name, content in files.items():
            (self.folder / name).write_bytes(content)


def make_worlds(root, files, gpuhmm):
    """A World with HMMER's programs and one with gpuhmm. Both start with the files of the folder `files`."""
    for name in PROGRAMS:
        assert shutil.which(f"hmm2{name}"), f"hmm2{name} is not installed (Debian package hmmer2)"
    return [World(Path(root) / "theirs", files, lambda name: shutil.which(f"hmm2{name}")),
            World(Path(root) / "ours", files, lambda _: gpuhmm)]  # fmt: skip


def run_both(worlds, command, given=b"", same_second=True, limit=tools.TIME_LIMIT):
    """The outcomes of a command (a list of words or a shell line) in both worlds. Default seeds are the time, so both
    start in the same second. A run that does not end within `limit` seconds is killed."""
    if same_second:
        time.sleep((1.02 - time.time() % 1) % 1)
    running = [world.start(command, given) for world in worlds]
    outcomes = []
    for process in running:
        try:
            output, message = process.communicate(process.given, timeout=limit)
        except subprocess.TimeoutExpired:
            process.kill()
            output, message = process.communicate()
        outcomes.append(tools.Outcome(process.returncode, output, message.decode(errors="replace"), {}))
    for world, outcome in zip(worlds, outcomes):
        outcome.files = world.files()
    return outcomes


def help_page(output):
    """The parts that a client may read: title, version, usage line, options."""
    lines = output.decode().splitlines()
    options = re.findall(r"^ +(--?\w+)(?: <\w>)? *:", output.decode(), re.MULTILINE)
    return "\n".join([lines[0], lines[1], lines[5], *options]).encode()


def comparable(content):
    """Output or the content of a file without the parts that HMMER leaves undefined or that are not compared."""
    if content.startswith(SSI_MAGIC):
        return ssi_keys(content)
    return DATE.sub(b"<date>", BANNER.sub(b"", tools.without_padding(content)))


def ssi_keys(content):
    """An SSI index with zeros behind the end of each key, where hmmindex writes uninitialised memory."""

    def number(at):
        return int.from_bytes(content[at : at + 4], "big")

    file_key, name_key, accession_key = number(18), number(22), number(26)
    tables = [(1, number(30), number(42), [file_key]), (number(10), number(34), number(46), [name_key]),
              (number(14), number(38), number(50), [accession_key, name_key])]  # fmt: skip
    cleaned = bytearray(content)
    for count, size, start, widths in tables:
        for at in range(start, start + count * size, size):
            for width in widths:
                key = content[at : at + width]
                cleaned[at : at + width] = key[: key.index(0)].ljust(width, b"\0")
                at += width
    return bytes(cleaned)


def difference(theirs, ours, is_help=False):
    """The difference, or None."""
    if theirs.status < 0 or theirs.status > 128:
        return f"HMMER's program was ended by a signal ({theirs.status})"
    if theirs.status != ours.status:
        return f"exit codes {theirs.status} ({theirs.message.strip()}) and {ours.status} ({ours.message.strip()})"
    if theirs.status != 0 and "FATAL: " not in ours.message:
        return f"message {ours.message!r}"
    view = help_page if is_help and theirs.status == 0 else comparable
    if view(theirs.stdout) != view(ours.stdout):
        return "standard output\n" + compare.first_difference(view(theirs.stdout), view(ours.stdout))
    if theirs.files.keys() != ours.files.keys():
        return f"files {sorted(theirs.files.keys() ^ ours.files.keys())} in one folder only"
    for name, content in theirs.files.items():
        expected, found = comparable(content), comparable(ours.files[name])
        if expected != found:
            return f"file {name}\n" + compare.first_difference(expected, found)
    return None


def check(worlds, command, given=b"", is_help=False):
    """The difference between the two runs of a command line, or None."""
    before = [world.files() for world in worlds]
    for attempt in range(TRIES):
        reason = difference(*run_both(worlds, command, given), is_help)
        if reason is None:
            return None
        if attempt + 1 < TRIES:
            for world, files in zip(worlds, before):
                world.restore(files)
    return reason
