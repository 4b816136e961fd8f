// Divides the devices of a machine among the ranks of an MPI run on it.
#pragma once

#include <string>

namespace gpuhmm::cli {

/// What --device means for one of `ranks` ranks on a machine: each takes its share of the GPUs (auto, all) or
/// of the devices that are named; if there are fewer devices than ranks, several ranks use the same one.
/// Throws DeviceError.
std::string devices_of_rank(const std::string& device, int rank, int ranks);

}  // namespace gpuhmm::cli
