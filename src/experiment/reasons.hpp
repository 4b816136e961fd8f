// Why a figure is missing from a table, in the same words everywhere.
#pragma once

#include <cstdint>
#include <string>

namespace gpuhmm::experiment {

inline constexpr const char* kWithFull = "with --full";
inline constexpr const char* kNoDevice = "no OpenCL device";

/// "needs 65,536 bytes of local memory; the device has 32,768".
std::string lacks_bytes(const std::string& resource, std::uint64_t needed, std::uint64_t available);

/// "needs work-groups of 512; the device takes 256".
std::string lacks_items(std::uint64_t needed, std::uint64_t available);

/// 1234567 as "1,234,567".
std::string grouped(std::uint64_t number);

}  // namespace gpuhmm::experiment
