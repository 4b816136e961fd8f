#!/usr/bin/env bash
# Builds everything with warnings as errors and runs all tests. Last line: N passed, N failed.
# Environment: BUILD (build folder, default build/check), ORACLE_DEVICES (default: none and the OpenCL CPU device).
set -euo pipefail
cd "$(dirname "$0")/.."

build=${BUILD:-build/check}
# Debian's python3, for which Debian's package of Biopython is installed
python=/usr/bin/python3
read -ra devices <<<"${ORACLE_DEVICES:-none pthread}"
# shellcheck source=scripts/counting.sh
. scripts/counting.sh

# Where process 1 waits for no orphans, runs with devices would leave eight processes behind and then none any more,
# which their tests (ReleaseProcess, ReleaseTests) would take for a failure. Those tests do without this variable.
export GPUHMM_RELEASE=wait

step "Packages"
scripts/install-packages.sh build test workflow

step "Links and citations"
script "$python" scripts/check-docs.py

step "Includes of the modules"
script "$python" tests/modules/includes_test.py

step "Build in $build"
mkdir -p "$build"
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DGPUHMM_TESTS=ON -DGPUHMM_WERROR=ON >"$build.configure.log" 2>&1 || {
  tail -n 40 "$build.configure.log" >&2
  exit 1
}
cmake --build "$build" -j"$(nproc)" -- --no-print-directory -s
gpuhmm=$build/src/gpuhmm

step "Unit tests"
unit_tests "$build"

step "Command line"
script "$python" tests/cli/cli_test.py --gpuhmm "$gpuhmm"

options=()
for device in "${devices[@]}"; do options+=(--device "$device"); done
step "hmm2search on a sample (devices: ${devices[*]})"
script "$python" tests/oracle/search.py --sample --gpuhmm "$gpuhmm" "${options[@]}" -j"$(nproc)"

step "hmm2pfam on a sample (devices: ${devices[*]})"
script "$python" tests/oracle/scan.py --sample --gpuhmm "$gpuhmm" "${options[@]}" -j"$(nproc)"

step "Scan against search, every score"
script "$python" tests/oracle/scan.py --scores --gpuhmm "$gpuhmm" "${options[@]}"

step "hmm2build, hmm2align, hmm2emit, hmm2calibrate, hmm2convert, hmm2fetch, hmmconvert -2 and hmmpress on samples"
for name in build align emit calibrate convert hmmer3_press; do
  start_script "$python" "tests/oracle/$name.py" --gpuhmm "$gpuhmm"
done
await_scripts

step "hmmsearch and hmmscan of HMMER 3 on samples"
for name in hmmer3_search hmmer3_scan; do
  start_script "$python" "tests/oracle/$name.py" --sample --gpuhmm "$gpuhmm" -j1
done
await_scripts

step "hmmsearch of HMMER 3 and searches on devices: ${devices[*]}"
script "$python" tests/oracle/hmmer3_search.py --random 40 --seed 2 --gpuhmm "$gpuhmm" "${options[@]}" -j"$(nproc)"

step "Merged parts of runs against whole runs (devices: ${devices[*]})"
script "$python" tests/oracle/shards.py --gpuhmm "$gpuhmm" "${options[@]}" -j"$(nproc)"

step "HMMER2's exercises, the lines of clients of HMMER2 and HMMER3, random lines"
for name in exercises clients hmmer3_clients random_lines; do
  start_script "$python" "tests/oracle/$name.py" --gpuhmm "$gpuhmm"
done
await_scripts

step "Runs in pieces: killed a hundred times, shared by MPI"
script "$python" tests/oracle/pieces.py --gpuhmm "$gpuhmm"

step "Raw scores of random models, 1/1000 bit; GNU sort; jellyfish, KMC (devices: ${devices[*]})"
start_script "$python" tests/oracle/raw_scores.py --quick --gpuhmm "$gpuhmm"
start_script "$python" tests/oracle/sort.py --gpuhmm "$gpuhmm" "${options[@]}"
start_script "$python" tests/oracle/kmers.py --gpuhmm "$gpuhmm" "${options[@]}"
await_scripts

step "Snakemake and Slurm"
script "$python" tests/workflows/workflows.py --gpuhmm "$gpuhmm"

if [[ -d ../shared/data ]]; then
  step "Stored reports of hmm2search"
  script "$python" tests/oracle/search.py --golden --gpuhmm "$gpuhmm" "${options[@]}" -j"$(nproc)"

  step "Reports that others made"
  script "$python" tests/oracle/scan.py --others --gpuhmm "$gpuhmm" "${options[@]}"
fi

all_counted
