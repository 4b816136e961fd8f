#!/usr/bin/env python3
"""Compares raw scores to 1/1000 bit: hmm2search, gpuhmm's host engine and gpuhmm's OpenCL kernel (PoCL).

  raw_scores.py [--quick] [--gpuhmm PROGRAM] [--device D]... [-j N] [--seed N] [--only TEXT]

Profiles and sequences are random, made from --seed and written as HMMER 2 text: the styles ls, fs, s and g, protein
and nucleic, 1 to 2,100 nodes, impossible transitions and emissions (`*`), all residue codes, 1 to 40,000 residues.
Reports show scores with one decimal only, so there are three kinds of comparisons:

reports   Whole reports on many sequences, byte for byte from line 6 on, with the options in turn.

raw       The raw Viterbi score S of one sequence, in 1/1000 bit. With a threshold that nothing reaches, the histogram
          of hmm2search shows floor(S) in bits for the score of its dynamic programming, and that of gpuhmm for the score
          of the engine under test. Every path takes C -> T once, so the score c of C -> T is part of every S. A binary
          profile can set c, as HMMER 2 does not renormalise it. S is first found by bisection. Then two profiles, one
          with c such that S is a whole number of bits and one with c lower by 1/1000 bit, must give the same reports
          everywhere. As the bin changes between the two, S is equal to 1/1000 bit (beyond 16,000 bits, where single
          precision has no thousandths, to a few thousandths).

paths     The score of the best path of gpuhmm's CPU reference: whole sequence and first domains, without null2. An
          EVD line with slope 150 and a location just below the score is added; then 1/1000 bit changes the E-value by
          16 %, which its two printed digits show. Reports must be equal byte for byte, and the scores computed back
          from the E-values must fit. In style s a path has one domain; if that touches neither end of the profile, no
          folded delete path was used, and its score must also be the S of `raw`.

The last line is `N passed, N failed`; the exit code is 1 if anything failed.
"""

import argparse
import math
import random
import shutil
import struct
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import compare
import inputs
from random_profiles import STYLES, ProfileMaker, random_sequence
from search import REPOSITORY, Tally, run_all

SLOPE = 150.0  # 1/bit, of the EVD lines that make thousandths visible
LARGEST_PINNED = 900.0  # bits; above it the bound on P-values hides the steep EVD
LARGEST_EXACT = 16_000_000  # 1/1000 bit; above it single precision has no thousandths
NOTHING_PASSES = ["-T", "1e30"]
ALL_PASS = ["--null2", "-E", "1e300"]
REPORT_OPTIONS = [
    ["-E", "1e9"],
    [],
    ["--null2", "-E", "1e9"],
    ["-T", "0"],
    ["-E", "1e9", "-A", "2", "--domT", "3"],
    ["--forward", "-E", "1e9"],
    ["-Z", "5000", "-E", "100"],
    NOTHING_PASSES,
]


def targets_of(bodies, nucleic):
    """A FASTA file of sequences s0, s1, ..."""
    content = inputs.format_fasta([(f"s{i} random", body) for i, body in enumerate(bodies)]).encode()
    return inputs.Targets("random", "random.fasta", content, sum(map(len, bodies)), nucleic)


def with_last_step(binary, score):
    """A binary profile (HMMER 2.3.2, native order) with another score, in 1/1000 bit, for C -> T."""
    place = 4
    flags = struct.unpack_from("=I", binary, place)[0]
    place += 4

    def has(bit):
        return flags >> bit & 1

    def skip_string():
        return place + 4 + struct.unpack_from("=i", binary, place)[0]

    for present in (True, has(9), has(1)):  # name, accession, description
        place = skip_string() if present else place
    nodes = struct.unpack_from("=i", binary, place)[0]
    place += 8 + (nodes + 1) * (has(2) + has(3) + 4 * has(8))  # RF, CS, map
    place = skip_string() + 4  # command log, NSEQ
    place = skip_string() + 4  # date, checksum
    place += 8 * (has(10) + has(11) + has(12))  # cut-offs
    loop = struct.unpack_from("=f", binary, place + 32)[0]  # of the null model, after 8 special transitions
    move = struct.unpack("=f", struct.pack("=f", 1.0 - loop))[0]
    patched = bytearray(binary)
    struct.pack_into("=f", patched, place + 16, move * 2.0 ** (score / 1000))
    return bytes(patched)


