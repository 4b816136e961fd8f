// Divides pairs of profiles and sequences into launches of kernels that give a work-group one model.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "gpuhmm/sequence.hpp"
#include "hmmer3/pair_scorer.hpp"
#include "opencl/cl.hpp"

namespace gpuhmm::hmmer3 {

/// A size of models that no device has room for.
inline constexpr std::size_t kNoRoom = std::size_t{1} << 30;

/// Of kernels whose local memory does not depend on the model.
inline std::size_t no_local_bytes(std::size_t, std::size_t) { return 0; }

/// What a kernel can hold on a device. The size of a model is what the kernel's local memory depends on.
struct PairRoom {
  std::size_t sequences = 1;    ///< most sequences of a work-group
  std::size_t local_bytes = 0;  ///< local memory of a work-group
  std::size_t rows = 0;         ///< of all pairs of a launch, one more than residues each
  /// Most steps of a pair, size times residues: all others would wait for the longest.
  std::size_t cost = 0;
  /// Local memory that a work-group of so many sequences needs, bytes.
  std::size_t (*bytes_of)(std::size_t size, std::size_t sequences) = nullptr;
  /// Of all pairs of a launch, residues times size.
  std::size_t cells = std::numeric_limits<std::size_t>::max();
  std::size_t largest = kNoRoom - 1;  ///< size of a model
  /// Sizes, rising, up to which models share a launch, together with their long pairs, whatever their size
  /// is. None: launches have models of about one size, and long pairs have launches of their own.
  std::vector<std::size_t> classes = {};
  /// If not 0: `rows` may grow up to `most_rows`, so that there are no more launches than these, but for
  /// those that other limits need.
  std::size_t launches = 0;
  std::size_t most_rows = 0;

  /// The room with `rows` as they have to be for so many rows of all pairs.
  PairRoom for_rows(std::size_t all) const;
  /// Sequences of a work-group with a model of this size: a power of two; 0: there is no room for one.
  std::size_t sequences_at(std::size_t size) const;
  /// Whether models of these sizes, the smallest of a launch and a larger one, may share it.
  bool may_share(std::size_t smallest, std::size_t size) const;
};

/// A pair.
struct Pair {
  std::uint32_t query = 0;     ///< number of its query
  std::uint32_t n = 0;         ///< number of the sequence in the query
  std::uint32_t sequence = 0;  ///< number in the batch
  std::uint32_t length = 0;    ///< residues
};

/// Pairs that go to the device together: those of a query one after the other.
struct PairLaunch {
  std::vector<Pair> pairs;
  std::size_t sequences = 0;  ///< of a work-group
  std::size_t size = 0;       ///< of the largest model
  std::size_t cells = 0;      ///< residues times the sizes of their models
};

/// All pairs that there is room for, the launches with the most cells first. `sizes`: of the queries' models.
/// `threads` host threads share the work.
std::vector<PairLaunch> pair_launches(std::span<const PairQuery> queries, std::span<const std::size_t> sizes,
                                      const SequenceBatch& batch, const PairRoom& room, unsigned threads = 1);

/// The nodes of the queries' models.
std::vector<std::size_t> nodes_of(std::span<const PairQuery> queries);

/// Four numbers as kernels read them.
using Four = std::array<cl_uint, 4>;

/// The queries of a launch, numbered in the order in which their models go to the device.
struct LaunchModels {
  LaunchModels(std::span<const Pair> pairs, std::size_t queries);

  std::vector<std::uint32_t> queries;   ///< of each model
  std::vector<std::uint32_t> model_of;  ///< of each query; not defined for those that do not occur
};

/// Work-groups as kernels read them: first pair, pairs, number of the model, 0. The longest begin first.
/// `sequences`: the most of a work-group of a query.
std::vector<Four> pair_groups(std::span<const Pair> pairs,
                              const std::function<std::size_t(std::uint32_t query)>& sequences,
                              const LaunchModels& models, std::span<const std::size_t> sizes);
/// Of as many sequences for each query.
std::vector<Four> pair_groups(std::span<const Pair> pairs, std::size_t sequences, const LaunchModels& models,
                              std::span<const std::size_t> sizes);

/// Pairs as kernels read them: first residue, residues, 0, 0. `first`: of the whole batch the first residue.
std::vector<Four> pair_places(std::span<const Pair> pairs, const SequenceBatch& batch, std::uint64_t first);

}  // namespace gpuhmm::hmmer3
