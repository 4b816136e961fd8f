#!/usr/bin/env python3
"""Compares `gpuhmm scan` with the installed hmm2pfam, byte for byte from line 6 of the report on.

  scan.py [--sample | --all | --others | --scores] [--gpuhmm PROGRAM] [--device D]... [-j N] [--only TEXT]

--sample  a fixed choice over all kinds of profile files and all options, a minute or two (the default)
--all     every profile file against every sequence set; an hour or more. hmm2pfam's answers are kept in --cache
--others  hmmpfam reports by other people in the shared data folder, whose profiles are there, too; the sequences are
          taken from the alignments
--scores  scan and search must agree on every score of every pair

The profiles and sequences of testdata/ are always used, those of the shared data folder if it is there.
The last line is `N passed, N failed`; the exit code is 1 if anything failed.
"""

import itertools
import json
import re
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

import cases
import compare
import inputs
import search

# The options of hmm2search, those that only hmm2pfam has, and a threshold that many profiles pass.
OPTION_SETS = [
    *cases.OPTION_SETS,
    ["--acc"],
    ["--acc", "--compat", "-A", "2"],
    ["--acc", "-E", "1000", "-Z", "3"],
    ["--cut_ga", "--acc"],
    ["-E", "2"],
]
QUERIES = 12  # most sequences of a case, as hmm2pfam reads the whole profile file for each


def library_of(models):
    """Several models as one Model for the oracle."""
    cutoffs = frozenset.intersection(*(model.cutoffs for model in models))
    nodes = sum(model.nodes for model in models)
    return replace(models[0], name="library", content=inputs.join_models(models), nodes=nodes, cutoffs=cutoffs)


