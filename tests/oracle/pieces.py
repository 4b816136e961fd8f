#!/usr/bin/env python3
"""Compares runs in pieces, `--checkpoint` and `--mpi`, with the run that was not cut, byte for byte.

  pieces.py [--gpuhmm PROGRAM] [--kills N] [--seed N] [--only TEXT]

Runs with --checkpoint are killed at random moments (N times in all, by default 100) and begun again until they end.
Runs with --mpi have 1, 2, 3 and 7 ranks on this machine, and ranks in three network namespaces as three machines. Lines
with times and dates differ between any two runs and are left out.
The last line is `N passed, N failed`; the exit code is 1 if anything failed.
"""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

import hmmer3_compare
import namespaces
import tools

TESTDATA = tools.REPOSITORY / "testdata"
OUTPUTS = ["output", "tblout", "domtblout", "json"]
LIMIT = 300  # seconds
MPIRUN = ["mpirun", "--allow-run-as-root", "--oversubscribe"]


def comparable(content):
    return hmmer3_compare.VARIABLE.sub(b"", content)


class Case:
    """A run and what it gives as a whole."""

    def __init__(self, gpuhmm, folder, name, command, profiles, sequences, options=()):
        self.gpuhmm, self.name, self.command, self.inputs = gpuhmm, name, command, [profiles, sequences]
        self.folder = folder
        self.words = [command, "-q", "--cpu", "1", "--device", "none", *options]
        self.outputs = [word for output in OUTPUTS for word in (f"--{output}", f"out.{output}")]
        done = self.run([])
        if done.returncode != 0:
            raise RuntimeError(f"{name}: {done.stderr.decode(errors='replace')}")
        self.whole = self.taken()

    def line(self, more):
        return [self.gpuhmm, *self.words, *self.outputs, *more, *self.inputs]

    def run(self, more, before=(), environment=None):
        return subprocess.run([*before, *self.line(more)], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=LIMIT, check=False, env=environment)  # fmt: skip

    def taken(self):
        """The outputs, which are removed; nothing if one is missing."""
        paths = {output: self.folder / f"out.{output}" for output in OUTPUTS}
        if not all(path.exists() for path in paths.values()):
            return None
        found = {output: comparable(path.read_bytes()) for output, path in paths.items()}
        for path in paths.values():
            path.unlink()
        return found


# mpirun's warning that the shell for another host ran before it had a process group of its own.
SETPGID = re.compile(r"^\[\S+\] plm:rsh: Warning: setpgid\(.*\) failed in parent .*\n?", re.MULTILINE)


class Tally:
    def __init__(self, only):
        self.only, self.passed, self.failed = only, 0, 0

    def check(self, name, ok, why=""):
        self.passed += bool(ok)
        self.failed += not ok
        if not ok:
            print(f"FAILED {name}: {why}", flush=True)

    def same(self, name, case, done):
        """The run has ended well, with the outputs of the whole one and nothing else."""
        found = case.taken()
        message = SETPGID.sub("", done.stderr.decode(errors="replace") if done.stderr else "").strip()
        if done.returncode != 0 or message or found is None:
            return self.check(name, False, f"exit {done.returncode}: {message}")
        wrong = [output for output in OUTPUTS if found[output] != case.whole[output]]
        left = [path.name for path in case.folder.iterdir() if "checkpoint" in path.name]
        self.check(name, not wrong and not left, f"{wrong} differ, {left} is left")


def size_of(folder):
    try:
        return sum(path.stat().st_size for path in folder.iterdir())
    except OSError:
        return 0


