// A stream of a device: a command queue with its buffers, which scores some envelopes at a time.
#pragma once

#include <array>
#include <cstddef>
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

/// Local memory of a work-group of the kernel of accuracies, bytes, for a model of `steps` steps.
std::size_t envelope_local_bytes(std::size_t steps, std::size_t sequences);

/// Envelopes as pairs of a query and a sequence of a batch.
using EnvelopePairs = PartPairs<EnvelopeTask>;
EnvelopePairs envelope_pairs(std::span<const EnvelopeQuery> envelopes);

/// Not thread-safe; several streams of a device may run at the same time. Calls throw EngineFailure.
class EnvelopeStream {
 public:
  /// Kernels are built with these options, those of sweeps for these shapes. `device` must outlive the
  /// stream; `threads` host threads use what the device found.
  EnvelopeStream(const OpenDevice& device, const std::string& options, const SweepShapes& shapes,
                 unsigned threads);

  /// The kernels that a stream with these options and shapes launches: of sweeps, and the others.
  static SweepKernels sweeps(const OpenDevice& device, const std::string& options, const SweepShapes& shapes);
  static KernelSet kernels(const OpenDevice& device, const std::string& options);

  /// Scores the envelopes of a launch. `residues`: those of the whole batch, on the device. Returns when the
  /// tasks have what was found.
  CommandTime run(const PairLaunch& launch, const EnvelopePairs& pairs, const cl::Buffer& residues);

 private:
  static constexpr std::size_t kListed = 62;    // scales that the kernel lists for a pair
  using Ends = std::array<float, kListed + 2>;  // of a pair, as Forward writes them
  using Result = std::array<float, 32>;         // of a pair, as the kernels write it
  using Column = std::array<cl_uint, 2>;        // of an alignment: node and state, posterior or residue

  // Behind both sweeps: what is wanted of `count` pairs, whose alignments are wanted, or are not. Their
  // models have `steps` steps at most.
  cl::Event launch_alignments(std::size_t count, std::size_t steps, cl_uint plain, bool ends_only);
  cl::Event launch_null2(std::size_t count, std::size_t steps, cl_uint plain);
  void take(const Pair& pair, const EnvelopePairs& pairs, std::size_t place, const Column* columns,
            bool ends_only) const;
  static void take_alignment(const Result& result, const Column* columns, bool ends_only,
                             EnvelopeAlignment& alignment);

  const OpenDevice& device_;
  unsigned threads_;
  SweepKernels sweeps_;
  KernelSet kernels_;
  Queue queue_;
  SweepInput input_;
  GrowingBuffer forward_rows_, backward_rows_, ends_, own_scales_, forward_cells_, backward_cells_, choices_,
      factors_, results_, column_places_, columns_, aligned_, others_;
  std::vector<Ends> ends_found_;
  std::vector<cl_uint> own_scales_found_;
  std::vector<Result> results_found_;
  simd::AlignedBuffer<Column> columns_found_;
};

}  // namespace gpuhmm::hmmer3
