"""Runs a command line with a program of HMMER 3 and with gpuhmm under its name, in one folder, and compares the results.

Exit codes, standard output, standard error and all files left behind must be equal, except
- the first four lines of reports (the banner), and lines with times and dates;
- the message of a program that ends itself by a signal: gpuhmm leaves out the line of HMMER's source and adds the names
  of the pair; how hmmsearch -A ends for a gap in a domain depends on unused memory. What HMMER had
  printed by then depends on its buffers and is not compared;
- some damaged profiles crash hmmsearch (SIGSEGV); gpuhmm refuses them;
- where .h3p is damaged, hmmscan aborts, and gpuhmm refuses;
- several profiles, and sequences that are gzipped or on standard input: hmmsearch ends after the first profile,
  gpuhmm goes on.
"""

import contextlib
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import compare

PROGRAMS = ("hmmsearch", "hmmscan", "hmmpress")
BANNER = re.compile(rb"\A# hmm(?:search|scan) :: .*\n# HMMER 3\.3\.2 .*\n#.*\n#.*\n")
VARIABLE = re.compile(rb"^# (?:CPU time: |Mc/sec: |Date:  ).*\n", re.MULTILINE)
SOURCE = re.compile(rb"(Fatal exception)(?: \(source file [^)]*\):\n|: sequence .*, profile \S+: )")
WORKERS = re.compile(rb"^# number of worker threads: .*\n", re.MULTILINE)
PACKED = re.compile(rb"Target sequence file (?:\S+\.gz|-) isn't rewindable; can't search it with multiple queries\n")
LACKS_CUTOFF = re.compile(rb"Error: (?:GA|NC|TC) bit thresholds unavailable on model ")  # of a profile behind the first
LENGTH = re.compile(rb"Target sequence length > 100K, over comparison pipeline limit\.\n.*\n")
SCORES = re.compile(rb"Fatal exception.*\nFast filter only works for local alignment\n")
TIME_LIMIT = 900  # seconds for one run of a program


@dataclass
class Case:
    """A command line, and the files with which its folder starts."""

    name: str
    words: list
    files: dict  # name -> content
    given: bytes = b""  # standard input
    environment: dict = field(default_factory=dict)
    ours: list = field(default_factory=list)  # gpuhmm command lines that must print the same report
    pressed_by: str = ""  # hmmpress or gpuhmm: presses `library` before both runs
    library: str = ""
    remove_text: bool = False  # of the library, once it is pressed
    damage: dict = field(default_factory=dict)  # letter of a pressed file -> its content, length, or None to remove it


@dataclass
class Outcome:
    status: int
    output: bytes
    message: bytes
    files: dict


def with_device(words, device):
    """A line of gpuhmm's own commands, which names the device none, with another device."""
    return [device if word == "none" else word for word in words]


def comparable(content):
    return VARIABLE.sub(b"", BANNER.sub(b"", content))


