// Selects the instruction set of SIMD code.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpuhmm::simd {

/// Name of the instruction set in use, as in Highway: "AVX2", "NEON", ... AVX-512 has two names: "AVX3" with
/// vectors of 32 bytes, and "AVX3_512", which uses 64 bytes where the width is a choice.
std::string instruction_set();

/// Vector size of the scoring kernels (src/filter/simd), bytes. 0: there is no SIMD, and these kernels must
/// not be called.
std::size_t vector_bytes();

/// Vector size of all other kernels: 32 at most.
std::size_t usual_vector_bytes();

/// All instruction sets that SIMD code is compiled for and this machine has, the default first. The
/// environment variable GPUHMM_SIMD selects another one.
std::vector<std::string> instruction_sets();

/// Uses an instruction set of instruction_sets() from now on, or the default again if `name` is empty. For
/// tests and benchmarks; not while SIMD code runs. Throws std::invalid_argument for other names.
void use_instruction_set(std::string_view name);

}  // namespace gpuhmm::simd
