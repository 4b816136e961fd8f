// A stream of a device: a command queue with its buffers, which runs the bias and the Viterbi filter of some
// pairs at a time.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gpuhmm/sequence.hpp"
#include "hmmer3/opencl/device_residues.hpp"
#include "hmmer3/opencl/filter_tables.hpp"
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

  /// `residues`: those of the whole batch, sequence after sequence, on the device. Pairs that need a Viterbi
  /// score when they have that of the bias filter get it, exact if need be, without waiting for the host.
  std::vector<CommandTime> bias(const PairLaunch& launch, std::span<const PairQuery> queries,
                                const SequenceBatch& batch, const DeviceResidues& residues,
                                const BiasUser& user);
  std::vector<CommandTime> viterbi(const PairLaunch& launch, std::span<const PairQuery> queries,
                                   const SequenceBatch& batch, const DeviceResidues& residues,
                                   const TakeViterbi& take);

 private:
  // What is being sent, until all commands have ended.
  struct Sent {
    std::vector<Four> places, bias_groups, groups;
    std::vector<std::array<cl_int, 4>> segments;
    std::vector<cl_uint> order;
    std::vector<cl_int> moves;
    std::array<cl_uint, 2> taken = {};
  };
  // The pairs of a call, and what they are compared with.
  struct Call {
    const PairLaunch& launch;
    std::span<const PairQuery> queries;
    const SequenceBatch& batch;
    const DeviceResidues& residues;
    LaunchModels models;
    std::vector<std::size_t> sizes;  // viterbi_sizes() of the queries
  };

  void send_pairs(const Call& call, std::span<const Pair> pairs);
  void send_tables(const ViterbiTables& tables);
  void send_segments(const Call& call);
  void choose(bool again, std::size_t items);
  void order_all(const Call& call, std::span<const Pair> pairs);
  // The rest of what Viterbi needs of these pairs.
  void send_moves(const Call& call, std::span<const Pair> pairs);
  // Begins to compute the largest match scores, or numbers that may be too low, of pairs that have been sent
  // and put in order.
  cl::Event begin_viterbi(bool exact, const Call& call);
  // The same for all these pairs, which are still to be sent.
  std::vector<cl_int> viterbi_results(bool exact, const Call& call, std::span<const Pair> pairs,
                                      std::vector<CommandTime>& times);
  // Takes scores that may be too low, of those pairs of the launch for which is_given(number), and computes
  // the exact ones of pairs that need them.
  void take_viterbi(const Call& call, std::span<const cl_int> least,
                    const std::function<bool(std::size_t)>& is_given, const TakeViterbi& take,
                    std::vector<CommandTime>& times);

  const OpenDevice& device_;
  std::size_t viterbi_bytes_;
  unsigned threads_;
  KernelSet kernels_;
  Queue queue_;
  GrowingBuffer pairs_, groups_, bias_groups_, bias_models_, lengths_, bias_results_, segments_, counts_;
  GrowingBuffer order_, models_, steps_, emissions_, moves_, results_, cells_, taken_;
  Sent sent_;
};

}  // namespace gpuhmm::hmmer3
