// The instruction set that vector code runs on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpuhmm::simd {

/// Name of the instruction set in use, as Highway calls it: "AVX2", "NEON", ... AVX-512 comes as "AVX3",
/// vectors of 32 bytes, and "AVX3_512", of 64 bytes where the width is a choice.
std::string instruction_set();

/// Bytes of the vectors of the scoring kernels (src/filter/simd); 0 if there are none, and no such kernel
/// must be called.
std::size_t vector_bytes();

/// The same for all other kernels: 32 at most.
std::size_t usual_vector_bytes();

/// All instruction sets that vector code is compiled for and this machine has, the one taken by default
/// first: the environment variable GPUHMM_SIMD names another one.
std::vector<std::string> instruction_sets();

/// Uses an instruction set of instruction_sets() from now on, or the default again if `name` is empty. For
/// tests and benchmarks; not while vector code runs. Throws std::invalid_argument for other names.
void use_instruction_set(std::string_view name);

}  // namespace gpuhmm::simd
