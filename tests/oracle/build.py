"""Compares `gpuhmm build` under its drop-in name with hmm2build: report, profile, counts and annotated alignment, byte
for byte except the date."""

import random
import re
import sys
import tempfile
from pathlib import Path

import inputs
import tools
from tools import REPOSITORY, Case

TESTDATA = REPOSITORY / "testdata"
TUTORIAL = Path("/usr/share/doc/hmmer2/examples/tutorial")
ALIGNMENT, PROFILE, BINARY, COUNTS, ANNOTATED = "a.ali", "out.hmm", "out.bin", "counts", "annotated.sto"
AMINO, NUCLEIC = "ACDEFGHIKLMNPQRSTVWY", "ACGT"
FORMATS = ["stockholm", "selex", "msf", "clustal", "phylip", "a2m"]
BANNER = 5  # lines
STYLES = ["", "-f", "-g", "-s"]
OTHERS = ["--fast", "--fast --gapmax 0.2", "--fast --gapmax 1.0 -f", "--hand", "--wblosum", "--wpb", "--wnone", "--noeff", "--wblosum --noeff -g",
          "--wpb --noeff", "--wnone --noeff", "--wnone --noeff --fast", "--idlevel 0.3", "--wblosum --idlevel 0.9", "--pbswitch 3", "--archpri 0.5",
          "--archpri 0.99", "-f --swentry 0.3 --swexit 0.2", "-s --swentry 0 --swexit 1", "-n some_name", "--verbose", "--verbose -f --fast",
          f"--cfile {COUNTS}", f"-o {ANNOTATED}", f"-o {ANNOTATED} --fast --cfile {COUNTS}", f"-o {ANNOTATED} --hand -g",
          "-f -g", "-g -s", "--wpb --wnone", "--hand --fast", "-A", "--binary", "--null null", "--prior prior --archpri 0.7",
          "--informat stockholm", "--wvoronoi", "--wvoronoi --noeff --fast", "--wvoronoi --pbswitch 3", "--wme", "--wme --noeff",
          "--wme --prior prior -f", "--wme --pbswitch 3 --verbose"]  # fmt: skip
MATRIX = "matrix"
PAM = [f"--pam {MATRIX} {more}".strip() for more in ("", "", "--pamwgt 3", "--pamwgt 0.01 --fast --wpb", "--pamwgt 300", "--null null", "--prior prior",
                                                     "--wnone --noeff", "--wme", "--wvoronoi")]  # fmt: skip
NOT_CONVERGED = "did not converge"
NO_NUMBER_AT_THE_START = "\n   0   -nan"  # of --wme: a match column that no row spans
DATE = re.compile(rb"[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}")


def comparable(name, content):
    """The content without its date and without the bytes that HMMER leaves undefined in binary profiles."""
    return DATE.sub(b"<date>", tools.without_padding(content) if name == BINARY else content)


def parameter_files(kind):
    """A null model and a prior of three components."""
    chance = random.Random(kind)
    size = len(NUCLEIC if kind == "nucleic" else AMINO)

    def numbers(count, least, most):
        return " ".join(f"{chance.uniform(least, most):.4f}" for _ in range(count))

    null = f"# frequencies\n{kind}\n{numbers(size, 0.5 / size, 1.5 / size)} # residues\n0.99\n"
    components = "".join(f"{part}\n{numbers(size, 0.01, 1.2)}\n" for part in (0.5, 0.3, 0.2))
    prior = f"Dirichlet\n{kind} # alphabet\n1 1.0\n0.6 0.03 0.02 0.2 0.1 0.8 0.5\n3\n{components}1 1.0\n{numbers(size, 1, 50)}\n"
    return {"null": null.encode(), "prior": prior.encode()}


def random_matrix(chance):
    """A substitution matrix in one of the formats that name a scale."""
    letters = list("ARNDCQEGHILKMFPSTWYVBZX*")
    if chance.random() < 0.5:
        chance.shuffle(letters)
    units = chance.choice([1, 2, 3, 5])
    text = chance.choice(
        [f"# PAM 120 substitution matrix, scale = ln(2)/{units} = {0.693147 / units:.6f}\n# and more\n",
         f"#  Matrix made by matblas\n#  BLOSUM Clustered Scoring Matrix in 1/{units} Bit Units\n"]
    )  # fmt: skip
    text += "  " + "  ".join(letters) + "\n"
    labelled = chance.random() < 0.8
    for letter in letters:
        text += (letter if labelled else "") + "".join(f" {chance.randint(-6, 9):2d}" for _ in letters) + "\n"
    return text.encode()


def make_case(arguments, name, alignment, options, kind="amino"):
    words = options.split()
    output = BINARY if "--binary" in words else PROFILE
    command = [*words, output, ALIGNMENT]
    ours = ["bash", "-c", 'exec -a hmm2build "$0" "$@"', arguments.gpuhmm, *command]
    files = {ALIGNMENT: alignment, **(parameter_files(kind) if "null" in words or "prior" in words else {})}
    if MATRIX in words:
        files[MATRIX] = random_matrix(random.Random(name))
    return Case(f"{name} {options}", ["hmm2build", *command], ours, files, BANNER, comparable, comparable, NOT_CONVERGED, NO_NUMBER_AT_THE_START)