class HostProgram:
    """Runs gpuhmm without OpenCL, for the planning of cases."""

    def __init__(self, gpuhmm):
        self.gpuhmm = str(Path(gpuhmm).resolve())

    def reports(self, models, targets, options):
        with tempfile.TemporaryDirectory(prefix="raw-") as folder:
            (Path(folder) / "p.hmm").write_bytes(inputs.join_models(models))
            (Path(folder) / "s.fasta").write_bytes(targets.content)
            command = [self.gpuhmm, "search", "--quiet", "--cpu", "1", "--device", "none", *options, "p.hmm", "s.fasta"]
            output = inputs.run_tool(command, cwd=folder, timeout=compare.TIME_LIMIT)
        return [report.decode() for report in compare.split_reports(output)[0]]

    def bin(self, model, targets):
        """floor(S) in bits of the only sequence of `targets`."""
        lines = self.reports([model], targets, NOTHING_PASSES)[0].splitlines()
        heading = next(i for i, line in enumerate(lines) if line.startswith("Histogram of all scores"))
        return int(lines[heading + 3].split()[0])


def listed(report, title):
    """The lines of a hit list of a report, split into words."""
    lines = report.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith(title)) + 3
    rows = [line.split() for line in lines[start : lines.index("", start)]]
    return [] if rows[0][0] == "[no" else rows


@dataclass(frozen=True)
class Printed:
    """A printed score in bits with its E-value; `inner`: of a domain that touches neither end of the profile."""

    score: float
    e_value: float
    inner: bool = False


def printed_scores(report):
    """The Printed scores of the sequences and those of the domains of a report."""
    sequences = [Printed(float(row[-3]), float(row[-2])) for row in listed(report, "Scores for complete sequences")]
    domains = [Printed(float(row[-2]), float(row[-1]), row[-3] == "..") for row in listed(report, "Parsed for domains")]
    return sequences, domains


class RawScores:
    """Runs the three kinds of comparisons."""

    def __init__(self, arguments, work):
        self.host = HostProgram(arguments.gpuhmm)
        self.checker = compare.Checker(arguments.gpuhmm, arguments.device, compare.Oracle())
        self.work = Path(work)

    def check(self, named):
        """The verdicts of a comparison, given as (name, function of a RawScores)."""
        name, compare_with = named
        try:
            return compare_with(self)
        except (inputs.InputError, subprocess.SubprocessError, OSError, StopIteration, LookupError, ValueError) as error:
            return [compare.Verdict(failures=[f"FAILED {name}: {type(error).__name__}: {error}"])]

    def reports(self, name, models, targets, options):
        """Compares whole reports on each device. The name of the profile file only appears in the reports."""
        case = compare.Case(name, "random.hmm", inputs.join_models(models), models, targets, options)
        return self.checker.check(case)

    def raw_and_paths(self, name, profile, targets):
        """The comparisons `raw` and `paths` of the only sequence of `targets`."""
        raw, verdicts = self._raw(f"raw {name}", profile, targets)
        return verdicts + self._paths(f"paths {name}", profile, targets, raw)

    def _raw(self, name, profile, targets):
        """The raw score with C -> T at 0, in 1/1000 bit, and the verdicts."""
        with tempfile.TemporaryDirectory(dir=self.work) as folder:
            text, binary = Path(folder) / "text.hmm", Path(folder) / "binary.hmm"
            text.write_bytes(profile.model().content)
            inputs.run_tool(["hmm2convert", "-b", "-F", text, binary])
            base = binary.read_bytes()

        def lowered(units):
            content = with_last_step(base, -units)
            return inputs.Model(profile.name, content, profile.nodes, profile.nucleic, False, frozenset())

        top = self.host.bin(lowered(0), targets)
        stays, falls = 0, 1000  # lowered by the first, the bin is `top`; lowered by the second, one less
        if self.host.bin(lowered(falls), targets) != top - 1 and abs(1000 * top) < LARGEST_EXACT:
            return None, [compare.Verdict(failures=[f"FAILED {name}: C -> T does not move the histogram"])]
        while falls - stays > 1:
            middle = (stays + falls) // 2
            if self.host.bin(lowered(middle), targets) == top:
                stays = middle
            else:
                falls = middle
        models = [lowered(stays), lowered(falls)]
        return 1000 * top + stays, self.reports(name, models, targets, NOTHING_PASSES)

    def _paths(self, name, profile, targets, raw):
        sequences, domains = printed_scores(self.host.reports([profile.model()], targets, ALL_PASS)[0])
        wanted = dict.fromkeys(hit.score for hit in [*sequences, *domains[:3]] if hit.score < LARGEST_PINNED)
        if not wanted:
            return []
        evds = [(round(score - 0.4 - max(score, 0) * 0.0047, 6), SLOPE) for score in wanted]
        models = [profile.model(evd) for evd in evds]
        verdicts = self.reports(name, models, targets, ALL_PASS)
        is_raw = raw is not None and profile.style == "s" and domains[0].inner
        faults = []
        for score, (location, _), report in zip(wanted, evds, self.host.reports(models, targets, ALL_PASS)):
            e_values = [hit.e_value for hits in printed_scores(report) for hit in hits if hit.score == score]
            exact = [location - math.log(e_value) / SLOPE if e_value > 0 else math.inf for e_value in e_values]
            if not exact or any(abs(value - score) > 0.0515 for value in exact):
                faults.append(f"score {score}: the E-values {e_values} show {exact}")
            elif is_raw and round(1000 * exact[0]) != raw:
                faults.append(f"the best path scores {exact[0]:.3f}, the raw score is {raw} / 1000")
        for fault in faults:
            verdicts.append(compare.Verdict(failures=[f"FAILED {name}: {fault}"]))
        if not faults:
            verdicts.append(compare.Verdict(passed=1))
        return verdicts


