#!/usr/bin/env bash
# Checks the sources without building them: layout (clang-format), shell scripts (shellcheck), includes between modules,
# and every C++ file with clang++'s warnings and clang-tidy. Twenty to thirty-five minutes on two cores.
# Last line: N passed, N failed.
# usage: lint.sh [--sample | FILE.cpp...]   (clang-tidy on a fifth of the files, or on these only; default: all)
# Environment: BUILD (folder to configure; default build/lint).
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/counting.sh
. scripts/counting.sh

build=${BUILD:-build/lint}
folders=(src formats tests bench)

# Runs a command and counts it as one test.
passes() {
  if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
}

# Names the files that clang-format would change.
layout() {
  local changed
  changed=$(clang-format --dry-run -Werror "$@" 2>&1 | sed -n 's/^\([^ :]*\):[0-9]*:.* error: .*/\1/p' | sort -u)
  [[ -z $changed ]] || { printf 'needs clang-format -i:\n%s\n' "$changed"; return 1; }
}

# Checks file $2 with clang-tidy and the configured folder $1.
tidy() {
  local findings
  if findings=$(clang-tidy-16 -p "$1" --quiet "$2" 2>/dev/null); then
    echo "passed"
  else
    printf '%s\n' "$findings" "failed: $2"
  fi
}
export -f tidy

step "Packages"
scripts/install-packages.sh build lint

step "Layout of C++ files"
mapfile -d '' -t sources < <(find "${folders[@]}" -name '*.[ch]pp' -print0 | sort -z)
passes layout "${sources[@]}"

step "Shell scripts"
passes shellcheck --external-sources scripts/*.sh bench/*.sh .ci/run

step "Includes between modules"
passes /usr/bin/python3 scripts/check-includes.py

step "clang++'s warnings and clang-tidy"
mkdir -p "$build"
cmake -S . -B "$build" -DCMAKE_C_COMPILER=clang-16 -DCMAKE_CXX_COMPILER=clang++-16 -DGPUHMM_TESTS=ON \
  -DGPUHMM_BENCH=ON >"$build.log" 2>&1 || { tail -n 40 "$build.log" >&2; exit 1; }
if (($#)) && [[ $1 != --sample ]]; then files=("$@"); else
  # tests/package is not part of the build: its own test compiles it
  mapfile -d '' -t files < <(find "${folders[@]}" -path tests/package -prune -o -name '*.cpp' -print0 | sort -z)
fi
if [[ ${1:-} == --sample ]]; then # chosen by checksum: the same files each time, until their contents change
  mapfile -t files < <(cksum "${files[@]}" | awk '$1 % 5 == 0 { print $3 }')
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -I{} bash -c 'tidy "$@"' tidy "$build" {} >"$log"
grep -v '^passed$' "$log" || true
ok=$(grep -c '^passed$' "$log" || true)
passed=$((passed + ok))
failed=$((failed + ${#files[@]} - ok))
echo "$ok of ${#files[@]} files passed"

all_counted