def stockholm(rows, head="", foot=""):
    return ("# STOCKHOLM 1.0\n" + head + "".join(f"row{i} {row}\n" for i, row in enumerate(rows)) + foot + "//\n").encode()


def random_alignment(seed):
    """Random variants of a random sequence, with gaps, degenerate and lower-case letters, annotation and weights."""
    chance = random.Random(seed)
    kind = "nucleic" if seed % 4 == 3 else "amino"
    letters = NUCLEIC if kind == "nucleic" else AMINO
    count, length = chance.choice([1, 2, 3, 5, 8, 15, 40]), chance.choice([1, 2, 4, 8, 20, 60])
    base = [chance.choice(letters) for _ in range(length)]
    changed, gaps = chance.choice([0, 0.1, 0.4, 1]), chance.choice([0, 0.05, 0.3, 0.6])
    odd = chance.choice(["", "", "", "NRYWSKMBDHVX" if kind == "nucleic" else "BZXUJO*"])
    column_gaps = [gaps * chance.choice([0, 1, 1, 1.5]) for _ in base]
    rows = []
    for _ in range(count):
        first, end = (0, length) if chance.random() < 0.7 else sorted(chance.choices(range(length + 1), k=2))
        row = ""
        for i, letter in enumerate(base):
            if chance.random() < changed:
                letter = chance.choice(letters + odd)
            letter = letter.lower() if chance.random() < 0.1 else letter
            row += chance.choice("-.") if not first <= i < end or chance.random() < column_gaps[i] else letter
        rows.append(row)
    for _ in range(chance.choice([0, 0, 1, 4])):
        rows.append(chance.choice(rows))
    if chance.random() < 0.97:
        rows = [row if row.strip("-.") else chance.choice(letters) + row[1:] for row in rows]
    head = chance.choice(["", "#=GF ID   made\n#=GF AC   X01.1\n#=GF DE   what it is\n#=GF GA   20.5 11;\n#=GF TC   21 22\n#=GF NC   3 4\n"])
    if chance.random() < 0.3:
        head += "".join(f"#=GS row{i} WT {chance.choice([0.1, 0.5, 1, 1.7])}\n" for i in range(len(rows)))
    if chance.random() < 0.2:
        head += "#=GS row0 DE some description\n#=GS row0 AC ACC0\n"
    marks = "".join("x" if chance.random() < 0.7 else "." for _ in base)
    foot = f"#=GC RF {marks}\n" if "x" in marks else ""
    if chance.random() < 0.1:
        foot += "#=GC SA_cons " + "".join(chance.choice("129.") for _ in base) + "\n"
    if chance.random() < 0.3:
        foot += "#=GC SS_cons " + "".join(chance.choice("HE.") for _ in base) + "\n"
    return stockholm(rows, head, foot), kind


def random_cases(arguments):
    for seed in range(2000 if arguments.all else 250):
        alignment, kind = random_alignment(seed)
        forced = f"--{kind} " if seed % 5 else ""
        for options in (STYLES[seed % 4], OTHERS[seed % len(OTHERS)], *(["--wvoronoi", "--wme"] if seed % 3 == 0 else [])):
            yield make_case(arguments, f"random {seed}", alignment, forced + options, kind)
        if kind == "amino":
            yield make_case(arguments, f"random {seed}", alignment, f"--amino {PAM[seed % len(PAM)]}", kind)


def real_alignments(arguments):
    paths = [TESTDATA / "seq/RRM_1.sto", *TUTORIAL.glob("*.sto")]
    if arguments.data.is_dir():
        paths += sorted((arguments.data / "align").glob("*.sto"))
    for path in paths:
        text = path.read_bytes()
        yield path.name, re.sub(rb"^#=GR.*\n", b"", text, flags=re.MULTILINE)  # hmm2build -o crashes on some


def real_cases(arguments):
    for number, (name, alignment) in enumerate(real_alignments(arguments)):
        kind = "nucleic" if "nucleic" in name else "amino"
        for options in STYLES if arguments.all else STYLES[number % 2 :: 2]:
            yield make_case(arguments, name, alignment, options)
        others = OTHERS if arguments.all else [OTHERS[(number * 3 + k) % len(OTHERS)] for k in range(3)]
        for options in others:
            yield make_case(arguments, name, alignment, options, kind)


