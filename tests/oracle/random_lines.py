#!/usr/bin/env python3
"""Runs random command lines, valid and invalid, with HMMER 2's programs and with gpuhmm under their names.

  random_lines.py [--gpuhmm PROGRAM] [--all] [--seed N] [--only PROGRAM]

Exit codes are compared; for lines that succeed also standard output and all files left behind, as in dropins.py. If HMMER
refuses a line, gpuhmm must write no output and one message. If HMMER's program crashes or does not end, gpuhmm must end
with 0 or 1. ANSWERED and REFUSED list the intended differences.
The last line is `N passed, N failed`; the exit code is 1 if anything failed.
"""

import collections
import random
import shlex
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

import dropins
import tools

TESTDATA = tools.REPOSITORY / "testdata"
LINES, ALL_LINES = 25, 300  # of each program
LIMIT = 30  # seconds, as hmmalign never ends if it reads FASTA as GenBank

PROFILES = ["a.hmm", "two.hmm", "a.bin", "uncalibrated.hmm", "nucleic.hmm", "missing", "garbage", "empty"]
SEQUENCES = ["s.fa", "one.fa", "nucleic.fa", "rows.sto", "missing", "garbage", "empty", "-"]
ALIGNMENTS = ["rows.sto", "rows.slx", "rows.msf", "nucleic.sto", "s.fa", "missing", "garbage", "empty"]
REALS = ["1", "0", "1e-5", "10", "-3.5", ".5", "1e3", "x", "1x", "", "0x10", "1e5e", "+2", "1..2", "inf", "nan"]
INTEGERS = ["1", "0", "2", "7", "-1", "x", "1.5", "0x10", "", "+3", "1000000"]
FORMATS = ["fasta", "FASTA", "stockholm", "selex", "msf", "embl", "genbank", "a2m", "clustal", "phylip", "none", ""]
OUTPUTS = ["out", "out", "no/folder/out"]
SEARCH = {"-A": INTEGERS, "-E": REALS, "-T": REALS, "-Z": INTEGERS, "--compat": None, "--cut_ga": None, "--cut_nc": None, "--cut_tc": None,
          "--domE": REALS, "--domT": REALS, "--forward": None, "--informat": FORMATS, "--null2": None, "--pvm": None, "--xnu": None}  # fmt: skip

# Program -> options with their values, values of the arguments, and options that are always set (serial mode, seeds).
PROGRAMS = {
    "hmmsearch": (SEARCH, [PROFILES, SEQUENCES], ["--cpu", "0"]),
    "hmmpfam": ({**SEARCH, "--acc": None, "-n": None}, [PROFILES, SEQUENCES], ["--cpu", "0"]),
    "hmmalign": ({"-m": None, "-o": OUTPUTS, "-q": None, "--informat": FORMATS, "--mapali": ALIGNMENTS, "--oneline": None,
                  "--outformat": FORMATS, "--withali": ALIGNMENTS}, [PROFILES, SEQUENCES], []),
    "hmmbuild": ({"-f": None, "-g": None, "-n": ["x"], "-o": OUTPUTS, "-s": None, "-A": None, "-F": None, "--amino": None,
                  "--archpri": REALS, "--binary": None, "--cfile": OUTPUTS, "--fast": None, "--gapmax": REALS, "--hand": None,
                  "--idlevel": REALS, "--informat": FORMATS, "--noeff": None, "--nucleic": None, "--null": ["missing"],
                  "--pam": ["missing"], "--pamwgt": REALS, "--pbswitch": INTEGERS, "--prior": ["missing"], "--swentry": REALS,
                  "--swexit": REALS, "--verbose": None, "--wblosum": None, "--wgsc": None, "--wme": None, "--wnone": None,
                  "--wpb": None, "--wvoronoi": None}, [["new.hmm", "a.hmm", "a.bin", "no/folder/new.hmm"], ALIGNMENTS], []),
    "hmmcalibrate": ({"--fixed": ["20", "0", "x", "-1"], "--histfile": OUTPUTS, "--mean": ["60", "x"], "--pvm": None,
                      "--sd": ["10", "x"], "--num": ["300", "x", "0"]}, [PROFILES], ["--seed", "3", "--num", "300", "--cpu", "0"]),
    "hmmconvert": ({"-a": None, "-b": None, "-p": None, "-P": None, "-A": None, "-F": None},
                   [PROFILES, ["new.hmm", "a.hmm", "a.bin", "no/folder/new.hmm"]], []),
    "hmmemit": ({"-a": None, "-c": None, "-n": INTEGERS[:-1], "-o": OUTPUTS, "-q": None}, [PROFILES], ["--seed", "4"]),
    "hmmfetch": ({"-n": None}, [PROFILES, ["RRM_1", "PF00076.13", "Pkinase", "none", "0", "1", "2", "x", "-1"]], []),
    "hmmindex": ({}, [PROFILES + ["indexed.hmm"]], []),
}  # fmt: skip
# Intended differences: part of the message of HMMER (ANSWERED) or of gpuhmm (REFUSED) -> the reason.
ANSWERED = {"There is no SSI index for": "no index is needed", "Parse error: sequence": "A2M rows of different length",
            "malloc of -": "a SELEX block for which HMMER asks for less than no memory"}  # fmt: skip
