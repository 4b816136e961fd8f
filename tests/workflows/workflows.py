#!/usr/bin/env python3
"""Runs the workflows of docs/workflows: shares, searches and merges by Snakemake and by Slurm give what one run gives.

  workflows.py [--gpuhmm PROGRAM] [--only snakemake|slurm]

Needs Debian's snakemake, slurm-wlm and munge (scripts/install-packages.sh workflow). Slurm's daemons are started for the
test, with all their files in a temporary folder. The Nextflow module is only looked at: its inputs and outputs.
The last line is `N passed, N failed`; the exit code is 1 if anything failed.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

import slurm

REPOSITORY = Path(__file__).resolve().parents[2]
WORKFLOWS = REPOSITORY / "docs/workflows"
TESTDATA = REPOSITORY / "testdata"
VARIABLE = re.compile(rb"^# (?:CPU time: |Mc/sec: |Date:  |Current dir: ).*\n", re.MULTILINE)
LIMIT = 100  # seconds
SHARES = 7
OUTPUTS = {"report.txt": "-o", "hits.tbl": "--tblout", "domains.tbl": "--domtblout"}
PROFILES = {"old.hmm": ["RRM_1_ls", "Pkinase_ls", "RRM_1_fs"], "new.hmm": ["RRM_1_hmmer3"]}


class Failure(Exception):
    """A workflow's outcome is wrong."""


class Work:
    """A folder with inputs, what a whole run gives for them, and gpuhmm in the PATH."""

    def __init__(self, gpuhmm, root):
        self.folder = Path(root) / "work"
        programs = Path(root) / "programs"
        for path in (self.folder, programs):
            path.mkdir()
        (programs / "gpuhmm").symlink_to(gpuhmm.resolve())
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(root)}
        for name, profiles in PROFILES.items():
            (self.folder / name).write_bytes(b"".join((TESTDATA / f"hmm/{p}.hmm").read_bytes() for p in profiles))
        shutil.copy(TESTDATA / "seq/uniprot.fasta", self.folder / "s.fasta")
        self.run("gpuhmm", "makedb", "--quiet", "s.fasta", "s.db")
        self.whole = {}
        for profiles in PROFILES:
            outputs = [word for name, option in OUTPUTS.items() for word in (option, name)]
            self.run("gpuhmm", "search", "--quiet", "--cpu", "1", *outputs, profiles, "s.db")
            self.whole[profiles] = self.taken()
            if None in self.whole[profiles].values():
                raise Failure("the whole run lacks an output")

    def run(self, *words):
        done = subprocess.run(list(map(str, words)), cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=LIMIT, check=False)  # fmt: skip
        if done.returncode != 0:
            raise Failure(f"{words[0]}: exit {done.returncode}\n{done.stdout[-3000:]}")
        return done.stdout

    def taken(self):
        """The outputs, which are removed."""
        found = {}
        for name in OUTPUTS:
            path = self.folder / name
            found[name] = VARIABLE.sub(b"", path.read_bytes()) if path.exists() else None
            path.unlink(missing_ok=True)
        return found

    def check_outputs(self, profiles):
        found = self.taken()
        wrong = [name for name in OUTPUTS if found[name] != self.whole[profiles][name]]
        if wrong:
            raise Failure(f"{', '.join(wrong)} of the merged run are not those of the whole run")


def run_snakemake(work, _root):
    if not shutil.which("snakemake"):
        raise Failure("snakemake is not installed (Debian package snakemake)")
    for profiles in PROFILES:
        line = ["snakemake", "--snakefile", WORKFLOWS / "Snakefile", "--cores", "2", "--config", f"profiles={profiles}",
                "sequences=s.db", f"shares={SHARES}"]  # fmt: skip
        shown = work.run(*line)
        if len(re.findall(r"^rule share:", shown, re.MULTILINE)) != SHARES:
            raise Failure(f"expected {SHARES} shares:\n{shown[-3000:]}")
        work.check_outputs(profiles)
        if list(work.folder.glob("parts/*")):
            raise Failure("parts are left")


def run_slurm(work, root):
    folder = Path(root) / "slurm"
    folder.mkdir()
    with slurm.Cluster(folder, work.environment) as cluster:
        for profiles in PROFILES:
            array = cluster.run("sbatch", "--parsable", f"--array=1-{SHARES}", WORKFLOWS / "slurm_share.sh", SHARES, profiles,
                                "s.db", cwd=work.folder)  # fmt: skip
            merge = "gpuhmm merge --quiet -o report.txt --tblout hits.tbl --domtblout domains.tbl parts/*"
            cluster.run("sbatch", f"--dependency=afterok:{array}", "--wrap", merge, cwd=work.folder)
            cluster.wait_for_jobs(LIMIT)
            logs = "".join(path.read_text() for path in sorted(work.folder.glob("slurm-*.out")))
            if logs:
                raise Failure(f"a task wrote: {logs}")
            work.check_outputs(profiles)
            shutil.rmtree(work.folder / "parts")


def check_nextflow(_work, _root):
    """What other modules see of the workflow: as nf-core's hmmer/hmmsearch."""
    text = (WORKFLOWS / "nextflow/main.nf").read_text()
    taken = "[ val(meta), path(hmmfile), path(seqdb), val(write_align), val(write_target), val(write_domain) ]"
    if taken not in text:
        raise Failure(f"no input {taken}")
    emitted = re.findall(r"^    (\w+) += GPUHMM_", text, re.MULTILINE)
    if emitted != ["output", "alignments", "target_summary", "domain_summary", "versions"]:
        raise Failure(f"emits {emitted}")


CHECKS = {"snakemake": run_snakemake, "slurm": run_slurm, "nextflow": check_nextflow}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gpuhmm", type=Path, default=REPOSITORY / "build/release/src/gpuhmm")
    parser.add_argument("--only", choices=CHECKS)
    arguments = parser.parse_args()
    failed, chosen = 0, [arguments.only] if arguments.only else list(CHECKS)
    for name in chosen:
        started = time.monotonic()
        try:
            with tempfile.TemporaryDirectory(prefix="workflows-") as root:
                CHECKS[name](Work(arguments.gpuhmm, root), root)
            print(f"{name}: {time.monotonic() - started:.1f} s", flush=True)
        except (Failure, slurm.Problem, subprocess.TimeoutExpired, OSError) as error:
            failed += 1
            print(f"FAILED {name}: {error}", flush=True)
    print(f"{len(chosen) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
