// A stream of a device: a command queue with its buffers, which runs the bias and the Viterbi filter of some
// pairs at a time.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "gpuhmm/sequence.hpp"
#include "hmmer3/opencl/device_residues.hpp"
#include "hmmer3/opencl/pair_launches.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/kernel_set.hpp"
#include "opencl/open_device.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm::hmmer3 {

/// Not thread-safe; several streams of a device may run at the same time. Calls throw EngineFailure, and
/// return when `take` has received all pairs.
class FilterStream {
 public:
  /// Builds the kernels with these options; the bias filter needs double precision. `device` must outlive the
  /// stream; `viterbi_bytes`: for the Viterbi filter's cells; `threads` host threads use what the device
  /// found.
  FilterStream(const OpenDevice& device, const std::string& options, std::size_t viterbi_bytes,
               unsigned threads);

  /// `residues`: those of the whole batch, sequence after sequence, on the device.
  CommandTime bias(const PairLaunch& launch, std::span<const PairQuery> queries, const SequenceBatch& batch,
                   const DeviceResidues& residues, const TakeScore& take);
  std::vector<CommandTime> viterbi(const PairLaunch& launch, std::span<const PairQuery> queries,
                                   const SequenceBatch& batch, const DeviceResidues& residues,
                                   const TakeViterbi& take);

 private:
  std::size_t send_pairs(const PairLaunch& launch, const LaunchModels& models, const SequenceBatch& batch,
                         std::uint64_t first_residue, std::span<const std::size_t> sizes);
  // The largest match scores, or numbers that may be too low; the models' tables have been sent.
  std::vector<cl_int> viterbi_results(bool exact, const PairLaunch& launch, const LaunchModels& models,
                                      const SequenceBatch& batch, std::span<const std::size_t> sizes,
                                      const DeviceResidues& residues, std::vector<CommandTime>& times);

  const OpenDevice& device_;
  std::size_t viterbi_bytes_;
  unsigned threads_;
  KernelSet kernels_;
  Queue queue_;
  GrowingBuffer models_, steps_, emissions_, pairs_, groups_, lengths_, results_, cells_, taken_;
  std::vector<Four> places_, group_list_;  // as sent
};

}  // namespace gpuhmm::hmmer3
