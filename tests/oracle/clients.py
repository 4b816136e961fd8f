#!/usr/bin/env python3
"""Runs the command lines of programs that call HMMER 2, with HMMER 2's programs and with gpuhmm under their names.

  clients.py [--gpuhmm PROGRAM] [--only TEXT]

The plain names (hmmpfam) are found in a folder hmmer2 that is first in PATH, as after an installation. Lines are compared
as in dropins.py; the hits that Biopython reads from the reports are compared, too. The rRNA profiles are those of Debian's
package barrnap, converted to HMMER 2 by `gpuhmm convert` and `gpuhmm calibrate`. The last line is `N passed, N failed`;
the exit code is 1 if anything failed.
"""

import gzip
import io
import random
import re
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

sys.dont_write_bytecode = True  # before the modules beside this file are read: leaves no __pycache__

import dropins
import tools

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from Bio import SearchIO

TESTDATA = tools.REPOSITORY / "testdata"
BARRNAP = Path("/usr/share/barrnap/db/bac.hmm")
VERSION = b"HMMER 2.3.2 (Oct 2003)"
INTERPROSCAN = "../bin/hmmer/hmmer2/2.3.2"  # the folder of the programs in InterProScan's properties
RNAMMER = "--compat --domE 1e-05 --domT 0 -E 1e-05 -T 0"

# (client, its shell lines; a pair is a line and the file for its standard input). Later lines see the files of earlier ones.
CLIENTS = [
    ("InterProScan 5, SMART", [f"{INTERPROSCAN}/hmmpfam --acc -A 0 --cpu 1 -E 0.01 -Z 350000 smart.HMMs.bin proteins.fasta > out",
                               f"{INTERPROSCAN}/hmmpfam --acc -E 0.01 -Z 350000 --cpu 1 smart.HMMs proteins.fasta > out"]),
    ("InterProScan 4 and 5, older libraries", [
        "hmmpfam --cut_tc -A 0 --cpu 1 smart.HMMs proteins.fasta", "hmmpfam --acc -A 0 --cut_ga smart.HMMs.bin proteins.fasta",
        "hmmpfam -E 0.02 -A 100 -Z 15438 --cpu 1 smart.HMMs proteins.fasta", "hmmpfam --acc -E 0.02 -Z 10000 --cpu 1 smart.HMMs.bin proteins.fasta",
        f"{INTERPROSCAN}/hmmsearch --cpu 1 -E 0.01 -Z 350000 -A 0 RRM_1.hmm proteins.fasta"]),
    ("InterProScan 6, SMART", [
        "touch hmmpfam.out; for m in RRM_1 Pkinase; do hmmpfam --acc -A 0 -E 0.01 -Z 350000 --cpu 2 $m.hmm proteins.fasta >> hmmpfam.out; done",
        "hmmpfam --acc -A 0 -E 0.01 -Z 350000 smart.HMMs.bin proteins.fasta > hmmpfam.out"]),
    ("RNAmmer 1.2, both strands", [
        f'hmmsearch {RNAMMER} {model}.hmm "./1.{strand}.fsa" > "./1.{strand}.fsa.{model}.hmmsearchresult"'
        for model in ("5S_rRNA", "16S_rRNA") for strand in ("pos", "neg")]
        + [f"hmmsearch --informat FASTA {RNAMMER} --cpu 1 5S_rRNA.hmm 1.pos.fsa"]),
    ("antiSMASH", ["hmmpfam2 -h", ("hmmpfam2 --cpu 1 smart.HMMs -", "proteins.fasta"), ("hmmpfam2 --cpu 2 -E 0.1 smart.HMMs -", "proteins.fasta"),
                   ("hmmpfam2 --cpu 1 -E 1.0 -T 0 smart.HMMs -", ""), ("hmm2pfam --cpu 1 smart.HMMs -", "proteins.fasta")]),
    ("PARAS", ["hmmpfam2 smart.HMMs proteins.fasta > out"]),
    ("pico_galaxy, RXLR", ["hmmsearch2 -h", "hmmsearch2 -T 0 -E 1e6 Pkinase.hmm proteins.fasta > out.hmm.tmp"]),
    ("GUS", ["hmmpfam -A 0 --acc --cut_ga smart.HMMs proteins.fasta >> subtask.output"]),
    ("BioPerl, Bio::Tools::Run::Hmmer", [
        "hmmpfam  -A 2 -E 5 smart.HMMs proteins.fasta", "hmmsearch  -E 5 RRM_1.hmm proteins.fasta 2>/dev/null", "hmmbuild   new.hmm rows.msf",
        "hmmcalibrate   new.hmm ", "hmmalign  -q new.hmm proteins.fasta", "hmmemit  -q --seed 5 new.hmm ", "hmmsearch  new.hmm proteins.fasta"]),
    ("HMMER's tutorial", [
        "hmmbuild rows.hmm rows.sto", "hmmcalibrate --num 500 rows.hmm", "hmmsearch rows.hmm proteins.fasta", "hmmalign -o rows.ali rows.hmm proteins.fasta",
        "hmmconvert -b rows.hmm rows.bin", "cat RRM_1.hmm Pkinase.hmm > mydb", "hmmindex mydb", "hmmfetch mydb RRM_1 > one.hmm", "hmmemit -c rows.hmm",
        "hmmbuild -A mydb rows.sto", "hmmpfam mydb proteins.fasta"]),
]  # fmt: skip


