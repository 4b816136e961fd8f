// Forward and Backward of many pairs of a model and a sequence, as a device computes them.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "gpuhmm/sequence.hpp"
#include "hmmer3/forward_backward.hpp"

namespace gpuhmm::hmmer3 {

/// A model and the sequences that it is compared with, by their numbers in the batch, the longest first.
/// `model` must outlive it.
struct SweepQuery {
  const FloatModel* model;
  std::vector<std::size_t> sequences;
};

/// Takes what a sweep gives, in any order and from several threads at a time. Pairs that are never named are
/// left to the host.
struct SweepUser {
  /// Pair number `n` of a query has this Forward score, nats. True: it passes, and its rows are wanted.
  std::function<bool(std::size_t query, std::size_t n, float score)> passes;
  /// The rows of a pair that passes; they end with the call.
  std::function<void(std::size_t query, std::size_t n, const SweptRows& rows)> use;
};

/// Not thread-safe. Calls throw EngineFailure.
class PairSweeper {
 public:
  virtual ~PairSweeper() = default;

  /// One line of text that names the device.
  virtual std::string description() const = 0;
  /// Seconds for which the device has computed.
  virtual double busy_seconds() const = 0;

  /// Takes `batch`, which must live and stay as it is until the next call, in place of the one before.
  virtual void load(const SequenceBatch& batch) = 0;

  /// Runs Forward, and for pairs that pass Backward, with multihit length models: the same bits as
  /// run_forward() and run_backward(). Leaves out pairs that those fail for, and models that the device has
  /// no room for.
  virtual void sweep(std::span<const SweepQuery> queries, const SweepUser& user) = 0;
};

}  // namespace gpuhmm::hmmer3
