// Divides pairs of models and sequences into launches of the kernels of cl/hmmer3_sweeps.cl.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gpuhmm/sequence.hpp"
#include "hmmer3/pair_sweeper.hpp"
#include "opencl/cl.hpp"

namespace gpuhmm::hmmer3 {

/// What a device can hold.
struct SweepRoom {
  std::size_t local_bytes = 0;  ///< local memory of a work-group
  std::size_t sequences = 8;    ///< most sequences of a work-group
  std::size_t rows = 0;         ///< rows of all pairs of a launch

  /// Sequences of a work-group with a model of so many steps: a power of two; 0: there is no room for one.
  std::size_t sequences_at(std::size_t steps) const;
};

/// Local memory for the cells, and for all else, of a work-group of so many work-items.
std::size_t sweep_cell_bytes(std::size_t steps, std::size_t items);
std::size_t sweep_join_bytes(std::size_t items);
std::size_t sweep_flag_bytes(std::size_t items);

/// A pair of a sweep.
struct SweepPair {
  std::uint32_t query = 0;     ///< number in the sweep
  std::uint32_t n = 0;         ///< number of the sequence in the query
  std::uint32_t sequence = 0;  ///< number in the batch
  std::uint32_t length = 0;    ///< residues
};

/// Pairs that go to the device together: those of a query one after the other.
struct SweepLaunch {
  std::vector<SweepPair> pairs;
  std::size_t sequences = 0;  ///< of a work-group
  std::size_t steps = 0;      ///< of the longest model
};

/// Work-groups of a launch as the kernels read them: first pair, pairs, number of the model, 0. The longest
/// begin first. `model_of`: number of each query's model; `steps_of`: of each model.
std::vector<std::array<cl_uint, 4>> sweep_groups(std::span<const SweepPair> pairs, std::size_t sequences,
                                                 std::span<const std::uint32_t> model_of,
                                                 std::span<const std::size_t> steps_of);

/// All pairs that there is room for, those with the most cells first.
std::vector<SweepLaunch> sweep_launches(std::span<const SweepQuery> queries, const SequenceBatch& batch,
                                        const SweepRoom& room);

}  // namespace gpuhmm::hmmer3
