#!/usr/bin/env python3
"""Compares `gpuhmm align` with the installed hmm2align: alignments in all formats, of all kinds of sequences.

  align.py [--all] [--gpuhmm PROGRAM] [--only TEXT]

Sequences are real ones, sequences drawn from the profile (whole, cut, doubled, changed), short ones and some about
the length at which HMMER 2 changes to another method of alignment. Sequences without residues are left out, with
which hmm2align crashes. The last line is `N passed, N failed`; the exit code is 1 when anything failed.
"""

import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

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

    def __init__(self, content, seed):
        self.random = random.Random(seed)
        self.content = content
        text = content.decode("latin-1")
        found = re.search(r"^LENG +(\d+)$", text, re.MULTILINE)
        self.nodes = int(found[1]) if found else 100
        self.letters = NUCLEIC if "ALPH  Nucleic" in text else AMINO

    def noise(self, length):
        return "".join(self.random.choice(self.letters) for _ in range(length))

    def drawn(self, count):
        with tempfile.TemporaryDirectory(prefix="oracle-") as folder:
            path = Path(folder) / PROFILE
            path.write_bytes(self.content)
            seed = self.random.randrange(1, 10**6)
            command = ["hmm2emit", "-q", "-n", str(count), "--seed", str(seed), str(path)]
            records = subprocess.run(command, capture_output=True, check=True).stdout.decode().split(">")[1:]
        return ["".join(record.split("\n")[1:]) for record in records][:count]

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
        """Lengths about that from which on HMMER keeps no full matrix; some fit only behind others."""
        limit = MATRIX_LIMIT // (12 * (self.nodes + 2) + 52) - 1
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


def without_date(_, content):
    return re.sub(rb"(  Type: [NP]  )\w+ \d\d, \d{4} \d\d:\d\d", rb"\1", content)


def make_case(arguments, name, profile, sequences, options, fixed=None):
    words = [*options.split(), "-o", "out", PROFILE, SEQUENCES]
    if len(name) % 2 and "msf" not in options:
        words = [*options.split(), PROFILE, SEQUENCES]
    files = {PROFILE: profile, SEQUENCES: sequences}
    if fixed is not None:
        files[FIXED] = fixed
    banner = 0 if "-q" in words else 5
    ours = [arguments.gpuhmm, "align", *words]
    return tools.Case(f"{name} {options}", ["hmm2align", *words], ours, files, banner, without_date, without_date)


def single_profiles(folders):
    for name, content in tools.profile_files(folders):
        if not content.startswith(b"HMMER3") and content.count(b"\n//") <= 1:
            yield name, content


def cases_of_profile(arguments, number, name, content, more):
    source = Source(content, name)
    drawn = source.mixture()
    yield make_case(arguments, f"{name} drawn", content, drawn, "-q")
    for i, form in enumerate(FORMATS):
        if more or (i + number) % 6 == 0:
            yield make_case(arguments, f"{name} drawn", content, drawn, f"--outformat {form}")
            yield make_case(arguments, f"{name} drawn", content, drawn, f"-q -m --outformat {form}")
    yield make_case(arguments, f"{name} drawn", content, drawn, "-q --oneline --informat fasta")
    yield make_case(arguments, f"{name} odd", content, ODD, "-q" if not more else f"-q --outformat {FORMATS[number % 6]}")


def without_markup(text):
    """hmm2align crashes on structures of rows (#=GR)."""
    return re.sub(r"^#=GR.*\n", "", text, flags=re.MULTILINE)


def fixed_alignments(arguments):
    """(name, alignment without markup of rows, profiles built from it in four styles)"""
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
                done = subprocess.run(["hmm2build", *style, profile, alignment], capture_output=True)
                if done.returncode == 0:
                    yield f"{path.name}{''.join(style)}", text.encode(), profile.read_bytes()


def cases(arguments):
    for number, (name, content) in enumerate(single_profiles([TESTDATA / "hmm", TESTDATA / "vectors"])):
        yield from cases_of_profile(arguments, number, name, content, True)
        source = Source(content, name)
        if source.nodes > 30:
            yield make_case(arguments, f"{name} lengthy", content, source.lengthy(), "-q --oneline")
    for profile in ("RRM_1_ls", "RRM_1_fs", "Pkinase_ls"):
        content = (TESTDATA / "hmm" / f"{profile}.hmm").read_bytes()
        for sequences in ("uniprot.fasta", "RRM_1.sto", "composed.embl", "composed.gb", "uniprot_flat.dat"):
            data = without_markup((TESTDATA / "seq" / sequences).read_text()).encode()
            yield make_case(arguments, f"{profile} {sequences}", content, data, "-q")
            yield make_case(arguments, f"{profile} {sequences}", content, data, "-q --outformat selex")
    for name, alignment, profile in fixed_alignments(arguments):
        sequences = Source(profile, name).mixture(3)
        for options in ("-q --mapali " + FIXED, "-q -m --mapali " + FIXED, f"--outformat msf --mapali {FIXED}"):
            yield make_case(arguments, name, profile, sequences, options, alignment)
    damaged = re.sub("VA", "AA", without_markup((TESTDATA / "seq/RRM_1.sto").read_text()), count=1).encode()
    content = (TESTDATA / "hmm/RRM_1_ls.hmm").read_bytes()
    for options in (f"--mapali {FIXED}", "--mapali none", "--outformat fasta", "--outformat eps", "--informat none"):
        yield make_case(arguments, "refused", content, ODD, options, damaged)
    if arguments.data.is_dir():
        for number, (name, content) in enumerate(single_profiles([arguments.data / "hmm"])):
            if arguments.all or number % 8 == 0:
                yield from cases_of_profile(arguments, number, name, content, False)
            source = Source(content, name)
            if arguments.all or number % 32 == 0:
                yield make_case(arguments, f"{name} lengthy", content, source.lengthy(), "-q --oneline")


def main():
    arguments = tools.arguments_of(__doc__.splitlines()[0])
    return tools.check_all(cases(arguments), arguments.only)


if __name__ == "__main__":
    sys.exit(main())
