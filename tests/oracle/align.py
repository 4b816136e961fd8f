#!/usr/bin/env python3
"""Compares `gpuhmm align` with the installed hmm2align: alignments in all formats, of all kinds of sequences.

  align.py [--all] [--gpuhmm PROGRAM] [--only TEXT]

Sequences are real ones, sequences drawn from the profile (whole, cut, doubled, changed), short ones, and some close to
the length at which HMMER 2 changes to another method of alignment. There are none without residues, as hmm2align
crashes on these. The last line is `N passed, N failed`; the exit code is 1 if anything failed.
"""

import random
import re
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

import inputs
import tools

TESTDATA = tools.REPOSITORY / "testdata"
PROFILE, SEQUENCES, FIXED = "x.hmm", "x.seq", "x.ali"
FORMATS = ["stockholm", "selex", "msf", "clustal", "phylip", "A2M"]
AMINO, NUCLEIC = "ACDEFGHIKLMNPQRSTVWY", "ACGT"
MATRIX_LIMIT = 33 * 1048576 - 80  # bytes of the largest matrix that HMMER 2 uses

ODD = b""">lower_case some words
vrlsnlnpnytdkdlrdlfndygfiagidlmrdfptkstgfvrgeafvkyf
>degenerate	behind a tab
VFVGGLXXBBZZUUJJOO*ERSRDVTDTALVAIFEKAGPVRSALVIKD-..~_12 34ENKGFGF
>a_name_of_more_than_sixty_three_characters_that_is_cut_where_hmmer_cuts_names_of_sequences   """ + b"d" * 140 + b"""
WWWWWWWWWW
>one
M
>marks#z:*;,()[]%@!^&=+{}<>?~`"'\\/$|.-_ of all kinds
ACGUACGUACGUNNRYMKSWHBVDX
>one -no description
ACGTACGTACGTAACCGGTT
"""  # fmt: skip


def fasta(sequences):
    return "".join(f">s{i}\n{s}\n" for i, s in enumerate(sequences)).encode()


class Source:
    """Sequences made for one profile."""

    def __init__(self, model, seed):
        self.random = random.Random(seed)
        self.model = model
        self.letters = NUCLEIC if model.nucleic else AMINO

    def noise(self, length):
        return "".join(self.random.choice(self.letters) for _ in range(length))

    def drawn(self, count):
        with tempfile.TemporaryDirectory(prefix="oracle-") as folder:
            path = Path(folder) / PROFILE
            path.write_bytes(self.model.content)
            text = inputs.run_tool(["hmm2emit", "-q", "-n", str(count), "--seed", str(self.random.randrange(10**6)), path])
        return [residues or "A" for _, residues in inputs.parse_fasta(text.decode())]

    def changed(self, sequence):
        pieces = []
        for letter in sequence:
            chance = self.random.random()
            if chance < 0.03:
                pieces.append(self.noise(self.random.choice([1, 2, 3, 9, 30])))
            if chance < 0.9:
                pieces.append(letter if chance < 0.6 else self.noise(1))
        return "".join(pieces) or "A"

    def cut(self, sequence):
        start = self.random.randrange(len(sequence))
        return sequence[start : start + self.random.randrange(1, len(sequence) + 1)]

    def mixture(self, count=6):
        whole = self.drawn(count)
        pieces = list(whole)
        pieces += [self.noise(self.random.randrange(100)) + s + self.noise(self.random.randrange(100)) for s in whole[:3]]
        pieces += [self.changed(s) for s in whole] + [self.cut(s) for s in whole]
        pieces += [whole[0] + self.noise(7) + whole[1], whole[1] + whole[0] + whole[2]]
        pieces += [self.noise(self.random.randrange(1, 400)) for _ in range(3)] + [self.noise(1), self.noise(2)]
        return fasta(pieces)

    def lengthy(self):
        """Lengths around HMMER's limit for a full matrix; some fit only if certain others come before them."""
        limit = MATRIX_LIMIT // (12 * (self.model.nodes + 2) + 52) - 1
        lengths = [limit + 20, limit - 25, limit - 20, limit - 3, limit + 30, 50, limit, limit + 1, limit - 26, limit - 10]
        if self.random.random() < 0.5:
            self.random.shuffle(lengths)
        whole = self.drawn(len(lengths))
        pieces = []
        for length, domain in zip(lengths, whole):
            domain = self.changed(domain)
            before = self.random.randrange(max(length - len(domain), 1))
            pieces.append((self.noise(before) + domain + self.noise(length))[:length])
        return fasta(pieces)


