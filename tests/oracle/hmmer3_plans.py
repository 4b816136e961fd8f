"""The fixed cases of hmmer3_search.py and hmmer3_scan.py."""

import itertools
import random

import hmmer3_cases as cases
import hmmer3_faults as faults
import hmmer3_inputs as inputs3
from hmmer3_compare import Case

WHOLE = 2_000_000_000  # cells of a case of --all
NAMES = {"hmmsearch": ("query.hmm", "--tformat"), "hmmscan": ("library.hmm", "--qformat")}
PRESSED_BY = {"hmmsearch": [""], "hmmscan": ["hmmpress", "gpuhmm", "link"]}
FORMATS = ["fasta", "FASTA", "uniprot", "embl", "genbank", "ddbj", "stockholm", "pfam", "none", ""]


def fasta(records):
    return "".join(f">{head}\n{body}\n" for head, body in records).encode("latin-1")


def targets_for(library, profiles, records, seed=1):
    """Sequences drawn from the profiles, before the records."""
    return inputs3.with_domains(random.Random(seed), profiles, records, 6) + records


class Planner:
    def __init__(self, library, program):
        self.library, self.program = library, program
        self.profile_name, self.format_option = NAMES[program]
        self.pressed_by = itertools.cycle(PRESSED_BY[program])

    def case(self, name, profiles, records, options, more=(), cells=60_000_000):
        files = {self.profile_name: inputs3.join(profiles)}
        records = inputs3.limited(records, cells, sum(p.nodes for p in profiles))
        files["targets.fa"] = fasta(records)
        words = [self.program, *cases.TABLES, *more, *options, self.profile_name, "targets.fa"]
        return Case(name, words, files, pressed_by=next(self.pressed_by), library=self.profile_name)

    def options(self, rest=()):
        for options in cases.EVERY_OPTION:
            yield options
        if self.program == "hmmsearch":
            yield ["-A", "rows.sto"]
            yield ["-A", "rows.sto", "--notextw"]
            yield ["-A", "rows.sto", "--incE", "10", "--incdomE", "1000"]
        yield from rest

    def every_option(self):
        """Each option with proteins, with a profile that has cut-offs, and with DNA."""
        named = {p.name: p for p in self.library.profiles if p.version == b"HMMER3/f"}
        older = [p for p in self.library.profiles if p.version == b"HMMER3/b"][:3]
        dna = [p for p in self.library.profiles if p.alphabet == "dna" and p.nodes < 200]
        chosen = [[named[n] for n in ("fn3", "Pkinase", "RRM_1") if n in named], older or [named["globins4"]],
                  inputs3.without_repeated_keys([p for p in dna if p.version == dna[0].version])[:2]]  # fmt: skip
        for profiles in chosen:
            paths = self.library.sets[profiles[0].nucleic]
            records = targets_for(self.library, profiles, self.library.records(paths[0])[:40])
            for options in self.options():
                yield self.case(f"option {' '.join(options)} {profiles[0].name}", profiles, records, options)

    def every_profile(self, cells, each):
        """All profiles; hmmsearch reads them one by one, hmmscan in libraries."""
        options = itertools.cycle(self.options())
        more = ["-A", "rows.sto"] if self.program == "hmmsearch" else []
        size = 1 if self.program == "hmmsearch" else 25
        for key in sorted(self.library.groups):
            group = self.library.groups[key]
            group = inputs3.without_repeated_keys(group) if self.program == "hmmscan" else group
            for at in range(0, len(group), size):
                profiles = group[at : at + size]
                paths = self.library.sets[profiles[0].nucleic]
                for path in paths if each else [paths[at % len(paths)]]:
                    real = self.library.records(path)
                    records = targets_for(self.library, profiles, real, at)
                    chosen = next(options)
                    given = [] if "-A" in chosen else more
                    yield self.case(f"profile {profiles[0].name} x {path.name}", profiles, records, chosen, given, cells)

    def formats(self):
        """Sequence files of every format, named and recognised."""
        profiles = [p for p in self.library.profiles if p.name in ("fn3", "XYPPX") and p.version == b"HMMER3/f"][:1]
        records = targets_for(self.library, profiles, self.library.records(self.library.sets[False][0])[:4])
        plain = [(head.replace("\t", " "), body) for head, body in records if body]
        contents = {"x": fasta(records), "x.dat": inputs3.as_uniprot(plain).encode(), "x.gb": inputs3.as_genbank(plain).encode(),
                    "x.sto": inputs3.as_stockholm(plain).encode(), "x.fa": fasta(records)}  # fmt: skip
        for name, content in contents.items():
            for form in [None, *FORMATS]:
                options = [] if form is None else [self.format_option, form]
                words = [self.program, *cases.TABLES, *options, self.profile_name, name]
                yield Case(f"format {form} of {name}", words, {self.profile_name: inputs3.join(profiles), name: content},
                           pressed_by=next(self.pressed_by), library=self.profile_name)  # fmt: skip

    def insertions(self):
        """Insertions with marks, which -A parts in two."""
        profiles = [p for p in self.library.profiles if p.name == "globins4" and p.version == b"HMMER3/f"][:1]
        consensus = inputs3.emitted(profiles[0], 1, 1, "-c")[0]
        inserts = ["G" * 30, "GGGG", "GGG**", "**GGG", "G**GG", "GG~~GG", "G*~*GG", "GGGGGG**", "GG*", "G*", "*G", "GGG*GG"]
        records = [(f"row{n}", consensus[:60] + insert + consensus[60:]) for n, insert in enumerate(inserts)]
        yield self.case("insertions with marks", profiles, records, ["--max", "-A", "rows.sto"])

    def large(self):
        """More sequences than one block holds, so that list widths depend on the order; one worker, or a given -Z."""
        paths = [p for p in self.library.sets[False] if "10k" in p.name]
        profiles = [p for p in self.library.profiles if p.name in ("Pkinase", "RRM_1", "zf-C2H2")]
        profiles = [p for p in profiles if p.version == b"HMMER3/f"][:3]
        for path in paths:
            for options in (["--cpu", "0"], ["--cpu", "1", "-E", "1e-3"], ["--cpu", "2", "-Z", "1000", "-E", "1e-3"]):
                if self.program == "hmmsearch":
                    yield self.case(f"large {options}", profiles, self.library.records(path), options, cells=WHOLE)
        if self.program == "hmmscan":
            library = inputs3.without_repeated_keys(self.library.groups["amino", b"HMMER3/f"])
            records = self.library.records(self.library.sets[False][0])[:20]
            yield self.case("large library", library, records, ["--cpu", "0"], cells=WHOLE)


def sample(library, program):
    planner = Planner(library, program)
    yield from faults.usage(program)
    yield from faults.files(library, program)
    yield from planner.formats()
    yield from planner.every_option()
    yield from planner.every_profile(15_000_000, False)
    if program == "hmmsearch":
        yield from planner.insertions()
        yield from itertools.islice(faults.later_profiles(), 0, None, 7)
    yield from planner.large()


def everything(library, program):
    planner = Planner(library, program)
    yield from sample(library, program)
    if program == "hmmsearch":
        yield from faults.later_profiles()
    yield from planner.every_profile(WHOLE, True)
