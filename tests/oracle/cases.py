"""The cases of search.py: combinations of profiles, sequences and options."""

import itertools
from dataclasses import replace
from pathlib import Path

import inputs
from compare import Case

# Every option of hmm2search, alone and mixed. Cutoff options are given only to models that have the cutoffs.
OPTION_SETS = [
    [],
    ["-E", "1000"],
    ["-E", "1e-5"],
    ["-T", "-20"],
    ["-T", "12.5", "-E", "1e6"],
    ["-Z", "45000000", "-E", "100"],
    ["-Z", "1"],
    ["-A", "0"],
    ["-A", "3"],
    ["-A", "-1"],
    ["--domE", "0.01"],
    ["--domE", "5e-9", "-E", "50"],
    ["--domT", "10"],
    ["--domT", "-30.5", "-T", "-150", "-E", "1e9"],
    ["--forward"],
    ["--forward", "-E", "2000", "-A", "20"],
    ["--null2"],
    ["--null2", "--forward", "-E", "100"],
    ["--xnu"],
    ["--xnu", "--null2", "-E", "500"],
    ["--compat"],
    ["--compat", "-A", "1", "-Z", "7"],
    ["--informat", "fasta"],
    ["--cut_ga"],
    ["--cut_nc", "-A", "4"],
    ["--cut_tc", "--null2"],
    ["--cut_ga", "-E", "1e-3", "--forward"],
    ["-E", "0"],
    ["-E", "20", "--domE", "1", "--domT", "-5", "-A", "6", "-Z", "1000", "--compat"],
]
CUTOFF_OPTIONS = {"--cut_ga": "ga", "--cut_nc": "nc", "--cut_tc": "tc"}


class Library:
    """The profile files and sequence sets found in testdata/ and, when it is there, in the shared data folder."""

    def __init__(self, testdata, shared, work):
        self.testdata, self.shared, self.work = Path(testdata), shared and Path(shared), Path(work)
        self.profiles = sorted(self.testdata.glob("hmm/*.hmm*"))
        self.shared_profiles = sorted(p for p in self.shared.glob("hmm/*/*") if ".tsv" not in p.name) if shared else []
        self.amino, self.nucleic = self._sequence_sets()

    def _sequence_sets(self):
        base = inputs.fasta_targets("uniprot", self.testdata / "seq/uniprot.fasta")
        amino = [
            base,
            replace(base, key="uniprot.gz", file_name="uniprot.fasta.gz"),
            inputs.odd_fasta(base),
            inputs.file_targets("stockholm", self.testdata / "seq/RRM_1.sto", "RRM_1.sto"),
        ]
        nucleic = [
            inputs.fasta_targets("phiX174", self.testdata / "dna/phiX174.fna", True),
            inputs.fasta_targets("lambda", self.testdata / "dna/lambda.fna.gz", True, packed=True),
        ]
        if self.shared:
            seq, dna = self.shared / "seq", self.shared / "dna"
            flat = self.shared / "tm/uniprot_tm_entries.dat.gz"
            amino += [
                inputs.fasta_targets("sprot_1k", seq / "sprot_1k.fasta"),
                inputs.fasta_targets("top20", seq / "top20_targets.fasta"),
                inputs.fasta_targets("odd_residues", seq / "odd_residues.fasta"),
                inputs.fasta_targets("short", seq / "short.fasta"),
                inputs.fasta_targets("lowercase", seq / "sprot_2k_segmasked_lowercase.fasta.gz", packed=True),
                inputs.fasta_targets("stars", seq / "ecoli_K12_prodigal_stars.faa.gz"),
                inputs.fasta_targets("long", seq / "long.fasta.gz", packed=True),
                inputs.file_targets("flat", flat, "entries.dat"),
                inputs.file_targets("flat.gz", flat, "entries.dat.gz", informat="embl"),
                inputs.file_targets("stockholm2", self.shared / "align/WD40.sto", "WD40.sto", informat="stockholm"),
            ]
            nucleic += [
                inputs.fasta_targets("ypestis", dna / "ypestis_pPCP1_NC_005816.fna", True),
                inputs.fasta_targets("hiv1", dna / "hiv1_NC_001802.fna", True),
                inputs.fasta_targets("dust", dna / "hpylori_G27_300kb_dustmasked_lowercase.fa.gz", True, packed=True),
            ]
        return amino, nucleic

    def hmmer3_profiles(self, count):
        """HMMER3 text profiles built here by hmmbuild from the shared alignments."""
        if not self.shared:
            return []
        built = []
        for alignment in sorted((self.shared / "align").glob("*.sto"))[:count]:
            target = self.work / f"{alignment.stem}_hmmer3.hmm"
            inputs.run_tool(["hmmbuild", "--cpu", "0", "-n", alignment.stem, target, alignment])
            built.append(target)
        return built


