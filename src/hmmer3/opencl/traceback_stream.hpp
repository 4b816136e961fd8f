// A stream of a device: a command queue with its buffers, which samples tracebacks of some regions at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hmmer3/domain_scorer.hpp"
#include "hmmer3/opencl/pair_launches.hpp"
#include "hmmer3/opencl/part_pairs.hpp"
#include "hmmer3/opencl/sweep_shapes.hpp"
#include "hmmer3/opencl/sweep_tables.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/kernel_set.hpp"
#include "opencl/open_device.hpp"
#include "opencl/queue.hpp"
#include "simd/aligned_buffer.hpp"

namespace gpuhmm::hmmer3 {

/// Local memory of a work-group of the kernel of tracebacks, bytes, for a model of `steps` steps.
std::size_t traceback_local_bytes(std::size_t steps, std::size_t sequences);

/// Regions as pairs of a query and a sequence of a batch. Without those that kernels cannot sample: with
/// degenerate residues, or more than local memory has room for.
PartPairs<RegionTask> region_pairs(std::span<const RegionQuery> regions);

/// Not thread-safe; several streams of a device may run at the same time. Calls throw EngineFailure.
class TracebackStream {
 public:
  /// Kernels are built with these options, those of sweeps for these shapes. `device`, which must have double
  /// precision, must outlive the stream; `threads` host threads use what the device found.
  TracebackStream(const OpenDevice& device, const std::string& options, const SweepShapes& shapes,
                  unsigned threads);

  /// The kernels that a stream with these options and shapes launches: of sweeps, and the others.
  static SweepKernels sweeps(const OpenDevice& device, const std::string& options, const SweepShapes& shapes);
  static KernelSet kernels(const OpenDevice& device, const std::string& options);

  /// Samples the regions of a launch. `residues`: those of the whole batch, on the device. Returns when the
  /// tasks have what was found.
  CommandTime run(const PairLaunch& launch, const PartPairs<RegionTask>& pairs, std::uint32_t seed,
                  const cl::Buffer& residues);

 private:
  using Segment = std::array<cl_uint, 4>;  // as the kernel writes it

  void take(const PairLaunch& launch, const PartPairs<RegionTask>& pairs, std::span<const Four> places,
            std::size_t segments);

  const OpenDevice& device_;
  unsigned threads_;
  SweepKernels sweeps_;
  KernelSet kernels_;
  Queue queue_;
  SweepInput input_;
  GrowingBuffer rows_, ends_, cells_, model_numbers_, node_places_, emissions_, into_, out_, sums_, segments_,
      used_, failed_;
  std::vector<cl_uint> failed_found_;
  simd::AlignedBuffer<float> sums_found_;
  simd::AlignedBuffer<Segment> segments_found_;
};

}  // namespace gpuhmm::hmmer3
