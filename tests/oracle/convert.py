#!/usr/bin/env python3
"""Compares `gpuhmm convert` and `gpuhmm fetch` with the installed hmm2convert and hmm2fetch, and with `hmmconvert -2` of
HMMER 3 for HMMER 3 profiles.

  convert.py [--all] [--gpuhmm PROGRAM] [--only TEXT]

Reports are compared from line 6 on, profiles byte for byte except the padding of binary ones, which HMMER leaves
undefined. The last line is `N passed, N failed`; the exit code is 1 if anything failed.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

import inputs
import tools

TESTDATA = tools.REPOSITORY / "testdata"
OLD, NEW = "old.hmm", "new.hmm"


def normalised(_, content):
    return tools.without_padding(content)


def convert_case(arguments, name, files, *options):
    words = [*options, OLD, NEW]
    return tools.Case(
        f"convert {' '.join(options)} {name}", ["hmm2convert", *words], [arguments.gpuhmm, "convert", *words], files, 5,
        normalised, normalised,
    )  # fmt: skip


def hmmer3_cases(arguments, name, content):
    """Conversion to text, as by hmmconvert -2, and to binary, as by hmm2convert from that text."""
    files = {OLD: content}
    ours = [arguments.gpuhmm, "convert", OLD, "-"]
    yield tools.Case(f"convert HMMER3 {name}", ["hmmconvert", "-2", OLD], ours, files)
    script = f"hmmconvert -2 {OLD} >t && hmm2convert -b t {NEW} >/dev/null && rm t"
    ours = ["sh", "-c", f"{arguments.gpuhmm} convert -b {OLD} {NEW} >/dev/null"]
    yield tools.Case(f"convert -b HMMER3 {name}", ["sh", "-c", script], ours, files, 0, normalised, normalised)


def fetch_case(arguments, name, content, *words):
    """A fetch; hmm2fetch needs an index, which is made first."""
    theirs = ["sh", "-c", f'hmm2index {OLD} >/dev/null; hmm2fetch "$@"; s=$?; rm -f {OLD}.ssi; exit $s', "-", *words]
    return tools.Case(f"fetch {name} {' '.join(words)}", theirs, [arguments.gpuhmm, "fetch", *words], {OLD: content})


def appending_cases(arguments, text, binary):
    other = (TESTDATA / "hmm/RRM_1_ls.hmm").read_bytes()
    junk = b"not a profile\n"
    for name, old, new, options in [
        ("text to text", text, other, ["-A"]), ("binary to binary", binary, binary, ["-A", "-b"]),
        ("text to binary", text, binary, ["-A"]), ("binary to text", binary, other, ["-A", "-b"]),
        ("binary as text", binary, other, ["-A", "-a"]), ("to junk", text, junk, ["-A"]), ("to nothing", text, b"", ["-A"]),
        ("GCG", text, other, ["-A", "-p"]), ("over an existing file", text, other, []), ("by force", text, other, ["-F"]),
        ("by force over junk", text, junk, ["-F", "-b"]), ("append and force", text, other, ["-A", "-F"]),
    ]:  # fmt: skip
        yield convert_case(arguments, name, {OLD: old, NEW: new}, *options)
    yield convert_case(arguments, "to a new file", {OLD: text}, "-A")
    yield convert_case(arguments, "junk", {OLD: junk})
    yield convert_case(arguments, "cut short", {OLD: text[: len(text) // 2]})


def names_of(content):
    """(name, accession or None) of the models of a HMMER2 file."""
    with tempfile.TemporaryDirectory() as work:
        source = Path(work) / "all"
        source.write_bytes(content)
        for model in inputs.read_models(source, work):
            header = model.content.split(b"\nHMM ", 1)[0].decode("latin-1").splitlines()
            yield model.name, next((line[6:].strip() for line in header if line.startswith("ACC ")), None)


def chosen_files(arguments):
    yield from tools.profile_files([TESTDATA / "hmm", TESTDATA / "vectors"])
    if not arguments.data.is_dir():
        return
    for number, (name, content) in enumerate(tools.profile_files([arguments.data / "hmm"])):
        if arguments.all or number % 4 == 0:
            yield name, content


def cases(arguments):
    text = (TESTDATA / "hmm/RRM_1_fs.hmm").read_bytes()
    yield from appending_cases(arguments, text, (TESTDATA / "vectors/toy5cal.bin").read_bytes())
    for name, content in chosen_files(arguments):
        if content.startswith(b"HMMER3"):
            yield from hmmer3_cases(arguments, name, content)
            continue
        for option in ("-a", "-b", "-p", "-P"):
            yield convert_case(arguments, name, {OLD: content}, option)
        known = list(names_of(content))
        keys = {known[0][0], known[-1][0], known[len(known) // 2][1] or "no such profile"}
        if len({name for name, _ in known}) == len(known):  # hmm2index refuses names used twice
            for key in sorted(keys):
                yield fetch_case(arguments, name, content, OLD, key)
            for place in sorted({0, len(known) // 2, len(known) - 1, len(known)}):
                yield fetch_case(arguments, name, content, "-n", OLD, str(place))
    if arguments.data.is_dir():
        yield from built_cases(arguments)


def built_cases(arguments):
    """Profiles made by HMMER 3's hmmbuild in each of its text versions."""
    families = ["zf-C2H2", "RRM_1", "WD40", "nucleic_MADE1", "nucleic_SraC_RyeA"]
    with tempfile.TemporaryDirectory() as work:
        for family in families if arguments.all else families[2:4]:
            built = Path(work) / "built"
            subprocess.run(["hmmbuild", built, arguments.data / f"align/{family}.sto"], stdout=subprocess.DEVNULL, check=True)
            for version in "abcdef":
                content = inputs.run_tool(["hmmconvert", "--outfmt", f"3/{version}", built])
                yield from hmmer3_cases(arguments, f"{family} 3/{version}", content)
                for added in (b"COM   [1] hmmbuild a  b  \nCOM   [2]   second\n", b"GA    25.05 -3.25\n", b"NC    20.35;\n",
                              b"DESC  spa   ces  \n", b"NSEQ  7\n", b"DATE  x\n"):  # fmt: skip
                    alphabet = next(line for line in content.splitlines(True) if line.startswith(b"ALPH"))
                    changed = content.replace(alphabet, alphabet + added, 1)
                    yield from hmmer3_cases(arguments, f"{family} 3/{version} {added.decode().strip()}", changed)


def main():
    arguments = tools.arguments_of(__doc__.splitlines()[0])
    return tools.check_all(cases(arguments), arguments.only)


if __name__ == "__main__":
    sys.exit(main())