class Runner:
    """Runs cases. `gpuhmm`: path of the program; `devices`: with which its own commands are run once more."""

    def __init__(self, gpuhmm, root, devices=()):
        self.devices = devices
        self.gpuhmm = str(Path(gpuhmm).resolve())
        self.programs = {name: shutil.which(name) for name in PROGRAMS}
        for name, path in self.programs.items():
            assert path, f"{name} is not installed (Debian package hmmer)"
        self.links = Path(root) / "hmmer3"
        self.links.mkdir()
        for name in PROGRAMS:
            (self.links / name).symlink_to(self.gpuhmm)

    def _run(self, words, executable, case, folder):
        before = {path.name for path in folder.iterdir()}
        environment = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", **case.environment}
        done = subprocess.run(words, executable=executable, cwd=folder, env=environment, input=case.given,
                              capture_output=True, timeout=TIME_LIMIT, check=False)  # fmt: skip
        written = {}
        for path in sorted(folder.iterdir()):
            if path.name in before and path.name in case.files:
                assert path.read_bytes() == case.files[path.name], f"{executable} changed {path.name}"
            elif path.name not in before:
                written[path.name] = path.read_bytes()
                path.unlink()
        return Outcome(done.returncode, done.stdout, done.stderr, written)

    def _press(self, case, folder):
        words = {"hmmpress": ["hmmpress"], "gpuhmm": [self.gpuhmm, "press"], "link": [str(self.links / "hmmpress")]}
        command = [*words[case.pressed_by], case.library]
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=TIME_LIMIT, check=False)
        assert done.returncode == 0, f"{shlex.join(command)}: {done.stderr.decode(errors='replace')}"
        if case.remove_text:
            (folder / case.library).unlink()
        for letter, change in case.damage.items():
            path = folder / f"{case.library}.h3{letter}"
            if change is None:
                path.unlink()
            else:
                path.write_bytes(change if isinstance(change, bytes) else path.read_bytes()[:change])

    def run_both(self, case):
        """The outcomes of HMMER's program and of gpuhmm."""
        with self._folder(case) as folder:
            return self._run_in(case, folder)

    def check(self, case):
        """The differences, as texts; and whether HMMER refused the command line."""
        with self._folder(case) as folder:
            theirs, ours = self._run_in(case, folder)
            found = difference(theirs, ours)
            reasons = [f"{shlex.join(case.words)}: {found}"] if found else []
            if theirs.status == 0:
                reasons += self._check_commands(case, theirs, folder)
        return reasons, theirs.status != 0

    @contextlib.contextmanager
    def _folder(self, case):
        with tempfile.TemporaryDirectory(prefix="oracle-") as root:
            folder = Path(root) / "work"
            folder.mkdir()
            for name, content in case.files.items():
                (folder / name).write_bytes(content)
            if case.pressed_by:
                self._press(case, folder)
            yield folder

    def _run_in(self, case, folder):
        program = case.words[0]
        return [self._run(case.words, executable, case, folder)
                for executable in (self.programs[program], str(self.links / program))]  # fmt: skip

    def _check_commands(self, case, theirs, folder):
        """gpuhmm's own command prints the same report, except for the number of threads."""
        expected = WORKERS.sub(b"", comparable(theirs.output))
        for words in case.ours + [with_device(words, device) for device in self.devices for words in case.ours]:
            done = self._run(words, self.gpuhmm, case, folder)
            found = WORKERS.sub(b"", comparable(done.output))
            if done.status != 0 or found != expected:
                first = compare.first_difference(expected, found)
                yield f"{shlex.join(words)}: exit {done.status} {done.message.decode(errors='replace')}\n{first}"


def common_words(message):
    return LENGTH.sub(b"the sequence is longer than 100,000 residues\n", SOURCE.sub(rb"\1: ", message))


def difference(theirs, ours):
    """The difference of two outcomes, or None."""
    if PACKED.fullmatch(theirs.message) and (ours.status <= 0 or LACKS_CUTOFF.search(ours.message)):
        return None if ours.status < 0 or comparable(ours.output).startswith(comparable(theirs.output)) else "the first report"
    if SCORES.fullmatch(theirs.message) and ours.status == 1:
        return None
    if theirs.status == -signal.SIGSEGV and ours.status == 1:
        return None
    expected, found = common_words(theirs.message), common_words(ours.message)
    if theirs.status < 0 and ours.status < 0 and b"backconverted" in ours.message:
        return None
    if theirs.status != ours.status or expected != found:
        return f"exit codes {theirs.status} and {ours.status}, messages\n    < {expected!r}\n    > {found!r}"
    expected, found = comparable(theirs.output), comparable(ours.output)
    if theirs.status < 0:
        return None
    if expected != found:
        return "standard output\n" + compare.first_difference(expected, found)
    if theirs.files.keys() != ours.files.keys():
        return f"files {sorted(theirs.files)} and {sorted(ours.files)}"
    for name, content in theirs.files.items():
        expected, found = comparable(content), comparable(ours.files[name])
        if expected != found:
            return f"file {name}\n" + compare.first_difference(expected, found)
    return None