REFUSED = {"cannot be opened for writing": "hmmalign writes to standard output instead",
           "holds no sequence": "a file without a record of the format named", "expected CLUSTAL": "a file of another format",
           "expected a row that begins with >": "a file of another format", "expected nucleic ones": "hmmpfam -n, protein profiles, no sequence",
           "can be appended to": "text behind a binary profile", "no row spans": "weights out of memory never set",
           "expects a number from 0": "an option of hmmbuild out of its range"}  # fmt: skip
BAD_OPTIONS = ["--nosuch", "-Q", "--", "-", "--in", "--c", "-AF", "--informat=fasta", "--compat=1"]


def make_files(folder):
    def copy(name, *sources):
        (folder / name).write_bytes(b"".join((TESTDATA / source).read_bytes() for source in sources))

    copy("a.hmm", "hmm/RRM_1_ls.hmm")
    copy("indexed.hmm", "hmm/RRM_1_ls.hmm")
    copy("two.hmm", "vectors/toy5cal.hmm", "hmm/RRM_1_fs.hmm")
    copy("uncalibrated.hmm", "hmm/RRM_1_g_uncalibrated.hmm")
    copy("nucleic.hmm", "hmm/MADE1_fs.hmm")
    (folder / "indexed.hmm.ssi").write_bytes(b"old")
    records = (TESTDATA / "seq/uniprot.fasta").read_bytes().split(b">")[1:]
    (folder / "s.fa").write_bytes(b">blank  \n" + records[0].split(b"\n", 1)[1] + b"".join(b">" + r for r in records[1:60:12]))
    (folder / "one.fa").write_bytes(b">" + records[3])
    (folder / "nucleic.fa").write_text(">n some bases\n" + "ACGTTGCAACGTNNACGTAGCTTACG" * 4 + "\n")
    rows = (("r1", "ACDEFGHIK-LMNPQ"), ("r2", "ACDEYGHIKRLMNPQ"), ("r3", "AC-EFGH-K-LMNPQ"), ("r4", "SCDEFGHIKRLM-PQ"))
    stockholm = "".join(f"{name} {row}\n" for name, row in rows)
    (folder / "rows.sto").write_text(f"# STOCKHOLM 1.0\n#=GF ID rows\n#=GS r2 DE  \n{stockholm}#=GC RF xxxx.xxxxxx..xx\n//\n")
    (folder / "rows.slx").write_text(stockholm)
    (folder / "nucleic.sto").write_text("# STOCKHOLM 1.0\na ACGTACGT-ACGTTA\nb ACGAACGTTACGT-A\n//\n")
    done = tools.run(["hmm2align", "-q", "--outformat", "msf", "a.hmm", "s.fa"], {n: (folder / n).read_bytes() for n in ("a.hmm", "s.fa")})
    (folder / "rows.msf").write_bytes(done.stdout)
    done = tools.run(["hmm2convert", "-b", "a.hmm", "a.bin"], {"a.hmm": (folder / "a.hmm").read_bytes()})
    (folder / "a.bin").write_bytes(done.files["a.bin"])
    (folder / "garbage").write_text("no profile\n\x01nor sequence\n")
    (folder / "empty").write_bytes(b"")


