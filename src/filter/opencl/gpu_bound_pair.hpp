// Two models of 16-bit upper bounds side by side: the parameters of cl/gpu_packed.cl with TWO_MODELS.
#pragma once

#include <cstdint>
#include <vector>

#include "filter/opencl/gpu_bound_model.hpp"

namespace gpuhmm {

/// Tables whose words have a parameter of the first model in the low half and of the second in the high half.
/// Each model keeps its own scale and zero point.
struct GpuBoundPair {
  /// `pairs`: pairs of nodes of the larger model. The smaller one is padded as in its own tables.
  GpuBoundPair(const GpuBoundModel& first, const GpuBoundModel& second, int pairs);

  std::vector<std::uint32_t> emissions;  ///< [node][32 codes]
  /// [pair][mi ii md dd, mi ii md dd, es es of the first model, es es of the second]; ii joined(), es 32
  /// bits.
  std::vector<std::uint32_t> moves;
  std::vector<std::uint32_t> inserts;  ///< [32 codes], joined()
  std::uint32_t begin, start_p, peak_limits;
};

}  // namespace gpuhmm
