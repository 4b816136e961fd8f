#!/usr/bin/env bash
# Repeats the experiments of docs/experiments on one device: text, JSON and plots of all tables.
set -euo pipefail

usage() {
  cat <<'END'
usage: bench/experiments.sh [options] DEVICE FOLDER
Run `gpuhmm bench` for the five experiments of docs/experiments on DEVICE and write into FOLDER, for each step,
STEP.txt, STEP.json, STEP.log and plots. Steps for the device run one after the other, steps for the host beside
them. Prints the seconds of each step. Exit code 1 if a step fails or is stopped.

  --full         the publications' sizes; otherwise small ones: about 5 minutes on two processors
  --only A,B     only these steps
  --seconds N    stop a step after N seconds (default 900)
  --list         print the steps with their options
  --help         print this text

docs/experiments/README.md has the seconds of the steps.
environment: GPUHMM, the program (default build/release/src/gpuhmm); THREADS, those of a step for the device
(default: half the processors), HOST_THREADS, those of a step for the host (default: an eighth).
END
}

# name, place and options of each step
small=(
  "ladder device ladder"
  "maximum device maximum"
  "sort device sort"
  "subsequence device subsequence"
  "reduce device reduce"
)
full=(
  "submatrix-sequential host maximum --full --runs 1 --limit 300 --largest 6144 --table 6.5"
  "rivals host sort --full --largest 38400000 --table rivals"
  "rivals-4 host sort --full --smallest 153600000 --table rivals"
  "figure-1-host host subsequence --full --runs 1 --limit 30 --table figure-1"
  "figure-2-host host subsequence --full --runs 1 --limit 60 --table figure-2"
  "hmmer2 host ladder --full --runs 1 --table 10.4"
  "submatrix device maximum --full --runs 1 --limit 12 --smallest 4096 --table figure-6.6"
  "figure-1 device subsequence --full --runs 1 --limit 1 --table figure-1"
  "ladder-final device ladder --full --runs 1 --table 10.4,10.6,families"
  "figure-2 device subsequence --full --runs 1 --limit 9 --table figure-2"
  "ladder-steps device ladder --full --runs 1 --table 7.5,8.1,8.2,8.3,8.4,8.5,8.6,8.7,9.1,9.2,9.3,9.4,9.5,10.1,10.2,10.3,10.5"
  "ladder-forms device ladder --runs 1 --table memory,7.1,7.2,4.2,groups,grain,forms,lengths"
  "segments device maximum --full --table 6.1,6.2,6.3,6.4,figure-6.1,figure-6.2,figure-6.3,subsequence-memory,subsequence-groups,subsequence-branches"
  "submatrix-small device maximum --table 6.5,6.6,figure-6.4,figure-6.5,submatrix-branches"
  "sort device sort --full --table 3,4,6,8,9,today"
  "sort-rivals device sort --full --largest 38400000 --table 5,7"
  "sort-long device sort --table long"
  "subsequence device subsequence --table threads,groups"
  "reduce device reduce --full"
)

fail() {
  echo "experiments.sh: $1" >&2
  exit 2
}

steps=("${small[@]}")
only='' seconds=900 list=
while [[ ${1-} == --* ]]; do
  case $1 in
    --full) steps=("${full[@]}") ;;
    --only) only=${2:?--only needs steps} && shift ;;
    --seconds) seconds=${2:?--seconds needs a number} && shift ;;
    --list) list=yes ;;
    --help) usage && exit ;;
    *) fail "unknown option $1; --help shows the options" ;;
  esac
  shift
done
if [[ -n $only ]]; then
  IFS=, read -ra names <<<"$only"
  chosen=()
  for name in "${names[@]}"; do
    count=${#chosen[@]}
    for step in "${steps[@]}"; do [[ ${step%% *} == "$name" ]] && chosen+=("$step"); done
    ((${#chosen[@]} > count)) || fail "there is no step $name; --list shows them"
  done
  steps=("${chosen[@]}")
fi
if [[ -n $list ]]; then
  printf '%s\n' "${steps[@]}"
  exit
fi
[[ $# == 2 ]] || fail "expected DEVICE and FOLDER; --help shows the options"
[[ $seconds =~ ^[1-9][0-9]*$ ]] || fail "--seconds $seconds: expected a number of seconds"
device=$1 folder=$2
gpuhmm=${GPUHMM:-build/release/src/gpuhmm}
command -v "$gpuhmm" >/dev/null || fail "$gpuhmm: no such program; set GPUHMM"
processors=$(nproc)
threads=${THREADS:-$((processors > 1 ? processors / 2 : 1))}
host_threads=${HOST_THREADS:-$((processors > 8 ? processors / 8 : 1))}
mkdir -p "$folder"

# Runs a step and prints its name, its seconds and, if it did not end well, why.
run_step() {
  local name=$1 place=$2 begin=$SECONDS code=0 on=$device cpu=$threads
  shift 2
  [[ $place == device ]] || on=none cpu=$host_threads
  timeout -k 10 "$seconds" "$gpuhmm" bench "$@" --device "$on" --cpu "$cpu" --json "$folder/$name.json" \
    --plots "$folder/plots" >"$folder/$name.txt" 2>"$folder/$name.log" || code=$?
  case $code in
    0) echo "$name: $((SECONDS - begin)) s" ;;
    124 | 137) echo "$name: stopped after $seconds s; $name.txt has the tables before" ;;
    *) echo "$name: exit code $code; $(tail -n 1 "$folder/$name.log")" ;;
  esac
  return "$code"
}

failed=0 waiting=()
for step in "${steps[@]}"; do
  read -ra words <<<"$step"
  if [[ ${words[1]} == host ]]; then
    run_step "${words[@]}" &
    waiting+=($!)
  fi
done
for step in "${steps[@]}"; do
  read -ra words <<<"$step"
  [[ ${words[1]} == host ]] || run_step "${words[@]}" || failed=1
done
for process in "${waiting[@]}"; do wait "$process" || failed=1; done
exit "$failed"
