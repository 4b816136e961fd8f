#!/usr/bin/env bash
# Installs missing packages, builds gpuhmm, and searches real proteins for protein kinase domains.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; }
# Shows a command and runs it.
show() { printf '$ %s\n' "$*"; bash -o pipefail -c "$*"; }

step "Installing missing packages (Debian 12)"
scripts/install-packages.sh build

step "Building build/release/src/gpuhmm"
mkdir -p build
if ! { cmake --preset release &&
  cmake --build --preset release -j"$(nproc)" --target gpuhmm; } >build/demo-build.log 2>&1; then
  grep -iE -m 10 'error' build/demo-build.log >&2 || tail -n 20 build/demo-build.log >&2
  echo "demo: the build failed; all of its output is in build/demo-build.log" >&2
  exit 1
fi
ln -sf release/src/gpuhmm build/gpuhmm

step "Devices"
show "build/gpuhmm devices"

step "Pfam's protein kinase profile against 310 UniProt proteins"
show "build/gpuhmm search --quiet -o build/demo.report testdata/hmm/Pkinase_ls.hmm testdata/seq/uniprot.fasta"
show "head -n 24 build/demo.report"

step "The same hits as a table: name, E-value and score of the best three"
show "build/gpuhmm search --quiet --tblout - testdata/hmm/Pkinase_ls.hmm testdata/seq/uniprot.fasta |
    grep -v '^#' | sort -g -k5,5 | sed -n '1,3p' | awk '{print \$1, \$5, \$6}'"

step "Two profiles, gzip and a pipe: domains above Pfam's cutoffs"
show "cat testdata/hmm/RRM_1_ls.hmm testdata/hmm/Acetyltransf_1_ls.hmm | gzip |
    build/gpuhmm search --quiet --cut_ga --domtblout build/demo.domains - testdata/seq/uniprot.fasta >build/demo.both"
show "grep -v '^#' build/demo.domains | awk '{print \$4}' | sort | uniq -c"

step "Done. The report is build/demo.report; \`build/gpuhmm search --help\` lists the options."
