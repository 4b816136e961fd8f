#!/usr/bin/env bash
# Installs the Debian packages for building, testing and checking the sources; does nothing if all are installed.
# usage: install-packages.sh [build|test|workflow|lint]...   (default: build test)
set -euo pipefail

build=(g++ cmake make libboost-program-options-dev libboost-iostreams-dev zlib1g-dev libpng-dev ocl-icd-opencl-dev
  opencl-clhpp-headers pocl-opencl-icd libhwy-dev nlohmann-json3-dev libgtest-dev)
test=(barrnap hmmer hmmer-examples hmmer2 jellyfish kmc pkg-config python3 python3-biopython curl groff-base man-db zsh fish
  libopenmpi-dev openmpi-bin openssh-client iproute2 procps)
workflow=(snakemake slurm-wlm munge)
lint=(clang-16 clang-format clang-tidy-16 shellcheck python3 libopenmpi-dev)

wanted=()
for group in "${@:-build test}"; do
  for name in $group; do
    case $name in
    build) wanted+=("${build[@]}") ;;
    test) wanted+=("${test[@]}") ;;
    workflow) wanted+=("${workflow[@]}") ;;
    lint) wanted+=("${lint[@]}") ;;
    *) echo "install-packages.sh: unknown group '$name' (build, test, workflow or lint)" >&2; exit 2 ;;
    esac
  done
done

missing=()
for package in "${wanted[@]}"; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $state == installed ]] || missing+=("$package")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
  command -v sudo >/dev/null || { echo "missing packages, install them as root: ${missing[*]}" >&2; exit 1; }
  as_root=(sudo)
fi
echo "installing: ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
for step in "update" "install -y --no-install-recommends ${missing[*]}"; do
  # shellcheck disable=SC2086  # the words of a step are separate arguments
  "${as_root[@]}" apt-get $step >"$log" 2>&1 </dev/null || { tail -n 20 "$log" >&2; exit 1; }
done
