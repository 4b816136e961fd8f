// The instruction set that the kernels run on.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gpuhmm::simd {

/// Name of the instruction set in use, as Highway calls it: "AVX2", "NEON", ...
std::string instruction_set();

/// Bytes of its vectors; 0 if it has none, and the kernels must not be called.
std::size_t vector_bytes();

/// All instruction sets that the kernels are compiled for and this machine has, best first.
std::vector<std::string> instruction_sets();

/// Uses an instruction set of instruction_sets() from now on, or the best one again if `name` is empty. For
/// tests and benchmarks; not while an engine is scoring. Throws std::invalid_argument for other names.
void use_instruction_set(std::string_view name);

}  // namespace gpuhmm::simd
