"""Common parts of the benchmark scripts: profiles, sequences, and timed runs of programs."""

import gzip
import os
import sys
import tempfile
import time


def nodes_of(path):
    """The nodes of the first profile of a HMMER 2 text file."""
    with open(path, encoding="latin-1") as lines:
        for line in lines:
            if line.startswith("LENG"):
                return int(line.split()[1])
    sys.exit(f"{path}: no LENG line (expected a HMMER 2 text profile)")


def records(path):
    """The records of a FASTA file, plain or gzipped, as (header line, residue lines)."""
    opener = gzip.open if path.endswith(".gz") else open
    header, body = None, []
    with opener(path, "rb") as lines:
        for line in lines:
            if line.startswith(b">"):
                if header is not None:
                    yield header, body
                header, body = line, []
            else:
                body.append(line)
    if header is not None:
        yield header, body


def sample(path, every, folder):
    """Writes every n-th sequence, uncompressed, since HMMER 2 would start a gzip process. Returns path, sequences, residues."""
    target = os.path.join(folder, "sequences.fasta")
    sequences = residues = 0
    with open(target, "wb") as out:
        for number, (header, body) in enumerate(records(path)):
            if number % every == 0:
                out.writelines([header, *body])
                sequences += 1
                residues += sum(len(line.strip()) for line in body)
    return target, sequences, residues


def measure(command):
    """Runs a program (given by its path) without its output. Returns wall seconds, processor seconds (user and system) and
    its standard error. Times include the start of the process. Ends this script if the program fails."""
    with tempfile.TemporaryFile() as messages, open(os.devnull, "wb") as null:
        actions = [(os.POSIX_SPAWN_DUP2, null.fileno(), 1), (os.POSIX_SPAWN_DUP2, messages.fileno(), 2)]
        start = time.perf_counter()
        process = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
        _, status, usage = os.wait4(process, 0)
        wall = time.perf_counter() - start
        messages.seek(0)
        text = messages.read().decode(errors="replace")
    if status != 0:
        sys.exit(f"{' '.join(command)}: exit code {os.waitstatus_to_exitcode(status)}: {text.strip()}")
    return wall, usage.ru_utime + usage.ru_stime, text