def cases_of_history(arguments):
    """HMMER's matrix grows from sequence to sequence, and its size decides how a long sequence is aligned. The profile
    makes the difference visible: all nodes but the last are equal, long inserts cost nothing, and the sequences have
    fewer letters that match a node than there are nodes."""
    with tempfile.TemporaryDirectory(prefix="oracle-") as folder:
        alignment, profile = Path(folder) / "a.sto", Path(folder) / "a.hmm"
        alignment.write_text("# STOCKHOLM 1.0\n" + "".join(f"s{i} {'A' * 79}G\n" for i in range(9)) + "//\n")
        inputs.run_tool(["hmm2build", "-g", "--nucleic", profile, alignment])
        lines = profile.read_text().split("\n")
        start = next(i for i, line in enumerate(lines) if line.startswith("HMM "))
        lines[start + 2] = "             0      *      *"
        for i in range(start + 5, len(lines) - 5, 3):
            words = lines[i].split()
            words[1:8] = "-300 -4000 -4000 -11000 0 -1000 -1000".split()
            lines[i] = f"     {words[0]} " + " ".join(f"{word:>6}" for word in words[1:])
        profile.write_text("\n".join(lines))
        (model,) = inputs.read_models(profile, folder)
    limit = MATRIX_LIMIT // (12 * (model.nodes + 2) + 52) - 1

    def domain(length, first=0):
        return "C" * first + "A" * 30 + "C" * (length - first - 61) + "A" * 30 + "G"

    short, grow, close = domain(200), domain(limit - 30), domain(limit - 5)
    for name, sequences in {
        "small": [short, close, short],
        "grown": [close, grow, close, domain(limit), domain(limit + 1)],
        "grown by the first": [domain(limit - 25), domain(limit), domain(limit + 1)],
        "just too long": [domain(limit - 24), domain(limit - 25), domain(limit - 26), domain(limit - 1)],
        "grown by a domain": [close, domain(limit + 40, 70), close, domain(limit - 20, 40), close],
        "not grown by a domain": [close, domain(limit + 40, 40), close, domain(limit + 400, 420), close],
    }.items():
        yield make_case(arguments, f"matrix {name}", model.content, fasta(sequences), "-q --oneline")


def without_date(_, content):
    return re.sub(rb"(  Type: [NP]  )\w+ \d\d, \d{4} \d\d:\d\d", rb"\1", content)


def make_case(arguments, name, profile, sequences, options, fixed=None):
    files = {PROFILE: profile, SEQUENCES: sequences}
    if fixed is not None:
        files[FIXED] = fixed
    # Alignments with a date must go to a file; some of the others do, too.
    output = ["-o", "out"] if "msf" in options or len(name) % 2 else []
    words = [*options.split(), *output, PROFILE, SEQUENCES]
    banner = 0 if "-q" in words else 5
    ours = [arguments.gpuhmm, "align", *words]
    return tools.Case(
        f"{name} {options}", ["hmm2align", *words], ours, files, banner, without_date, without_date,
        warning=tools.compare.ALPHABET_WARNING,
    )  # fmt: skip


