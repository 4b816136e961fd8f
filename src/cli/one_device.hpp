// Runs that use one device do not wait for the others to start.
#pragma once

#include <string>

namespace gpuhmm::cli {

/// Has NVIDIA's driver start only the device that it lists first, if the run that `--device device` describes
/// uses no other: with auto and nvidia, and with all if the run has so few cells (residues x nodes; 0: not
/// known) that one_device_suffices(). The driver starts devices one after the other, also those that are not
/// used. list_devices() then shows one device of that driver. To be called before OpenCL is loaded and before
/// there are threads, as it sets CUDA_VISIBLE_DEVICES in the environment.
void start_one_device(const std::string& device, double cells = 0);

}  // namespace gpuhmm::cli