def killed_until_done(case, rng):
    """The last run, and how many were killed before it. Where nothing comes about any more, runs may last longer."""
    checkpoint = case.folder / "checkpoint"
    longest, kills, size, idle = 0.25, 0, -1, 0
    while True:
        process = subprocess.Popen(case.line(["--checkpoint", "checkpoint"]), cwd=case.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
        try:
            output, errors = process.communicate(timeout=rng.uniform(0.005, longest))
            return subprocess.CompletedProcess(process.args, process.returncode, output, errors), kills
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.communicate()
            kills += 1
        now = size_of(checkpoint)
        idle = idle + 1 if now == size else 0
        size = now
        if idle > 15:
            longest, idle = 2 * longest, 0


def check_kills(cases, tally, wanted, seed):
    rng = random.Random(seed)
    kills, rounds = 0, 0
    while kills < wanted and rounds < 50:
        case = cases[rounds % len(cases)]
        rounds += 1
        done, killed = killed_until_done(case, rng)
        kills += killed
        tally.same(f"{case.name}, killed {killed} times", case, done)
    print(f"{kills} runs were killed in {rounds} rounds")
    tally.check("number of kills", kills >= wanted, f"{kills} of {wanted}")


def refused(case, tally, name, done, expected):
    message = done.stderr.decode(errors="replace")
    ok = done.returncode == 1 and message.count("\n") == 1 and re.search(expected, message) and case.taken() is None
    tally.check(name, ok, f"exit {done.returncode}: {message}")


def check_refusals(case, tally):
    """A checkpoint of another run, or a folder of something else, is left as it is."""
    folder = case.folder / "checkpoint"

    def leave_checkpoint():
        for _ in range(200):
            process = subprocess.Popen(case.line(["--checkpoint", "checkpoint"]), cwd=case.folder, stdin=subprocess.DEVNULL,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
            while process.poll() is None and size_of(folder) == 0:
                time.sleep(0.002)  # a piece without content yet tells nothing of its run
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
                _, errors = process.communicate()
                return errors.decode()
            process.communicate()
            case.taken()
        raise RuntimeError("no run could be ended in time")

    told = leave_checkpoint()
    tally.check("SIGTERM tells of the checkpoint", told.count("\n") == 1 and "what is done is in checkpoint" in told, told)
    before = size_of(folder)
    for options, expected in ([["-E", "1"], "options are .*--evalue=1"], [["--noali"], "options are .*--noali"]):
        refused(case, tally, f"other options {options}", case.run([*options, "--checkpoint", "checkpoint"]), expected)
    for number, what in ((0, "profiles"), (1, "sequences")):
        path = case.folder / case.inputs[number]
        content = path.read_bytes()
        at = content.rindex(b"0." if number == 0 and b"0." in content else b"A")
        path.write_bytes(content[:at] + (b"1" if number == 0 else b"G") + content[at + 1 :])
        done = case.run(["--checkpoint", "checkpoint"])
        path.write_bytes(content)
        refused(case, tally, f"other {what} of the same size", done, f"the {what} in .* have another content")
    tally.check("refusals leave the checkpoint", size_of(folder) == before, "it has changed")
    tally.same("the command that made it goes on", case, case.run(["--checkpoint", "checkpoint"]))
    refused(case, tally, "no such folder", case.run(["--json", "nowhere/out.json", "--checkpoint", "checkpoint"]), "nowhere")
    tally.check("an output that cannot be written is told at once", not folder.exists(), "there is a checkpoint")
    (case.folder / "checkpoint").mkdir()
    (case.folder / "checkpoint" / "notes.txt").write_text("mine")
    refused(case, tally, "a folder of something else", case.run(["--checkpoint", "checkpoint"]), "holds notes.txt")
    tally.check("it is left", (folder / "notes.txt").read_text() == "mine")
    shutil.rmtree(folder)
    folder.write_text("a file")
    refused(case, tally, "a file", case.run(["--checkpoint", "checkpoint"]), "not a folder")
    folder.unlink()


def check_mpi(cases, tally):
    for case in cases:
        for ranks in (1, 2, 3, 7):
            tally.same(f"{case.name}, {ranks} ranks", case, case.run(["--mpi"], [*MPIRUN, "-n", str(ranks)]))
    case = cases[0]
    done = case.run(["--mpi", "--device", "pthread"], [*MPIRUN, "-n", "2"])
    tally.same(f"{case.name}, 2 ranks with the OpenCL CPU device", case, done)
    with namespaces.Hosts(3) as hosts:
        for ranks in (3, 6):
            tally.same(f"{case.name}, {ranks} ranks on three hosts", case, case.run(["--mpi"], hosts.mpirun(ranks)))


def children(pid):
    found = subprocess.run(["pgrep", "-P", str(pid)], capture_output=True, text=True, check=False).stdout.split()
    return [int(child) for child in found]


def run_with_a_dead_rank(case):
    """Kills one of three ranks once there is a checkpoint. Returns exit status and messages."""
    for _ in range(20):
        process = subprocess.Popen([*MPIRUN, "-n", "3", *case.line(["--mpi"])], cwd=case.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
        while process.poll() is None and not list(case.folder.glob("*.checkpoint/piece-*")):
            time.sleep(0.005)
        ranks = children(process.pid)
        if process.poll() is None and len(ranks) == 3:
            os.kill(max(ranks), signal.SIGKILL)
            _, errors = process.communicate(timeout=LIMIT)
            return process.returncode, errors.decode(errors="replace")
        process.communicate(timeout=LIMIT)
        case.taken()
    return 0, "no rank could be killed in time"


def check_dead_rank(case, tally):
    """A rank that dies ends the run with a message and a checkpoint, from which the same command goes on."""
    says_where = re.compile("what is done is in gpuhmm-.*checkpoint")
    status, message = run_with_a_dead_rank(case)
    for _ in range(2):  # mpirun may lose what a rank writes last: one run in fifty on a busy machine
        if says_where.search(message):
            break
        for left in case.folder.glob("*.checkpoint"):
            shutil.rmtree(left)
        status, message = run_with_a_dead_rank(case)
    checkpoint = list(case.folder.glob("*.checkpoint/piece-*"))
    tally.check("a dead rank ends the run", status != 0 and says_where.search(message), message)
    tally.check("it leaves a checkpoint, no outputs", checkpoint and case.taken() is None, str(checkpoint))
    tally.same("the same command goes on", case, case.run(["--mpi"], [*MPIRUN, "-n", "2"]))


def check_mpi_errors(case, tally):
    """Errors that rank 0 meets at the start, and that all ranks meet in their pieces."""
    path = case.folder / case.inputs[0]
    content = path.read_bytes()
    path.write_bytes(re.sub(rb"(?m)^GA .*\n", b"", content))
    missing = case.run(["--mpi", "--cut_ga"], [*MPIRUN, "-n", "2"])
    path.unlink()
    nothing = case.run(["--mpi"], [*MPIRUN, "-n", "2"])
    path.write_bytes(content)
    for done, expected in ((missing, "no GA"), (nothing, "cannot be opened")):
        message = done.stderr.decode(errors="replace")
        ok = done.returncode != 0 and expected in message and case.taken() is None
        tally.check(f"error by MPI: {expected}", ok, f"exit {done.returncode}: {message}")
    for left in case.folder.glob("*.checkpoint"):
        shutil.rmtree(left)


def make_files(folder):
    """Profiles and sequences; each sequence stands there several times, so that there are ties."""
    profiles = {name: (TESTDATA / "hmm" / f"{name}.hmm").read_bytes() for name in
                ("RRM_1_ls", "RRM_1_fs", "Pkinase_ls", "Acetyltransf_1_ls", "RRM_1_hmmer3")}  # fmt: skip
    old = [profiles[name] for name in ("RRM_1_ls", "RRM_1_fs", "Pkinase_ls", "Acetyltransf_1_ls")]
    new = profiles["RRM_1_hmmer3"]
    other = new.replace(b"NAME  RRM_1", b"NAME  other")
    (folder / "old.hmm").write_bytes(b"".join(old))
    (folder / "new.hmm").write_bytes(new + other)
    (folder / "both.hmm").write_bytes(old[0] + new + old[2] + other)
    fasta = (TESTDATA / "seq/uniprot.fasta").read_text()
    (folder / "some.fasta").write_text(fasta)
    (folder / "many.fasta").write_text("".join(fasta.replace(">", f">{number}_") for number in range(6)))
    (folder / "more.fasta").write_text("".join(fasta.replace(">", f">{number}_") for number in range(60)))


def run(arguments, tally):
    gpuhmm = str(arguments.gpuhmm.resolve())
    with tempfile.TemporaryDirectory(prefix="pieces-") as name:
        folder = Path(name)
        make_files(folder)
        subprocess.run([gpuhmm, "makedb", "-q", "more.fasta", "more.ghdb"], cwd=folder, check=True, stdout=subprocess.DEVNULL)

        def case(*words, options=()):
            return Case(gpuhmm, folder, *words, options=options)

        searches = [case("search 2", "search", "old.hmm", "many.fasta", options=["-E", "100"]),
                    case("search 3", "search", "new.hmm", "more.ghdb"),
                    case("search both", "search", "both.hmm", "many.fasta"),
                    case("scan 2", "scan", "old.hmm", "many.fasta"),
                    case("scan both", "scan", "both.hmm", "many.fasta", options=["-E", "50"])]  # fmt: skip
        if "kill".startswith(tally.only) or not tally.only:
            for one in searches:
                tally.same(f"{one.name}, not killed", one, one.run(["--checkpoint", "checkpoint"]))
            for one in searches[1], searches[3]:
                done = one.run(["--checkpoint", "checkpoint", "--device", "pthread"])
                tally.same(f"{one.name} with the OpenCL CPU device", one, done)
            check_kills(searches, tally, arguments.kills, arguments.seed)
            check_refusals(searches[0], tally)
        if "mpi".startswith(tally.only) or not tally.only:
            if not shutil.which("mpirun"):
                raise RuntimeError("mpirun is not installed (Debian package openmpi-bin)")
            check_mpi([searches[1], searches[2], searches[3]], tally)
            check_dead_rank(searches[1], tally)
            check_mpi_errors(searches[1], tally)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuhmm", type=Path, default=tools.REPOSITORY / "build/gpuhmm")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="kill or mpi")
    arguments = parser.parse_args()
    tally = Tally(arguments.only)
    try:
        run(arguments, tally)
    except (RuntimeError, OSError, subprocess.SubprocessError) as error:
        tally.check("pieces", False, str(error))
    print(f"{tally.passed} passed, {tally.failed} failed")
    return 1 if tally.failed or not tally.passed else 0


if __name__ == "__main__":
    sys.exit(main())