@dataclass(frozen=True)
class Plan:
    """How much is compared."""

    report_cases: int  # each: profiles of some kind on some sequences
    profiles_a_case: int
    pinned: int  # small profiles, one sequence each
    large: tuple  # (nodes, residues) of further profiles with one sequence


QUICK = Plan(16, 4, 32, ((1000, 300), (2100, 1000), (37, 40_000), (1, 20_000)))
FULL = Plan(
    120,
    6,
    300,
    ((1000, 3000), (1536, 5000), (2048, 2000), (2100, 2100), (2100, 8000), (1999, 1))
    + ((1, 40_000), (37, 40_000), (120, 33_333), (300, 25_000), (700, 20_000), (2100, 40_000)),
)


def log_uniform(rng, low, high):
    return min(high, int(low * ((high + 1) / low) ** rng.random()))


def report_case(number, plan, seed):
    """Name, models, targets and options of a case of whole reports."""
    rng = random.Random(f"reports {seed} {number}")
    nucleic = number % 4 == 3
    options = REPORT_OPTIONS[number % len(REPORT_OPTIONS)]
    profiles = []
    for i in range(plan.profiles_a_case):
        nodes, odd = log_uniform(rng, 1, 300), rng.random() < 0.5
        maker = ProfileMaker(rng, nodes, STYLES[(number + i) % 4], nucleic, odd, options is not NOTHING_PASSES)
        profiles.append(maker.make(f"r{number}_{i}"))
    bodies = []
    for profile in profiles:
        bodies += [random_sequence(rng, profile, log_uniform(rng, 1, 1500)) for _ in range(4)]
    models = [
        profile.model((rng.uniform(-120, 20), rng.uniform(0.1, 0.7)) if rng.random() < 0.5 else None)
        for profile in profiles
    ]
    name = f"reports {number} [{' '.join(options)}]"
    return name, models, targets_of(bodies, nucleic), options


def pinned_case(number, seed, nodes, residues, style):
    """Name, profile and targets of a case of one sequence."""
    rng = random.Random(f"pinned {seed} {number}")
    nodes = nodes or log_uniform(rng, 1, 400)
    residues = residues or log_uniform(rng, 1, 1200)
    nucleic = rng.random() < 0.25
    profile = ProfileMaker(rng, nodes, style, nucleic).make(f"p{number}")
    body = random_sequence(rng, profile, residues)
    return f"pinned {number}: {style}, {nodes} nodes x {residues} residues", profile, targets_of([body], nucleic)


def plans(plan, seed):
    """(name, function of a RawScores) of every comparison, the largest first."""
    sizes = [*plan.large, *[(None, None)] * plan.pinned]
    for number, (nodes, residues) in enumerate(sizes):
        name, profile, targets = pinned_case(number, seed, nodes, residues, STYLES[(number + number // 4) % 4])
        yield name, lambda raw, case=(name, profile, targets): raw.raw_and_paths(*case)
    for number in range(plan.report_cases):
        case = report_case(number, plan, seed)
        yield case[0], lambda raw, case=case: raw.reports(*case)


def read_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__.splitlines()[0], formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="fewer and smaller cases: about half a minute")
    parser.add_argument("--gpuhmm", type=Path, default=REPOSITORY / "build/release/src/gpuhmm")
    parser.add_argument("--device", action="append", help="a device to search with (default: none and pthread, PoCL)")
    parser.add_argument("-j", "--jobs", type=int, default=2, help="cases run at the same time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="run only cases whose name contains this text")
    parser.add_argument("--max-failures", type=int, default=20, help="failures shown in full")
    arguments = parser.parse_args()
    arguments.device = arguments.device or ["none", "pthread"]
    return arguments


def main():
    arguments = read_arguments()
    tally = Tally(arguments.max_failures)
    started = time.monotonic()
    for program in (arguments.gpuhmm, "hmm2search", "hmm2convert"):
        if not shutil.which(program):
            tally.add(compare.Verdict(failures=[f"FAILED {program}: no such program"]))
            return tally.close(0)
    with tempfile.TemporaryDirectory(prefix="raw-work-") as work:
        raw = RawScores(arguments, work)
        planned = plans(QUICK if arguments.quick else FULL, arguments.seed)
        run_all(raw.check, (named for named in planned if arguments.only in named[0]), arguments.jobs, tally)
    return tally.close(time.monotonic() - started)


if __name__ == "__main__":
    sys.exit(main())
