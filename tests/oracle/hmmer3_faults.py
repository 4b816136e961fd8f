"""Wrong command lines and damaged files for hmmer3_search.py and hmmer3_scan.py."""

import re

import hmmer3_cases as cases
import hmmer3_inputs as inputs3
import inputs
import tools
from hmmer3_compare import Case

TESTDATA = tools.REPOSITORY / "testdata"
REAL = ["-E", "-T", "--domE", "--domT", "--incE", "--incT", "--incdomE", "--incdomT", "--F1", "--F2", "--F3", "-Z", "--domZ"]
CUTS = ["--cut_ga", "--cut_nc", "--cut_tc"]
SWITCHES = ["--acc", "--noali", "--notextw", "--max", "--nobias", "--nonull2", *CUTS]


def small():
    profile = inputs.read_bytes(TESTDATA / "hmmer3/XYPPX.hmm")
    return {"a.hmm": profile, "s.fa": b">one first\nMXYPPXAPPYYPPGWK\n>two\nXYPPXXYPPX\n"}


def usage(program):
    """Command lines that the program refuses, and odd ones that it does not."""
    files, a = small(), ["a.hmm", "s.fa"]
    lines = [[], ["a.hmm"], [*a, "more"], ["-", "-"], ["--foo", *a], ["-x", *a], ["--cut", *a], ["--dom", "1", *a], ["-E"],
             ["--domE"], [*a, "-E", "1"], ["--", *a], ["-", "s.fa"], ["--tblout", "--x", *a], ["--tblout=-x", *a], ["-o", "-x", *a],
             ["--textw", "100", *a], ["--textw", "120x", *a], ["--textw=", *a], ["--noali=1", *a], ["--cpu", "-1", *a],
             ["--cpu", "1x", *a], ["--cpu", "0x1", *a], ["--cpu=01", *a], ["--seed", "-1", *a], ["--seed", "99999999999", *a],
             ["--seed", "1.5", *a], ["--seed", "1 ", *a], ["--seed", " 010", *a], ["--seed", "4294967297", *a], ["--notextw", "--textw", "200", *a], ["--A", "x", *a], ["-E5", *a], ["-E", "5", "-E", "6", *a],
             ["--tblout", "", *a], ["--max", "--nobias", *a], ["--very_long_option_name_of_more_than_24_letters", *a],
             ["-E", "123456789012345678901234567890x", *a]]  # fmt: skip
    lines += [[name, value, *a] for name in REAL for value in ("abc", "0", "-1", "1e", "", "nan", "inf", "0x10", " 1", "1 ", "+1")]
    pairs = [(f, s) for f in REAL[:8] + CUTS for s in REAL[:8] + CUTS if f != s]
    lines += [[w for n in pair for w in ([n] if n in CUTS else [n, "1"])] + a for pair in pairs]
    lines += [["--max", name, "0.1", *a] for name in ("--F1", "--F2", "--F3")]
    lines += [[name, name, *a] for name in SWITCHES]
    for words in lines:
        yield Case(f"usage {' '.join(words)}", [program, *words], files, pressed_by="hmmpress" if program == "hmmscan" else "",
                   library="a.hmm")  # fmt: skip
    for value in ("1", "0", "x", "-1", "1x", ""):
        for given in ([], ["--cpu", "1"]):
            yield Case(f"usage HMMER_NCPU={value}", [program, *given, *a], files, environment={"HMMER_NCPU": value},
                       pressed_by="hmmpress" if program == "hmmscan" else "", library="a.hmm")  # fmt: skip


