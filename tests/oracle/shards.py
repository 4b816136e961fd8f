#!/usr/bin/env python3
"""Compares merged parts of a run (`--shard`, `gpuhmm merge`) with the run that was not cut, byte for byte.

  shards.py [--sample | --all] [--gpuhmm PROGRAM] [--device D]... [-j N] [--only TEXT]

--sample  a choice of cases, each with one number of parts; less than two minutes (the default)
--all     every case, with 1, 2, 3, 7 and 64 parts

Compared are the report, all tables, JSON and, with HMMER3 profiles, the alignment. Lines with times and dates differ
between any two runs and are left out. Some cases are also compared with HMMER's own programs.
The last line is `N passed, N failed`; the exit code is 1 if anything failed.
"""

import itertools
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

import compare
import hmmer3_compare
import inputs
import search
import shard_cases

OUTPUTS = {"2": ["output", "tblout", "domtblout", "json"]}
OUTPUTS["both"] = OUTPUTS["2"]
OUTPUTS["3"] = [*OUTPUTS["2"], "pfamtblout"]
SAMPLE_COUNTS = itertools.cycle([2, 7, 3, 64, 1])


def comparable(content):
    return hmmer3_compare.VARIABLE.sub(b"", content)


class Folder:
    """A folder with the files of a case, and the runs in it."""

    def __init__(self, gpuhmm, case, device, threads, path):
        self.gpuhmm, self.case, self.path = gpuhmm, case, Path(path)
        self.computing = ["--device", device, "--cpu", str(threads)]
        self.names = OUTPUTS[case.generation] + (["msa"] if case.generation == "3" and case.command == "search" else [])
        for name, content in case.files.items():
            (self.path / name).write_bytes(content)
        for words in case.prepare:
            self.must(words)

    def run(self, words):
        return subprocess.run([self.gpuhmm, *words], cwd=self.path, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=compare.TIME_LIMIT, check=False)  # fmt: skip

    def must(self, words):
        done = self.run([*words, "--quiet"])
        if done.returncode != 0 or compare.complaints(done.stderr):
            raise inputs.InputError(f"gpuhmm {shlex.join(words)}: exit {done.returncode}: {done.stderr.decode(errors='replace')}")
        return done

    def outputs(self):
        return [word for name in self.names for word in (f"--{name}", f"out.{name}")]

    def taken(self):
        """The outputs, which are removed."""
        found = {}
        for name in self.names:
            path = self.path / f"out.{name}"
            found[name] = path.read_bytes()
            path.unlink()
        return found

    def inputs(self):
        return [self.case.profiles, self.case.sequences]

    def whole_words(self):
        return [self.case.command, *self.computing, *self.case.shared, *self.case.merged, *self.outputs(), *self.inputs()]

    def shard_words(self, number, count, part):
        by = ["--shard-by", self.case.by] if self.case.command == "scan" else []
        return [self.case.command, "--shard", f"{number}/{count}", *by, *self.computing, *self.case.shared, "-o", part,
                *self.inputs()]  # fmt: skip

    def make_parts(self, count):
        parts = [f"part.{number}" for number in range(1, count + 1)]
        for number, part in enumerate(parts, 1):
            self.must(self.shard_words(number, count, part))
        return parts[::2] + parts[1::2]  # their order does not matter

    def merge(self, parts, words):
        return self.must(["merge", *self.case.merged, *words, *parts])


