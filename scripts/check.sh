#!/usr/bin/env bash
# Builds everything with warnings as errors and runs all tests. Last line: N passed, N failed.
# Environment: BUILD (build folder, default build/check), ORACLE_DEVICES (default: none and the OpenCL CPU device).
set -euo pipefail
cd "$(dirname "$0")/.."

build=${BUILD:-build/check}
# Biopython is Debian's package, so it is Debian's python3 that has it
python=/usr/bin/python3
read -ra devices <<<"${ORACLE_DEVICES:-none pthread}"
passed=0
failed=0

step() { printf '\n== %s (%s s)\n' "$*" "$SECONDS"; }

# Adds the counts of a log's last `N passed, N failed` line; without one, the step itself counts as failed.
count() {
  local status=$1 log=$2 line
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed' "$log" | tail -n 1 || true)
  if [[ -z $line ]]; then
    failed=$((failed + 1))
    return
  fi
  read -r ok _ bad _ <<<"$line"
  passed=$((passed + ok))
  failed=$((failed + bad))
  if ((status != 0 && bad == 0)); then failed=$((failed + 1)); fi
}

# Runs a test script that ends with `N passed, N failed`.
script() {
  local log status=0
  log=$(mktemp)
  "$@" 2>&1 | tee "$log" || status=$?
  count "$status" "$log"
  rm -f "$log"
}

# Runs ctest; its own last lines are turned into counts.
unit_tests() {
  local log status=0
  log=$(mktemp)
  ctest --test-dir "$build" -j"$(nproc)" --output-on-failure --no-tests=error >"$log" 2>&1 || status=$?
  local summary bad all
  summary=$(grep -E '[0-9]+ tests failed out of [0-9]+' "$log" || true)
  if [[ $summary =~ ([0-9]+)\ tests\ failed\ out\ of\ ([0-9]+) ]]; then
    bad=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
    echo "$((all - bad)) passed, $bad failed" >>"$log"
  fi
  if ((status != 0)); then cat "$log"; else tail -n 1 "$log"; fi
  count "$status" "$log"
  rm -f "$log"
}

step "Packages"
scripts/install-packages.sh build test

step "Build in $build"
mkdir -p "$build"
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release -DGPUHMM_TESTS=ON -DGPUHMM_WERROR=ON >"$build.configure.log" 2>&1 || {
  tail -n 40 "$build.configure.log" >&2
  exit 1
}
cmake --build "$build" -j"$(nproc)" -- --no-print-directory -s
gpuhmm=$build/src/gpuhmm

step "Unit tests"
unit_tests

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

step "hmm2calibrate on a sample"
script "$python" tests/oracle/calibrate.py --gpuhmm "$gpuhmm"

step "hmm2convert, hmm2fetch and hmmconvert -2 on a sample"
script "$python" tests/oracle/convert.py --gpuhmm "$gpuhmm"

step "hmm2emit on a sample"
script "$python" tests/oracle/emit.py --gpuhmm "$gpuhmm"

step "hmm2align on a sample"
script "$python" tests/oracle/align.py --gpuhmm "$gpuhmm"

step "Raw scores of random models, 1/1000 bit"
script "$python" tests/oracle/raw_scores.py --quick --gpuhmm "$gpuhmm"

step "GNU sort; jellyfish, KMC (devices: ${devices[*]})"
script "$python" tests/oracle/sort.py --gpuhmm "$gpuhmm" "${options[@]}"
script "$python" tests/oracle/kmers.py --gpuhmm "$gpuhmm" "${options[@]}"

if [[ -d ../shared/data ]]; then
  step "Stored reports of hmm2search"
  script "$python" tests/oracle/search.py --golden --gpuhmm "$gpuhmm" "${options[@]}" -j"$(nproc)"

  step "Reports that others made"
  script "$python" tests/oracle/scan.py --others --gpuhmm "$gpuhmm" "${options[@]}"
fi

step "All"
echo "$passed passed, $failed failed"
((failed == 0 && passed > 0))