def profiles(folders):
    """(name, model) of every profile, one by one."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix not in (".tsv", ".txt", ".md", ".fa", ".sto"):
                with tempfile.TemporaryDirectory(prefix="oracle-") as work:
                    models = inputs.read_models(path, work)
                for model in models:
                    yield f"{path.relative_to(folder)} {model.name}", model


def cases_of_profile(arguments, number, name, model, many):
    source = Source(model, name)
    drawn = source.mixture()
    yield make_case(arguments, f"{name} drawn", model.content, drawn, "-q")
    for i, form in enumerate(FORMATS):
        if many or i == number % 6:
            yield make_case(arguments, f"{name} drawn", model.content, drawn, f"--outformat {form}")
            yield make_case(arguments, f"{name} drawn", model.content, drawn, f"-q -m --outformat {form}")
            yield make_case(arguments, f"{name} odd", model.content, ODD, f"--outformat {form}")
    yield make_case(arguments, f"{name} drawn", model.content, drawn, "-q --oneline --informat fasta")
    if many or number % 4 == 0:
        yield make_case(arguments, f"{name} lengthy", model.content, source.lengthy(), "-q --oneline")


def without_markup(text):
    """The text without the structures of rows (#=GR), on which hmm2align crashes."""
    return re.sub(r"^#=GR.*\n", "", text, flags=re.MULTILINE)


def fixed_alignments(arguments):
    """(name, alignment, model built from it) in the styles of profiles."""
    paths = [TESTDATA / "seq/RRM_1.sto"]
    if arguments.data.is_dir():
        paths += sorted((arguments.data / "align").glob("*.sto"))
    for number, path in enumerate(paths):
        if not arguments.all and path.stat().st_size > 30000:
            continue
        text = without_markup(path.read_text())
        for style in [[], ["-f"], ["-g"], ["-s"]][number % 2 :: 2]:
            with tempfile.TemporaryDirectory(prefix="oracle-") as folder:
                alignment, profile = Path(folder) / "a.sto", Path(folder) / "a.hmm"
                alignment.write_text(text)
                inputs.run_tool(["hmm2build", *style, profile, alignment])
                (model,) = inputs.read_models(profile, folder)
            yield f"{path.name} {''.join(style)}", text.encode(), model


def cases_of_files(arguments):
    """Sequence files of all kinds."""
    for profile in ("RRM_1_ls", "RRM_1_fs", "Pkinase_ls"):
        content = (TESTDATA / "hmm" / f"{profile}.hmm").read_bytes()
        for sequences in ("uniprot.fasta", "RRM_1.sto", "composed.embl", "composed.gb", "uniprot_flat.dat"):
            data = without_markup((TESTDATA / "seq" / sequences).read_text()).encode()
            for options in ("-q", "-q --outformat selex"):
                yield make_case(arguments, f"{profile} {sequences}", content, data, options)


def cases_with_alignment(arguments):
    for name, alignment, model in fixed_alignments(arguments):
        sequences = Source(model, name).mixture(3)
        for options in ("-q --mapali " + FIXED, "-q -m --mapali " + FIXED, f"--outformat msf --mapali {FIXED}",
                        f"-q --withali {FIXED} --mapali {FIXED}"):  # fmt: skip
            yield make_case(arguments, f"with {name}", model.content, sequences, options, alignment)


def changed_alignment(model, seed):
    """Rows of sequences drawn from the model and aligned by hmm2align, then changed: other residues, fewer or more columns,
    or only random residues; with or without weights, in Stockholm or MSF."""
    source = Source(model, seed)
    chance = source.random
    count = chance.choice([1, 2, 3, 5, 7, 11])
    with tempfile.TemporaryDirectory(prefix="oracle-") as folder:
        profile, sequences = Path(folder) / PROFILE, Path(folder) / SEQUENCES
        profile.write_bytes(model.content)
        sequences.write_bytes(fasta(source.drawn(count)))
        text = inputs.run_tool(["hmm2align", "-q", "--outformat", "a2m", profile, sequences]).decode()
    rows = [row for _, row in inputs.parse_fasta(text)]
    letters = source.letters + chance.choice(["", "", "XBZUJO*xbz", "-" * 40])
    if chance.random() < 0.3:
        part, length = chance.choice([0, 0.3, 0.6]), chance.randrange(1, 150)
        rows = ["".join("-" if chance.random() < part else chance.choice(letters) for _ in range(length)) for _ in rows]
    rows = ["".join(c if chance.random() > 0.05 else chance.choice(letters + ".-~_") for c in row) for row in rows]
    if chance.random() < 0.5:
        kept = [chance.random() > 0.1 for _ in rows[0]]
        rows = ["".join(c for c, keep in zip(row, kept) if keep) for row in rows]
    if chance.random() < 0.5:
        at, width = chance.randrange(len(rows[0]) + 1), chance.randrange(1, 30)
        rows = [row[:at] + "".join(chance.choice(letters + "-" * 20) for _ in range(width)) + row[at:] for row in rows]
    rows = [row or "A" for row in rows]
    weights = [chance.choice([0.1, 0.33, 1, 1.5, 2]) for _ in rows]
    if seed % 4 == 1:
        names = "".join(f" Name: r{i} Len: {len(rows[0])} Check: 1 Weight: {w:.2f}\n" for i, w in enumerate(weights))
        body = "".join(f"r{i} {row}\n" for i, row in enumerate(rows))
        return f" x.msf MSF: {len(rows[0])} Type: P today Check: 1 ..\n\n{names}\n//\n\n{body}".encode()
    marks = "".join(f"#=GS r{i} WT {w}\n" for i, w in enumerate(weights)) if seed % 4 == 2 else ""
    return ("# STOCKHOLM 1.0\n" + marks + "".join(f"r{i} {row}\n" for i, row in enumerate(rows)) + "//\n").encode()


def cases_with_any_alignment(arguments):
    files = ["hmm/RRM_1_ls", "hmm/RRM_1_fs", "hmm/RRM_1_g_uncalibrated", "hmm/RRM_1_s", "hmm/Pkinase_ls", "hmm/MADE1_fs",
             "vectors/toy5", "vectors/toy6fs"]  # fmt: skip
    for number, file in enumerate(files):
        with tempfile.TemporaryDirectory(prefix="oracle-") as work:
            (model,) = inputs.read_models(TESTDATA / f"{file}.hmm", work)
        for seed in range(number, 400 + number if arguments.all else 15 + number):
            alignment = changed_alignment(model, seed)
            yield make_case(arguments, f"{file} and alignment {seed}", model.content, b">s\nACDACD\n", f"-q --withali {FIXED}", alignment)


def refused_cases(arguments):
    changed = re.sub("VA", "AA", without_markup((TESTDATA / "seq/RRM_1.sto").read_text()), count=1).encode()
    content = (TESTDATA / "hmm/RRM_1_ls.hmm").read_bytes()
    for options in (f"--mapali {FIXED}", "--mapali none", "--outformat fasta", "--outformat eps", "--informat none"):
        yield make_case(arguments, "refused", content, ODD, options, changed)


def cases(arguments):
    yield from refused_cases(arguments)
    yield from cases_of_history(arguments)
    yield from cases_of_files(arguments)
    for number, (name, model) in enumerate(profiles([TESTDATA / "hmm", TESTDATA / "vectors"])):
        yield from cases_of_profile(arguments, number, name, model, True)
    yield from cases_with_alignment(arguments)
    yield from cases_with_any_alignment(arguments)
    if arguments.data.is_dir():
        for number, (name, model) in enumerate(profiles([arguments.data / "hmm"])):
            if arguments.all or number % 32 == 0:
                yield from cases_of_profile(arguments, number, name, model, False)


def main():
    arguments = tools.arguments_of(__doc__.splitlines()[0])
    return tools.check_all(cases(arguments), arguments.only)


if __name__ == "__main__":
    sys.exit(main())
