#!/usr/bin/env bash
# Runs the tests with the compiler's sanitizers: reads and writes out of bounds, leaks and undefined behaviour
# (address), data races (thread). Some forty minutes each on two cores. Last line: N passed, N failed.
# usage: sanitize.sh [address|thread]...   (default: both)
# Environment: CXX (compiler; g++ and clang++ both work), TESTS (unit test programs, default all: "test_search ...").
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/counting.sh
. scripts/counting.sh

# scripts/sanitizers/ suppresses findings in OpenCL drivers, with reasons. The drivers are not instrumented, so
# ThreadSanitizer must ignore their locks.
lists=$PWD/scripts/sanitizers
symbolizer=$(command -v llvm-symbolizer || true)
# LLVM, in PoCL, gives the thread that first compiles a kernel a signal stack of its own, which AddressSanitizer would
# take for its own when the thread ends: use_sigaltstack=0.
export ASAN_OPTIONS=detect_stack_use_after_return=1:allocator_may_return_null=1:use_sigaltstack=0
export LSAN_OPTIONS=suppressions=$lists/leak.supp:print_suppressions=0
export UBSAN_OPTIONS=print_stacktrace=1
export TSAN_OPTIONS=suppressions=$lists/thread.supp:ignore_noninstrumented_modules=1:second_deadlock_stack=1
# A forked child begins threads of its own (gpuhmm plan).
TSAN_OPTIONS+=:die_after_fork=0
TSAN_OPTIONS+=${symbolizer:+:external_symbolizer_path=$symbolizer}

# Tests of a program that run with the machine's own instruction set only: with each set they take far too long.
declare -A once=([test_hmmer3]=FastFilters.LongSequences)

# Runs test program $1 with further arguments. Without address randomization, which ThreadSanitizer's memory layout
# cannot handle.
program() { setarch "$(uname -m)" --addr-no-randomize "$@" --gtest_brief=1; }

# Builds a preset and runs its unit test programs, each in one process: separate processes would compile kernels again.
unit_programs() {
  local preset=$1 name names status log
  local build=build/$preset
  mkdir -p "$build"
  cmake --preset "$preset" >"$build.log" 2>&1 || { tail -n 40 "$build.log" >&2; exit 1; }
  read -ra names <<<"${TESTS:-}"
  cmake --build "$build" -j"$(nproc)" --target "${names[@]:-all}" >"$build.log" 2>&1 ||
    { grep -E -m 20 'error|FAILED' "$build.log" >&2; exit 1; }
  if ! ((${#names[@]})); then
    mapfile -t names < <(find "$build/tests" -maxdepth 1 -type f -name 'test_*' -executable -printf '%f\n' | sort)
  fi
  log=$(mktemp)
  for name in "${names[@]}"; do
    status=0
    if [[ -n ${once[$name]:-} ]]; then
      { program "$build/tests/$name" --gtest_filter="-${once[$name]}" &&
        program "$build/tests/$name" --gtest_filter="${once[$name]}" --gtest_repeat=1; } >"$log" 2>&1 || status=$?
    else
      program "$build/tests/$name" >"$log" 2>&1 || status=$?
    fi
    if ((status)); then
      failed=$((failed + 1))
      grep -vE '^(Note|Running main)' "$log" | head -n 200
      echo "failed: $name (exit code $status)"
    else
      passed=$((passed + 1))
      echo "passed: $name"
    fi
  done
  rm -f "$log"
}

step "Packages"
scripts/install-packages.sh build test

(($#)) || set -- address thread
for kind; do
  case $kind in
  address)
    step "Unit tests: addresses and undefined behaviour"
    unit_programs asan
    if [[ -z ${TESTS:-} ]]; then
      step "Command line: addresses and undefined behaviour"
      script /usr/bin/python3 tests/cli/cli_test.py --gpuhmm build/asan/src/gpuhmm \
        usage_tests scan_tests input_tests mutation_tests output_tests profile_tests number_tests segments_tests \
        nucleic_segments_tests
    fi
    ;;
  thread)
    step "Unit tests: data races"
    unit_programs tsan
    ;;
  *) echo "sanitize.sh: unknown kind '$kind' (address or thread)" >&2; exit 2 ;;
  esac
done

all_counted
