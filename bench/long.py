#!/usr/bin/python3
"""Compares searches of chromosomes and very long proteins with hmm2search: whole commands, in turn.

Usage: bench/long.py [--gpuhmm PATH] [--device D] [--runs N] [--data DIR] [--only TEXT]

A profile of 16S ribosomal RNA is made from the genes found in the two bacterial genomes of DIR (default
../shared/data), aligned and built by gpuhmm (ls, fs, s and g) and calibrated. It is searched against each strand of both
genomes, as HMMER 2 does not search both strands; a protein profile of each style is searched against the very long
proteins. All programs run on one core (`--cpu 1`); the report, including alignments, goes to /dev/null. Prints for each
search: nodes, residues, least processor seconds (user and system) of both programs and their ratio, the same for wall
time, and the stages of `gpuhmm search --stats`. The script ends if a report differs from hmm2search's.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # before the module beside this file is read: leaves no __pycache__

from measuring import measure, nodes_of, records

STAGE = re.compile(r"^(score|rescore) +([0-9.]+) s", re.MULTILINE)
GENE = re.compile(r"AGAGTTTGATC.TGGCTCAG.{1300,1600}?GG[CT]TGGATCACCTCCT")
STYLES = {"ls": [], "fs": ["-f"], "s": ["-s"], "g": ["-g"]}
COMPLEMENT = str.maketrans("ACGT", "TGCA")


def reversed_strand(strand):
    return strand.translate(COMPLEMENT)[::-1]


def write_fasta(path, sequences):
    with open(path, "w", encoding="ascii") as out:
        for name, residues in sequences:
            out.write(f">{name}\n")
            out.writelines(residues[i:i + 70] + "\n" for i in range(0, len(residues), 70))
    return path


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


def genomes(data, folder):
    """Name -> path and residues, both strands of the two genomes."""
    found = {}
    for name, file in (("H. pylori", "hpylori_G27.fna.gz"), ("E. coli", "ecoli_K12_MG1655.fna.gz")):
        forward = "".join(line.decode().strip() for _, body in records(f"{data}/dna/{file}") for line in body).upper()
        for strand, residues in (("+", forward), ("-", reversed_strand(forward))):
            path = f"{folder}/{file[:5]}{strand}.fna"
            found[f"{name} {strand}"] = write_fasta(path, [(file[:5] + strand, residues)]), residues
    return found


def ribosomal_profiles(gpuhmm, strands, folder):
    """Makes a profile of each style from the 16S genes, aligned to the first of them: name -> path."""
    genes = [(f"{name.replace(' ', '')}{match.start()}", match.group())
             for name, (_, residues) in strands.items() for match in GENE.finditer(residues)]
    seed, all_genes, aligned = (f"{folder}/{name}" for name in ("seed.sto", "genes.fna", "genes.sto"))
    with open(seed, "w", encoding="ascii") as out:
        out.write(f"# STOCKHOLM 1.0\n\na {genes[0][1]}\nb {genes[0][1]}\n//\n")
    write_fasta(all_genes, genes)
    run(gpuhmm, "build", "-F", "--nucleic", "-n", "seed", f"{folder}/seed.hmm", seed)
    run(gpuhmm, "align", "-q", "-o", aligned, f"{folder}/seed.hmm", all_genes)
    profiles = {}
    for style, options in STYLES.items():
        profiles[f"16S {style}"] = path = f"{folder}/16S_{style}.hmm"
        run(gpuhmm, "build", "-F", "--nucleic", *options, "-n", f"16S_{style}", path, aligned)
        run(gpuhmm, "calibrate", "--seed", "1", path)
    print(f"# 16S: {len(genes)} genes, {nodes_of(path)} nodes")
    return profiles


def report_of(command):
    output = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    return output.split(b"\n", 5)[5]


def compare(name, profile, sequences, residues, ours, runs):
    theirs = [shutil.which("hmm2search"), "--cpu", "1"]
    if report_of([*theirs, profile, sequences]) != report_of([*ours, profile, sequences]):
        sys.exit(f"{name}: the reports differ")
    their_runs, our_runs = [], []
    for _ in range(runs):
        their_runs.append(measure([*theirs, profile, sequences]))
        our_runs.append(measure([*ours, "--stats", profile, sequences]))
    (their_wall, their_cpu), (our_wall, our_cpu) = [
        [min(column) for column in list(zip(*some))[:2]] for some in (their_runs, our_runs)]
    stages = " ".join(f"{stage} {seconds}" for stage, seconds in STAGE.findall(our_runs[-1][2]))
    nodes = nodes_of(profile)
    print(f"{name:28} {nodes:5} {residues:8} {their_cpu:8.2f} {our_cpu:7.2f} {their_cpu / our_cpu:6.1f} "
          f"{their_wall:8.2f} {our_wall:7.2f} {their_wall / our_wall:6.1f} "
          f"{nodes * residues / our_wall * 1e-9:6.2f}  {stages}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gpuhmm", default="build/release/src/gpuhmm")
    parser.add_argument("--device", default="none")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--data", default="../shared/data")
    parser.add_argument("--only", default="", help="searches whose names contain this text")
    arguments = parser.parse_args()
    gpuhmm = os.path.abspath(arguments.gpuhmm)
    ours = [gpuhmm, "search", "--quiet", "--device", arguments.device, "--cpu", "1"]
    with tempfile.TemporaryDirectory() as folder:
        strands = genomes(arguments.data, folder)
        searches = [(f"{profile} x {strand}", path, *target)
                    for profile, path in ribosomal_profiles(gpuhmm, strands, folder).items()
                    for strand, target in strands.items()]
        proteins = "".join(line.decode() for header, body in records(f"{arguments.data}/seq/long.fasta.gz")
                           for line in [header, *body])
        long_proteins = f"{folder}/long.fasta"
        with open(long_proteins, "w", encoding="latin-1") as out:
            out.write(proteins)
        residues = "".join(line for line in proteins.splitlines() if not line.startswith(">"))
        for file in ("variants/fn3_tut_ls", "variants/fn3_tut_fs", "top20/Pkinase_ls", "variants/SMC_N_ls", "variants/SMC_N_fs",
                     "variants/Pkinase_g_cal", "variants/Pkinase_s_uncal"):
            path = f"{arguments.data}/hmm/{file}.hmm"
            if os.path.exists(path):
                searches.append((f"{os.path.basename(file)} x long proteins", path, long_proteins, residues))
        print(f"{'search':28} {'nodes':>5} {'residues':>8} {'hmm2 cpu':>8} {'ours':>7} {'times':>6} {'hmm2 s':>8} "
              f"{'ours':>7} {'times':>6} {'GCUPS':>6}  stages, s")
        for name, profile, path, target in searches:
            if arguments.only in name:
                compare(name, profile, path, len(target), ours, arguments.runs)


if __name__ == "__main__":
    main()
