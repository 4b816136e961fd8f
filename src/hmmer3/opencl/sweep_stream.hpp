// A stream of a device: a command queue with its buffers, which runs Forward and Backward of some pairs at a
// time, and finds their regions.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "gpuhmm/sequence.hpp"
#include "hmmer3/opencl/device_residues.hpp"
#include "hmmer3/opencl/pair_launches.hpp"
#include "hmmer3/opencl/sweep_shapes.hpp"
#include "hmmer3/opencl/sweep_tables.hpp"
#include "hmmer3/pair_scorer.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/open_device.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm::hmmer3 {

/// Not thread-safe; several streams of a device may run at the same time. Calls throw EngineFailure.
class SweepStream {
 public:
  /// Kernels are built with these options and for these shapes, at their first use. `device` must outlive the
  /// stream; `most_rows`: of a launch, one more than residues for each pair; `most_scales`: those of its rows
  /// for which there is room (pairs whose scales find none are left out); `threads` host threads use what the
  /// device found.
  SweepStream(const OpenDevice& device, const std::string& options, const SweepShapes& shapes,
              std::size_t most_rows, std::size_t most_scales, unsigned threads);

  /// Begins to build the programs that a stream with these options and shapes needs for the profiles
  /// (OpenDevice::begin_program).
  static void begin_programs(const OpenDevice& device, const std::string& options, const SweepShapes& shapes,
                             std::span<const SearchProfile* const> profiles);

  /// Runs a launch. `residues`: those of the whole batch, sequence after sequence, on the device. Returns
  /// when `user` has received all pairs.
  std::vector<CommandTime> run(const PairLaunch& launch, std::span<const PairQuery> queries,
                               const SequenceBatch& batch, const DeviceResidues& residues,
                               const SweepUser& user);

 private:
  static SweepKernels kernels(const OpenDevice& device, const std::string& options,
                              const SweepShapes& shapes);

  using Ends = std::array<float, 16>;  // of a pair, as the kernel writes them
  using FurtherScale = std::array<cl_uint, 2>;

  // Of the launch that has ended: of pairs with more scales than their Ends have, the others that found room.
  std::unordered_map<cl_uint, std::vector<float>> further_scales();
  // The numbers of pairs that pass.
  std::vector<std::size_t> passed_of(std::span<const Pair> pairs, const SweepUser& user);
  void hand_out(std::size_t place, const Pair& pair, const SweepUser& user) const;

  const OpenDevice& device_;
  std::size_t most_rows_, most_scales_;
  unsigned threads_;
  SweepKernels kernels_;
  Queue queue_;
  SweepInput input_;
  GrowingBuffer rows_, ends_, backward_rows_, own_scales_, posteriors_;
  GrowingBuffer further_, further_count_, used_, regions_, results_;
  std::vector<Ends> ends_found_;
  std::vector<FurtherScale> further_found_;
  std::vector<Four> regions_found_, results_found_;  // as cl/hmmer3_regions.cl writes them
};

}  // namespace gpuhmm::hmmer3
