#!/usr/bin/env bash
# Cross-compiles for 64-bit ARM and runs the tests in an emulator, QEMU: half an hour on two cores. Last line:
# N passed, N failed. Needs the packages of install-packages.sh, g++-aarch64-linux-gnu and qemu-user.
# The libraries are Debian's arm64 packages, which are unpacked into the build folder and not installed.
# Environment: BUILD (build folder, default build/arm64), MIRROR (of Debian).
#
# Leaves out tests that take too long in the emulator (engines that compile large OpenCL kernels again and again), and
# IsEmptyWithoutAnyPlatform, which starts its own executable outside the emulator.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=scripts/counting.sh
. scripts/counting.sh

build=${BUILD:-build/arm64}
python=/usr/bin/python3
libraries=(libstdc++-12-dev libboost-program-options-dev libboost-iostreams-dev zlib1g-dev libpng-dev
  ocl-icd-opencl-dev opencl-clhpp-headers pocl-opencl-icd libhwy-dev nlohmann-json3-dev libgtest-dev)

for program in aarch64-linux-gnu-g++ qemu-aarch64; do
  if ! command -v "$program" >/dev/null; then
    echo "check-arm64.sh: no $program; apt-get install g++-aarch64-linux-gnu qemu-user" >&2
    exit 1
  fi
done
mkdir -p "$build"
build=$(realpath "$build")
sysroot=$build/sysroot

# Unpacks the libraries and their dependencies into $sysroot, with a separate apt configuration for arm64.
make_sysroot() {
  local apt=$build/apt unpacked=$build/sysroot.part package link
  mkdir -p "$apt/lists/partial" "$apt/archives/partial"
  : >"$apt/status"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${MIRROR:-http://deb.debian.org/debian} bookworm main" \
    >"$apt/sources.list"
  cat >"$apt/apt.conf" <<END
APT { Architecture "arm64"; Architectures { "arm64"; }; Install-Recommends "false"; Sandbox::User "root"; };
Dir { State "$apt"; State::status "$apt/status"; Cache "$apt"; Etc::sourcelist "$apt/sources.list";
      Etc::sourceparts "/dev/null"; };
END
  APT_CONFIG=$apt/apt.conf apt-get update -qq
  APT_CONFIG=$apt/apt.conf apt-get install -y -qq --download-only "${libraries[@]}" >/dev/null
  rm -rf "$unpacked"
  mkdir -p "$unpacked/usr/lib" "$unpacked/tools"
  ln -s usr/lib "$unpacked/lib"
  for package in "$apt"/archives/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$unpacked"
  done
  find "$unpacked" -type l -lname '/*' | while read -r link; do
    ln -sfn "$(realpath -ms --relative-to="${link%/*}" "$unpacked$(readlink "$link")")" "$link"
  done
  printf '#!/bin/sh\nexec aarch64-linux-gnu-ld --sysroot=%s -L%s -L%s "$@"\n' "$sysroot" \
    "$sysroot/usr/lib/gcc/aarch64-linux-gnu/12" "$sysroot/usr/lib/aarch64-linux-gnu" >"$unpacked/tools/ld"
  chmod +x "$unpacked/tools/ld"
  mv "$unpacked" "$sysroot"
}

step "Libraries in $sysroot"
[[ -d $sysroot ]] || make_sysroot

step "Build in $build"
export GPUHMM_SYSROOT=$sysroot
cmake -S . -B "$build" -DCMAKE_TOOLCHAIN_FILE=scripts/cross-aarch64.cmake -DCMAKE_BUILD_TYPE=Release -DGPUHMM_WERROR=ON \
  "$@" >"$build.configure.log" 2>&1 || {
  tail -n 40 "$build.configure.log" >&2
  exit 1
}
cmake --build "$build" -j"$(nproc)" -- --no-print-directory -s

step "Unit tests"
export POCL_CACHE_DIR=$build/pocl
unit_tests "$build" -E '^(GpuKernels|GpuEngine|OpenClEngine)|Extremes.*/(OpenCl|Gpu)|IsEmptyWithoutAnyPlatform'

# A wrapper that runs the program in the emulator, for the oracle tests.
gpuhmm=$build/gpuhmm
printf '#!/bin/sh\nexec qemu-aarch64 -L %s %s "$@"\n' "$sysroot" "$build/src/gpuhmm" >"$gpuhmm"
chmod +x "$gpuhmm"

step "hmm2search on a sample"
script "$python" tests/oracle/search.py --sample --gpuhmm "$gpuhmm" --device none -j"$(nproc)"

step "hmm2pfam on a sample"
script "$python" tests/oracle/scan.py --sample --gpuhmm "$gpuhmm" --device none -j"$(nproc)"

step "hmm2calibrate on a sample"
script "$python" tests/oracle/calibrate.py --gpuhmm "$gpuhmm"

all_counted
