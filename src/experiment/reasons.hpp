// Reasons of missing figures, in the same words for all experiments.
#pragma once

namespace gpuhmm::experiment {

inline constexpr const char* kWithFull = "with --full";
inline constexpr const char* kAboveLargest = "above --largest";
inline constexpr const char* kBelowSmallest = "below --smallest";
inline constexpr const char* kNoDevice = "no OpenCL device";

}  // namespace gpuhmm::experiment