def options_for(models, targets, options):
    """The targets to use with these options, or None if hmm2search would refuse them or its answer would be undefined."""
    cutoffs = {CUTOFF_OPTIONS[option] for option in options if option in CUTOFF_OPTIONS}
    if not all(cutoffs <= model.cutoffs for model in models):
        return None
    if "--informat" in options and (targets.informat or not targets.is_fasta):
        return None
    if "--xnu" in options:
        return targets.without_unknown_residues() if targets.is_fasta and not targets.nucleic else None
    return targets


class Planner:
    """Makes cases: sequence sets are cut so that no search by hmm2search is larger than a number of cells."""

    def __init__(self, library, models_a_file, cells):
        self.library = library
        self.models_a_file = models_a_file  # None: all
        self.cells = cells

    def _load(self, path):
        """The models of a file, at most as many as wanted, and the content of the file for gpuhmm."""
        models = inputs.read_models(path, self.library.work)
        if len({model.nucleic for model in models}) > 1:
            models = models[:1]
        wanted = self.models_a_file or len(models)
        whole = len(models) <= wanted and path.name.find("mixed") < 0
        if not whole:
            models = models[:: -(-len(models) // wanted)]
        hmmer3 = inputs.read_bytes(path).startswith(b"HMMER3/")
        return models, path.read_bytes() if whole or hmmer3 else inputs.join_models(models)

    def case(self, path, models, content, targets, options):
        usable = options_for(models, targets, options)
        if usable is None:
            return None
        usable = usable.cut(max(1, self.cells // max(model.nodes for model in models)))
        name = f"{path.name} x {usable.key} [{' '.join(options)}]"
        return Case(name, path.name, content, models, usable, options)

    def emitted(self, path, models):
        content = inputs.emit_sequences(models, self.library.work, count=8, seed=5).encode("latin-1")
        nucleic = models[0].nucleic
        return inputs.Targets("emitted", "emitted.fasta", content, len(content), nucleic)

    def every_option(self, path):
        """All option sets on one profile file, the sequence sets taken in turn."""
        models, content = self._load(path)
        sets = self.library.nucleic if models[0].nucleic else self.library.amino
        emitted = self.emitted(path, models)
        for number, options in enumerate(OPTION_SETS):
            for targets in (sets[0], emitted, sets[number % len(sets)]):
                case = self.case(path, models, content, targets, options)
                if case:
                    yield case

    def in_turn(self, paths, turns, first=0):
        """Each profile file with `turns` pairs of options and sequence sets, cyclically from both lists; as the lists
        have different lengths, the combinations differ from file to file."""
        step = itertools.count(first)
        for path in paths:
            models, content = self._load(path)
            sets = self.library.nucleic if models[0].nucleic else self.library.amino
            emitted = self.emitted(path, models)
            made = 0
            while made < turns:
                number = next(step)
                options = OPTION_SETS[number % len(OPTION_SETS)]
                targets = emitted if number % 3 == 0 else sets[(number - number // 3) % len(sets)]
                case = self.case(path, models, content, targets, options)
                if case:
                    made += 1
                    yield case

    def every_set(self, paths, first=0):
        """Each profile file with every sequence set and its own emitted sequences, options in turn."""
        step = itertools.count(first)
        for path in paths:
            models, content = self._load(path)
            sets = self.library.nucleic if models[0].nucleic else self.library.amino
            for targets in [self.emitted(path, models), *sets]:
                case = None
                while case is None:
                    options = OPTION_SETS[next(step) % len(OPTION_SETS)]
                    case = self.case(path, models, content, targets, options)
                yield case


def refusals(library):
    """Cases that hmm2search refuses, where gpuhmm must do so with one line; or where hmm2search crashes and gpuhmm must
    write a report."""
    planner = Planner(library, None, 10**7)
    amino, nucleic = library.amino[0].cut(2000), library.nucleic[0]
    by_name = {path.name: path for path in library.profiles}
    calibrated = by_name["RRM_1_ls.hmm"]
    nothing = inputs.Targets("empty", "empty.fasta", b"", 0)
    blank = inputs.Targets("no residues", "blank.fasta", b">empty record\n>another\n", 0)
    broken = inputs.Targets("not FASTA", "broken.fasta", b"ACDEFGHIKLMNPQRSTVWY\n", 20)
    plain = by_name["RRM_1_g_uncalibrated.hmm"]
    nocut = by_name["MADE1_fs.hmm"]
    wanted = [
        (nocut, nucleic, ["--cut_ga"]),
        (nocut, nucleic, ["--cut_tc"]),
        (nocut, nucleic, ["--cut_nc"]),
        (nocut, nucleic, ["--xnu"]),
        (calibrated, nothing, []),
        (calibrated, blank, []),
        (plain, blank, []),
        (calibrated, broken, ["--informat", "fasta"]),
        (calibrated, amino, ["--informat", "nosuchformat"]),
    ]
    for path, targets, options in wanted:
        models, content = planner._load(path)
        name = f"{path.name} x {targets.key} [{' '.join(options)}]"
        status = 2 if "nosuchformat" in options else 1
        yield Case(name, path.name, content, models, targets, options, status)


def chromosomes(library, cells):
    """Each profile of testdata/ against one record that is longer than HMMER 2's limit for the full matrix."""
    planner = Planner(library, models_a_file=1, cells=10**9)
    for path in library.profiles:
        models, content = planner._load(path)
        background = (library.nucleic if models[0].nucleic else library.amino)[0]
        residues = max(cells // models[0].nodes, 45_000_000 // (12 * models[0].nodes))
        targets = inputs.chromosome(models, background, library.work, residues)
        for options in ([], ["--domE", "1", "-A", "2"]):
            yield planner.case(path, models, content, targets, options)


def sample(library):
    """The deterministic subset: all profile kinds, all options, in a few minutes of oracle time."""
    small = Planner(library, models_a_file=3, cells=40_000_000)
    tiny = Planner(library, models_a_file=2, cells=12_000_000)
    yield from refusals(library)
    yield from chromosomes(library, 4_000_000)
    for path in library.profiles:
        yield from (small if path.name.startswith("Pkinase") else tiny).every_option(path)
    yield from small.in_turn(library.shared_profiles, turns=1)
    yield from tiny.in_turn(library.shared_profiles, turns=1, first=17)
    yield from tiny.every_set(library.hmmer3_profiles(4))


def everything(library):
    """Every profile against every sequence set, options in turn, three rounds with other options."""
    planner = Planner(library, models_a_file=None, cells=500_000_000)
    yield from refusals(library)
    yield from chromosomes(library, 500_000_000)
    for path in library.profiles:
        yield from planner.every_option(path)
    profiles = library.shared_profiles + library.hmmer3_profiles(count=100)
    for first in (0, 7, 19):
        yield from planner.every_set(profiles, first)


PLANS = {"sample": sample, "all": everything}