class Shards:
    """Checks cases."""

    def __init__(self, arguments):
        self.gpuhmm = str(arguments.gpuhmm.resolve())
        self.devices = arguments.device

    def check(self, planned):
        case, counts = planned
        verdicts = [self._check(case, self.devices[0], counts, threads) for threads in case.threads]
        if case.devices:  # they start slowly
            verdicts += [self._check(case, device, (2,) if len(counts) == 1 else counts, 1) for device in self.devices[1:]]
        return verdicts

    def _check(self, case, device, counts, threads):
        verdict = compare.Verdict()

        def fail(reason):
            verdict.failures.append(f"FAILED {case.name} on {device}, {threads} threads: {reason}")

        with tempfile.TemporaryDirectory(prefix="shards-") as path:
            try:
                folder = Folder(self.gpuhmm, case, device, threads, path)
                (self._refused if case.refused else self._merged)(folder, counts, verdict, fail)
            except (inputs.InputError, subprocess.TimeoutExpired) as error:
                fail(str(error))
        return verdict

    def _merged(self, folder, counts, verdict, fail):
        folder.must(folder.whole_words())
        whole = folder.taken()
        for count in counts:
            parts = folder.make_parts(count)
            folder.merge(parts, folder.outputs())
            wrong = [(name, content, whole[name]) for name, content in folder.taken().items()
                     if comparable(content) != comparable(whole[name])]  # fmt: skip
            for name, content, expected in wrong[:1]:
                fail(f"{count} parts: {', '.join(n for n, _, _ in wrong)} differ: "
                     f"{shlex.join(folder.whole_words())}\n{compare.first_difference(comparable(expected), comparable(content))}")  # fmt: skip
            verdict.passed += not wrong
        if folder.case.oracle:
            self._compare_with_hmmer(folder, parts, verdict, fail)

    def _compare_with_hmmer(self, folder, parts, verdict, fail):
        words = [*folder.case.oracle, *folder.inputs()]
        done = subprocess.run(words, cwd=folder.path, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=compare.TIME_LIMIT, check=False)  # fmt: skip
        ours = folder.merge(parts, []).stdout
        if folder.case.generation == "3":
            expected, found = (hmmer3_compare.WORKERS.sub(b"", hmmer3_compare.comparable(text)) for text in (done.stdout, ours))
        else:
            expected, found = compare.after_banner(done.stdout), compare.after_banner(ours)
        if done.returncode == 0 and expected == found:
            verdict.passed += 1
        else:
            fail(f"{shlex.join(words)}: exit {done.returncode}\n{compare.first_difference(expected, found)}")

    def _refused(self, folder, counts, verdict, fail):
        """A share that meets the error ends as the whole run does."""
        whole = folder.run(folder.whole_words())
        if whole.returncode == 0:
            return fail("the run was to be refused")
        for count in counts:
            runs = [folder.run(folder.shard_words(number, count, "part")) for number in range(1, count + 1)]
            same = [run.returncode == whole.returncode and run.stderr == whole.stderr for run in runs]
            if any(same) and all(ok or run.returncode == 0 for ok, run in zip(same, runs)):
                verdict.passed += 1
            else:
                messages = "\n".join(f"    exit {run.returncode}: {run.stderr.decode()}" for run in runs)
                fail(f"{count} parts:\n    < exit {whole.returncode}: {whole.stderr.decode()}\n{messages}")


def sampled(cases):
    """Each case with one number of parts; of cases that differ only in options every second one."""
    for number, case in enumerate(cases):
        if case.counts != shard_cases.FEW or number % 2 or case.oracle:
            count = next(SAMPLE_COUNTS)
            yield case, (count if count in case.counts else case.counts[number % len(case.counts)],)


def run(arguments, tally):
    for program in ("hmm2search", "hmm2pfam", "hmm2emit", "hmmemit", "hmmsearch", "hmmscan"):
        if not shutil.which(program):
            raise inputs.InputError(f"{program} is not installed (Debian packages hmmer2 and hmmer)")
    with tempfile.TemporaryDirectory(prefix="oracle-work-") as work:
        cases = shard_cases.everything(shard_cases.Inputs(work))
        planned = ((c, c.counts) for c in cases) if arguments.mode == "all" else sampled(cases)
        chosen = (plan for plan in planned if search.is_chosen(arguments, plan[0].name))
        if arguments.list:
            for case, counts in chosen:
                print(f"{case.name}: {', '.join(map(str, counts))} parts")
            return
        search.run_all(Shards(arguments).check, chosen, arguments.jobs, tally)


def main():
    return search.run_and_count(search.read_arguments(__doc__, ("sample", "all")), run)


if __name__ == "__main__":
    sys.exit(main())
