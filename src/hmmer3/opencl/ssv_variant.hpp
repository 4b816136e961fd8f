// Decides how the kernel of HMMER3's SSV (cl/hmmer3_ssv.cl) is built and launched on a device.
#pragma once

#include <cstddef>
#include <string>

#include "filter/opencl/gpu_variant.hpp"
#include "gpuhmm/device.hpp"

namespace gpuhmm::hmmer3 {

/// Shape of the kernel and of the sequences that it reads.
struct SsvVariant {
  GpuVariant layout;                              ///< of the sequences: none goes to chains
  GpuTileShape shape;                             ///< of the kernel
  std::size_t edge_bytes = 0;                     ///< memory for the edges of one launch
  double launch_steps = 1e18;                     ///< steps x residues after which a launch is full
  std::size_t found_room = std::size_t{1} << 20;  ///< findings of a launch for which there is room at first
  std::size_t part_length = 0;  ///< least residues of the parts of a long sequence, without their overlap
  std::size_t overlap =
      0;  ///< least residues that such parts have in common; models with more nodes need more

  /// Options of the program.
  std::string build_options() const;
};

/// The shape measured on an H200 for NVIDIA GPUs (docs/kernels-gpu.md), a default for all others. `settings`
/// replace settings of a GPU. Throws std::invalid_argument for settings that GPUs do not have.
SsvVariant choose_ssv_variant(const DeviceInfo& device, const DeviceSettings& settings = {});

}  // namespace gpuhmm::hmmer3
