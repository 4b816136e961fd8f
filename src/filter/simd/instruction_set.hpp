// The instruction set that the kernels run on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpuhmm::simd {

/// Name of the instruction set in use, as Highway calls it: "AVX2", "NEON", ... AVX-512 comes as "AVX3",
/// vectors of 32 bytes, and "AVX3_512", of 64 bytes in the kernels of this folder.
std::string instruction_set();

/// Bytes of the vectors in the kernels of this folder; 0 if there are none, and no kernel must be called.
std::size_t vector_bytes();

/// The same for all other kernels: 32 at most.
std::size_t usual_vector_bytes();

/// All instruction sets that the kernels are compiled for and this machine has, the one taken by default
/// first.
std::vector<std::string> instruction_sets();

/// Uses an instruction set of instruction_sets() from now on, or the default again if `name` is empty. For
/// tests and benchmarks; not while an engine is scoring. Throws std::invalid_argument for other names.
void use_instruction_set(std::string_view name);

}  // namespace gpuhmm::simd