def cases_of_formats(arguments):
    """Alignments written by hmm2align in all formats."""
    for file, name in (("RRM_1_ls", "protein"), ("MADE1_fs", "nucleic")):
        profile = TESTDATA / f"hmm/{file}.hmm"
        with tempfile.TemporaryDirectory(prefix="oracle-") as folder:
            sequences = Path(folder) / "s.fa"
            sequences.write_bytes(inputs.run_tool(["hmm2emit", "-q", "-n", "12", "--seed", "7", profile]))
            for form in FORMATS:
                alignment = inputs.run_tool(["hmm2align", "-q", "--outformat", form, profile, sequences])
                for options in ("", f"--informat {form} -f", "--fast", "--wnone", f"-o {ANNOTATED}"):
                    yield make_case(arguments, f"{name} {form}", alignment, options)
    selex = (b"#=ID   name\n#=AC   AC123\n#=DE   a description\n#=GA   10.0 11.0\n#=SQ s1 0.5 i a 1..5:10 desc one\n#=SQ s2 1.5 - - 0..0:0 -\n\n"
             b"#=RF    xx.xx xx\n#=CS    HH.EE EE\ns1      AC.DE-GH\ns2      ACKDEFGH\n\n#=RF  xx\n#=CS  EE\ns1    AA\ns2    AC\n")  # fmt: skip
    for options in ("", "--hand", "--wnone", "--amino --fast"):
        yield make_case(arguments, "annotated selex", selex, options)


def cases_of_several(arguments):
    one, two = stockholm(["ACDEF", "ACDEW"], "#=GF ID one\n"), stockholm(["ACDEFG", "AC-EWG"], "#=GF ID two\n")
    unnamed = stockholm(["ACDEFG", "AC-EWG"])
    for options in ("--amino", "--amino --wvoronoi", "--amino --wme", "--amino --binary", f"--amino --cfile {COUNTS}", "--amino --verbose"):
        yield make_case(arguments, "two", one + two, options)
        yield make_case(arguments, "unnamed first", unnamed + two, options)
    accessible = stockholm(["ACDEF", "ACDEW"], foot="#=GC SA_cons 12.45\n")
    yield make_case(arguments, "accessibility", accessible, "--amino --binary")
    blank = stockholm(["ACDEF", "ACDEW"], "#=GS row0 DE  \n#=GS row1 DE two words\n")
    yield make_case(arguments, "blank description", blank, "--amino --verbose")
    yield make_case(arguments, "unnamed second", one + unnamed, "--amino")
    yield make_case(arguments, "two with name", one + two, "--amino -n x")


def cases_of_weights(arguments):
    """Rows with weight 0, with characters that are neither letters nor gaps, and with few residues."""
    for weights in ((2, 0), (1.9, 0.00001), (1, 1)):
        head = "".join(f"#=GS row{i} WT {weight}\n" for i, weight in enumerate(weights))
        for rows in (["-D-y.XKT.LwDO..E.e-A", "-...-.TEK.-....-..-."], ["AC-DE", "--WDE"], ["AC--DE", "A-WW-E"]):
            yield make_case(arguments, f"weights {weights}", stockholm(rows, head), "--amino --wnone --noeff")
    for seed in range(60):
        chance = random.Random(seed)
        count, letters = chance.choice([2, 3, 4, 6]), chance.choice(["ACD", "ACDEFW", "ABZX", "AC*", "AC--"])
        rows = ["".join(chance.choice(letters) for _ in range(chance.choice([1, 3]))) for _ in range(count)]
        length = max(map(len, rows))
        rows = [row.ljust(length, chance.choice("A-*")) if row.strip("-") else "A" * length for row in rows]
        for options in ("--wvoronoi", "--wme", "--wme --noeff"):
            yield make_case(arguments, f"small {seed}", stockholm(rows), f"--amino --fast {options}")


def refused_cases(arguments):
    good = stockholm(["ACDEF", "ACDEW"])
    yield make_case(arguments, "refused", good, f"--nucleic --pam {MATRIX}")
    for options in ("--hand", "--gapmax 0.2", "--informat fasta", "--informat none", "--amino --nucleic", "--null none", "--prior none", "--pam none"):
        yield make_case(arguments, "refused", good, options)
    yield make_case(arguments, "row of gaps", stockholm(["ACDEF", "-----"]), "--amino")
    yield make_case(arguments, "either", stockholm(["AAAA", "EFIL"]), "")
    yield make_case(arguments, "no columns", stockholm(["A---", "-C--", "--D-"]), "--amino --fast")
    yield make_case(arguments, "no columns", stockholm(["A---", "-C--", "--D-"]), "--amino")
    yield make_case(arguments, "some weights", stockholm(["ACD", "ACE"], "#=GS row0 WT 0.5\n"), "--amino")
    yield make_case(arguments, "no alignment", b"", "")
    yield make_case(arguments, "other alphabet", good, "--nucleic --null null")


def cases(arguments):
    yield from refused_cases(arguments)
    yield from cases_of_several(arguments)
    yield from cases_of_weights(arguments)
    yield from cases_of_formats(arguments)
    yield from real_cases(arguments)
    yield from random_cases(arguments)


def main():
    arguments = tools.arguments_of(" ".join(__doc__.split()))
    return tools.check_all(cases(arguments), arguments.only)


if __name__ == "__main__":
    sys.exit(main())