class Planner:
    """Makes cases: sequence sets are cut so that no scan by hmm2pfam is larger than a number of cells."""

    def __init__(self, library, cells):
        self.library = library
        self.cells = cells
        self.options = itertools.cycle(OPTION_SETS)

    def case(self, file_name, models, targets, options, content=None):
        """A Case, or None if hmm2pfam would refuse it or its answer would be undefined."""
        joined = library_of(models)
        usable = cases.options_for([joined], targets, options)
        if usable is None:
            return None
        usable = usable.cut(max(1, self.cells // joined.nodes))
        if usable.is_fasta:
            usable = first_records(usable, QUERIES)
        options = [*options, "-n"] if joined.nucleic else options
        name = f"{file_name} ({len(models)} models) x {usable.key} [{' '.join(options)}]"
        return compare.Case(name, file_name, content or joined.content, [joined], usable, options)

    def sets(self, models):
        own = inputs.emit_sequences(models[:3], self.library.work, count=2, seed=5).encode("latin-1")
        emitted = inputs.Targets("emitted", "emitted.fasta", own, len(own), models[0].nucleic)
        return [emitted, *(self.library.nucleic if models[0].nucleic else self.library.amino)]

    def every_option(self, file_name, models):
        sets = itertools.cycle(self.sets(models))
        for options in OPTION_SETS:
            case = self.case(file_name, models, next(sets), options)
            if case:
                yield case

    def in_turn(self, path, turns):
        """A profile file as it is with the next options and sequence sets."""
        models = inputs.read_models(path, self.library.work)
        if len({model.nucleic for model in models}) > 1:
            return
        content = path.read_bytes()
        for targets in itertools.islice(itertools.cycle(self.sets(models)), turns):
            case = None
            while case is None:
                case = self.case(path.name, models, targets, next(self.options), content)
            yield case


def first_records(targets, count):
    records = inputs.parse_fasta(targets.content.decode("latin-1"))
    if targets.key == "odd_fasta" or len(records) <= count:
        return targets  # rewriting would remove the irregularities
    step = len(records) // count
    content = inputs.format_fasta(records[: step * count : step]).encode("latin-1")
    residues = sum(len(body) for _, body in records[: step * count : step])
    return inputs.Targets(targets.key, targets.file_name, content, residues, targets.nucleic)


def protein_models(library, most):
    """Protein models of all origins: of testdata and, if they are there, of the shared files."""
    models = []
    for path in [*library.profiles, *library.shared_profiles]:
        found = inputs.read_models(path, library.work)
        if not inputs.read_bytes(path).startswith(b"HMMER2.0"):
            continue  # a file must have one kind of profiles
        models += [model for model in found[: max(1, most // 10)] if not model.nucleic]
    return models[:: max(1, len(models) // most)]


def refusals(library):
    planner = Planner(library, 10**6)
    amino, nucleic = library.amino[0].cut(2000), library.nucleic[0]
    rrm = inputs.read_models(library.testdata / "hmm/RRM_1_ls.hmm", library.work)
    made1 = inputs.read_models(library.testdata / "hmm/MADE1_fs.hmm", library.work)
    broken = inputs.Targets("not FASTA", "broken.fasta", b"ACDEFGHIKLMNPQRSTVWY\n", 20)
    nothing = inputs.Targets("empty", "empty.fasta", b"", 0)
    for models, targets, options in [
        (made1, nucleic, ["-n", "--cut_ga"]),
        (made1, nucleic, ["-n", "--xnu"]),
        (rrm, amino, ["-n"]),
        (rrm, nothing, []),
        (rrm, broken, ["--informat", "fasta"]),
    ]:
        name = f"{models[0].name} x {targets.key} [{' '.join(options)}]"
        yield compare.Case(name, "one.hmm", models[0].content, models, targets, options)
    blank = inputs.Targets("no residues", "blank.fasta", b">empty record\n>another\n", 0)
    yield planner.case("blank.hmm", rrm, blank, [])


def long_queries(planner):
    """Sequences and models around HMMER's memory limit: how a pair is aligned depends on the pairs before it."""
    library = planner.library
    if not library.shared:
        return
    folder = library.shared / "hmm"
    names = ["variants/SMC_N_ls.hmm", "variants/WD40_ls_uncal.hmm", "variants/fn3_tut_ls.hmm", "top20/COX1_ls.hmm"]
    models = [model for name in names for model in inputs.read_models(folder / name, library.work)]
    records = inputs.parse_fasta(inputs.read_bytes(library.shared / "seq/long.fasta.gz").decode("latin-1"))
    records.sort(key=lambda record: len(record[1]))
    for length in (1900, 2150, 3500, 5000, 7500):
        cut = [(f"{head.split()[0]}_{length}", body[:length]) for head, body in records[:3]]
        content = inputs.format_fasta(cut).encode("latin-1")
        targets = inputs.Targets(f"long{length}", "long.fasta", content, 3 * length)
        for order, arranged in (("falling", models), ("rising", models[::-1])):
            joined = library_of(arranged)
            name = f"{order} x long{length}"
            yield compare.Case(name, "long.hmm", joined.content, [joined], targets, ["-E", "100000", "-A", "40"])


def sample(library):
    yield from refusals(library)
    small, tiny = Planner(library, 6_000_000), Planner(library, 2_000_000)
    mixed = protein_models(library, 25)
    yield from small.every_option("mixed.hmm", mixed)
    for kind in ("ga", "nc", "tc"):
        with_cutoffs = [model for model in protein_models(library, 200) if kind in model.cutoffs][:25]
        for targets in small.sets(with_cutoffs)[:3]:
            yield small.case(f"{kind}.hmm", with_cutoffs, targets, [f"--cut_{kind}"])
    yield from tiny.every_option("MADE1.hmm", inputs.read_models(library.testdata / "hmm/MADE1_fs.hmm", library.work))
    for path in [*library.profiles, *library.shared_profiles[::4], *library.hmmer3_profiles(2)]:
        yield from tiny.in_turn(path, 1)
    yield from long_queries(tiny)


def everything(library):
    yield from sample(library)
    planner = Planner(library, 60_000_000)
    for path in [*library.profiles, *library.shared_profiles, *library.hmmer3_profiles(100)]:
        yield from planner.in_turn(path, 6)


class ScanChecker(compare.Checker):
    """Compares the one report of a scan."""

    def command(self, case, device):
        return [self.gpuhmm, "scan", "--quiet", "--as", "2", "--device", device, *case.arguments()]

    def _check_device(self, case, device, runs, folder):
        verdict, fail, done = self._start(case, device, folder)
        if done is None:
            return verdict
        (run,) = runs
        if run.status > 0:
            self._check_refusal(case, run, done, verdict, fail)
        elif done.returncode != 0 or compare.complaints(done.stderr):
            fail(f"exit {done.returncode}: {done.stderr.decode(errors='replace').strip()}")
        else:
            banner = done.stdout.splitlines(keepends=True)[: compare.BANNER_LINES]
            fault = compare.banner_fault([banner], compare.SCAN_BANNER_START)
            report = compare.after_banner(done.stdout)
            if fault or report != run.report:
                fail(fault or compare.first_difference(run.report, report))
            else:
                verdict.passed = 1
        return verdict


# Reports by others and the profiles (of hmm/foreign) that they were made with.
OTHERS = {
    "antismash_hmmpfam_ACP.out": "antismash_PKSI-ACP.hmm",
    "antismash_hmmpfam_AT.out": "antismash_PKSI-AT.hmm",
    "antismash_hmmpfam_KR.out": "antismash_PKSI-KR.hmm",
    "antismash_hmmpfam_TE.out": "antismash_Thioesterase.hmm",
}


def queries_of(report):
    """(name, residues, lines from the first list on) of the queries whose only domain shows all residues. Lines are
    without blanks at the end, which the stored reports have lost."""
    for block in report.split("\nQuery sequence: ")[1:]:
        block = block.split("\n//")[0]
        name = block.split("\n", 1)[0].strip()
        domains = re.findall(r"^\S+ +1/1 +1 +(\d+) \[\] ", block, re.MULTILINE)
        rows = re.findall(rf"^ *{re.escape(name[:10])} +\d+ +(\S+) +\d+ *$", block, re.MULTILINE)
        residues = "".join(rows).replace("-", "").upper()
        if len(domains) == 1 and len(residues) == int(domains[0]):
            shown = block[block.index("Scores for sequence family") :]
            yield name, residues, [line.rstrip() for line in shown.splitlines()]


def check_other(arguments, case):
    """One Verdict for each device."""
    report, name, residues, expected = case
    verdicts = []
    for device in arguments.device:
        profile = arguments.data / "hmm/foreign" / OTHERS[report]
        command = [str(arguments.gpuhmm.resolve()), "scan", "--quiet", "--as", "2", "--device", device, str(profile), "-"]
        done = subprocess.run(command, input=f">{name}\n{residues}\n".encode(), capture_output=True)
        found = list(queries_of(done.stdout.decode("latin-1")))
        verdict = compare.Verdict()
        if done.returncode == 0 and found and found[0][2] == expected:
            verdict.passed = 1
        else:
            ours = "\n".join(found[0][2]).encode() if found else done.stderr
            difference = compare.first_difference("\n".join(expected).encode(), ours)
            verdict.failures.append(f"FAILED {report}, query {name} on {device}\n{difference}")
        verdicts.append(verdict)
    return verdicts


def run_others(arguments, tally):
    chosen = []
    for report in OTHERS:
        text = (arguments.data / "reports" / report).read_text("latin-1")
        found = [(report, *query) for query in queries_of(text)]
        if not found:
            raise inputs.InputError(f"{report}: no sequence can be taken from it")
        chosen += [case for case in found if arguments.only in report]
    search.run_all(lambda case: check_other(arguments, case), chosen, arguments.jobs, tally)


def scores_of(arguments, command, device, folder):
    """{(profile, sequence): score, P-value and domains} of all pairs, without null2."""
    words = [str(arguments.gpuhmm.resolve()), command, "--quiet", "--as", "2", "--device", device, "--null2", "-E", "1e300"]
    done = subprocess.run(
        [*words, "-Z", "1", "--json", "-", "--noali", "profiles.hmm", "sequences.fasta"], cwd=folder, capture_output=True
    )
    if done.returncode != 0:
        raise inputs.InputError(f"gpuhmm {command}: {done.stderr.decode().strip()}")
    found = {}
    for line in done.stdout.splitlines():
        hit = json.loads(line)
        domains = sorted((d["number"], d["score"], d["sequence_from"], d["profile_to"]) for d in hit["domains"])
        found[hit["profile"]["name"], hit["sequence"]["name"]] = (hit["score"], hit["pvalue"], domains)
    return found


def run_scores(arguments, tally):
    """Scan and search have different loops, matrices and thresholds; scores, P-values and domains must agree."""
    with tempfile.TemporaryDirectory(prefix="oracle-work-") as work:
        library = cases.Library(arguments.testdata, arguments.data if arguments.data.is_dir() else None, work)
        models = list({model.name: model for model in protein_models(library, 20)}.values())
        Path(work, "profiles.hmm").write_bytes(inputs.join_models(models))
        records = inputs.parse_fasta(library.amino[0].content.decode("latin-1"))[:60]
        named = [(f"s{number}", body) for number, (_, body) in enumerate(records)]
        Path(work, "sequences.fasta").write_text(inputs.format_fasta(named))
        for device in arguments.device:
            by_search = scores_of(arguments, "search", device, work)
            by_scan = scores_of(arguments, "scan", device, work)
            wrong = [pair for pair in by_search | by_scan if by_search.get(pair) != by_scan.get(pair)]
            verdict = compare.Verdict(passed=len(by_search) - len(wrong))
            for pair in wrong[:3]:
                reason = f"search {by_search.get(pair)}, scan {by_scan.get(pair)}"
                verdict.failures.append(f"FAILED scores of {pair} on {device}: {reason}")
            if len(by_search) != len(models) * len(named):
                verdict.failures.append(f"FAILED {device}: {len(by_search)} pairs of {len(models)} x {len(named)}")
            tally.add(verdict)


def run_cases(arguments, tally):
    search.run_cases(arguments, tally, "hmm2pfam", {"sample": sample, "all": everything}, ScanChecker)


def main():
    arguments = search.read_arguments(__doc__, ("sample", "all", "others", "scores"))
    runs = {"others": run_others, "scores": run_scores}
    return search.run_and_count(arguments, runs.get(arguments.mode, run_cases))


if __name__ == "__main__":
    sys.exit(main())
