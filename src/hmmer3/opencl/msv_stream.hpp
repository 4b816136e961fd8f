// A stream of a device: a command queue with its buffers, which runs MSV of some pairs at a time.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "gpuhmm/sequence.hpp"
#include "hmmer3/opencl/device_residues.hpp"
#include "hmmer3/opencl/pair_launches.hpp"
#include "hmmer3/pair_scorer.hpp"
#include "opencl/growing_buffer.hpp"
#include "opencl/kernel_set.hpp"
#include "opencl/open_device.hpp"
#include "opencl/queue.hpp"

namespace gpuhmm::hmmer3 {

/// The models of a launch as cl/hmmer3_msv.cl reads them.
struct MsvTables {
  /// By `threads` threads.
  MsvTables(const LaunchModels& launch, std::span<const PairQuery> queries, unsigned threads);

  std::vector<std::array<cl_int, 4>> models;  ///< place in gains, nodes, bias, cost of E -> C
  std::vector<cl_short> gains;                ///< [node][code]
};

/// Not thread-safe; several streams of a device may run at the same time. Calls throw EngineFailure.
class MsvStream {
 public:
  /// Builds the kernel. `device` must outlive the stream; `edge_bytes`: memory for edges, unless a work-group
  /// needs more; `threads` host threads prepare launches and use what they give.
  MsvStream(const OpenDevice& device, std::size_t edge_bytes, unsigned threads);

  /// Runs a launch. `residues`: those of the whole batch, sequence after sequence, on the device. Returns
  /// when all scores have been taken.
  CommandTime run(const PairLaunch& launch, std::span<const PairQuery> queries, const SequenceBatch& batch,
                  const DeviceResidues& residues, const TakeScore& take);

 private:
  template <class Words>
  std::vector<std::size_t> place_edges(std::vector<Four>& groups, const Words& words);

  const OpenDevice& device_;
  std::size_t edge_bytes_;
  unsigned threads_;
  KernelSet kernels_;
  Queue queue_;
  GrowingBuffer groups_, pairs_, models_, gains_, costs_, results_, edges_;
};

}  // namespace gpuhmm::hmmer3
