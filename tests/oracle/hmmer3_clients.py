#!/usr/bin/env python3
"""Runs the command lines of programs that call HMMER 3, with its programs and with gpuhmm under their names.

  hmmer3_clients.py [--gpuhmm PROGRAM] [--only TEXT]

Output is compared as by hmmer3_search.py; Biopython must read the same hits from gpuhmm's reports and tables as from
HMMER's. The last line is `N passed, N failed`; the exit code is 1 if anything failed.
"""

import io
import shlex
import sys
import tempfile
import warnings

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

import hmmer3_compare
import hmmer3_inputs
import tools

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from Bio import SearchIO

# (client, its command lines; "<" before the last word: that file is standard input)
CLIENTS = [
    ("InterProScan", ["hmmsearch -Z 15000000 --cut_ga --cpu 1 -o out --domtblout d.tbl library.hmm proteins.fasta",
                      "hmmsearch --cpu 1 -E 0.01 -Z 7503 --domE 0.01 --tblout t.tbl -o out library.hmm proteins.fasta",
                      "hmmscan --cut_ga --acc --cpu 1 -Z 100 library.hmm proteins.fasta"]),
    ("pfam_scan.pl", ["hmmscan --notextw --cut_ga --cpu 2 library.hmm proteins.fasta", "hmmscan --notextw -E 10 --domE 10 library.hmm proteins.fasta",
                      "hmmscan --notextw --noali --cut_ga library.hmm proteins.fasta"]),
    ("Prokka", ["hmmscan --noali --notextw --acc -E 1e-9 --cpu 1 library.hmm < proteins.fasta"]),
    ("antiSMASH", ["hmmscan -o /dev/null --nobias --cut_tc --domtblout d.tbl library.hmm proteins.fasta",
                   "hmmscan --cpu 1 --cut_tc library.hmm < proteins.fasta", "hmmsearch --cpu 1 --cut_tc library.hmm proteins.fasta",
                   "hmmsearch --cpu 1 one.hmm < proteins.fasta"]),
    ("CheckM, GTDB-Tk", ["hmmsearch --domtblout d.tbl --noali --notextw -E 0.1 --domE 0.1 --cpu 1 library.hmm proteins.fasta",
                         "hmmsearch -o out --tblout t.tbl --noali --notextw -E 0.1 --domE 0.1 --cpu 2 library.hmm proteins.fasta"]),
    ("BUSCO, eggNOG-mapper", ["hmmsearch --domtblout d.tbl --cpu 1 -o /dev/null one.hmm proteins.fasta",
                              "hmmsearch --cpu 2 -o /dev/null --noali --tblout t.tbl one.hmm proteins.fasta"]),
    ("dbCAN, KofamScan", ["hmmscan --domtblout d.tbl --cpu 2 -o /dev/null library.hmm proteins.fasta",
                          "hmmsearch -T 10 --cpu 1 --tblout t.tbl -o /dev/null one.hmm proteins.fasta"]),
    ("HMMER's tutorial", ["hmmsearch one.hmm proteins.fasta", "hmmsearch -A rows.sto --tblout t.tbl --domtblout d.tbl --pfamtblout p.tbl one.hmm proteins.fasta",
                          "hmmscan --tblout t.tbl --domtblout d.tbl library.hmm proteins.fasta", "hmmsearch - < one.hmm proteins.fasta"]),
]  # fmt: skip


def parsed(content, form):
    """What Biopython reads, without the lines that name files and times."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = []
        for result in SearchIO.parse(io.StringIO(content.decode()), form):
            hits = [(hit.id, hit.description, hit.evalue, hit.bitscore,
                     [(part.hit_range, part.query_range, part.bitscore, part.evalue_cond) for part in hit.hsps]
                     if form != "hmmer3-tab" else len(hit.hsps)) for hit in result]  # fmt: skip
            program = (result.program, result.version) if form == "hmmer3-text" else ()
            found.append((result.id, *program, hits))
    return found


def outputs(program, run):
    """The outputs that Biopython reads: format and content."""
    forms = {"t.tbl": "hmmer3-tab", "d.tbl": f"{program}3-domtab", "out": "hmmer3-text"}
    found = {name: (forms[name], content) for name, content in run.files.items() if name in forms}
    if run.output:
        found["standard output"] = ("hmmer3-text", run.output)
    return found


def make_files():
    library = hmmer3_inputs.Library()
    named = {p.name: p for p in library.profiles if p.version == b"HMMER3/f"}
    profiles = [named[name] for name in ("fn3", "Pkinase", "RRM_1")]
    profiles = [p for p in profiles if len(p.cutoffs) == 3]
    records = hmmer3_inputs.with_domains(hmmer3_inputs.random_source(1, 1), profiles, [], 8)
    records += library.records(library.sets[False][0])[::5]
    fasta = "".join(f">{head}\n{body}\n" for head, body in records).encode()
    return {"library.hmm": hmmer3_inputs.join(profiles), "one.hmm": profiles[0].text, "proteins.fasta": fasta}


def check(runner, files, line):
    """The difference, or None."""
    words = shlex.split(line)
    given = b""
    if "<" in words:
        at = words.index("<")
        given = files[words[at + 1]]
        words[at : at + 2] = [] if "-" in words else ["-"]
    pressed = "gpuhmm" if words[0] == "hmmscan" else ""
    case = hmmer3_compare.Case(line, words, files, given=given, pressed_by=pressed, library="library.hmm")
    theirs, ours = runner.run_both(case)
    found = hmmer3_compare.difference(theirs, ours)
    if found or theirs.status != 0:
        return found or f"refused: {theirs.message!r}"
    mine = outputs(words[0], ours)
    for name, (form, content) in outputs(words[0], theirs).items():
        hits = parsed(content, form)
        if hits != parsed(mine[name][1], form) or not any(hit[-1] for hit in hits):
            return f"{name}: Biopython reads other hits from it, or none"
    return None


def main():
    arguments = tools.arguments_of(__doc__.splitlines()[0])
    passed = failed = 0
    files = make_files()
    with tempfile.TemporaryDirectory(prefix="hmmer3-") as root:
        runner = hmmer3_compare.Runner(arguments.gpuhmm, root)
        for client, lines in CLIENTS:
            for line in lines if arguments.only in client else []:
                reason = check(runner, files, line)
                passed, failed = passed + (not reason), failed + bool(reason)
                if reason:
                    print(f"FAILED {client}: {line}: {reason}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
