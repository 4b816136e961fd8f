#!/usr/bin/env python3
"""Compares `gpuhmm emit` with the installed hmm2emit: sequences, alignments and consensus with the same seed.

  emit.py [--all] [--gpuhmm PROGRAM] [--only TEXT]

Besides the stored profiles, profiles with random transitions are used, since otherwise majority-rule consensus and
alignments contain few inserts and deletes. The last line is `N passed, N failed`; the exit code is 1 if anything failed.
"""

import random
import sys

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

import tools

TESTDATA = tools.REPOSITORY / "testdata"
PROFILE = "x.hmm"
OPTIONS = ["-n 12 --seed 3", "-a -n 12 --seed 3", "-a -q -n 0 --seed 1", "-a -n 120 --seed 0", "-c", "-q -c",
           "-o out --seed 5", "-q -o out --seed -5 -n 1", "-q -c -o out", "-a -c"]  # fmt: skip

# With these seeds a draw among the first sequences is 1 as a float, so that no probability is above it: in N, in B, and
# after a match state.
DRAWS_OF_ONE = [82009058, 99262022, 53585770, 46047292, 49534667]


def changed(text, seed):
    """The first profile of a HMMER2 text file with random transitions between inner nodes, and random B -> D."""
    source = random.Random(seed)

    def score():
        return f"{-source.choice([50, 300, 800, 1500, 3000, 6000]) - source.randrange(50):6}"

    lines = text[: text.index("\n//") + 4].split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("HMM "))
    lines[start + 2] = f"       {score()}      * {score()}"
    for i in range(start + 5, len(lines) - 5, 3):
        words = lines[i].split()
        lines[i] = f"     {words[0]} " + " ".join(score() for _ in range(7)) + " " + " ".join(f"{w:>6}" for w in words[8:])
    return "\n".join(lines)


def make_case(arguments, name, content, options):
    words = [*options.split(), PROFILE]
    ours = [arguments.gpuhmm, "emit", *words]
    quiet = "-q" in words
    return tools.Case(f"{name} {options}", ["hmm2emit", *words], ours, {PROFILE: content}, 0 if quiet else 5)


def cases(arguments):
    for name, content in tools.profile_files([TESTDATA / "hmm", TESTDATA / "vectors"]):
        if not content.startswith(b"HMMER3"):
            for options in OPTIONS:
                yield make_case(arguments, name, content, options)
    for name in ("hmm/RRM_1_ls.hmm", "hmm/MADE1_fs.hmm", "vectors/toy5.hmm"):
        text = (TESTDATA / name).read_text()
        for seed in DRAWS_OF_ONE:
            yield make_case(arguments, f"{name} draw of one", text.encode(), f"-q -n 3 --seed {seed}")
        for seed in range(200 if arguments.all else 15):
            content = changed(text, seed).encode()
            for options in ("-q -c", f"-q -n 8 --seed {seed}", f"-q -a -n 8 --seed {seed}"):
                yield make_case(arguments, f"{name} changed {seed}", content, options)
    if arguments.data.is_dir():
        for number, (name, content) in enumerate(tools.profile_files([arguments.data / "hmm"])):
            if arguments.all or number % 8 == 0:
                for options in ("-q -c", "-q -n 10 --seed 7", "-q -a -n 10 --seed 7"):
                    yield make_case(arguments, name, content, options)


def main():
    arguments = tools.arguments_of(__doc__.splitlines()[0])
    return tools.check_all(cases(arguments), arguments.only)


if __name__ == "__main__":
    sys.exit(main())
