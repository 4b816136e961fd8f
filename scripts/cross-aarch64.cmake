# CMake toolchain of check-arm64.sh: cross-compiles for 64-bit ARM and runs the tests in an emulator.
# GPUHMM_SYSROOT (CMake or environment variable): a folder with the libraries' arm64 packages. Its tools/ has the `ld`
# with which PoCL links kernels.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
if(NOT GPUHMM_SYSROOT)
  set(GPUHMM_SYSROOT $ENV{GPUHMM_SYSROOT})
endif()
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES GPUHMM_SYSROOT)

set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_SYSROOT ${GPUHMM_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# With the library path PoCL finds its files under the same path inside and outside the emulator.
set(CMAKE_CROSSCOMPILING_EMULATOR
    qemu-aarch64 -L ${GPUHMM_SYSROOT} -E LD_LIBRARY_PATH=${GPUHMM_SYSROOT}/usr/lib/aarch64-linux-gnu
    -E COMPILER_PATH=${GPUHMM_SYSROOT}/tools)