def complement(sequence):
    return sequence[::-1].translate(str.maketrans("ACGTUN", "TGCAAN"))


def as_fasta(name, sequence):
    return f">{name}\n" + "".join(f"{line}\n" for line in re.findall(".{1,60}", sequence))


def run(*words, folder):
    subprocess.run(list(map(str, words)), cwd=folder, check=True, stdout=subprocess.DEVNULL)


def make_files(folder, gpuhmm):
    """Makes the input files of the clients."""
    for name in ("RRM_1", "Pkinase"):
        (folder / f"{name}.hmm").write_bytes((TESTDATA / f"hmm/{name}_ls.hmm").read_bytes())
    (folder / "smart.HMMs").write_bytes(b"".join((folder / f"{name}.hmm").read_bytes() for name in ("Pkinase", "RRM_1")))
    run("hmm2convert", "-b", "smart.HMMs", "smart.HMMs.bin", folder=folder)
    records = (TESTDATA / "seq/uniprot.fasta").read_bytes().split(b">")[1:]
    (folder / "proteins.fasta").write_bytes(b"".join(b">" + record for record in records[::9]))
    (folder / "rows.sto").write_bytes((TESTDATA / "seq/RRM_1.sto").read_bytes())
    with (folder / "rows.msf").open("wb") as rows:
        command = ["hmm2align", "-q", "--outformat", "msf", "RRM_1.hmm", "proteins.fasta"]
        subprocess.run(command, cwd=folder, check=True, stdout=rows)
    make_genome(folder, gpuhmm)


def make_genome(folder, gpuhmm):
    """Makes rRNA profiles for HMMER 2 from barrnap's, and both strands of a part of lambda with rRNA genes in each."""
    run(gpuhmm, "convert", BARRNAP, "all.hmm", folder=folder)
    genes = []
    for name in ("5S_rRNA", "16S_rRNA"):
        run(gpuhmm, "fetch", "-o", f"{name}.hmm", "all.hmm", name, folder=folder)
        run(gpuhmm, "calibrate", "--seed", 1, "--num", 500, "--fixed", 200, f"{name}.hmm", folder=folder)
        for seed in (1, 2):
            drawn = subprocess.run(["hmm2emit", "-q", "-n", "1", "--seed", str(seed), f"{name}.hmm"], cwd=folder,
                                   check=True, capture_output=True, text=True)  # fmt: skip
            genes.append("".join(drawn.stdout.split("\n")[1:]).upper().replace("U", "T"))
    (folder / "all.hmm").unlink()
    with gzip.open(TESTDATA / "dna/lambda.fna.gz", "rt") as lines:
        genome = "".join(line.strip() for line in lines if not line.startswith(">"))[:12000]
    source = random.Random(1)
    for number, gene in enumerate(genes):
        at = source.randrange(len(genome))
        genome = genome[:at] + (complement(gene) if number % 2 else gene) + genome[at:]
    (folder / "1.pos.fsa").write_text(as_fasta("1", genome))
    (folder / "1.neg.fsa").write_text(as_fasta("1", complement(genome)))


def hits(report):
    """The hits that Biopython reads from a report."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = []
        for result in SearchIO.parse(io.StringIO(report.decode()), "hmmer2-text"):
            parts = [(hit.id, hit.evalue, [(part.hit_range, part.query_range, part.bitscore) for part in hit]) for hit in result]
            found.append((result.id, result.program, result.version, parts))
    return found


def check(worlds, line):
    """The difference between the two runs of a client's line, or None."""
    command, source = (line, None) if isinstance(line, str) else line
    given = (worlds[0].folder / source).read_bytes() if source else b""
    reason = dropins.check(worlds, command, given, is_help=command.endswith("-h"))
    if reason is not None:
        return reason
    written = [{name: content for name, content in world.files().items() if b"\n" + VERSION[:11] in content[:200]} for world in worlds]
    for name in written[0]:
        if "--compat" not in command and name in command and hits(written[0][name]) != hits(written[1][name]):
            return f"{name}: Biopython reads other hits from it"
    return None


def main():
    arguments = tools.arguments_of(__doc__.splitlines()[0])
    assert BARRNAP.is_file(), f"{BARRNAP} is missing (Debian package barrnap)"
    passed = failed = 0
    with tempfile.TemporaryDirectory(prefix="clients-") as folder:
        made = Path(folder) / "files"
        made.mkdir()
        make_files(made, arguments.gpuhmm)
        for number, (client, lines) in enumerate(CLIENTS):
            if arguments.only not in client:
                continue
            worlds = dropins.make_worlds(Path(folder) / str(number), made, arguments.gpuhmm)
            for world in worlds:
                nested = world.folder / INTERPROSCAN
                nested.parent.mkdir(parents=True)
                nested.symlink_to(world.programs)
            for line in lines:
                reason = check(worlds, line)
                passed += reason is None
                failed += reason is not None
                if reason is not None:
                    print(f"FAILED {client}: {line}: {reason}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