def damaged_profiles(good):
    """Name and content of profile files that hmmsearch or hmmpress refuses, or reads in an odd way."""
    lines = good.split(b"\n")

    def without(tag):
        return b"\n".join(line for line in lines if not line.startswith(tag))

    yield "empty", b""
    yield "blank", b"\n \n"
    yield "comment", b"# only\n"
    yield "other", b"hello world\n"
    yield "fasta", b">x\nACDE\n"
    yield "newer", good.replace(b"HMMER3/f", b"HMMER3/g", 1)
    for tag in (b"NAME", b"LENG", b"HMM ", b"//", b"COM", b"DATE", b"CKSUM", b"STATS", b"STATS LOCAL V"):
        yield f"without {tag.decode()}", without(tag)
    yield "no composition", re.sub(rb"^ +COMPO .*\n", b"", good, flags=re.MULTILINE)
    for old, new in ((b"LENG  5", b"LENG  6"), (b"LENG  5", b"LENG  4"), (b"LENG  5", b"LENG  x"), (b"LENG  5", b"LENG  0"), (b"ALPH  amino", b"ALPH  klingon"),
                     (b"RF    no", b"RF    maybe"), (b"NAME  XYPPX", b"NAME"), (b"STATS LOCAL MSV", b"STATS LOCAL XXX"),
                     (b"\n//", b"\n\n\n//"), (b"NAME ", b"NAME #")):  # fmt: skip
        if old in good:
            yield f"{old.decode().strip()} as {new.decode().strip()}", good.replace(old, new, 1)
    yield "no final newline", good.rstrip(b"\n")
    yield "carriage returns", good.replace(b"\n", b"\r\n")
    for cut in (1, 5, 9, len(lines) // 2, len(lines) - 3):
        yield f"first {cut} lines", b"\n".join(lines[:cut]) + b"\n"
        yield f"whole and first {cut} lines", good + b"\n".join(lines[:cut]) + b"\n"
    for cut in (30, len(good) // 2, len(good) * 3 // 4):
        yield f"first {cut} bytes", good[:cut]
    yield "junk behind", good + b"junk\n"
    yield "comment behind", good + b"# junk\n\n"
    yield "twice", good + good
    yield "format 3/b behind", good + inputs3.converted(good, "b")
    yield "other alphabet behind", good + inputs.read_bytes(TESTDATA / "hmmer3/ecori.hmm")


def damaged_later_profiles(good):
    """The file twice, the second time cut off behind each line, or with a word of a line changed or left out."""
    lines = good.split(b"\n")[:-1]
    for cut in range(1, len(lines)):
        yield f"first {cut} lines", good + b"\n".join(lines[:cut]) + b"\n"
        yield f"first {cut} lines without a newline", good + b"\n".join(lines[:cut])
    for place, line in enumerate(lines):
        words = re.split(rb"(\S+)", line)  # blanks at even places
        for word in {1, 3, len(words) - 2} & set(range(len(words))):
            for new in (b"", b"x", b"-", b"1e999", b"#"):
                changed = b"".join([*words[:word], new, *words[word + 1 :]])
                damaged = b"\n".join([*lines[:place], changed, *lines[place + 1 :]]) + b"\n"
                yield f"line {place + 1}, word {word // 2 + 1} as '{new.decode()}'", good + damaged
        yield f"without line {place + 1}", good + b"\n".join(lines[:place] + lines[place + 1 :]) + b"\n"
        yield f"line {place + 1} twice", good + b"\n".join(lines[: place + 1] + lines[place:]) + b"\n"


SEQUENCES = {
    "empty": b"", "blank": b"\n\n", "no records": b"hello\n", "no name": b">\nMKV\n", "blank name": b">  \nMKV\n",
    "only a name": b">x", "empty record": b">x\n>y\nMKV\n", "digit": b">x\nMKV1\nM\n", "dash": b">x\nMK-V\n", "eight bits": b">x\nMK\xe9V\n",
    "control": b">x\nMK\x01V\n", "text after": b">x\nMKV\n\n\n!\n", "second damaged": b">x\nMKV\n>y\nM\nK1V\n", "semicolon": b";x\nMKV\n",
    "before": b"MKV\n>x\nMKV\n", "indented": b"  >x\nMKV\n", "in mid-line": b">x\nMKV>y d\nMKL\n", "tabs": b">x\t d\te \nM K\tV\n",
    "byte 1": b">x d\x01e\nMKV\n", "zero": b">x\nMK\0V\n", "carriage returns": b">x d\r\nMKV\r\n", "lower": b">x\nxyppxmkv*\n",
    "gaps": b">x\nM.K_V~*\n", "too long": b">x\n" + b"A" * 100001 + b"\n", "longest": b">x\n" + b"AXYPP" * 20000 + b"\n",
    "bad id": b"ID   \n", "no SQ": b"ID   x\nDE   y\n//\n", "cut off": b"ID   x\nSQ   SEQ\n     MKV\n", "EMBL digit": b"ID   x\nSQ   S\n     MKV 10\n//\n",
    "EMBL dash": b"ID   x\nSQ   S\n     MK-V 10\n//\n", "LOCUS": b"LOCUS       x\nORIGIN\n        1 mkv\n//\n",
    "LOCUS cut": b"LOCUS       x\nORIGIN\n        1 mkv\n", "stockholm": b"# STOCKHOLM 1.0\nx MKV\n//\n",
}  # fmt: skip


def files(library, program):
    """Files that are missing, damaged or cannot be written."""
    good = small()
    press = "hmmpress" if program == "hmmscan" else ""

    def case(name, changes, words=("a.hmm", "s.fa"), **keywords):
        keywords = {"pressed_by": press, "library": "a.hmm", **keywords}
        changed = {n: c for n, c in {**good, **changes}.items() if c is not None}
        return Case(f"file {name}", [program, *words], changed, **keywords)

    yield case("no sequences", {"s.fa": None})
    yield case("no folder for output", {}, ["-o", "none/x", "a.hmm", "s.fa"])
    for table in ("--tblout", "--domtblout", "--pfamtblout", *(["-A"] if program == "hmmsearch" else [])):
        yield case(f"no folder for {table}", {}, [table, "none/x", "a.hmm", "s.fa"])
    for name in (b"x  y", b" x y", b"", b"x\ty", b"x\t", b"x\x7f", b"x\xe9"):
        rows = b" 2 8\n" + name.ljust(10) + b"MXYPPX-K\n" + b"z".ljust(10) + b"MKVPPXWA\n"
        yield case(f"PHYLIP name {name}", {"s.phy": rows}, ("--max", "-E", "1e9", "a.hmm", "s.phy"))
    for name, content in SEQUENCES.items():
        for file_name in ("s.fa", "s.seq"):
            yield case(f"sequences: {name} in {file_name}", {"s.fa": None, file_name: content}, ["a.hmm", file_name])
        yield case(f"sequences: {name} by standard input", {}, ["a.hmm", "-"], given=content)
    for cut in ("--cut_ga", "--cut_nc", "--cut_tc"):
        yield case(f"cut-offs {cut}", {}, [cut, "a.hmm", "s.fa"])
        yield case(f"cut-offs {cut} --max", {}, [cut, "--F1", "1", "--nobias", "a.hmm", "s.fa"])
    if program == "hmmsearch":
        yield case("no profiles", {"a.hmm": None})
        for name, content in damaged_profiles(good["a.hmm"]):
            yield case(f"profiles: {name}", {"a.hmm": content}, ["--tblout", "t", "a.hmm", "s.fa"])
            yield case(f"profiles: {name} by standard input", {}, ["-", "s.fa"], given=content)
    yield from damaged_databases(case, good)


def later_profiles():
    """hmmsearch with damage in a later profile than the first one: what it has written by then stays."""
    good = small()
    for name, content in damaged_later_profiles(good["a.hmm"]):
        words = ["hmmsearch", *cases.TABLES, "-A", "rows", "a.hmm", "s.fa"]
        yield Case(f"later profile: {name}", words, {**good, "a.hmm": content})


def damaged_databases(case, good):
    """Pressed files that are missing, cut off or of other formats."""
    for text in (False, True):
        damages = {"not pressed": {s: None for s in "mifp"}, **{f"no .h3{s}": {s: None} for s in "mifp"},
                   **{f"empty .h3{s}": {s: b""} for s in "mifp"}}  # fmt: skip
        damages |= {f"other start of .h3{s}": {s: b"abcd" * 50} for s in "mif"}
        damages |= {f".h3f of {size} bytes": {"f": size} for size in (4, 20, 30, 100, 4000, -10)}
        for name, damage in damages.items():
            yield case(f"database: {name}{' no text' * text}", {}, pressed_by="hmmpress", remove_text=text, damage=damage)
