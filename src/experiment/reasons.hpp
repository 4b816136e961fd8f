// Reasons of missing figures that all experiments give in the same words.
#pragma once

namespace gpuhmm::experiment {

inline constexpr const char* kWithFull = "with --full";
inline constexpr const char* kNoDevice = "no OpenCL device";

}  // namespace gpuhmm::experiment