def random_line(source, program):
    """(words, name of the file for standard input). Most lines are valid, as the first values of lists are more frequent."""
    options, positional, always = PROGRAMS[program]
    words = list(always)
    chosen = source.sample(list(options), min(source.choice([0, 1, 1, 2, 3]), len(options)))
    for option in chosen:
        words.append(option)
        if options[option] is not None:
            values = options[option]
            words.append(values[min(int(source.expovariate(0.5)), len(values) - 1)])
    if source.random() < 0.1:
        words.insert(source.randrange(len(words) + 1), source.choice(BAD_OPTIONS))
    for values in positional:
        words.append(values[min(int(source.expovariate(0.6)), len(values) - 1)])
    if source.random() < 0.06:
        words = source.choice([words[:-1], [*words, "more"], [*words, "-h"], ["-h", *words]])
    called = source.choice([program, program.replace("hmm", "hmm2"), f"{program}2"])
    return [called, *words], source.choice(["s.fa", "one.fa", "empty"])


# In gpuhmm's message if HMMER, too, has begun its report when it fails.
FAILS_LATE = "no distribution fits the scores"


def difference(worlds, words, given, before, counts):
    theirs, ours = dropins.run_both(worlds, words, given, same_second=False, limit=LIMIT)
    if "convert" in words[0] and len(words) > 2 and words[-1] == words[-2] and ours.status == 0:
        counts["hmmconvert empties its input, which is its output"] += 1
        return None
    if theirs.status < 0:
        counts["HMMER crashed or did not end"] += 1
        return None if ours.status in (0, 1) else f"HMMER crashed or did not end, exit code {ours.status}"
    for status, messages, otherwise in ((1, theirs.message, ANSWERED), (0, ours.message, REFUSED)):
        for message, reason in otherwise.items():
            if theirs.status == status and ours.status != status and message in messages:
                counts[reason] += 1
                return None
    if theirs.status != 0 and ours.status == theirs.status:
        counts["refused"] += 1
        if (ours.stdout and FAILS_LATE not in ours.message) or ours.files != before:
            return "refused, but wrote something"
        return None if ours.message.startswith("\nFATAL: ") else f"message {ours.message!r}"
    return dropins.difference(theirs, ours, "-h" in words)


def main():
    arguments = tools.arguments_of(
        __doc__.splitlines()[0],
        lambda parser: parser.add_argument("--seed", type=int, default=1, help="of the random lines"),
    )
    passed = failed = 0
    counts = collections.Counter()
    with tempfile.TemporaryDirectory(prefix="lines-") as folder:
        made = Path(folder) / "files"
        made.mkdir()
        make_files(made)
        worlds = dropins.make_worlds(folder, made, arguments.gpuhmm)
        before = worlds[0].files()
        for program in PROGRAMS:
            if arguments.only not in program:
                continue
            source = random.Random(f"{arguments.seed} {program}")
            for _ in range(ALL_LINES if arguments.all else LINES):
                words, name = random_line(source, program)
                reason = difference(worlds, words, before[name], before, counts)
                passed += reason is None
                failed += reason is not None
                if reason is not None:
                    print(f"FAILED {shlex.join(words)} < {name}: {reason}", flush=True)
                for world in worlds:
                    if world.files() != before:
                        world.restore(before)
    print(", ".join(f"{what}: {count}" for what, count in sorted(counts.items())))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
